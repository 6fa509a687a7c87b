"""Secrets of a log taken out of what is made to be shared: keys, tokens, account ids, e-mails, signed URLs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

_SECRETS = (
    (r"\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{12,20}\b", "<aws key id>"),
    (r"(?i)((?:secret_?access_?key|secret_?key|session_?token|security_?token|password|passwd|api_?key|auth_?token)"
     r"[\"']?\s?[=:]\s?[\"']?)[^\s\"',;&]{4,200}", r"\1<secret>"),
    (r"(?i)(authorization: ?(?:basic|bearer) |bearer )[\w.~+/=-]{8,2000}", r"\1<secret>"),
    (r"\b(?:hf|ghp|gho|ghs|glpat|xoxb|sk)[_-][A-Za-z0-9_-]{16,100}", "<token>"),
    (r"\beyJ[\w-]{10,2000}\.[\w-]{10,2000}\.[\w-]{5,2000}", "<token>"),
    (r"(?i)(X-Amz-(?:Signature|Credential|Security-Token)=)[^&\s\"']{4,2000}", r"\1<secret>"),
    (r"(arn:aws[\w-]{0,10}:[\w-]{1,30}:[\w-]{0,20}:)\d{12}\b", r"\1<account>"),
    (r"\b\d{12}(\.dkr\.ecr\.)", r"<account>\1"),
    (r"(?i)(account[ _-]?id[\"']?\s?[=:]?\s?[\"']?)\d{12}\b", r"\1<account>"),
    (r"\b[\w.+-]{1,60}@[\w-]{1,60}(?:\.[\w-]{2,30}){1,4}\b", "<e-mail>"),
    (r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----.*", "<private key>"),
)  # fmt: skip
_COMPILED = tuple((re.compile(pattern, re.ASCII), shown) for pattern, shown in _SECRETS)

Value = TypeVar("Value")


def redacted(value: Value) -> Value:
    """The same value with the secrets in all its texts replaced by what they are, however deep they stand."""
    return cast(Value, _redacted(value))


def _redacted(value: Any) -> Any:
    if isinstance(value, str):
        for pattern, shown in _COMPILED:
            value = pattern.sub(shown, value)
        return value
    if isinstance(value, tuple):
        return tuple(_redacted(one) for one in value)
    if isinstance(value, Mapping):
        return {name: _redacted(one) for name, one in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: _redacted(getattr(value, f.name)) for f in fields(value) if f.init})
    return value
