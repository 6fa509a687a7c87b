"""What a claim is made of: which lines are one failure, when it was seen, what they mean where it does not hold."""

from __future__ import annotations

from typing import Any

import pytest

from neurontriage.claims import collect
from neurontriage.claims.claim import MOST_EVIDENCE, Claim
from neurontriage.claims.collect import Claims, Gathered
from neurontriage.claims.frames import Innermost
from neurontriage.claims.kinds import kind_of
from neurontriage.claims.match import Match, _groups
from neurontriage.claims.reading import Reading
from neurontriage.claims.sequence import IN_LINE
from neurontriage.knowledge.catalog import Catalog, Rule
from neurontriage.model import Event, Evidence, Said
from neurontriage.read.slices import Slice, sliced
from neurontriage.runs import run_of


def event(line: int = 1, text: str = "it broke", **more: Any) -> Event:
    words = frozenset(more.pop("words", ("BROKE",)))
    said = Said(more.pop("of", ""), words=words, size=len(words), level=more.pop("level", ""))
    told, path, rank = more.pop("told", {}), more.pop("path", "a.log"), more.pop("rank", None)
    family, kind = more.pop("family", "plain"), more.pop("kind", "said")
    return Event(family, kind, told, Evidence(path, line, line, text, rank=rank), said=said, order=line, **more)


def claim(line: int = 1, path: str = "a.log", **more: Any) -> Claim:
    return Claim("X", "X", "host", "error", "raise", event(line, path=path, **more), (0.0, line), lasts={path: line})


@pytest.mark.parametrize(
    ("words", "text", "alone"),
    [
        ({"COMPONENT"}, "ERROR 31791 [neuronxcc.driver.CommandDriver]:", True),
        ({"COMPONENT", "HEADING"}, "ERROR 31791 [neuronxcc.driver.CommandDriver]:  ", True),
        ({"COMPONENT"}, "ERROR 31791 [neuronxcc.driver.CommandDriver]: x", False),
        ({"COMPONENT"}, "]: ERROR of a component", False),
        ({"COMPONENT", "FAILED"}, "ERROR [x]: FAILED [y]:", False),
        ({"HEADING"}, "Failures [3]:", False),
    ],
)
def test_a_header_with_nothing_behind_it(words: set[str], text: str, alone: bool) -> None:
    assert collect._header_only(event(text=text, words=words)) is alone


@pytest.mark.parametrize(
    ("path", "last", "repaired"), [("a.log", 6, True), ("a.log", 5, False), ("a.log", 4, False), ("b.log", 1, True)]
)
def test_what_repairs_comes_later_or_in_another_log(path: str, last: int, repaired: bool) -> None:
    assert collect._repaired(claim(5), {"FIX": claim(last, path)}, {"repaired": ["FIX"]}) is repaired


@pytest.mark.parametrize(
    ("line", "more", "died"),
    [
        (10, {}, True),
        (9, {}, True),
        (8, {}, False),
        (10, {"level": "ERROR"}, False),
        (10, {"words": {"THREAD"}}, False),
        (10, {"of": "statement"}, False),
        (10, {"kind": "said"}, False),
    ],
)
def test_the_last_exception_of_a_log_ended_it(line: int, more: dict[str, Any], died: bool) -> None:
    one = claim(line, **{"kind": "exception", "of": "exception", **more})
    assert collect._died_of(one, {"a.log": 10}) is died


def test_a_claim_knows_where_and_when_it_was_seen_first() -> None:
    one = claim()
    for time, line, rank in ((2.0, 3, 1), (4.0, 5, 1), (6.0, 7, 2)):
        one.add(Match(event(line, rank=rank), "X", {}), time)
    assert [(s.rank, s.line, s.time) for s in one.sightings] == [(1, 3, 2.0), (2, 7, 6.0)]
    assert (one.count, one.last, one.ranks) == (3, 7, {1, 2})


def test_a_claim_takes_in_what_another_part_saw() -> None:
    one, other = claim(1), claim(9)
    one.key = other.key = ("X",)
    one.modules, other.modules = {"module_1"}, {"module_2"}
    one.told, other.told = {"pass": "First"}, {"pass": "Second", "function": "f"}
    other.count, other.handled = 3, 2
    one.take(other)
    assert one.modules == {"module_1", "module_2"}
    assert one.told == {"pass": "First", "function": "f"}
    assert (one.count, one.handled, one.last, one.id) == (3, 2, 9, "X")


def test_a_claim_takes_the_entry_that_a_later_part_found() -> None:
    """The pass at the end of a traceback made of it another entry than its lines had at first."""
    one, other = claim(1), claim(9)
    one.key = other.key = ("X",)
    other.id = other.entry = "X-Particular"
    one.take(other)
    assert (one.id, one.entry) == ("X-Particular", "X-Particular")


