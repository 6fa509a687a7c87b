"""Roles and order: total, deterministic, the cause before its echo, time across logs."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neurontriage.claims.reading import Reading
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.templates import READ
from neurontriage.parse.times import seconds
from neurontriage.ranking.decide import decide
from neurontriage.ranking.features import Scene
from neurontriage.reports import renderer
from neurontriage.triage import diagnose, explain_text

TEN404 = "[TEN404] Internal tensorizer error: InferIntrinsicOnCC"
EXIT = "RuntimeError: neuronx-cc returned non-zero exit status 70."
UNKNOWN = "2026-Nov-01 23:48:34.002205 5:5 ERROR  TDRV:frobnicate_pool   pool {} rejected a descriptor"
NMGR = "2026-Nov-01 23:48:35.002205 5:5 ERROR  NMGR:kmgr_exec   Failed to execute model: 10021, error: 1006"
OOB = (
    "2026-Nov-01 23:48:34.9 5:5 ERROR  TDRV:exec_request_process_errors   [ND 0][NC 1] Out of bounds access on model /m"
)


def roles(text: str, catalog: Catalog) -> list[tuple[str, str]]:
    found = explain_text(text, catalog=catalog).findings
    return [(f.id, f.role) for f in found if f.severity == "error"]


def test_the_cause_is_the_root_wherever_it_stands(catalog: Catalog) -> None:
    for lines in ([TEN404, EXIT], [EXIT, TEN404]):
        found = roles("\n".join(lines), catalog)
        assert found[0] == ("TEN404-InferIntrinsicOnCC", "root")
        assert all(role != "root" for _, role in found[1:])


def test_a_wrapper_alone_is_the_root_there_is(catalog: Catalog) -> None:
    assert roles(EXIT, catalog)[0][1] == "root"


def test_the_device_error_is_the_root_and_the_echo_of_the_model_manager_is_not(catalog: Catalog) -> None:
    found = explain_text(f"{OOB}\n{NMGR}\n", catalog=catalog)
    assert found.roots[0].evidence[0].line == 1
    assert len(found.roots) == 1


def test_an_unknown_failure_of_the_runtime_is_first_and_is_called_unknown(catalog: Catalog) -> None:
    found = explain_text(UNKNOWN.format(1) + "\n" + EXIT + "\n", catalog=catalog)
    assert (found.roots[0].id, found.roots[0].recognised) == ("REASON-Runtime", False)
    assert found.roots[0].cause.startswith("No entry knows this message itself. ")


def test_the_same_failure_with_other_numbers_is_one_finding(catalog: Catalog) -> None:
    found = explain_text("\n".join(UNKNOWN.format(n) for n in range(30)), catalog=catalog).findings
    assert [(f.id, f.count) for f in found] == [("REASON-Runtime", 30)]
    assert len(found[0].evidence) == READ


def test_no_more_findings_than_can_be_read_however_many_lines(catalog: Catalog) -> None:
    words = ["".join(random.Random(n).choices("abcdefgh", k=9)) for n in range(2000)]
    text = "\n".join(f"2026-Nov-01 23:48:34.002205 5:5 ERROR  TDRV:x_{word}   {word}" for word in words)
    assert len(explain_text(text, catalog=catalog).findings) < 250


LINES = [UNKNOWN.format(1), EXIT, TEN404, OOB, NMGR, "Killed", "ValueError: x", "step 3/10", "Error: no such host"]


def scene(lines: list[str], catalog: Catalog) -> Scene:
    reading = Reading(catalog)
    reading.read("x", ["\n".join(lines).encode()])
    return Scene(reading.claims(), catalog.briefs, reading.courses)


@settings(max_examples=40, deadline=None)
@given(lines=st.lists(st.sampled_from(LINES), min_size=1, max_size=9))
def test_what_the_graph_promises(catalog: Catalog, lines: list[str]) -> None:
    judged = decide(scene(lines, catalog), catalog).claims
    errors = [claim for claim in judged if claim.severity == "error"]
    ids = {claim.id for claim in judged}
    for claim in errors:
        assert (claim.role == "consequence") == (claim.why is not None), "no edge, no consequence"
        assert claim.caused_by is None or claim.caused_by in ids
        causes = [c for c in errors if c.id == claim.caused_by]
        if claim.why and claim.why.kind not in ("entry", "nesting"):
            assert min(c.place for c in causes) < claim.place, "no effect before its cause"
    assert not errors or errors[0].role == "root"


@settings(max_examples=20, deadline=None)
@given(lines=st.lists(st.sampled_from(LINES), min_size=1, max_size=9))
def test_the_same_log_gives_the_same_answer(catalog: Catalog, lines: list[str]) -> None:
    first, second = (decide(scene(lines, catalog), catalog) for _ in range(2))
    assert [(c.id, c.role, c.place) for c in first.claims] == [(c.id, c.role, c.place) for c in second.claims]
    assert first.suspects == second.suspects


def test_two_logs_are_put_in_order_by_time(catalog: Catalog) -> None:
    late = b"2026-Nov-01 23:59:00.000001 5:5 ERROR  TDRV:first_thing   boom\n"
    early = b"2026-Nov-01 23:10:00.000001 5:5 ERROR  TDRV:other_thing   bang\n"
    found = diagnose([("a.log", [late]), ("b.log", [early])], catalog)
    assert found.roots[0].evidence[0].path == "b.log"


def test_a_healthy_log_has_no_findings(catalog: Catalog) -> None:
    found = explain_text("step 1\nCompiler status PASS\nTotal failed compilations: 0\n", catalog=catalog)
    assert found.verdict == "clean"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2025-Oct-01 23:48:34.002205", 1759362514.002205),
        ("2025-10-01T23:48:34Z", 1759362514.0),
        ("2025-10-01 23:48:34,116", 1759362514.116),
        ("2023-Jun-27 14:29:27.0294", 1687876167.294),
        ("06/18/2021 10:15:28 PM", 1624054528.0),
        ("12:00", None),
        ("2025-Oct-99 23:48:34.0", None),
        (None, None),
    ],
)
def test_times(text: str | None, expected: float | None) -> None:
    assert seconds(text) == (pytest.approx(expected) if expected is not None else None)


def test_an_exception_is_titled_by_its_own_words_not_by_its_frame(catalog: Catalog) -> None:
    text = 'Traceback (most recent call last):\n  File "t.py", line 4, in <module>\n    go()\nmy.Lost: shard 7\n'
    assert explain_text(text, catalog=catalog).roots[0].title == "my.Lost: shard 7"


def test_a_log_that_ends_during_a_compilation_says_so(catalog: Catalog) -> None:
    head = "2025-10-31 07:17:10.000062:  1320  INFO ||NEURON_CC_WRAPPER||: "
    text = f"{head}Call compiler with cmd: neuronx-cc compile /tmp/model.MODULE_123380+00875417.hlo_module.pb\n"
    found = explain_text(text, catalog=catalog)
    assert found.verdict == "unknown"
    assert "1 without a result in the log" in " ".join(renderer("terminal")(found).split())
