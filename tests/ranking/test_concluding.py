"""Whoever has the last word of a log says how its run went, where no work goes on below and nothing better is said."""

from __future__ import annotations

import pytest

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

WORK = {
    "steps": [f"iteration {n} of 40, loss {4 - n / 20:.2f}" for n in range(40)],
    "long": [f"upload: out/part-{n}.bin to s3://bucket/part-{n}.bin" for n in range(90)],
    "json": [f'{{"ts": "2026-11-20T03:00:{n % 60:02}Z", "level": "info", "msg": "batch {n} done"}}' for n in range(70)],
}
ILL = [
    "3 of 9 widgets incomplete",
    "verdict: NOT OK",
    "Exit_status=1",
    "77.batch  FAILED 1:0",
    "the run was interrupted",
]
WELL = ["0 of 9 widgets incomplete", "verdict: OK", "Exit_status=0", "77.batch  COMPLETED 0:0", "the run was quick"]
EVERY = pytest.mark.parametrize("work", sorted(WORK))


def said(catalog: Catalog, *lines: str) -> str:
    return explain_text("".join(f"{line}\n" for line in lines), catalog=catalog).verdict


@EVERY
@pytest.mark.parametrize("word", ILL)
def test_the_last_word_fails_a_log(catalog: Catalog, work: str, word: str) -> None:
    text = "".join(f"{line}\n" for line in [*WORK[work], word])
    [root, *_] = explain_text(text, catalog=catalog).roots
    assert root.evidence[0].text == word
    assert not root.recognised


@EVERY
@pytest.mark.parametrize("word", WELL)
def test_a_good_word_does_not(catalog: Catalog, work: str, word: str) -> None:
    assert said(catalog, *WORK[work], word) != "failed"


@EVERY
@pytest.mark.parametrize(("ill", "well"), list(zip(ILL[:3], WELL[:3], strict=True)))
def test_a_better_word_below_undoes_it(catalog: Catalog, work: str, ill: str, well: str) -> None:
    assert said(catalog, *WORK[work], ill, well) != "failed"


@EVERY
@pytest.mark.parametrize("word", ["3 of 9 widgets incomplete", "Exit_status=1"])
def test_what_is_said_amid_the_work_is_not_the_last_word(catalog: Catalog, work: str, word: str) -> None:
    assert said(catalog, *WORK[work], word, *WORK[work][:3]) != "failed"


@EVERY
def test_a_count_that_comes_again_and_again_is_of_its_unit(catalog: Catalog, work: str) -> None:
    assert said(catalog, *WORK[work], *(f"unit {n}: {n} ok, 1 failed" for n in range(5))) != "failed"


@EVERY
def test_the_rest_of_a_job_undoes_nothing(catalog: Catalog, work: str) -> None:
    assert said(catalog, *WORK[work], "77.batch FAILED 1:0", "77.extern COMPLETED 0:0") == "failed"
    assert said(catalog, *WORK[work], "77.batch FAILED 1:0", "78.batch COMPLETED 0:0") != "failed"


@EVERY
def test_the_status_that_the_shell_was_asked_for(catalog: Catalog, work: str) -> None:
    assert said(catalog, *WORK[work], "[me@n1 run]$ echo $?", "9") == "failed"
    assert said(catalog, *WORK[work], "[me@n1 run]$ echo $?", "0") != "failed"
    assert said(catalog, *WORK[work], "[me@n1 run]$ echo 9", "9") != "failed"


@EVERY
@pytest.mark.parametrize("word", ILL[:4])
def test_a_cause_above_is_the_root(catalog: Catalog, work: str, word: str) -> None:
    lines = [*WORK[work], "ERROR: the ring of widgets is not closed", word]
    [root, *_] = explain_text("".join(f"{line}\n" for line in lines), catalog=catalog).roots
    assert root.evidence[0].line == len(WORK[work]) + 1


@pytest.mark.parametrize("work", ["json", "steps"])
def test_an_error_without_more_work_fails_a_log(catalog: Catalog, work: str) -> None:
    error, rest = "widget table could not be fetched", ["leaving", "report in out/r.txt"]
    assert said(catalog, *WORK[work], error, *rest) == "failed"
    assert said(catalog, *WORK[work], error, *rest, *WORK[work][:2]) != "failed"
    assert said(catalog, *WORK[work], error, *rest, "all saved successfully") != "failed"


def test_work_at_the_beginning_that_comes_again_goes_on(catalog: Catalog) -> None:
    loads = [f"loading shard {n} of 9" for n in range(5)]
    presses = [f"{'abcdefghijklm'[n % 13] * 3} is pressed {'x' * (n % 7)} now" for n in range(80)]
    lines = ["the widget press", *loads[:3], *presses, "widget table could not be fetched"]
    assert said(catalog, *lines, "report in out/r.txt") == "failed"
    assert said(catalog, *lines, loads[4]) != "failed"


@pytest.mark.parametrize(
    ("word", "well"),
    [
        ("drill: 3 of 3 parts passed", True),
        ("drill: 2 of 3 parts passed", False),
        ("all 4 stages are done", True),
        ("Test Suites: 16 passed, 16 total", True),
        ("Test Suites: 1 failed, 15 passed, 16 total", False),
        ("Tests run: 58, Failures: 0, Errors: 0, Skipped: 1", True),
        ("Build 'amazon-ebs.trn' finished after 11 minutes 41 seconds.", True),
        ("Build 'amazon-ebs.trn' finished, but 2 parts failed", False),
        ('deployment "llm" successfully rolled out', True),
        ("Apply complete! Resources: 12 added, 0 changed, 0 destroyed.", True),
        ("0f9e8d is the first bad commit", True),
        ("best: config 7, 1.02 ms", True),
        ("28 ok, 2 skipped, 0 failed", True),
        ("found 0 errors", False),
        ("12 passed in 3.41s", True),
    ],
)
def test_a_runner_says_of_all_that_it_ran_that_it_went_well(catalog: Catalog, word: str, well: bool) -> None:
    raised = 'Traceback (most recent call last):\n  File "/srv/w.py", line 4, in look\n    f()\nLookupError: no path'
    assert (said(catalog, "parts are read", raised, "", word) != "failed") == well
    assert said(catalog, "parts are read", word, raised) == "failed"
    assert said(catalog, "parts are read", raised, "", word, "ERROR: the ring of widgets is not closed") == "failed"


@pytest.mark.parametrize(
    "word", ["12 passed in 3.41s", "`Trainer.fit` stopped: `max_steps=100` reached.", "drill: 3 of 3 parts passed"]
)
def test_a_log_that_ends_in_a_good_word_is_clean(catalog: Catalog, word: str) -> None:
    assert said(catalog, *WORK["json"], word) == "clean"


@pytest.mark.parametrize(("below", "verdict"), [((), "unknown"), (("Compiler status PASS",), "clean")])
def test_a_good_word_ends_no_log_in_which_a_module_is_left_half_compiled(
    catalog: Catalog, below: tuple[str, ...], verdict: str
) -> None:
    call = (
        "2026-01-02 03:04:05.000034:  47  INFO ||NEURON_CC_WRAPPER||: Call compiler with cmd: neuronx-cc compile "
        "--framework=XLA /tmp/x/MODULE_12+e3.hlo_module.pb --output /tmp/x/MODULE_12+e3.neff --target=trn1"
    )
    assert said(catalog, call, *below, "12 passed in 3.41s") == verdict
