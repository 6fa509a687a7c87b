"""The reducer with a stand-in compiler: the same failure is kept, neighbours are named, a killed run goes on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest

from neurontriage.errors import TriageError
from neurontriage.hlo import files
from neurontriage.reduce import outputs
from neurontriage.reduce.asking import Budget
from neurontriage.reduce.running import Explain, Outcome, Request, explainer, run, settings
from neurontriage.reduce.session import size

SAMPLES = Path(__file__).parents[2] / "samples" / "hlo"
STANDIN = f"{sys.executable} -I -S {Path(__file__).parent / 'standin_compiler.py'} {{}}"
NEIGHBOURS = """HloModule neighbours

ENTRY %main {
  %a = f32[4,4]{1,0} parameter(0)
  %s = f32[4,4]{1,0} triangular-solve(%a, %a), left_side=true, lower=true, transpose_a=NO_TRANSPOSE
  %e = f32[4,4]{1,0} exponential(%s)
  %n = f32[4,4]{1,0} negate(%e)
  %k = f32[4,4]{1,0} sort(%n), dimensions={1}
  ROOT %t = f32[4,4]{1,0} tanh(%k)
}
"""
TEN404 = "TEN404-InferIntrinsicOnCC"


@cache
def explain() -> Explain:
    return explainer()


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch, catalog: object) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    monkeypatch.setenv("PYTHONHASHSEED", "0")


def reduced(monkeypatch, folder: Path, play: str, like: str, sample: str = "conv-step", **options) -> Outcome:
    monkeypatch.setenv("STANDIN", play)
    target = str(SAMPLES / f"{sample}.hlo_module.pb") if "/" not in sample else sample
    request = Request(target, folder, like, STANDIN, shapes=options.pop("shapes", False), **options)
    return run(request, explain(), lambda _: None)


def opcodes(outcome: Outcome) -> list[str]:
    assert outcome.reduced is not None
    return sorted(i.opcode for i in outcome.reduced.entry.instructions if i.opcode not in ("parameter", "tuple"))


def test_what_fails_is_kept_and_written_down(monkeypatch, tmp_path: Path) -> None:
    outcome = reduced(monkeypatch, tmp_path, "dot-exp", TEN404)
    assert opcodes(outcome) == ["dot", "exponential"]
    assert outcome.smaller
    paths = outputs.write(outcome, Request("x", tmp_path, TEN404, STANDIN))
    assert all(path.is_file() for path in paths)
    text = (tmp_path / "reduced.hlo.txt").read_bytes()
    again = files.parse("text", text).module
    assert [i.opcode for i in again.entry.instructions] == [i.opcode for i in outcome.reduced.entry.instructions]
    assert "/home/user/model.py:" in (tmp_path / "sources.txt").read_text()
    issue = (tmp_path / "issue.md").read_text()
    assert "[TEN404] Internal tensorizer error: InferIntrinsicOnCC" in issue
    compile((tmp_path / "reduced.py").read_text(), "reduced.py", "exec")


def test_it_does_not_slip_to_a_neighbour_of_the_same_entry(monkeypatch, tmp_path: Path) -> None:
    target = tmp_path / "neighbours.hlo.txt"
    target.write_text(NEIGHBOURS)
    outcome = reduced(monkeypatch, tmp_path, "slip", "NCC-EVRF001", str(target))
    assert opcodes(outcome) == ["sort"]
    assert any("triangular-solve" in said for said in outcome.others)
    assert list((tmp_path / "other-failures").glob("*.hlo_module.pb"))


def test_the_original_must_fail_that_way(monkeypatch, tmp_path: Path) -> None:
    outcome = reduced(monkeypatch, tmp_path, "sort", TEN404, "mixed-operators")
    assert outcome.reduced is None
    assert "NCC-EVRF029" in outcome.reason
    outcome = reduced(monkeypatch, tmp_path, "sort", TEN404)
    assert "passes" in outcome.reason


@pytest.mark.slow
def test_a_timeout_is_unresolved_not_a_failure(monkeypatch, tmp_path: Path) -> None:
    outcome = reduced(monkeypatch, tmp_path, "hang", TEN404, limit=2.0, budget=Budget(workers=4))
    assert opcodes(outcome) == ["dot", "exponential"]
    assert "unresolved" in (tmp_path / "calls.jsonl").read_text()


def test_shapes_stay_where_the_failure_is_one_of_size(monkeypatch, tmp_path: Path) -> None:
    outcome = reduced(monkeypatch, tmp_path, "size", "CC-InstructionLimit", shapes=True)
    assert opcodes(outcome) == ["dot"]
    assert any("size" in note for note in outcome.notes)
    assert not any(step.startswith("size ") for step in outcome.passes)


@pytest.mark.xla
def test_shapes_shrink_where_xla_agrees(monkeypatch, tmp_path: Path) -> None:
    outcome = reduced(monkeypatch, tmp_path, "dot-exp", TEN404, shapes=True)
    assert outcome.reduced is not None
    assert {d for i in outcome.reduced.entry.instructions for d in i.shape.dimensions} == {1}


@pytest.mark.slow
def test_the_budget_ends_it_with_the_best_so_far(monkeypatch, tmp_path: Path) -> None:
    outcome = reduced(monkeypatch, tmp_path, "dot-exp", TEN404, budget=Budget(calls=14))
    assert outcome.reduced is not None
    assert size(outcome.reduced) < size(outcome.original)
    assert any("14 calls" in note for note in outcome.notes)
    whole = reduced(monkeypatch, tmp_path, "dot-exp", TEN404)
    assert opcodes(whole) == ["dot", "exponential"]
    assert whole.calls < 60, "answers of the first run are not asked again"


@pytest.mark.parametrize("workers", [1, 3, 8])
def test_a_number_of_workers_ends_with_the_same_each_time(monkeypatch, tmp_path: Path, workers: int) -> None:
    """The way depends on their number, not on which answer comes first."""
    found = []
    for number in range(2):
        folder = tmp_path / str(number)
        outcome = reduced(monkeypatch, folder, "dot-exp", TEN404, budget=Budget(workers=workers))
        assert opcodes(outcome) == ["dot", "exponential"]
        found.append(files.dump(outcome.reduced))
    assert found[0] == found[1]


def started(folder: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "neurontriage", "reduce", str(SAMPLES / "conv-step.hlo_module.pb")]
    return subprocess.Popen(
        [*command, "--like", TEN404, "--check", STANDIN, "-o", str(folder), "--no-shapes", "-q", *options],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def until_it_asks(folder: Path, calls: int) -> None:
    journal = folder / "calls.jsonl"
    while not journal.is_file() or journal.read_text().count("\n") < calls:
        time.sleep(0.02)


def test_killed_and_resumed_it_ends_with_the_same_module(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STANDIN", "dot-exp")
    killed = started(tmp_path / "killed", "-j", "3")
    until_it_asks(tmp_path / "killed", random.randint(1, 20))
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait()
    assert started(tmp_path / "killed", "-j", "3").wait() == 0
    assert started(tmp_path / "whole", "-j", "3").wait() == 0
    same = [(tmp_path / name / outputs.PROTO).read_bytes() for name in ("killed", "whole")]
    assert same[0] == same[1]


def test_interrupted_it_gives_what_was_found_until_then(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STANDIN", "dot-exp")
    monkeypatch.setenv("STANDIN_SECONDS", "0.3")
    stopped = started(tmp_path / "stopped", "-j", "2")
    until_it_asks(tmp_path / "stopped", 15)
    stopped.send_signal(signal.SIGINT)
    said, _ = stopped.communicate()
    assert stopped.returncode == 130
    assert "interrupted. The same command goes on from here" in said
    assert (tmp_path / "stopped" / outputs.PROTO).is_file()


def test_exit_status_of_a_check_alone(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "check.py"
    script.write_text("import sys\nsys.exit(0 if b'rng-bit-generator' in open(sys.argv[1], 'rb').read() else 1)\n")
    request = Request(
        str(SAMPLES / "conv-step.hlo_module.pb"), tmp_path, "", f"{sys.executable} -I -S {script.name}", shapes=False
    )
    outcome = run(request, explain(), lambda _: None)
    assert opcodes(outcome) == ["rng-bit-generator"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"check": "no-such-command {}"}, "no command"),
        ({"check": "sh -c 'open"}, "No closing quotation"),
        ({"check": ""}, "neuronx-cc is not installed"),
        ({"check": "true {}", "folder": Path("/dev/null")}, "-o /dev/null"),
        ({"target": "/nonexistent.pb", "check": "true {}"}, "no such file"),
    ],
)
def test_wrong_input(options: dict, words: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    given = {"target": str(SAMPLES / "conv-step.hlo_module.pb"), "folder": tmp_path, **options}
    with pytest.raises(TriageError) as caught:
        run(Request(given["target"], given["folder"], TEN404, given["check"]), explain(), lambda _: None)
    assert words in str(caught.value)


def test_an_entry_goes_by_its_other_names_too() -> None:
    from neurontriage.commands.reduce import _entry

    assert _entry(TEN404) == TEN404
    assert _entry("NCC_EVRF029") == "NCC-EVRF029"
    with pytest.raises(TriageError, match="NCC-EVRF0"):
        _entry("NCC-EVRF02")


def test_target_and_flags_come_from_the_log(tmp_path: Path) -> None:
    log = tmp_path / "build.log"
    log.write_text(
        "2024-08-15 14:01:17.000123:  1320  INFO ||NEURON_CC_WRAPPER||: Call compiler with cmd: neuronx-cc compile "
        "--framework=XLA /tmp/u/model.MODULE_1+abc.hlo_module.pb --output /tmp/u/model.neff --target=trn2 "
        "--model-type=transformer -O1 --cache_dir /tmp/c --verbose=35\n"
    )
    found = settings(Request("x", tmp_path, log=log), explain())
    assert found == ("trn2", ("--model-type=transformer", "-O1"))


@pytest.mark.xla
def test_a_graph_of_torch_compile_is_shrunk_by_torchs_own_minifier(monkeypatch, tmp_path: Path) -> None:
    (tmp_path / "attention.py").write_text(
        "import torch\n\n\ndef build():\n"
        "    def step(x, w):\n"
        "        y = torch.tanh(x @ w) * 3\n"
        "        return (y.softmax(-1) @ w).relu().sum()\n\n"
        "    return step, (torch.rand(4, 8), torch.rand(8, 8))\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STANDIN", "dot-exp")
    request = Request("attention:build", tmp_path / "out", TEN404, STANDIN, shapes=False)
    outcome = run(request, explain(), lambda _: None)
    assert opcodes(outcome) == ["dot", "exponential"]
    assert outcome.smaller
    assert outcome.passes[0].startswith("torch.compile graph:")
    code = (tmp_path / "out" / "fx_graph.py").read_text()
    compile(code, "fx_graph.py", "exec")
    assert "tanh" not in code
