"""What is counted on bytes, folded and remembered says the same as reading every line for itself."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from neurontriage import triage
from neurontriage.claims.reading import Reading
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines import flood, stacks, templates
from neurontriage.lines.cut import Around, Cutter
from neurontriage.lines.flood import Repeats
from neurontriage.model import Diagnosis, Said
from neurontriage.parse.payload import LONGEST, Payload
from neurontriage.read.inputs import blocks

ROOT = Path(__file__).parents[2]
SAMPLES = sorted((ROOT / "samples").rglob("*.log"))[::4]
CORPUS = sorted((ROOT.parent / "shared" / "corpus" / "whole").glob("*.log"))[::8]
ENDLESS = 10**9
LIMITS = [
    *((templates, name) for name in ("READ", "READ_WORDS", "READ_MARKS", "MOST_MARKS", "MOST_WORDINGS")),
    *((flood, name) for name in ("READ", "MOST_WORDINGS")),
    (stacks, "READ"),
]
"""Of how much the fast way reads only the first."""
TRACEBACK = """Traceback (most recent call last):
  File "/job/train.py", line {n}, in main
    step()
ValueError: shard {n} is torn

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/job/train.py", line 9, in main
    raise RuntimeError("cannot go on") from error
RuntimeError: cannot go on after {n}, checksum {n:08x}
step done
"""


def explained(path: Path, catalog: Catalog) -> Diagnosis:
    content = blocks(io.BytesIO(path.read_bytes().replace(b"\0", b"")), path.name)
    return triage.diagnose([(path.name, content)], catalog)


def said(diagnosis: Diagnosis) -> tuple[Any, ...]:
    """What a user is told of what entries know. Lines of one template that differ in a number of the title count for
    the finding of one of them, so that counts are those of an entry.
    """
    known = [one for one in diagnosis.findings if one.known]
    counts: Counter[str] = Counter()
    for one in known:
        counts[one.id] += one.count
    proof = {one.id: min(e.line for f in known if f.id == one.id for e in f.evidence) for one in known}
    roots = [(root.id, root.evidence[0].line, root.evidence[0].text) for root in diagnosis.roots]
    return diagnosis.verdict, dict(diagnosis.environment), roots, {(one.id, one.role) for one in known}, counts, proof


def plainly(self: Payload, text: str) -> Said:
    """A payload parsed for itself, with its own digits."""
    found, spans = self._read(text[:LONGEST])
    return found._replace(fields={name: text[start:end].strip("[]'\"`") for name, start, end in spans})


@pytest.mark.parametrize("path", [*SAMPLES, *CORPUS], ids=lambda path: path.stem)
def test_the_fast_way_says_what_the_slow_way_says(
    path: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    fast, afresh = said(explained(path, catalog)), replace(catalog, sorts=replace(catalog.sorts))
    for module, name in LIMITS:
        monkeypatch.setattr(module, name, ENDLESS)
    monkeypatch.setattr(Payload, "read", plainly)
    monkeypatch.setattr(stacks.Frames, "next", lambda _frames, _flat, _pieces, place: place)
    assert fast == said(explained(path, afresh))  # what was remembered of the lines of the fast way has its limits


def lines(text: str, catalog: Catalog, lead: str = "") -> tuple[list[int], dict[str, tuple[int, int]]]:
    """The numbers of the lines that are read, and what was only counted."""
    repeats = Repeats(catalog.sorts)
    content = [Around(lead.encode()), text.encode()] if lead else [text.encode()]
    found = Cutter("x", catalog.finder, catalog.patterns, repeats).cut(content)
    return [line.number for line in found], repeats.skipped()


def test_tracebacks_that_differ_in_numbers_are_counted_whole(catalog: Catalog) -> None:
    many, size = 50, TRACEBACK.count("\n")
    read, skipped = lines("".join(TRACEBACK.format(n=n) for n in range(many)), catalog)
    stacks_read = {(number - 1) // size for number in read if (number - 1) % size not in (4, 6, size - 1)}
    assert stacks_read <= {
        *range(templates.READ + 1),
        many - 1,
    }  # the last lines of a log are read, whatever they are
    counted = next(counted for name, counted in skipped.items() if name.startswith("ValueError: shard"))
    assert counted == (many - templates.READ, size * (many - 1) + 4)


def test_a_claim_counts_tracebacks_that_were_not_read(catalog: Catalog) -> None:
    reading = Reading(catalog)
    reading.read("x", ["".join(TRACEBACK.format(n=n) for n in range(50)).encode()])
    assert sum(claim.count for claim in reading.claims() if "torn" in claim.event.evidence.text) == 50


def test_every_link_of_a_long_chain_counts(catalog: Catalog) -> None:
    """A chain is looked through as far as it is counted as one; what is longer is read, or counted by its end."""
    first, link = TRACEBACK.split("Traceback", 2)[1], stacks._MOST_LINKS * 3
    chains = [
        "".join(f"Traceback{first.format(n=n)}" for n in range(link)) + TRACEBACK.format(n=one) for one in range(15)
    ]
    reading = Reading(catalog)
    reading.read("x", ["".join(chains).encode()])
    assert sum(claim.count for claim in reading.claims() if "torn" in claim.event.evidence.text) == 15 * (link + 1)


def test_a_traceback_of_another_rank_is_read(catalog: Catalog) -> None:
    text = "".join(f"[rank{n % 2}]: {line}\n" for n in range(60) for line in TRACEBACK.format(n=n).splitlines())
    ranks = {rank for one in triage.explain_text(text, "x", catalog).findings for rank in one.ranks}
    assert ranks == {0, 1}


def test_what_stands_around_a_slice_is_not_counted(catalog: Catalog) -> None:
    line = "ERROR  TDRV:exec   something failed in step {n}\n"
    _, alone = lines("".join(line.format(n=n) for n in range(100)), catalog)
    _, behind = lines(
        "".join(line.format(n=n) for n in range(100)), catalog, "".join(line.format(n=n) for n in range(80))
    )
    assert [count for count, _ in alone.values()] == [count for count, _ in behind.values()] == [100 - templates.READ]
    assert [last for _, last in behind.values()] == [180]


def test_only_a_real_start_asks_for_the_lines_below(catalog: Catalog) -> None:
    quiet = "".join(f"nothing to see in line {n}\n" for n in range(70))
    false, _ = lines(
        quiet + "2026-04-27T20:40:38Z WARNING 66 [Unroll]: legalizeCondExit: optimized 0 exit blocks\n" + quiet, catalog
    )
    real, _ = lines(quiet + "torch.DeviceTimeout: the device did not answer\n" + quiet, catalog)
    assert 71 in false and 72 not in false
    assert set(range(71, 78)) <= set(real)


def test_codes_that_differ_in_a_digit_are_told_apart(catalog: Catalog) -> None:
    """Lines of one template are not one when other patterns are found in them."""
    first, second = "[ERROR] [NCC_EVRF009] Memory is full", "[ERROR] [NCC_EVRF001] Memory is full"
    read, skipped = lines("".join(f"{line}\n" for line in [first] * 70 + [second] * 70 + ["end"] * 9), catalog)
    assert {*range(71, 71 + templates.READ)} <= set(read) and 71 + templates.READ not in read
    assert sorted(counted for counted, _ in skipped.values()) == [70 - templates.READ] * 2


def test_of_every_rank_the_first_line_is_read(catalog: Catalog) -> None:
    text = "".join(f"[rank{n % 16}]: ERROR  TDRV:exec   something failed in step {n}\n" for n in range(400))
    read, skipped = lines(text, catalog)
    assert read == list(range(1, 17))
    assert [count for count, _ in skipped.values()] == [400 - 16]


def test_a_rank_is_known_by_the_start_of_its_line_only(catalog: Catalog) -> None:
    """`7[rank3]` has the template of `[rank3]`, but names no rank."""
    odd = "".join(f"{n}[rank3]: ERROR  TDRV:exec   something failed in step {n}\n" for n in range(100))
    read, _ = lines(odd + "[rank3]: ERROR  TDRV:exec   something failed in step 9\n" + odd, catalog)
    assert 101 in read


def test_lines_that_only_say_how_far_it_got_are_few(catalog: Catalog) -> None:
    names = ("".join(chr(97 + digit) for digit in divmod(n, 26)) for n in range(300))
    text = "".join(f"pass {name}x completed\n" for name in names)
    read, skipped = lines(text, catalog)
    assert len(read) <= templates.MOST_MARKS + templates.READ_WORDS + 3
    assert max(last for _, last in skipped.values()) == 300


def test_a_family_may_say_how_far_it_got(catalog: Catalog) -> None:
    """Few lines of information are read of a logger that prints thousands, and all of its warnings are."""
    words = [chr(97 + n % 26) * (n % 9 + 3) for n in range(200)]
    told = "".join(f"INFO:Neuron:{word} of the graph\n" for word in words)
    read, _ = lines(told, catalog)
    assert len(read) <= templates.MOST_MARKS + 4
    read, _ = lines(told.replace("INFO", "WARNING"), catalog)
    assert len(read) == len(words)


def test_of_lines_that_are_known_as_harmless_a_few_are_read_and_all_count(catalog: Catalog) -> None:
    names = ["layers" * (n % 7) + "".join(chr(97 + digit) for digit in divmod(n, 26)) for n in range(200)]
    text = "".join(
        f"x.py:9: UserWarning: Found float32 weights in checkpoint: {name}. Will convert to x\n" for name in names
    )
    read, _ = lines(text, catalog)
    assert len(read) <= templates.MOST_WORDINGS + 4
    (found,) = (one for one in triage.explain_text(text, "x", catalog).findings if one.severity != "error")
    assert (found.count, len(found.evidence)) == (200, templates.MOST_WORDINGS)


def test_a_harmless_line_that_says_nothing_new_is_only_counted(catalog: Catalog) -> None:
    """But for another rank, and for other values."""
    what = "TP degree ({}) and KV heads (8) are not divisible. Overriding attention sharding strategy"
    said = f"2026-04-27 20:40:{{:02}} WARNING gqa.py:7: {what}\n"
    quiet = "".join(f"nothing to see in line {n}\n" for n in range(69)) + "long " * 30 + "\n"
    read, skipped = lines(quiet + "".join(said.format(n, 2 + (n == 20)) for n in range(30)) + quiet, catalog)
    assert [number for number in read if 70 < number <= 100] == [71, 91]
    assert [*skipped.values()] == [(28, 100)]
    ranked = "".join(f"[rank{n % 2}]: {said.format(n, 2)}" for n in range(30))
    read, _ = lines(quiet + ranked + quiet, catalog)
    assert [number for number in read if 70 < number <= 100] == [71, 72]


def test_a_harmless_line_within_a_message_is_read(catalog: Catalog) -> None:
    """However often it stood above: it may say why."""
    fact = "loaded from /opt/venv/lib/python3.10/site-packages/{}\n"
    quiet = "".join(f"nothing to see in line {n}\n" for n in range(70))
    many = "".join(fact.format(chr(97 + n) * 3) for n in range(20))
    read, _ = lines(f"{quiet}{many}{quiet}ValueError: shapes differ\n{fact.format('zzz')}{quiet}", catalog)
    assert 89 not in read and {161, 162} <= set(read)


def test_a_line_with_a_time_is_no_part_of_what_has_none(catalog: Catalog) -> None:
    quiet = "".join(f"nothing to see in line {n}\n" for n in range(70))
    timed = "".join(f"2026-04-27 20:40:{n:02} - all is quiet\n" for n in range(5))
    raised = "ValueError: shapes differ\n"
    read, _ = lines(f"{quiet}{raised}[3, 4] against\n{timed}{quiet}", catalog)
    also, _ = lines(f"{quiet}2026-04-27T20:40:01Z {raised}{timed}{quiet}", catalog)
    assert {71, 72} <= set(read) and not {73, 74, 75} & set(read)
    assert {71, 72, 73, 74} <= set(also)


def test_the_last_lines_need_not_be_text(catalog: Catalog) -> None:
    cutter = Cutter("x", catalog.finder, catalog.patterns, Repeats(catalog.sorts))
    list(cutter.cut([b"begun\n\xff end\n"]))
    assert cutter.tail() == [(1, "begun"), (2, "\ufffd end")]


def test_what_passes_of_a_compiler_are_informed_of_is_only_counted(catalog: Catalog) -> None:
    """Not what they warn of, what the driver or a job says, and what stands in a form of its own."""
    quiet = "".join(f"nothing to see in line {n}\n" for n in range(70))
    said = [
        "INFO 1975 (nc00/sg00) [SB_Allocator]: Incremental select cannot allocate, start a complete select",
        "INFO 1975 139662 [sg0000/Tensorizer/Tile]: pass did not tile CC tensor: tensor check failed",
        "DEBUG 1975 [Simplify]: Successfully simplified",
        "WARNING 1975 [LayoutBottleneck]: cannot guess the layout",
        "USER 1975 (sg01) [SubgraphForkPass]: lower_collectives failed after 0.3 seconds",
        "INFO 1975 [job.NeffWrapper.0]: error: could not open input file x/model",
        "INFO 1975 [root]: Subcommand failed",
        "INFO 1975 [Simplify]: [NCC_ESFH002] error: an unsigned 64-bit constant",
    ]
    text = quiet + "".join(f"2026-04-22T06:44:{n:02}Z {one}\nquiet\n" for n, one in enumerate(said)) + quiet
    read, skipped = lines(text, catalog)
    assert [(number - 71) // 2 for number in read if 70 < number < 90] == [3, 4, 5, 6, 7]
    assert [*skipped.values()] == [(1, 71), (1, 73), (1, 75)]


def test_a_progress_bar_says_the_same_however_far_it_is(catalog: Catalog) -> None:
    """Each bar once, and again where something stands behind it."""
    quiet = "".join(f"nothing to see in line {n}\n" for n in range(70))
    bar = "{}: {:3}%|{:10}| {}/9 [00:0{}<00:09, {}.5s/it{}]{}\n"
    signs = "▏▎▍▌▋▊▉██"
    many = [bar.format(name, 11 * n, signs[n], n, n, n, ", loss=0.3" * (n > 4), "") for n in range(9) for name in "ab"]
    glued = bar.format("a", 99, "███", 9, 9, 1, "", " ValueError: shapes differ")
    read, skipped = lines(quiet + "".join(many) + glued + quiet, catalog)
    assert [number for number in read if 70 < number <= 90] == [71, 72, 89, 90]
    assert sorted(skipped.values()) == [(8, 87), (8, 88)]


def test_a_fact_that_is_known_is_only_counted_where_it_stands_alone(catalog: Catalog) -> None:
    quiet = "".join(f"nothing to see in line {n}\n" for n in range(70))
    said = "loaded {} from /opt/venv/lib/python3.{}/site-packages/x\n"
    facts = "quiet\n".join(said.format(name, 9 + place) for place, name in enumerate(("one", "two", "three")))
    version = "NeuronX Compiler version 2.20.1+ab, Python version 3.10.12\n"
    diagnosis = triage.explain_text(quiet + facts + version + quiet, "x", catalog)
    assert (diagnosis.environment["python"], diagnosis.environment["neuronx-cc"]) == ("3.10.12", "2.20.1+ab")
    read: list[int] = []
    repeats = Repeats(catalog.sorts, lambda _: len(read) == 0)
    for line in Cutter("x", catalog.finder, catalog.patterns, repeats).cut([(quiet + facts + quiet).encode()]):
        read.append(line.number)
    assert [number for number in read if 70 < number <= 75] == [71]
