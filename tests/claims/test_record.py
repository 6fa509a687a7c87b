"""Tracebacks, chains and messages over several lines, also where ranks print into one stream."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from neurontriage import resources
from neurontriage.claims import record
from neurontriage.claims.build import Part
from neurontriage.claims.events import Reader
from neurontriage.claims.kinds import STRUCTURE
from neurontriage.claims.record import Joiner, Stream
from neurontriage.claims.sense import Senses
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.cut import Cutter
from neurontriage.model import Event, Evidence
from neurontriage.parse.family import read_record
from neurontriage.parse.trees import Growing

PYTHON = {kind: name for name, kind in STRUCTURE.items()} | {"RAISED": "exception", "BARE": "exception"}
DECLARED = read_record(resources.grammars()).text.partition("%declare ")[2].split()
KINDS = [*DECLARED, "LINE"]

CHAIN = """\
Traceback (most recent call last):
  File "/venv/lib/python3.10/site-packages/lib/core.py", line 5, in inner
    raise KeyError("weights")
KeyError: 'weights'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/home/me/train.py", line 12, in main
    load()
RuntimeError: could not load
"""


def records(text: str, catalog: Catalog) -> list[Event]:
    return [event for event in all_records(text, catalog) if event.family == "python"]


def all_records(text: str, catalog: Catalog) -> list[Event]:
    cutter = Cutter("x.log", catalog.finder, catalog.patterns)
    return list(Joiner(catalog.record).join(Reader(Senses(catalog)).read(cutter.cut([text.encode()]))))


def test_the_innermost_raise_of_a_chain_is_the_exception_and_the_others_repeat_it(catalog: Catalog) -> None:
    found = [(e.kind, e.fields.get("exception"), e.evidence.line) for e in records(CHAIN, catalog)]
    assert found == [("exception", "KeyError", 4), ("reraised", "RuntimeError", 11)]


JAVA = """\
java.lang.IllegalStateException: start went wrong
	at srv.Main.main(Main.java:12)
