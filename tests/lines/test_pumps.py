"""Every expression that meets text from a log takes linear time, whatever the text repeats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest
from pumping import Expression, Pump, growth, of_grammars, of_rooms, pumps

from neurontriage import resources
from neurontriage.lines.shapes import SHAPES
from neurontriage.parse.family import read_families, read_payload

# These read entries, sources and what we write ourselves. The titles of findings are those of entries.
NOT_OF_LOGS = {
    "knowledge", "kb", "contract", "agents", "repro", "preflight", "measure", "reduce", "hlo", "commands", "__main__",
    "neurontriage.ranking.answers.findings",
}  # fmt: skip
AT_THE_START = ("neurontriage.render.message._HEADERS",)
"""What is tried at the start of a text only, which is not seen from its use."""
LINEAR = 1.6
"""The most that a cost may grow with: a quadratic one has 2, and a measured linear one is never exactly 1."""
EXPLODES, LONG = 4.0, 700
"""What grows no faster than this is affordable at this length, which is beyond what a bounded repeat takes."""


@cache
def shipped() -> dict[str, Expression]:
    shapes = {f"prefix {kind!r} {shape}": shape for kind, shapes in SHAPES.items() for shape in shapes}
    return of_rooms(NOT_OF_LOGS, AT_THE_START) | {
        name: Expression(re.compile(shape), True) for name, shape in shapes.items()
    }


def slow(expressions: dict[str, Expression]) -> dict[str, object]:
    """Those that grow faster, each with what shows it first."""
    grown = ((name, next(grows(one), None)) for name, one in expressions.items())
    return {name: found for name, found in grown if found}


def grows(one: Expression) -> Iterator[tuple[float, Pump]]:
    """What makes an expression slow, and how it grows; measured again, since a busy machine makes costs look larger."""
    for exponent, pump in one.growths():
        again = exponent > LINEAR and [growth(one.run, pump, *[LONG] * (exponent < EXPLODES)) for _ in range(8)]
        if again and min(again) > LINEAR:
            yield min(again), pump


def test_expressions_of_the_package() -> None:
    assert len(shipped()) > 250
    assert slow(shipped()) == {}


def test_terminals_of_the_grammars() -> None:
    grammars = {family.name: family.grammar.parser for family in read_families(resources.grammars())}
    payload, _ = read_payload(resources.grammars())
    assert slow(of_grammars(grammars | {"payload": payload.parser})) == {}


@pytest.mark.parametrize(
    "text", [r"(?:a|a)+b", r"\w+\d+x", r"\s*$", r"(?:W-\d+[\w.-]*\s)*x", r"password:\s*\|?\s*$", r"(a+)+b"]
)
def test_what_is_not_linear_is_found(text: str) -> None:
    assert slow({"it": Expression(re.compile(text), False)})


@pytest.mark.parametrize("text", [r"a+b?", r"^\s*\w+: \d+$", r"(?<!\w)\w+@", r"(?:a|b)+c?"])
def test_what_is_linear_passes(text: str) -> None:
    assert pumps(text)
    assert not slow({"it": Expression(re.compile(text), False)})
