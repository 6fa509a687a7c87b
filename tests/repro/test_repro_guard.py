"""The guard around users' own functions: what counts as evidence, what is remembered, what is never hidden."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from neurontriage.model import Diagnosis
from neurontriage.repro import fallback
from neurontriage.triage import explain_text

TEN404 = "2025-10-31T07:17:12Z [TEN404] Internal tensorizer error: InferIntrinsicOnCC"
ENTRY = "TEN404-InferIntrinsicOnCC"
ECHO = "RunNeuronCCImpl: error condition error != 0: Command '{}' returned non-zero exit status 70."
MODULE = "MODULE_123+d41d8cd9"


def explain(text: str) -> Diagnosis:
    return explain_text(text, path="output")


def compiled(x: int) -> int:
    raise RuntimeError(TEN404)


def replaced(x: int) -> int:
    return x + 100


def test_a_known_failure_runs_the_listed_substitute_and_is_counted(caplog: pytest.LogCaptureFixture) -> None:
    guard = fallback(listed={ENTRY: replaced}, explain=explain)
    with caplog.at_level(logging.WARNING), guard:
        assert [guard.run(compiled, 1), guard.run(compiled, 2)] == [101, 102]
    assert guard.counts == {ENTRY: 2}
    assert f"compiled does not compile: {ENTRY}; replaced runs instead" in caplog.text
    assert "a substitute ran 2 times" in caplog.text


def test_a_known_failure_is_met_once_and_said_once(caplog: pytest.LogCaptureFixture) -> None:
    tries = []

    def slow(x: object) -> int:
        tries.append(x)
        raise RuntimeError(TEN404)

    guard = fallback(lambda x: 7, explain=explain)
    assert [guard.run(slow, "same") for _ in range(5)] == [7] * 5
    assert guard.counts[ENTRY] == 5
    assert caplog.text.count("does not compile") == 1
    assert tries == []  # the failed call was undone, its append too


@pytest.mark.parametrize(
    "error", [ValueError("x must be positive"), RuntimeError("shape '[2, 3]' is invalid for input of size 5")]
)
def test_an_answer_for_a_class_of_exceptions_is_no_known_failure(error: Exception) -> None:
    """The knowledge has a word for any ValueError; that a function raises one is the caller's business."""

    def wrong(x: int) -> int:
        raise error

    guard = fallback(replaced, explain=explain)
    with pytest.raises(type(error)) as raised:
        guard.run(wrong, 1)
    assert raised.value is error
    assert not guard.counts


def test_a_crash_of_the_compiler_in_any_pass_is_known() -> None:
    def crashes(x: int) -> int:
        raise RuntimeError("2025-10-31T07:17:12Z [TEN404] Internal tensorizer error: NeverSeenPass:oops")

    guard = fallback(replaced, explain=explain)
    assert guard.run(crashes, 1) == 101
    assert guard.counts == {"TEN404-AnyPass": 1}


def test_as_a_decorator_with_one_substitute_for_all() -> None:
    guard = fallback(replaced, explain=explain)
    assert guard(compiled)(1) == 101
    assert guard(compiled).__name__ == "compiled"


def test_printed_text_is_no_evidence() -> None:
    def chatty() -> None:
        os.write(2, f"{TEN404}\n".encode())
        raise ValueError("my own shape error")

    with pytest.raises(ValueError, match="my own shape error"):
        fallback(replaced, explain=explain).run(chatty)


def fails_like_the_compiler(folder: Path) -> None:
    command = f"neuronx-cc compile --framework=XLA {folder}/model.{MODULE}.hlo_module.pb --output x.neff"
    raise RuntimeError(ECHO.format(command))


def test_the_compilers_own_log_is_evidence(tmp_path: Path) -> None:
    (tmp_path / "log-neuron-cc.txt").write_text(f"{TEN404}\n")
    guard = fallback(lambda folder: "instead", explain=explain)
    assert guard.run(fails_like_the_compiler, tmp_path) == "instead"
    assert dict(guard.counts) == {ENTRY: 1}


def test_the_log_of_a_failure_that_the_cache_replays_is_evidence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second process meets the failed entry of the cache; the listed substitute still matches the first failure."""
    kept = tmp_path / "neuronxcc-2.14.227.0+2d4f85be" / MODULE
    kept.mkdir(parents=True)
    (kept / "model.log").write_text(f"Failed compilation with ['neuronx-cc']: {TEN404}\n")
    monkeypatch.setenv("NEURON_COMPILE_CACHE_URL", str(tmp_path))

    def replayed() -> str:
        raise RuntimeError(
            f"Got a cached failed neff at {kept}/model.neff. Will skip compilation, please set "
            "--retry_failed_compilation for recompilation."
        )

    guard = fallback(listed={ENTRY: lambda: "instead"}, explain=explain)
    assert guard.run(replayed) == "instead"


def test_an_unknown_failure_is_raised_unchanged() -> None:
    error = RuntimeError("something that nobody has described")

    def fails() -> None:
        raise error

    guard = fallback(replaced, explain=explain)
    with pytest.raises(RuntimeError) as raised:
        guard.run(fails)
    assert raised.value is error
    assert not guard.counts


def test_a_failure_of_the_device_is_not_hidden() -> None:
    """An uncorrectable error of the hardware is known, but no reason to go on."""

    def broken() -> None:
        raise RuntimeError("nrt_execute status=5: NRT_EXEC_HW_ERR_HBM_UE")

    with pytest.raises(RuntimeError, match="HBM_UE"):
        fallback(replaced, explain=explain).run(broken)


def test_a_substitute_that_fails_does_not_mask_the_failure(caplog: pytest.LogCaptureFixture) -> None:
    def broken(x: int) -> int:
        raise KeyError("substitute")

    guard = fallback(broken, explain=explain)
    with pytest.raises(RuntimeError, match="TEN404") as raised:
        guard.run(compiled, 1)
    assert isinstance(raised.value.__cause__, KeyError)
    assert "its substitute failed" in caplog.text
    assert not guard.counts


def test_what_is_printed_comes_at_once_and_also_when_the_process_aborts(capfd: pytest.CaptureFixture[str]) -> None:
    def prints() -> str:
        os.write(1, b"progress\n")
        return capfd.readouterr().out

    assert fallback(explain=explain).run(prints) == "progress\n"


def test_what_a_failed_call_did_is_undone_before_its_substitute_runs() -> None:
    class Model:
        def __init__(self) -> None:
            self.steps, self.cache = 0, {"length": 0}

        def step(self, rows: list[int]) -> int:
            self.steps += 1
            rows.append(self.steps)
            self.cache["length"] = len(rows)
            return compiled(1)

    model, rows, total = Model(), [1, 2], 0

    def closure(given: list[int]) -> int:
        nonlocal total
        total += 1
        return model.step(given)

    guard = fallback(lambda given: len(given), explain=explain)
    assert guard.run(closure, rows) == 2
    assert (rows, model.steps, model.cache, total) == ([1, 2], 0, {"length": 0}, 0)


def test_success_is_left_alone() -> None:
    guard = fallback(replaced, explain=explain)
    assert [guard.run(len, [4]), guard.run(len, [4])] == [1, 1]
    assert not guard.counts


def test_a_call_that_worked_before_fails_as_it_would_without_the_guard() -> None:
    answers = iter([1])

    def step(x: int) -> int:
        return next(answers)

    guard = fallback(replaced, explain=explain)
    assert guard.run(step, 1) == 1
    with pytest.raises(StopIteration):
        guard.run(step, 1)
