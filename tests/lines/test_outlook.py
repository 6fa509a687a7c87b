"""What the words of a line say of how things go."""

from __future__ import annotations

import pytest

from neurontriage.lines.outlook import concludes, done, names, trouble


@pytest.mark.parametrize(
    "text",
    ["12 of 12 rows written", "out/a.neff is up to date", "Total errors: 0", "✓ built in 3.1s", "shards ok, 0 failed"],
)
def test_what_is_done(text: str) -> None:
    assert done(text)
    assert not trouble(text)


@pytest.mark.parametrize(
    "text",
    [
        "3 rows written, 1 failed",
        "job 7 done (status 2)",
        "0 of 12 rows saved",
        "ERROR saved nothing",
        "run ended, rolled back",
    ],
)
def test_what_is_no_good_end(text: str) -> None:
    assert trouble(text)
    assert not done(text)


def test_the_last_lines_conclude() -> None:
    assert concludes(["step 1", "loss 2.1", "model saved to out/"])
    assert concludes(["***** metrics *****", "  epoch      =    3.0", "  eval_loss  = 0.41"])
    assert not concludes(["model saved to out/", "could not remove the old one"])
    assert not concludes(["step 1 loss 2.1", "step 2 loss 2.0"])
    assert not concludes([])


@pytest.mark.parametrize(
    "text", ["Transfer Errors", "Error report", "lost: []", "errors: no bus errors", "timeout    9", "-- A failure --"]
)
def test_what_only_names_or_counts(text: str) -> None:
    assert names(text)


@pytest.mark.parametrize(
    "text", ["error: no space left", "worker lost", "fatal: ring 7", "Error:", "439 Killed   run.sh"]
)
def test_what_states_something(text: str) -> None:
    assert not names(text)
