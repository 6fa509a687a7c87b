"""Of tracebacks few lines are read: the same ones are counted, and of many frames some say where."""

from __future__ import annotations

import pytest

from neurontriage import triage
from neurontriage.claims.reading import Reading
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.cut import Cutter
from neurontriage.lines.flood import Repeats
from neurontriage.lines.templates import READ
from tests.lines.test_flood import TRACEBACK, lines


def test_tracebacks_whose_lines_end_with_two_signs_are_counted_whole(catalog: Catalog) -> None:
    text = "".join(TRACEBACK.format(n=n) for n in range(50))
    (_, plain), (_, both) = lines(text, catalog), lines(text.replace("\n", "\r\n"), catalog)
    assert sorted(count for count, _ in both.values()) == sorted(count for count, _ in plain.values()) != []


FRAMES = [
    ("/job/train.py", "<module>"),
    ("/usr/lib/python3.10/runpy.py", "run_path"),
    ("/job/train.py", "main"),
    ("/job/train.py", "step"),
    *((f"/venv/site-packages/torch/nn/modules/{name}.py", "forward") for name in ("module", "linear", "container")),
    ("/venv/site-packages/torch_xla/core/xla_model.py", "mark_step"),
]


@pytest.mark.parametrize("lead", ["", "[rank3]: ", "2026-03-01 10:00:00 ERROR [job] "])
def test_of_many_frames_those_are_read_that_say_where(lead: str, catalog: Catalog) -> None:
    frames = "".join(f'  File "{file}", line 7, in {name}\n    {name}_(\n    ^^^^^\n' for file, name in FRAMES)
    text = "one\n" * 70 + "".join(
        lead + line
        for line in f"Traceback (most recent call last):\n{frames}RuntimeError: no step\n".splitlines(keepends=True)
    )
    kept = {FRAMES.index(frame) for frame in (FRAMES[0], FRAMES[3], FRAMES[-1])}
    head = 71
    repeats = Repeats(catalog.sorts, lambda _: False)
    cut = Cutter("x", catalog.finder, catalog.patterns, repeats).cut([(text + "two\n" * 70).encode()])
    read = [line.number for line in cut]
    first = next(number for number in read if number >= head)
    framed = {(number - head - 1) // 3 for number in read if head < number <= head + 3 * len(FRAMES)}
    assert first == head
    assert framed == kept
    [finding] = triage.explain_text(text, "x", catalog).roots
    assert finding.fields["called_in"] == "step"
    assert finding.fields["function"] == "mark_step"


def test_an_exception_without_a_traceback_is_counted_as_any_line_is(catalog: Catalog) -> None:
    error = "BrokenPipeError: [Errno 32] Broken pipe on {n}\n"
    text = "step\n" * 9 + "".join(f"step {n}\n" * 3 + error.format(n=n) for n in range(50))
    assert 50 - READ in {count for count, _ in lines(text, catalog)[1].values()}
    assert sum(one.count for one in triage.explain_text(text, "x", catalog).findings) == 50


def test_an_exception_below_frames_is_read_however_often_it_was_seen(catalog: Catalog) -> None:
    error = "BrokenPipeError: [Errno 32] Broken pipe on 7\n"
    alone = "".join(f"step {n}\n" * 3 + error for n in range(50))
    traced = f'Traceback (most recent call last):\n  File "/job/sink.py", line 7, in put\n    put_()\n{error}'
    read, _ = lines(alone + traced + "step\n" * 9, catalog)
    assert 4 * 50 + 4 in read


OWN = """Traceback (most recent call last):
  File "/job/train.py", line {n}, in main
    step()
corp.io.ShardTorn: shard {n} is torn
"""


def test_a_traceback_may_end_in_a_type_that_no_pattern_knows(catalog: Catalog) -> None:
    """Its last line is the first behind the frames that stands as far left as its head; all of them count."""
    many = "".join(f"step {n} is done\n" + OWN.format(n=n) + "rc=1\nquiet\n" for n in range(50))
    read, skipped = lines(many, catalog)
    size = OWN.count("\n") + 3
    whole = {(number - 1) // size for number in read if 0 < (number - 1) % size <= OWN.count("\n")}
    assert whole <= {*range(READ), 49}  # the last lines of a log are read, whatever they are
    assert (50 - READ, 49 * size + OWN.count("\n") + 1) in skipped.values()
    reading = Reading(catalog)
    reading.read("x", [many.encode()])
    assert [one.count for one in reading.claims() if "ShardTorn" in one.event.evidence.text] == [50]


def test_behind_frames_only_a_type_ends_a_traceback(catalog: Catalog) -> None:
    """Not a sentence, a line of another process, or nothing at all."""
    for last in ("the ring is closed", "[host1] corp.io.ShardTorn: 7", "  and so on", ""):
        broken = OWN[: OWN.rindex("corp.")] + f"{last}\nquiet\n"
        read, _ = lines("".join(broken.format(n=n) for n in range(50)), catalog)
        assert len([number for number in read if (number - 1) % broken.count("\n") == 0]) == 50
