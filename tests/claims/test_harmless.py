"""Lines that quote a failure are told from lines that state one."""

from __future__ import annotations

import pytest

from neurontriage.claims.harmless import around, quoted
from neurontriage.claims.reading import Reading
from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text


@pytest.mark.parametrize(
    "line",
    [
        "+ grep -c 'NRT_EXEC_OOB' train.log",
        '        raise RuntimeError("nrt_init failed")',
        '    12\t    raise NeuronError("NRT_TIMEOUT")',
        '-    raise ValueError("bad config")',
        "test_codes.py::test_code[RuntimeError: nrt_init failed] PASSED   [ 12%]",
        "SKIPPED [1] tests/test_a.py:3: the timeout failed",
        "HEAD is now at 9f8e7d6 Fix AttributeError: 'NoneType' object has no attribute 'shape'",
        "File ~/env/lib/python3.10/subprocess.py:526, in run(input, capture_output, timeout, check, *popenargs)",
        "    For further information visit https://errors.pydantic.dev/2.13/v/assertion_error",
        "  *** End stack trace ***",
        'python x.py || { echo "Compiler status ERROR"; exit 70; }',
        "        ValueError: If tensor has the wrong shape or type.",
        '{"prompt": "What does Segmentation fault (core dumped) mean?"}',
    ],
)
def test_quotes(line: str) -> None:
    assert quoted(line)


@pytest.mark.parametrize(
    "line",
    [
        'sample 7 prompt="Why do I see \\"NRT_TIMEOUT\\" here" score=0.8',
        "rule: pattern: 'Segmentation fault' severity=3",
        'log scan: 0 lines match "NRT_EXEC_OOB"',
        "rule `RuntimeError: nrt_init failed` loaded",
        "expected error seen: RuntimeError: nrt_init failed",
        "[dry-run] would raise: OSError: disk full",
        "WARNING caught NRT_TIMEOUT; using the fallback",
        "| 7 | NRT_TIMEOUT | 0 |",
        "<li>RuntimeError: nrt_init failed</li>",
        "# NEFF is invalid",
    ],
)
def test_frames(line: str) -> None:
    assert around(line) is not None


@pytest.mark.parametrize(
    "line",
    [
        "RuntimeError: nrt_init failed",
        'request failed: prompt="say hello"',
        "did not raise the expected error: ValueError",
        "unexpected error seen: ValueError: 3",
        "# A fatal error has been detected by the Java Runtime Environment:",
        "#  SIGSEGV (0xb) at pc=0x00007f3c, pid=11, tid=12",
        "please run `pip install neuronx-cc` first",
        "| 7 | NRT_TIMEOUT | 3 |",
        "caught NRT_TIMEOUT; giving up",
        "error: `cargo build --release` exited with 101",
    ],
)
def test_what_stands_in_no_frame(line: str) -> None:
    assert around(line) is None


@pytest.mark.parametrize(
    "line",
    [
        "RuntimeError: nrt_init failed",
        "PASSED 3, FAILED 1",
        "SKIPPED: 2 FAILED: 1",
        "2025-10-31T07:17:12Z [ERROR] [NCC_EVRF009] Size of total input and output tensors exceeds HBM limit",
        "Segmentation fault (core dumped)",
        "E       assert 1 == 2",
        "ValueError: If you pass a mask, pass its length too",
        "error: command 'gcc' failed: No such file or directory",
        "# A fatal error has been detected by the Java Runtime Environment:",
    ],
)
def test_states(line: str) -> None:
    assert not quoted(line)


def test_a_source_line_of_a_traceback_still_names_the_cause(catalog: Catalog) -> None:
    frame = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n'
    log = frame + '    raise RuntimeError("x")\nRuntimeError: x\n'
    found = explain_text(log, catalog=catalog).findings
    assert [f.evidence[0].line for f in found] == [4]


def test_a_failure_after_its_quotation_is_found_where_it_is_stated(catalog: Catalog) -> None:
    log = "+ grep 'RuntimeError: nrt_init failed' log\nsome line\nRuntimeError: nrt_init failed\n"
    assert [f.evidence[0].line for f in explain_text(log, catalog=catalog).findings] == [3]


def test_an_exception_that_python_ignores_is_no_failure(catalog: Catalog) -> None:
    frame = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n'
    log = f"Exception ignored in: <function f at 0x7f8>\n{frame}OSError: [Errno 9] Bad file descriptor\n"
    assert explain_text(log + "done\n" * 3, catalog=catalog).verdict != "failed"
    assert explain_text(log + frame + "OSError: [Errno 9] Bad file descriptor\n", catalog=catalog).verdict == "failed"


def test_what_only_passes_output_on_does_not_call_it_information(catalog: Catalog) -> None:
    reason = "cannot open the frobnicator: no such unit"
    for line, part, level in (
        (f"INFO  PyProcess W-104-model-stdout: {reason}", "raise", ""),
        (f"INFO:root:{reason}", "note", "INFO"),
    ):
        reading = Reading(catalog)
        reading.read("x.log", [f"{line}\n".encode()])
        [claim] = reading.claims()
        assert (claim.says, claim.event.said.level) == (part, level)


def test_a_logger_that_says_info_states_no_unknown_failure(catalog: Catalog) -> None:
    line = "INFO 07-31 06:16:17 [async_llm.py:420] Error: a word of its own\n"
    assert explain_text(line * 5, catalog=catalog).verdict != "failed"
