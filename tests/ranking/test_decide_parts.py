"""The steps of the decision one by one: who stopped the run, what may alarm, which claim is the root or a suspect."""

from __future__ import annotations

import random
from typing import Any

import pytest
from claimed import brief, claim
from hypothesis import given
from hypothesis import strategies as st

from neurontriage.claims.claim import Claim
from neurontriage.model import Course, Event, Said
from neurontriage.ranking import decide
from neurontriage.ranking.answers.findings import filled
from neurontriage.ranking.features import Scene
from neurontriage.ranking.graph import Edge, Graph
from neurontriage.ranking.ranker import Ranker, shares
from neurontriage.ranking.survived import closing

STOP = "KeyboardInterrupt"


def test_the_first_thing_that_went_wrong_may_be_a_stop() -> None:
    stop, late = claim("S", 3, text=STOP), claim("A", 4)
    assert decide._stop([late, stop]) is stop
    assert decide._stop([claim("A", 2), stop]) is None
    assert decide._stop([claim("N", 1, "note"), claim("T", 2, "state"), stop]) is stop
    assert decide._stop([claim("S", 1, "note", text=STOP), late]).id == "S"  # type: ignore[union-attr]
    assert decide._stop([claim("S", 1, text="slurm: CANCELLED AT 10:00 DUE TO TIME LIMIT")]) is None
    assert decide._stop([]) is None


def scene(*claims: Claim, lines: int = 100) -> Scene:
    return Scene(claims, {"A": brief()}, {one.event.evidence.path: Course(lines) for one in claims})


@pytest.mark.parametrize(
    ("one", "may"),
    [
        (claim("X", 5), True),
        (claim("X", 5, "note", level="INFO"), False),
        (claim("X", 5, "note", level="DEBUG"), False),
        (claim("X", 5, "note", level="ERROR"), True),
        (claim("X", 5, "raise", level="INFO"), True),
        (claim("X", 5, words=["QUOTATION", "FAILED"]), False),
        (claim("X", 5, words=["ZERO"]), False),
        (claim("A", 5, "note", entry=True, words=["ZERO"], level="INFO"), True),
        (claim("A", 5, "note", entry=True, level="INFO", kind="statement"), False),
        (claim("A", 5, "note", entry=True, level="WARNING", kind="statement"), True),
        (claim("A", 5, "note", entry=True, words=["ZERO", "LIMIT"], kind="statement"), False),
        (claim("A", 5, "note", entry=True, words=["ZERO", "PROGRESS"], kind="statement"), True),
        (claim("A", 5, "note", entry=True, words=["ZERO"], kind="exception"), True),
    ],
)
def test_what_may_raise_an_alarm(one: Claim, may: bool) -> None:
    assert decide.may_alarm(one, scene(one)) is may


def test_what_stands_before_a_good_end_raises_none() -> None:
    end = claim("E", 9, words=["ENDED"])
    for line, may in ((8, False), (9, True), (10, True)):
        one = claim("X", line)
        assert decide.may_alarm(one, scene(one, end)) is may
        known = claim("A", line, entry=True)
        assert decide.may_alarm(known, scene(known, end))


@pytest.mark.parametrize(
    ("kind", "words", "line", "ends"),
    [
        ("exception", ["FRAMED"], 100, True),
        ("exception", ["FRAMED"], 99, True),
        ("exception", ["FRAMED"], 94, True),
        ("exception", ["FRAMED"], 93, False),
        ("exception", [], 100, False),
        ("status", ["FRAMED"], 100, False),
    ],
)
def test_a_log_ends_in_a_traceback(kind: str, words: list[str], line: int, ends: bool) -> None:
    one = claim("X", line)
    one.event = Event("python", "x", {}, one.evidence[0], said=Said(kind, frozenset(words)))
    assert closing.ends_in(one, scene(one)) is ends
    steps = claim("S", line + 1, "state", words=["PROGRESS"])
    assert closing.ends_in(one, scene(one, steps)) is (ends and line > 98)


@pytest.mark.parametrize(
    ("kind", "words", "line", "ends"),
    [
        ("error", ["FAILED"], 99, True),
        ("error", ["FAILED"], 98, False),
        ("error", ["FAILED", "CALM"], 100, False),
        ("error", ["FAILED", "ZERO"], 100, False),
        ("text", ["FAILED"], 100, False),
    ],
)
def test_a_log_ends_in_an_error_of_the_shell(kind: str, words: list[str], line: int, ends: bool) -> None:
    one = claim("X", line)
    one.event = Event("plain", kind, {}, one.evidence[0], said=Said("statement", frozenset(words)))
    assert closing.ends_in(one, scene(one)) is ends


