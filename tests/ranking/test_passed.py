"""What failed nothing: slips at a prompt, ends in order, work that is seen to go on; and what none of these hides."""

from __future__ import annotations

import pytest

from neurontriage.knowledge.catalog import Catalog
from neurontriage.ranking.survived.steps_below import rises
from neurontriage.triage import explain_text

RUNS = "$ python train.py\nstarting\n2 workers are up\n$ \n"
DOWN = "serve[7]: caught SIGTERM\n"


def failed(text: str, catalog: Catalog) -> str:
    """The line that states the root cause; "" if nothing failed."""
    roots = explain_text(text, catalog=catalog).roots
    return roots[0].evidence[0].text if roots else ""


@pytest.mark.parametrize(
    "slip",
    [
        "$ pyton train.py\n-bash: pyton: command not found\n",
        "$ cd trian\nbash: cd: trian: No such file or directory\n",
        "$ cat cfg\ncat: cfg: No such file or directory\n",
        '$ kubectl get pdo\nerror: the server doesn\'t have a resource type "pdo"\n',
        "$ git clone https://x.org/y\nCloning into 'y'...\nfatal: repository 'https://x.org/y/' not found\n",
        "$ python trian.py\npython: can't open file '/x/trian.py': [Errno 2] No such file or directory\n",
        "$ ./run --speed 3\nusage: run [-h]\nrun: error: unrecognized arguments: --speed 3\n",
    ],
)
def test_a_slip_at_a_prompt_fails_nothing_once_a_program_is_started(slip: str, catalog: Catalog) -> None:
    assert failed(slip, catalog)
    assert failed(slip + "$ pip list\nnumpy 1.26\n$ python --version\nPython 3.10.12\n$ \n", catalog)
    assert not failed(slip + RUNS, catalog)


@pytest.mark.parametrize("below", ["", "$ \n", "$ ls\ntrain.py\ncfg\n"])
def test_a_program_of_which_nothing_is_seen_makes_up_for_no_slip(below: str, catalog: Catalog) -> None:
    assert failed(f"$ pyton train.py\n-bash: pyton: command not found\n$ python train.py\n{below}", catalog)


@pytest.mark.parametrize(
    "shown",
    [
        "$ tail -n 1 train.log\nRuntimeError: shard 3 of 8 is missing\n",
        "$ kubectl logs train-0\nRuntimeError: shard 3 of 8 is missing\n",
        "$ python convert.py\nRuntimeError: shard 3 of 8 is missing\n",
    ],
)
def test_what_a_program_or_a_log_says_is_no_slip(shown: str, catalog: Catalog) -> None:
    assert failed(shown + RUNS, catalog) == "RuntimeError: shard 3 of 8 is missing"


@pytest.mark.parametrize(
    ("below", "well"),
    [
        ("serve[7]: all requests drained\n", True),
        ("systemd[1]: Stopped serve.service.\n", True),
        ("", False),
        ("serve[7]: ERROR: pool 3 cannot be closed\nserve[7]: all requests drained\n", False),
        ("systemd[1]: serve.service: State 'stop-sigterm' timed out. Killing.\n", False),
    ],
)
def test_a_server_that_is_stopped_has_not_failed(below: str, well: bool, catalog: Catalog) -> None:
    assert (not failed(f"serve[7]: listening on :80\n{DOWN}{below}", catalog)) == well


def test_a_run_that_counts_steps_was_interrupted(catalog: Catalog) -> None:
    steps = "".join(f"step {step} loss 2.{90 - step}\n" for step in range(1, 30))
    assert failed(f"{steps}{DOWN}worker pool drained\n", catalog)