def test_lines_without_room_are_counted(monkeypatch: pytest.MonkeyPatch, catalog: Catalog) -> None:
    monkeypatch.setattr(collect, "_MOST_PLAIN", 1)
    gathered = Gathered()
    claims = Claims(catalog, gathered)
    for number, text in enumerate(("alpha failed", "beta failed", "gamma failed", "delta failed"), 1):
        claims.add(Match(event(number, text), None, {"message": text}))
    assert len(gathered.found) == 2
    assert gathered.passed_over == 2


def test_the_key_of_an_unknown_line_is_its_words(catalog: Catalog) -> None:
    """Plain lines that only differ in numbers are one claim; what has its own message is told apart by that."""
    gathered = Gathered()
    claims = Claims(catalog, gathered)
    for number, text in enumerate(("rank 3 failed", "rank 4 failed", "node 4 failed"), 1):
        claims.add(Match(event(number, text), None, {}))
    assert [one.count for one in gathered.found.values()] == [2, 1]
    for one in gathered.found.values():
        assert one.key == one.wide, "prose is never put together more widely"


def test_without_the_entry_its_lines_mean_the_next_best_or_nothing(catalog: Catalog) -> None:
    claims = Claims(catalog, Gathered())
    known, unknown = Match(event(), "OTHER", {}), Match(event(), None, {})
    one = claim()
    one.id = next(name for name, brief in catalog.briefs.items() if brief["unseen"])
    one.runners = [known, unknown]
    other = catalog.briefs[one.id]["unseen"][0]
    assert claims._instead(one, {}) == [known, unknown]
    assert claims._instead(one, {other: claim()}) == [known], "another finding explains the line away"


@pytest.mark.parametrize(
    ("kinds", "kept"),
    [
        (["frame", "frame"], 1),
        (["root", "frame"], 0),
        (["frame", "root"], 1),
        (["frame+", "frame"], 0),
        (["frame", "frame+"], 1),
        (["frame+", "frame+"], 1),
        (["frame+", "root"], 1),
    ],
)
def test_the_innermost_frame_of_a_compiler(kinds: list[str], kept: int) -> None:
    """The last frame, or the first `root =`; one that a pattern hits is not given up for one that none does."""
    run = Innermost()
    events = [
        event(n, family="neuronx_cc", kind=kind.rstrip("+"), hits=(1,) if "+" in kind else ())
        for n, kind in enumerate(kinds)
    ]
    assert all(run.takes(one) for one in events)
    assert run.held is events[kept]


@pytest.mark.parametrize(
    ("payload", "message", "kind"),
    [
        ("ValueError: no such layer", "no such layer", "RAISED"),
        ("ValueError:", "", "BARE"),
        ("ValueError", "ValueError", "BARE"),
        ("RuntimeError: the reason is:", "the reason is:", "BARE"),
    ],
)
def test_an_exception_with_a_message_and_one_whose_message_stands_below(payload: str, message: str, kind: str) -> None:
    assert (
        kind_of(event(text=payload, family="python", kind="exception", told={"message": message}), payload, "") == kind
    )


def test_a_run_of_a_log_counts_its_lines_from_where_it_begins(catalog: Catalog) -> None:
    whole = Reading(catalog)
    parts = [whole.part_of("a.log", one) for one in sliced([b"a step\nRuntimeError: it broke\n"])]
    run = run_of("a.log", 41, parts, catalog)
    assert run.lines == 42
    one = next(one for one in run.claims() if one.event.evidence.text.startswith("RuntimeError"))
    assert one.event.evidence.line == 42
    assert one.event.order // IN_LINE == 2, "of what is read together it is the second line"


def test_one_failure_behind_two_launchers_is_one_claim(catalog: Catalog) -> None:
    lines = [
        f"(RayTrainWorker pid=31{n}{ip}) ERROR cannot open the table of experts" for n, ip in ((1, ""), (2, ", ip=a"))
    ]
    reading = Reading(catalog)
    reading.read("a.log", ["\n".join(lines).encode()])
    assert [one.count for one in reading.part.gathered.found.values()] == [2]


CODE, FRAME = (
    f"2024-07-02T18:55:53Z {text}\n"
    for text in (
        "USER 281382 [neuronxcc.driver.CommandDriver]: [TEN404] Internal tensorizer error - Please open a ticket",
        'ERROR 281382 [neuronxcc.driver.CommandDriver]:   File "neuronxcc/starfish/penguin/targets/tonga/passes/'
        'OddPass.py", line 26, in neuronxcc.starfish.penguin.targets.tonga.passes.OddPass.run',
    )
)