@pytest.mark.parametrize(
    ("words", "line", "counts"),
    [
        (["FRAMED"], 95, False),
        (["MARK"], 95, False),
        (["FRAMED"], 93, True),
        (["FRAMED", "THREAD"], 95, True),
        (["LIMIT"], 95, True),
    ],
)
def test_a_good_word_right_below_an_exception_counts_only_where_work_goes_on(
    words: list[str], line: int, counts: bool
) -> None:
    one, found = claim("X", line), {"tail:well": 1.0, "short": 1.0}
    one.event = Event("python", "x", {}, one.evidence[0], said=Said("exception", frozenset(words)))
    assert closing.weighed(one, found, scene(one)) == (found if counts else {"short": 1.0})
    steps = claim("S", line + 1, "state", words=["PROGRESS"])
    assert closing.weighed(one, found, scene(one, steps)) == found


def test_up_to_what_is_known_to_cause_it() -> None:
    a, b, c, d = (claim(name, n, score=n / 10) for n, name in enumerate("ABCD", 1))
    edges = [Edge(b, a, "entry", ""), Edge(c, a, "entry", ""), Edge(d, a, "exit_of", ""), Edge(a, c, "entry", "")]
    assert decide._cause(a, Graph(tuple(edges))) is c  # the likeliest known cause; its own cause was seen already
    assert decide._cause(d, Graph(tuple(edges))) is d
    ring = [Edge(b, a, "entry", ""), Edge(c, b, "entry", ""), Edge(a, c, "entry", "")]
    assert decide._cause(a, Graph(tuple(ring))) is c  # none of three that explain each other in a ring comes twice
    same = [claim(name, n, score=0.5) for n, name in enumerate("XY", 1)]
    assert decide._cause(a, Graph((Edge(same[1], a, "entry", ""), Edge(same[0], a, "entry", "")))) is same[0]


def test_of_one_entry_the_first_that_is_not_far_less_likely() -> None:
    late = claim("A", 9, entry=True, score=0.8)
    first, near = claim("A", 1, entry=True, score=0.2), claim("A", 2, entry=True, score=0.21)
    seen = scene(late)
    assert decide._first(late, [first, near, late], seen, Graph(())) is near  # a quarter is not enough
    assert (
        decide._first(late, [claim("A", 1, score=0.9), claim("B", 2, entry=True, score=0.9), late], seen, Graph(()))
        is late
    )
    unknown = claim("X", 9, score=0.8)
    assert decide._first(unknown, [claim("X", 1, score=0.8), unknown], seen, Graph(())) is unknown
    wide = Scene([late], {"A": brief() | {"fallback": True}}, {late.event.evidence.path: Course(100)})
    assert decide._first(late, [near, late], wide, Graph(())) is late  # an entry that fits whatever is said


def test_consequences_of_the_root_and_of_others() -> None:
    root, near, far, other, effect, free = (claim(name, n) for n, name in enumerate(["R", "N", "F", "O", "E", "X"]))
    root.role = "root"
    errors = [root, near, far, other, effect, free]
    edges = (Edge(root, near, "chain", "1"), Edge(near, far, "nesting", "2"), Edge(other, effect, "exit_of", "3"))
    decide._consequences(root, errors, Graph((*edges, Edge(far, root, "entry", "4"))))
    told = {one.id: (one.role, one.caused_by, one.why and (one.why.kind, one.why.text)) for one in errors}
    assert told == {
        "R": ("root", None, None),
        "N": ("consequence", "R", ("chain", "1")),
        "F": ("consequence", "N", ("nesting", "2")),
        "O": ("context", None, None),
        "E": ("consequence", "O", ("exit_of", "3")),
        "X": ("context", None, None),
    }


def test_without_a_failure_what_looks_like_one_is_a_warning_or_harmless() -> None:
    known, likely, words, nothing = (
        claim("A", 1, entry=True, score=0.6),
        claim("L", 2, words=["FAILED"], score=0.5),
        claim("W", 3, words=["MISSING"]),
        claim("N", 4),
    )
    harmless = claim("B", 5, entry=True)
    harmless.severity = "benign"
    judged = decide._calm(scene(known, likely, words, nothing, harmless), [known, likely, words, nothing], [likely])
    assert [(one.id, one.severity) for one in judged.claims] == [
        ("A", "warning"), ("L", "warning"), ("W", "benign"), ("B", "benign")
    ]  # fmt: skip
    assert [one.line for one in judged.suspects] == [2]
    many = [claim(f"U{n}", n, words=["FAILED"]) for n in range(9)]
    assert len(decide._calm(scene(*many), many, many).claims) == decide.MOST_SUSPECTS == 3


