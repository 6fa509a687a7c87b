"""Secrets in values of any kind: records, named tuples, mappings and their names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from neurontriage.model import Evidence
from neurontriage.render.redaction import redacted
from neurontriage.render.redaction.blocks import fragments
from neurontriage.render.redaction.redactor import Redactor

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


def test_a_secret_among_many_texts_goes_from_all_and_the_rest_is_the_same_value() -> None:
    lines = [Evidence("log", number, number, f"step {number}") for number in range(1000)]
    key = Evidence("log", 1000, 1000, "export API_TOKEN=q8Zr2LmW41xTbV7n")
    again = Evidence("log", 1001, 1001, "what is q8Zr2LmW41xTbV7n for?")
    redactor = Redactor()
    shown = redactor.value((*lines, key, again))
    assert [one.text for one in shown[1000:]] == ["export API_TOKEN=<secret-1>", "what is <secret-1> for?"]
    assert all(mine is given for mine, given in zip(shown, lines, strict=False))


def test_a_block_that_stands_in_several_texts_is_one() -> None:
    name, value = "api_token:", "  q8Zr2LmW41xTbV7n"
    assert list(fragments(name, value)) == list(fragments(f"{name}\n{value}")) == [value.strip()]