Caused by: java.lang.RuntimeException: cannot prepare the library
Caused by: java.io.IOException: /srv/lib
"""


def test_what_an_exception_was_caused_by_comes_before_it_in_the_chain(catalog: Catalog) -> None:
    found = [(e.kind, e.chain[1], e.evidence.line) for e in records(JAVA, catalog)]
    assert found == [("reraised", 3, 1), ("reraised", 2, 3), ("exception", 1, 4)]
    assert len({e.chain[0] for e in records(JAVA, catalog)}) == 1


def test_an_exception_knows_where_it_was_raised_and_called(catalog: Catalog) -> None:
    text = CHAIN.splitlines()
    own = '  File "/home/me/train.py", line 7, in <module>'
    found = records("\n".join([text[0], own, *text[1:4]]), catalog)[0]
    assert found.fields["raised_at"].endswith("core.py:5")
    assert found.fields["called_at"] == "/home/me/train.py:7"


def test_two_tracebacks_that_are_not_linked_are_two_exceptions(catalog: Catalog) -> None:
    parts = CHAIN.split("\nDuring handling of the above exception, another exception occurred:\n\n")
    found = [(e.kind, e.fields["exception"]) for e in records("\n".join(parts), catalog)]
    assert found == [("exception", "KeyError"), ("exception", "RuntimeError")]


def test_an_exception_of_any_name_ends_a_traceback(catalog: Catalog) -> None:
    text = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    x\nmy.pkg.Boom: it broke\n'
    found = records(text, catalog)
    assert found[0].fields["exception"] == "my.pkg.Boom"
    assert found[0].fields["message"] == "it broke"


def test_a_message_over_several_lines_belongs_to_its_exception(catalog: Catalog) -> None:
    head = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n'
    text = head + "ValueError: first\n  second\n  third\n\nlater\n"
    found = records(text, catalog)[0]
    assert found.fields["message"] == "first second third"
    assert (found.evidence.line, found.evidence.end_line) == (3, 5)


def test_a_message_of_one_worker_goes_on_in_the_lines_of_the_same_worker(catalog: Catalog) -> None:
    """Also in a long log, of which not every line is looked at."""
    text = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: first\nsecond\nthird'
    lines = [f"(RayTrainWorker pid=311) {line}" for line in text.split("\n")]
    rows = [f"row {n} of the listing" for n in range(80)]
    [found] = records("\n".join([*rows, *lines[:4], "(RayTrainWorker pid=312) step 7", lines[4], *rows]), catalog)
    assert found.fields["message"] == "first second third"


def test_a_long_message_belongs_to_its_exception_to_its_end(catalog: Catalog) -> None:
    text = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: first\n'
    [found] = records(text + "".join(f"  part {n}\n" for n in range(9)) + "\nlater\n", catalog)
    assert found.fields["message"].endswith("part 7 part 8")
    assert (found.evidence.line, found.evidence.end_line) == (3, 12)


def test_ranks_that_print_at_once_keep_their_own_tracebacks(catalog: Catalog) -> None:
    lines = []
    for text in ("Traceback (most recent call last):", '  File "a.py", line 1, in f', "    boom()", "a.Odd: why"):
        lines += [f"[rank{rank}]: {text}" for rank in (0, 1)]
    found = records("\n".join(lines) + "\n", catalog)
    assert [(e.fields["exception"], e.evidence.rank) for e in found] == [("a.Odd", 0), ("a.Odd", 1)]
    assert all(e.fields["raised_at"] == "a.py:1" for e in found)


def test_the_pass_that_a_compiler_traceback_ends_in_is_named(catalog: Catalog) -> None:
    from neurontriage.triage import explain_text

    head = "2024-07-02T18:55:53Z ERROR 281382 [neuronxcc.driver.CommandDriver]:   "
    text = "\n".join(
        [
            "2024-07-02T18:55:53Z USER 281382 [neuronxcc.driver.CommandDriver]: [TEN404] Internal tensorizer error - x",
            f'{head}File "neuronxcc/driver/CommandDriver.py", line 343, in neuronxcc.driver.CommandDriver.run',
            f'{head}File "neuronxcc/starfish/penguin/targets/tonga/passes/OddPass.py", line 26, in neuronxcc.OddPass.f',
            "2024-07-02T18:55:54Z INFO 281382 [root]: Subcommand returned with exitcode=70",
        ]
    )
    root = explain_text(text, catalog=catalog).roots[0]
    assert root.fields["pass"] == "OddPass"
    assert root.evidence[0].line == 1


def test_source_lines_are_not_evidence_and_a_message_may_start_on_the_next_line(catalog: Catalog) -> None:
    text = (
        'Traceback (most recent call last):\n  File "/v/hub.py", line 9, in requires\n'
        '    raise ImportError("library not found in your environment: " + name)\n'
        "ImportError: \nThe tokenizer was not found in your environment.\n"
    )
    found = records(text, catalog)
    assert [(e.evidence.line, e.evidence.end_line) for e in found] == [(4, 5)]
    assert "not found in your environment." in found[0].fields["message"]


def test_what_starts_with_a_time_of_its_own_is_no_message_of_a_line_without_one(catalog: Catalog) -> None:
    text = (
        'Traceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: first\n'
        "2026-02-03 04:05:06,789 INFO step 12 saved\n"
    )
    found = records(text, catalog)
    assert [(e.fields["message"], e.evidence.end_line) for e in found] == [("first", 3)]


@pytest.mark.parametrize(
    "below", ["--- evaluation complete: results/base.json ---", "=== step 2 of 5 ===", "wandb: Run history:"]
)
def test_what_a_script_says_between_its_steps_ends_a_message(catalog: Catalog, below: str) -> None:
    text = f'Traceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: first\n{below}\nand more\n'
    assert records(text, catalog)[0].fields["message"] == "first"


@pytest.mark.parametrize("below", ["[2026年03月04日 01:02:03][情報] 完了", "[2026.03.04 01:02] saved", "[ИНФО] готово"])
def test_a_header_of_any_other_logger_ends_a_message(catalog: Catalog, below: str) -> None:
    text = f'Traceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: first\n{below}\n'
    assert [(e.fields["message"], e.evidence.end_line) for e in records(text, catalog)] == [("first", 3)]


def test_an_exception_group_shows_the_exceptions_inside(catalog: Catalog) -> None:
    text = (
        '  + Exception Group Traceback (most recent call last):\n  |   File "a.py", line 1, in f\n'
        "  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)\n  +-+--- 1 ---\n"
        '    | Traceback (most recent call last):\n    |   File "b.py", line 2, in g\n    |     take()\n'
        "    | my.PoolEmpty: no worker left\n"
    )
    assert [e.fields["exception"] for e in records(text, catalog)] == ["ExceptionGroup", "my.PoolEmpty"]


@settings(max_examples=300, deadline=None)
@example([("IGNORED", False, 1), ("RAISED", False, 1), ("CAUSED_BY", True, 1)])
@given(st.lists(st.tuples(st.sampled_from(KINDS), st.booleans(), st.integers(1, 3)), max_size=30))
def test_kinds_in_any_order_are_accepted_and_no_line_is_lost(
    catalog: Catalog, given: list[tuple[str, bool, int]]
) -> None:
    stream, number, parts = Stream(catalog.record.moves), 0, []
    for kind, hit, gap in given:
        number += gap
        parts.append(part(kind, number, hit)._replace(adjoins=gap == 1))
    found = [event for one in parts for event in stream.take(one)] + list(stream.close())
    told = {event.order for event in found} | {n for event in found for n in inside(event)}
    hits = {one.event.order for one in parts if one.event.hits and one.kind != "CODE"}
    assert hits <= told, "a line that a pattern hit is in no event"
    assert all(event.evidence.line <= event.evidence.end_line for event in found)


def inside(event: Event) -> range:
    return range(event.evidence.line, event.evidence.end_line + 1)


def part(kind: str, number: int, hit: bool) -> Part:
    family = ("python", PYTHON[kind]) if kind in PYTHON else ("plain", "what") if kind == "WHAT" else ("text", "text")
    fields = {"file": "a.py", "line_number": "1"} if kind == "FRAME" else {"message": "m", "exception": "E"}
    evidence = Evidence("x", number, number, kind)
    event = Event(*family, fields=fields, evidence=evidence, order=number, hits=(1,) if hit else ())
    return Part(kind, event, f"{kind}: m")


def test_lines_of_other_processes_do_not_cut_a_message(catalog: Catalog) -> None:
    own = [
        "Traceback (most recent call last):",
        '  File "a.py", line 1, in f',
        "    go()",
        "a.Odd: no words",
        "ring 7 is open",
    ]
    other = "[rank1]: step 3 took 2 ms\n"
    found = records("".join(f"[rank0]: {text}\n{other}" for text in own), catalog)
    assert [(e.fields["exception"], e.fields["message"]) for e in found] == [("a.Odd", "no words ring 7 is open")]
    assert found[0].fields["raised_code"] == "go()"


@pytest.mark.parametrize(("between", "message"), [(40, "no words ring 7 is open"), (41, "no words")])
def test_a_message_waits_for_its_process_but_not_for_long(catalog: Catalog, between: int, message: str) -> None:
    own = ["Traceback (most recent call last):", '  File "a.py", line 1, in f', "a.Odd: no words"]
    lines = [*(f"[rank0]: {text}" for text in own), *["[rank1]: step 3 took 2 ms"] * between, "[rank0]: ring 7 is open"]
    assert [one.fields["message"] for one in records("\n".join(lines), catalog) if one.kind == "exception"] == [message]


def test_a_traceback_without_an_end_in_sight_is_held_in_parts(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exception below it is found as it is below a short one."""
    frames = "".join(f'  File "/opt/job/{n % 7}.py", line {n}, in step\n    step({n})\n' for n in range(400))
    text = f"Traceback (most recent call last):\n{frames}RecursionError: maximum recursion depth exceeded\nend\n"
    expected, longest, feed = records(text, catalog), list[int](), Stream._feed
    monkeypatch.setattr(record, "_LONGEST_RECORD", 100)

    def feeding(stream: Stream, tree: Growing, part: Part) -> tuple[Event, ...]:
        longest.append(len(stream.parts))
        return feed(stream, tree, part)

    monkeypatch.setattr(Stream, "_feed", feeding)
    found = [one for one in records(text, catalog) if one.kind == "exception"]
    assert max(longest) <= 102
    assert [one.evidence.line for one in found] == [802]
    assert found == [one for one in expected if one.kind == "exception"]