@pytest.mark.parametrize(
    ("line", "whole", "severity"), [(2, False, "benign"), (9, False, "warning"), (9, True, "benign")]
)
def test_what_states_no_event_is_a_warning_as_the_last_thing_that_is_seen(
    line: int, whole: bool, severity: str
) -> None:
    last = claim("L", line, words=["INVALID"])
    seen = Scene([last], {"A": brief()}, {"a.log": Course(9, whole=whole, ends=((7, ""), (8, ""), (9, "")))})
    decide._calm(seen, [last], [last])
    assert last.severity == severity


@pytest.mark.parametrize(
    ("says", "more", "suspected"),
    [
        ("state", {"words": ["FAILED"], "score": 0.01}, True),
        ("state", {"words": ["FAILED"], "score": 0.004}, False),
        ("state", {"words": ["SYMBOL"], "score": 0.9}, False),  # mesh built: 64 x 2
        ("raise", {"words": [], "score": 0.1}, True),
        ("note", {"words": ["MISSING"], "level": "INFO", "score": 0.1}, False),
        ("note", {"words": ["MISSING"], "level": "INFO", "score": 0.2}, True),
        ("state", {"words": ["FAILED", "ZERO"], "score": 0.9}, False),
        ("state", {"words": ["FAILED", "QUOTATION"], "score": 0.9}, False),
        ("state", {"words": [], "score": 0.0, "entry": True}, True),
    ],
)
def test_only_what_could_state_a_failure_is_suspected(says: str, more: dict[str, Any], suspected: bool) -> None:
    assert bool(decide._suspects([claim("S", 1, says, **more)])) == suspected


def test_suspects_are_few_and_whole() -> None:
    text = "x" * 399 + "yz"
    found = decide._suspects([claim(f"C{n}", n, text=text, score=0.256) for n in range(5)])
    assert [(one.path, one.line, one.text, one.why) for one in found] == [
        ("a.log", n, "x" * 399 + "y", "likely in 26%") for n in range(3)
    ]


def test_the_order_of_an_answer() -> None:
    def made(name: str, severity: str, role: str, score: float, line: int) -> Claim:
        one = claim(name, line, score=score)
        one.severity, one.role = severity, role
        return one

    order = [
        made("root", "error", "root", 0.1, 9),
        made("likelier", "error", "consequence", 0.3, 8),
        made("less", "error", "consequence", 0.2, 1),
        made("context", "error", "context", 0.9, 1),
        made("warned", "warning", "root", 0.9, 1),
        made("calm early", "benign", "context", 0.0, 1),
        made("calm late", "benign", "context", 0.0, 2),
    ]
    mixed = random.Random(1).sample(order, len(order))
    assert mixed != order and sorted(mixed, key=decide._order) == order


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=8))
def test_shares_are_shares(scores: list[float]) -> None:
    found = shares(scores)
    assert sum(found) == pytest.approx(1)
    assert sorted(range(len(scores)), key=scores.__getitem__) == sorted(
        range(len(scores)), key=lambda n: (found[n], scores[n])
    )


def test_scores_are_sums_of_weights() -> None:
    ranker = Ranker({"a": 2.0, "b": -1.0}, {"a": 0.5}, 0.0)
    features = {"a": 1.0, "b": 3.0, "unheard": 9.0}
    assert (ranker.score(features), ranker.alarm_of(features)) == (-1.0, 0.5)
    assert shares([0.0, 0.0]) == [0.5, 0.5] and shares([1000.0, 0.0])[0] == 1.0 and shares([]) == []


@pytest.mark.parametrize(
    ("title", "fields", "shown"),
    [
        ("too many ({code}): {count}, limit {limit}", {"code": "XTP002"}, "too many (XTP002)"),
        ("too many ({code}): {count}, limit {limit}", {"count": "9"}, "too many: 9"),
        ("too many ({code}): {count}, limit {limit}", {"count": "9", "limit": "8"}, "too many: 9, limit 8"),
        ("failed in {pass}", {"pass": "DMA"}, "failed in DMA"),
        ("failed in {pass} of core", {}, "failed in of core"),
        ("failed ({pass}, core {core})", {"core": "3"}, "failed (core 3)"),
        ("failed ({pass}, core {core})", {"pass": "DMA"}, "failed (DMA)"),
        ("failed (always)", {}, "failed (always)"),
        ("failed [{pass}]", {}, "failed"),
        ("trace() failed: {reason}", {"reason": "shape [] of f() and ()"}, "trace() failed: shape [] of f() and ()"),
        ("failed: {reason}", {"reason": ""}, "failed"),
        ("x {a}", {"a": "y" * 200}, "x " + "y" * 119 + "…"),
    ],
)
def test_titles_are_filled_and_name_no_value_that_is_missing(title: str, fields: dict[str, str], shown: str) -> None:
    assert filled(title, fields) == shown
