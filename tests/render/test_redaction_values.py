"""Secrets in values of any kind: records, named tuples, mappings and their names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from neurontriage.render.redaction import redacted

KEY = "AKIA" + "IOSFODNN7EXAMPLE"


@dataclass(frozen=True)
class Pair:
    name: str
    value: Any


def test_values_within_values() -> None:
    one = Pair("a", f"{KEY}")
    shown = redacted({"password": "hunter22secret", 3: "hunter22secret", "list": [one, one, 7], "none": None})
    assert shown["password"] == "<secret-1>" and shown[3] == "<secret-1>"
    assert shown["list"] == [Pair("a", "<aws-key-id-1>")] * 2 + [7] and shown["list"][0] is shown["list"][1]
    assert shown["none"] is None
    assert (
        redacted(
            ({"a": {"password": "hunter22secret"}}, Pair("n", "password=s3cret-9-key"), "hunter22secret s3cret-9-key")
        )[2]
        == "<secret-1> <secret-2>"
    )
    assert redacted({"text=": "password=hunter22secret"}) == {"text=": "password=<secret-1>"}
    assert redacted(Pair) is Pair
    assert redacted((KEY, Path("x"), Pair)) == ("<aws-key-id-1>", Path("x"), Pair)


def test_a_value_is_read_with_its_name_however_short_it_is() -> None:
    assert redacted({"password": "pw9", "other": "pw9"}) == {"password": "<secret-1>", "other": "pw9"}


def test_names_of_values_hold_no_secret() -> None:
    assert redacted({KEY: "x", "ab": {KEY: 1}}) == {"<aws-key-id-1>": "x", "ab": {"<aws-key-id-1>": 1}}


def test_what_holds_no_secret_is_not_copied() -> None:
    clean = {"a": (Pair("b", ("password:", "is wrong")),)}
    assert redacted(clean) is clean


class Field(NamedTuple):
    name: str
    value: str


def test_strings_of_a_tuple_are_lines_of_one_text_and_fields_are_not() -> None:
    assert redacted(("password:", "  hunter22secret")) == ("password:", "  <key-line-1>")
    assert redacted(Field("password:", "  hunter22secret")) == Field("password:", "  hunter22secret")
    assert redacted([Field(KEY, "x")]) == [Field("<aws-key-id-1>", "x")]
