"""Whoever complains in one record and goes on with its work has not failed; whoever stops there has."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from neurontriage.claims.reading import Reading
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.voices import loud, voice
from neurontriage.ranking.onward import goes_on
from neurontriage.triage import explain_text

Work = Callable[[int], str]
# Of daemons: one of their normal lines, a complaint, and a normal line that says that they leave.
DAEMONS: dict[str, tuple[Work, str, str]] = {
    "brackets": (
        lambda n: f"[2026-09-14T03:{n % 60:02}:07.190] sched: Allocate JobId={n} NodeList=trn1-3",
        "[2026-09-14T03:00:02.427] error: Problem getting jobs for cluster trn",
        "[2026-09-14T05:00:02.427] Terminate signal, shutting down",
    ),
    "klog": (
        lambda n: f'I0914 03:{n % 60:02}:08.524998    2210 tracker.go:104] "Observed pod startup" pod="train/w-{n}"',
        'E0914 03:00:08.524998    2210 server.go:99] "Failed to record free bytes" err="permission denied"',
        "I0914 05:00:08.524998    2210 server.go:104] Received a signal, exiting",
    ),
    "json": (
        lambda n: f'{{"level":"info","ts":"2026-09-14T03:{n % 60:02}:07Z","logger":"ctl","msg":"reconciled","n":{n}}}',
        '{"level":"error","ts":"2026-09-14T03:00:07Z","logger":"ctl","msg":"failed to build Secret","error":"denied"}',
        '{"level":"info","ts":"2026-09-14T05:00:07Z","logger":"ctl","msg":"stopping workers"}',
    ),
    "syslog": (
        lambda n: f"Sep 14 03:{n % 60:02}:07 n1 agentd[22]: 2026-09-14 03:{n % 60:02}:07,113 INFO tick {n}",
        "Sep 14 03:00:07 n1 agentd[22]: 2026-09-14 03:00:07,113 ERROR could not read the table: Permission denied",
        "Sep 14 05:00:07 n1 agentd[22]: 2026-09-14 05:00:07,113 INFO shutting down",
    ),
}
# What is the text of a normal line of each that another text may take the place of.
WORDS = {
    "brackets": "sched: Allocate JobId=",
    "klog": '"Observed pod startup" pod="train/w-',
    "json": "reconciled",
    "syslog": "tick ",
}
ALL = pytest.mark.parametrize("name", sorted(DAEMONS))
OTHERS = [f"Sep 14 04:{n:02}:07 n1 systemd-logind[5]: New session {n} of user ubuntu." for n in range(60)]


def text_of(*parts: list[str]) -> str:
    return "".join(f"{line}\n" for part in parts for line in part)


def works(name: str, count: int) -> list[str]:
    return [DAEMONS[name][0](number) for number in range(count)]


def survives(catalog: Catalog, *parts: list[str]) -> bool:
    """Whether the loudest claim of a log goes on."""
    reading = Reading(catalog)
    reading.read("a.log", [text_of(*parts).encode()])
    complaints = [
        claim for claim in reading.claims() if claim.event.said.level == "ERROR" or "LABEL" in claim.event.said.words
    ]
    assert complaints
    return any(goes_on(one, reading.courses["a.log"], catalog.briefs) for one in complaints)


@ALL
@pytest.mark.parametrize(("above", "below"), [(2, 20), (40, 20), (3, 300)])
def test_a_daemon_that_goes_on_has_not_failed(catalog: Catalog, name: str, above: int, below: int) -> None:
    text = text_of(works(name, above), [DAEMONS[name][1]], works(name, below))
    assert explain_text(text, catalog=catalog).verdict != "failed"


@ALL
def test_a_daemon_that_stops_there_has_failed(catalog: Catalog, name: str) -> None:
    end = ["Sep 14 05:00:10 n1 systemd[1]: agentd.service: Main process exited, code=exited, status=1/FAILURE"]
    for below in ([], works(name, 2)):
        text = text_of(works(name, 30), [DAEMONS[name][1]], below, end)
        assert explain_text(text, catalog=catalog).verdict == "failed"


@ALL
def test_who_leaves_soon_after_a_complaint_does_not_go_on(catalog: Catalog, name: str) -> None:
    _, complaint, leaves = DAEMONS[name]
    assert survives(catalog, works(name, 9), [complaint], works(name, 40))
    assert not survives(catalog, works(name, 9), [complaint], works(name, 40), [leaves])
    assert survives(catalog, works(name, 9), [complaint], works(name, 90), [leaves])
    assert not survives(catalog, works(name, 9), [complaint], works(name, 19))


@ALL
@pytest.mark.parametrize("end", ["agentd.service: Failed with result 'exit-code'.", "agentd exited with code 3"])
def test_who_ends_in_a_failure_does_not_go_on(catalog: Catalog, name: str, end: str) -> None:
    assert not survives(catalog, works(name, 9), [DAEMONS[name][1]], works(name, 40), [end])


@ALL
def test_others_that_go_on_say_nothing_of_it(catalog: Catalog, name: str) -> None:
    assert not survives(catalog, works(name, 9), [DAEMONS[name][1]], OTHERS)


@ALL
def test_who_complains_to_the_end_does_not_go_on(catalog: Catalog, name: str) -> None:
    work, complaint, _ = DAEMONS[name]
    assert not survives(catalog, works(name, 9), [line for n in range(60) for line in (complaint, work(n))])


IDLE = {
    "waits": lambda n: f"waiting for 1 of 32 peers, {10 * n} s",
    "beats": lambda n: "heartbeat, step 811 of 5000",
    "refuses": lambda n: f"request {n} refused: the model is not ready",
    "one counter": lambda n: f"part {n} read",
}


@ALL
@pytest.mark.parametrize("what", sorted(IDLE))
@pytest.mark.parametrize("above", [4, 40])
def test_who_does_nothing_more_does_not_go_on(catalog: Catalog, name: str, what: str, above: int) -> None:
    work, complaint, _ = DAEMONS[name]
    idle = [work(number).replace(WORDS[name], IDLE[what](number)) for number in range(60)]
    assert idle != [work(number) for number in range(60)]
    log = works(name, above), [complaint], idle
    assert not survives(catalog, *log)
    if what != "one counter":
        assert explain_text(text_of(*log), catalog=catalog).verdict == "failed"


@ALL
def test_who_does_the_same_as_before_with_waiting_words_goes_on(catalog: Catalog, name: str) -> None:
    work, complaint, _ = DAEMONS[name]
    idle = [work(number).replace(WORDS[name], f"waiting for request {number}") for number in range(60)]
    assert survives(catalog, idle[:9], [complaint], idle[9:])


@ALL
@pytest.mark.parametrize("end", ["exiting with code 1", "RESULT: FAILED", "finished with errors: 99 of 100 shards"])
def test_a_program_whose_last_line_says_that_it_failed_has_failed(catalog: Catalog, name: str, end: str) -> None:
    work, complaint, _ = DAEMONS[name]
    log = works(name, 70), [complaint], works(name, 70), [work(71).replace(WORDS[name], f"{end} ")]
    assert not survives(catalog, *log)


def test_what_a_program_says_of_its_end_counts_at_any_level(catalog: Catalog) -> None:
    error = "2026-09-14 03:00:07,113 ERROR trainer: shard 7 has a bad magic, its rows are lost"
    steps = [f"2026-09-14 03:01:07,113 INFO trainer: shard {number} done" for number in range(90)]
    for end, verdict in (("exiting with code 1", "failed"), ("RESULT: FAILED", "failed"), ("exiting with code 0", "")):
        text = text_of(works("klog", 30), [error], steps, [f"2026-09-14 03:02:07,113 INFO trainer: {end}"])
        assert (explain_text(text, catalog=catalog).verdict == "failed") == bool(verdict), end


def test_a_failure_of_the_stack_is_no_complaint(catalog: Catalog) -> None:
    fault = "2026-Sep-14 03:00:02.205 516:516 ERROR  TDRV:exec_consume  [ND 0][NC 0] execution timeout (120000 ms)"
    calm = [f"2026-Sep-14 03:01:02.205 516:516 INFO  TDRV:tick  done {n}" for n in range(60)]
    assert not survives(catalog, [fault], calm)


def test_who_relays_lines_of_any_form_has_no_voice() -> None:
    assert voice("2026-09-14T03:00:07.1234567Z Error: no such image") == ""
    assert voice("Error: no such image") == ""
    assert voice("2026-09-14T03:00:07.1Z 2026-09-14 03:00:07,113 - a.b - ERROR - x") != voice(
        "2026-09-14T03:00:07.1Z step 9"
    )
    assert voice("[rank1]: 2026-09-14 03:00:07,113 ERROR x") != voice("[rank2]: 2026-09-14 03:00:07,113 INFO y")


def test_who_speaks_is_told_by_name_or_by_the_form_of_the_time() -> None:
    for name, (work, complaint, leaves) in DAEMONS.items():
        assert len({voice(line) for line in (work(3), complaint, leaves)}) == 1, name
        assert not loud(work(3)), name
        assert loud(complaint), name


@pytest.mark.parametrize("form", ["ERROR:ckpt:{}", "2026-09-14 03:00:07,113 - ckpt - ERROR - {}", "[ERROR] {}"])
@pytest.mark.parametrize("count", [12, 300])
def test_a_flood_of_errors_is_noise_only_where_the_program_goes_on(catalog: Catalog, form: str, count: int) -> None:
    steps = [f"2026-09-14 03:01:07,113 - train - INFO - step {number} loss 2.31" for number in range(30)]
    flood = [form.format(f"failed to read sample {number}: bad magic") for number in range(count)]
    assert explain_text(text_of(steps, flood), catalog=catalog).verdict == "failed"
    assert explain_text(text_of(flood, steps, ["Training completed."]), catalog=catalog).verdict != "failed"