def test_of_processes_without_number_only_the_latest_are_held(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What each of them says is joined as if all were held: a record goes on in the lines next to it."""
    lines = [
        f"(train pid={100 + n // 2 * 2 + side}) {text}\n"
        for n in range(0, 120, 2)
        for text in CHAIN.splitlines()
        for side in (0, 1)
    ]
    expected = records("".join(lines), catalog)
    monkeypatch.setattr(record, "_MOST_STREAMS", 64)
    held: list[int] = []
    forget = Joiner._forget

    def forgetting(joiner: Joiner, line: int) -> None:
        forget(joiner, line)
        held.append(len(joiner.streams))

    monkeypatch.setattr(Joiner, "_forget", forgetting)
    assert records("".join(lines), catalog) == expected
    assert held and max(held) <= 32


def test_only_a_first_line_waits_for_the_one_below_it(catalog: Catalog) -> None:
    """`Stream.close` passes on a first line alone: no longer record may hold a statement and be unfinished."""
    first, left = catalog.record.moves.first, list[list[str]]()
    begun = [[kind] for kind in DECLARED if first[kind] is not None]
    for _ in range(3):
        longer = []
        for kinds in begun:
            tree = Growing(first)
            for place, kind in enumerate(kinds):
                tree.take(kind, place)
            if not tree.accepts() and not record._STATES.union(record._MAY).isdisjoint(kinds):
                left.append(kinds)
            longer += [[*kinds, kind] for kind in DECLARED if tree.accepts(kind)]
        begun = longer
    assert left == [["NAMED"], ["TEXT"]]
    assert {"NAMED", "TEXT"} <= record._MAY
