"""What is remembered of lines that differ in digits: only what no pattern that is asked of them tells apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neurontriage.claims import (
    collect,
    endings,
    handled,
    harmless,
    kinds,
    phases,
    prose,
    remedies,
    sessions,
    steps,
    tries,
)
from neurontriage.claims.reading import Reading
from neurontriage.facts import prompts
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines import attempts, prefix, shapes
from neurontriage.lines.ambiguity import _signs
from neurontriage.lines.digits import NONE_OR_SOME, folded, form, unfolded
from neurontriage.lines.patterns import sre
from neurontriage.lines.words import as_re
from neurontriage.parse.family import Family
from neurontriage.read.slices import sliced

SAMPLES = sorted((Path(__file__).parent.parent.parent / "samples").rglob("*.log"))
LINES = sorted({line for path in SAMPLES for line in path.read_text("utf-8", "replace").splitlines() if line.strip()})
OTHER = str.maketrans("123456789", "234567891")

DIGITS = frozenset("0123456789")
SOME = DIGITS - {"0"}
ZERO_APART = {
    **{f"kinds.{name}": getattr(kinds, name)._text for name in ("_EXITED", "_SOURCE", "_SHAPES", "_BETWEEN", "_ASIDE")},
    **{f"kinds.{name}": getattr(kinds, name)._text for name in ("_NAME", "_STATED", "_HEAD")},
    **{f"harmless.{name}": getattr(harmless, name)._text for name in ("_STARTS", "_HOLDS", "_COLUMNS", "_SENTENCE")},
    **{f"harmless.{name}": getattr(harmless, name)._text for name in ("_FRAMES", "_VALUES", "_ILL", "_REQUEST")},
    **{f"remedies.{name}": getattr(remedies, name)._text for name in ("_GOES_ON", "_REMEDY")},
    **{f"handled.{name}": getattr(handled, name)._text for name in ("_HANDLES", "_ASKS")},
    **{f"phases.{name}": getattr(phases, name)._text for name in ("_ANNOUNCES", "_OF_ONE", "_SHOWS", "_AGAIN")},
    **{f"prose.{name}": getattr(prose, name)._text for name in ("_SPAN", "_LABEL", "_MADE", "_WORD", "_TECHNICAL")},
    **{f"steps.{name}": getattr(steps, name)._text for name in ("_STARTING", "_STARTED", "_BUILD", "_BUILT", "_TEST")},
    **{f"steps.{name}": getattr(steps, name)._text for name in ("_TESTED", "_ITEM", "_CHOSEN", "_OBJECT", "_OF_ONE")},
    **{f"endings.{name}": getattr(endings, name)._text for name in ("_MAYBE", "_WHOLE")},
    "attempts._COUNTED": attempts._COUNTED._text,
    "collect._VARIABLE": collect._VARIABLE._text,  # type: ignore[attr-defined]
    "prompts._SHOWN": prompts._SHOWN._text,  # type: ignore[attr-defined]
    "sessions._MARK": sessions._MARK._text,  # type: ignore[attr-defined]
    "tries._GIVES_UP": tries._GIVES_UP._text,
}
BY_FORM: dict[str, Callable[[str], object]] = {
    "counts": attempts._counts,
    "form": kinds._form,
    "gives_up": tries.gives_up,
    "goes_on": remedies.goes_on,
    "handles": handled.handles,
    "may_be": endings._may_be,
    "of_all": endings._of_all,
    "of_unit": steps._of_unit,
    "quoted": harmless.quoted,
    "remedied": remedies.remedied,
    "asked": harmless.asked,
    "wording": collect._wording,
}


def told_apart(tree: Any, at: int = 0) -> Iterator[tuple[int, frozenset[str]]]:
    """The digits that a place of a parsed pattern takes, where not all; before them how far it is from the start."""
    for op, arg in tree:
        name = str(op)
        taken = _signs(name, arg) & DIGITS
        if taken and taken != DIGITS:
            yield at, taken
        for part in _parts(name, arg):
            yield from told_apart(part, at)
        if not name.startswith("ASSERT"):
            at += sre.SubPattern(tree.state, [(op, arg)]).getwidth()[1]


def _parts(name: str, arg: Any) -> list[Any]:
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return [arg[2]]
    if name in ("SUBPATTERN", "ASSERT", "ASSERT_NOT"):
        return [arg[-1]]
    return list(arg[1]) if name == "BRANCH" else []


@pytest.mark.parametrize("shape", [*(one for some in shapes.SHAPES.values() for one in some), prefix._BAR])
def test_shapes_of_prefixes_tell_digits_apart_at_their_start_alone(shape: str) -> None:
    assert all(at < prefix._NEAR for at, _ in told_apart(sre.parse(shape)))


@pytest.mark.parametrize("name", ZERO_APART)
def test_what_shows_the_form_of_a_line_tells_only_zero_apart(name: str) -> None:
    assert all(taken >= SOME or not taken & SOME for _, taken in told_apart(sre.parse(ZERO_APART[name])))


def test_patterns_that_tell_digits_apart_are_seen() -> None:
    assert list(told_apart(sre.parse(r"\d{2}(?:x|y[45])"))) == [(3, frozenset("45"))]


def only_zero_apart(text: str) -> bool:
    return all(taken >= SOME or not taken & SOME for _, taken in told_apart(sre.parse(as_re(text))))


def test_what_a_family_tells_apart(catalog: Catalog) -> None:
    def telling(family: Family) -> bool:
        texts = [text for text, _ in family.grammar.table["patterns"].values()]
        return not all(map(only_zero_apart, [*texts, *(start.regex for start in family.starts)]))

    assert [one.name for one in catalog.families if one.digits] == [
        one.name for one in filter(telling, catalog.families)
    ]


@pytest.mark.parametrize("name", BY_FORM)
def test_what_is_said_of_the_form_of_a_line_is_what_is_said_of_the_line(name: str) -> None:
    function = BY_FORM[name]
    plain = function.__wrapped__  # type: ignore[attr-defined]
    assert not [line for line in LINES if function(line) != plain(line)]


def test_what_a_line_remarks_is_what_its_form_remarks() -> None:
    plain = handled._remarks.__wrapped__  # type: ignore[attr-defined]
    pairs = ((line, prefix.strip(line).payload) for line in LINES)
    assert not [line for line, rest in pairs if plain(form(line), form(rest)) != plain(line.encode(), rest.encode())]


@pytest.mark.parametrize("path", SAMPLES[::7], ids=lambda path: path.stem)
def test_a_log_says_the_same_below_one_with_other_numbers(path: Path, catalog: Catalog) -> None:
    text = path.read_text("utf-8", "replace")

    def said(*texts: str) -> list[object]:
        reading = Reading(catalog)
        parts = [reading.part_of("log", one) for text in texts for one in sliced([text.encode()])]
        return [(key, claim.kept, claim.count) for key, claim in parts[-1].gathered.found.items()]

    assert said(text.translate(OTHER), text) == said(text)


@given(st.text())
def test_folding_leaves_all_in_its_place(text: str) -> None:
    for table in ({}, {"table": NONE_OR_SOME}):
        made = unfolded(folded(text, **table))
        assert len(made) == len(text)
        assert all(one == other or (one in DIGITS and other in DIGITS) for one, other in zip(text, made, strict=True))


@pytest.mark.parametrize("clock", ["05:32:07,286", "14:59:40,001"])
@pytest.mark.parametrize("code", ["404", "200"])
def test_what_a_prefix_says_is_of_its_own_line(clock: str, code: str) -> None:
    found = prefix.strip(f"[rank{code}]: 2026-07-24 {clock} - trainer - INFO - {code}: Not a rank")
    assert (found.rank, found.time, found.level) == (int(code), f"2026-07-24 {clock}", "INFO")
    assert prefix.strip(f"{code}: Not Found").rank == (None if code == "404" else 200)