@pytest.mark.parametrize("parts", [[CODE, FRAME], ["step 1\n", CODE, FRAME], [CODE, "step 1\n", FRAME]])
def test_the_pass_at_the_end_of_a_traceback_is_of_the_code_in_whatever_part(parts: list[str], catalog: Catalog) -> None:
    reading = Reading(catalog)
    for number, text in enumerate(parts):
        reading.take(reading.part_of("a.log", Slice([text.encode()], continues=number > 0)))
    (one,) = (one for one in reading.part.gathered.found.values() if one.id.startswith("TEN404"))
    assert one.told["pass"] == "OddPass"


@pytest.mark.parametrize("apart", [False, True], ids=["one part", "two parts"])
@pytest.mark.parametrize(
    "form", ["An error occurred (SlowDown) when calling the {} operation\n", "ring.RingError: no {} left\n"]
)
def test_without_room_the_claims_of_an_entry_are_put_together(
    form: str, apart: bool, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collect, "_MOST_SPLIT", 0)
    lines = [form.format(name).encode() for name in ("Put", "Get", "List")]
    reading = Reading(catalog)
    for number, some in enumerate([lines[:1], lines[1:]] if apart else [lines]):
        reading.take(reading.part_of("a.log", Slice(some, continues=number > 0)))
    assert sorted(one.count for one in reading.part.gathered.found.values()) == [1, 2]


@pytest.mark.parametrize(
    ("asked", "family", "kind", "fits"),
    [
        ({}, "plain", None, True),
        ({}, "plain", "said", True),
        ({}, "plain", "other", False),
        ({}, "nrt", None, False),
        ({"status": "NRT_OOM"}, "plain", None, True),
        ({"status": "NRT_OOM", "code": "7"}, "plain", None, False),
        ({"status": "NRT_BUSY"}, "plain", None, False),
    ],
)
@pytest.mark.parametrize(("text", "certain"), [(None, False), ("it broke", True), ("it broke", False)])
def test_what_a_rule_asks_of_family_kind_and_fields(
    asked: dict[str, str], family: str, kind: str | None, fits: bool, text: str | None, certain: bool
) -> None:
    rule = Rule("X", family, kind, tuple(asked.items()), text, (), certain)
    assert _groups(rule, event(told={"status": "NRT_OOM", "message": "it broke"})) == ({} if fits else None)


def test_a_sighting_has_the_time_that_its_log_printed_last(catalog: Catalog) -> None:
    reading = Reading(catalog)
    reading.read("a.log", [b"2026-01-02 03:04:05,123 ERROR cannot open the table\nMemoryError\n"])
    found = {one.id: one for one in reading.part.gathered.found.values()}
    times = {where.time for one in found.values() for where in one.sightings}
    assert len(found) == 2
    assert len(times) == 1
    assert None not in times


def test_what_begins_alike_for_two_hundred_characters_is_one_claim(catalog: Catalog) -> None:
    head = "ERROR cannot open the table ".ljust(6 + 200, "x")
    reading = Reading(catalog)
    reading.read("a.log", [f"{head}y\n{head}z\n".encode()])
    assert [one.count for one in reading.part.gathered.found.values()] == [2]


def test_what_looks_like_a_record_and_is_none_is_counted_and_shown(catalog: Catalog) -> None:
    odd = "[NKI005] (float32 [128, 512] %'<name of the hbm tensor>':5)0: DRAM location of kind Internal mapping failed"
    reading = Reading(catalog)
    reading.read("a.log", [f"row 1\n{odd}\nrow 3\n{odd}".encode()])
    assert (reading.unparsed.lines, reading.unparsed.examples) == (2, (("a.log", 2, odd), ("a.log", 4, odd)))
    reading.read("b.log", ["\n".join(odd.replace("005", f"00{n}") for n in range(9)).encode()])
    assert (reading.unparsed.lines, len(reading.unparsed.examples)) == (11, 5)


def test_of_a_failure_on_many_ranks_the_first_few_are_kept(catalog: Catalog) -> None:
    reading = Reading(catalog)
    reading.read("a.log", ["\n".join(f"[rank{n}]: RuntimeError: bucket 7 is empty" for n in range(99)).encode()])
    [one] = reading.part.gathered.found.values()
    assert (one.count, len(one.kept), len(one.ranks)) == (99, MOST_EVIDENCE, 99)


@pytest.mark.parametrize(
    "form", ["An error occurred (SlowDown) when calling the {} operation\n", "ring.RingError: no {} left\n"]
)
def test_what_was_told_apart_stays_so_where_there_is_no_room_for_more(
    form: str, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many kinds stand between, a line counts for the claim that its like is in."""
    monkeypatch.setattr(collect, "_MOST_SPLIT", 1)
    reading = Reading(catalog)
    reading.read(
        "a.log", ["".join(map(form.format, ("PutObject", "Get", "ListAll", "PutObject", "PutObject", "Get"))).encode()]
    )
    found = reading.part.gathered.found.values()
    assert [(one.place[1] // IN_LINE, one.count) for one in found] == [(1, 3), (2, 2), (3, 1)]
