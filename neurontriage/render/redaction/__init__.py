"""Secrets taken out of what is made to be shared: keys, tokens, passwords, account ids, e-mail addresses, signed URLs.

`strict` also takes what tells whose machine it was: hosts, IP addresses, user names, buckets, instance and role names.
Rules are ours, because those of secret scanners cut a long token short and judge by fixed lengths; one of these
scanners is the second opinion in the tests.
"""

from __future__ import annotations

from typing import TypeVar

from neurontriage.render.redaction.redactor import Redactor

__all__ = ["Redactor", "redacted"]

Value = TypeVar("Value")


def redacted(value: Value, strict: bool = False) -> Value:
    """The same value with the secrets in all its texts replaced by what they are, however deep they stand."""
    return Redactor(strict).value(value)
