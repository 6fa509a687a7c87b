"""What lines say by the payload grammar: said.yaml has the lines. NEURONTRIAGE_GOLDEN=write writes what is said now."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml

from neurontriage import resources
from neurontriage.parse.family import read_payload
from neurontriage.parse.payload import Payload

WRITTEN = Path(__file__).parent / "said.yaml"
LINES: dict[str, str] = yaml.safe_load(WRITTEN.read_text("utf-8"))


@pytest.fixture(scope="module")
def payload() -> Payload:
    return Payload(read_payload(resources.grammars())[0])


def told(payload: Payload, line: str) -> str:
    said = payload.read(line)
    fields = [f"{name}={value}" for name, value in sorted(said.fields.items())]
    return "; ".join([f"{said.kind or '-'} {said.level or '-'} {said.size}", " ".join(sorted(said.words)), *fields])


def test_what_lines_say(payload: Payload) -> None:
    now = {line: told(payload, line) for line in LINES}
    if os.environ.get("NEURONTRIAGE_GOLDEN") == "write":
        WRITTEN.write_text(yaml.safe_dump(now, width=10_000, sort_keys=False, allow_unicode=True), "utf-8")
    assert now == LINES


def test_lines_that_differ_in_digits_only_differ_in_values(payload: Payload) -> None:
    one, other = (payload.read(f"RuntimeError: rank {number} failed with /a/b{number}") for number in (3, 45))
    assert (one.kind, one.words, one.level) == (other.kind, other.words, other.level)
    assert (one.fields["path"], other.fields["path"]) == ("/a/b3", "/a/b45")


def test_a_long_line_is_read_in_part(payload: Payload) -> None:
    assert payload.read("ERROR " + "x " * 10_000) == payload.read("ERROR " + "x " * 20_000)
