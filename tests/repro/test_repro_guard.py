"""The fallback for users' own functions: known failures are replaced and counted, others are never hidden."""

from __future__ import annotations

import logging
import os

import pytest

from neurontriage.model import Diagnosis
from neurontriage.repro import fallback
from neurontriage.triage import explain_text

UNKNOWN = "something that nobody has described"
TEN404 = "2025-10-31T07:17:12Z [TEN404] Internal tensorizer error: InferIntrinsicOnCC"


def explain(text: str) -> Diagnosis:
    return explain_text(text, path="output")


def compiled(x: int) -> int:
    """Fails as a compiler does: the cause goes to the file descriptor, the exception only echoes it."""
    os.write(2, f"{TEN404}\n".encode())
    raise RuntimeError("RunNeuronCCImpl: error condition error != 0: Command died with <Signals.SIGHUP: 1>")


def replaced(x: int) -> int:
    return x + 100


def test_a_known_failure_runs_the_listed_fallback_and_is_counted(caplog: pytest.LogCaptureFixture) -> None:
    guard = fallback(listed={"TEN404-InferIntrinsicOnCC": replaced}, explain=explain)
    with caplog.at_level(logging.WARNING), guard:
        assert [guard.run(compiled, 1), guard.run(compiled, 2)] == [101, 102]
    assert guard.counts == {"TEN404-InferIntrinsicOnCC": 2}
    assert "TEN404-InferIntrinsicOnCC" in caplog.text
    assert "seen 2 times" in caplog.text
    assert "fallback used 2 times" in caplog.text


def test_as_a_decorator_with_one_fallback_for_all() -> None:
    guard = fallback(replaced, explain=explain)
    assert guard(compiled)(1) == 101
    assert guard(compiled).__name__ == "compiled"


def test_an_unlisted_entry_runs_the_same_function_on_cpu() -> None:
    tries = []

    def second_time(x: int) -> int:
        tries.append(x)
        return compiled(x) if len(tries) == 1 else x

    assert fallback(explain=explain).run(second_time, 5) == 5
    assert tries == [5, 5]


def test_an_unknown_failure_is_raised_unchanged() -> None:
    error = RuntimeError(UNKNOWN)

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

    guard = fallback(replaced, explain=explain)
    with pytest.raises(RuntimeError, match="HBM_UE"):
        guard.run(broken)


def test_what_was_printed_still_reaches_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    def prints() -> int:
        os.write(1, b"to stdout\n")
        os.write(2, b"to stderr\n")
        return 7

    assert fallback(explain=explain).run(prints) == 7
    out, err = capfd.readouterr()
    assert (out, err) == ("to stdout\n", "to stderr\n")


def test_success_is_left_alone() -> None:
    guard = fallback(replaced, explain=explain)
    assert guard.run(lambda x: x * 2, 4) == 8
    assert not guard.counts