@pytest.mark.parametrize(
    ("lines", "work"),
    [
        ("step {} of 900 loss 2.31", True),
        ("{{'loss': 2.3, 'epoch': 0.{}}}", True),
        ("  shard {} written", True),
        ("attempt {} of 100", False),
        ("still waiting, {}% of the timeout", False),
        ("frame #{}: c10::Error::what() + 0x10", False),
        ("rank: {} (local_rank: 0), step 4", False),
        ("listening on :80{}", False),
    ],
)
def test_work_is_steps_that_count_on(lines: str, work: bool) -> None:
    assert rises([lines.format(number) for number in range(3, 9)]) == work
    assert not rises([lines.format(3)] * 6)
    assert not rises([lines.format(number) for number in (3, 4)])


@pytest.mark.parametrize(
    ("below", "well"),
    [
        ("10.0.0.5: reachable", True),
        ("connected to 10.0.0.5:6379", True),
        ("10.0.0.5 is up", True),
        ("10.0.0.4: reachable", False),
        ("10.0.0.5 is not reachable", False),
        ("waiting until 10.0.0.5 is ready", False),
    ],
)
def test_what_is_there_later_failed_nothing(below: str, well: bool, catalog: Catalog) -> None:
    log = f"ssh: connect to host 10.0.0.5 port 22: Connection refused\n{below}\n2 files copied\n"
    assert (not failed(log, catalog)) == well


@pytest.mark.parametrize(("process", "well"), [("worker pid=7", True), ("worker pid=8", False)])
def test_who_is_connected_later_is_whoever_was_not(process: str, well: bool, catalog: Catalog) -> None:
    log = f"(worker pid=7) could not connect: connection refused\n({process}) connected\n2 files copied\n"
    assert (not failed(log, catalog)) == well


@pytest.mark.parametrize(
    ("called", "below", "well"),
    [
        ("##[group]Run /opt/frob/bin/frobsync --all || true", "", True),
        ("##[group]Run frobsync --all || exit 1", "", False),
        ("+ /opt/frob/bin/frobsync --all", "+ python3 train.py\n", True),
        ("+ /opt/frob/bin/frobsync --all", "+ exit 1\n", False),
        ("+ /opt/frob/bin/frobcheck --all", "+ python3 train.py\n", False),
    ],
)
def test_a_command_that_a_script_can_do_without(called: str, below: str, well: bool, catalog: Catalog) -> None:
    log = f"{called}\nfrobsync: cannot open the table of shards\n{below}collecting the results of the night\n"
    assert (not failed(log, catalog)) == well


@pytest.mark.parametrize(
    ("below", "well"),
    [
        ("api is up\nsent 64 requests\n", True),
        ("store is up\nsent 64 requests\n", False),
        ("api is not up\n", False),
        ("", False),
    ],
)
def test_what_is_waited_for_by_name_and_comes_failed_nothing(below: str, well: bool, catalog: Catalog) -> None:
    complaint = "curl: (7) Failed to connect to 127.0.0.1 port 8000: Connection refused\n"
    found = explain_text("waiting for api on port 8000\n" + 2 * complaint + below, "a.log", catalog)
    assert bool(found.roots) != well


@pytest.mark.parametrize(
    ("head", "below", "well"),
    [
        ("Inspecting the source of a.b raised:", "list shown\nprompt taken\nanswer given\n", True),
        ("error: Inspecting the source of a.b raised:", "list shown\nprompt taken\nanswer given\n", False),
        ("The source of a.b:", "list shown\nprompt taken\nanswer given\n", False),
        ("Inspecting the source of a.b raised:", "list shown\nwaiting for b\n", False),
        ("Inspecting the source of a.b raised:", "list shown\ncleaning up\nprompt taken\nanswer given\n", False),
        (
            "Inspecting the source of a.b raised:",
            "list shown\nValueError: no list\nprompt taken\nanswer given\n",
            False,
        ),
    ],
)
def test_what_a_watcher_reports_failed_nothing_where_somebody_speaks_on(
    head: str, below: str, well: bool, catalog: Catalog
) -> None:
    raised = 'Traceback (most recent call last):\n  File "/srv/w.py", line 4, in look\n    f()\nLookupError: no path\n'
    assert bool(explain_text(f"studio\n{head}\n{raised}{below}", "a.log", catalog).roots) != well
