"""What `run` shows of a command that failed without a failure in its output: what it wrote last."""

from __future__ import annotations

import pytest
from live.jobs import run


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (
            'echo step 1; echo "written with tp=8, this job runs tp=32"; exit 3',
            "step 1|written with tp=8, this job runs tp=32",
        ),
        ('echo "written with tp=8, it runs tp=32" >&2; echo step 2; exit 3', "written with tp=8, it runs tp=32"),
        ("for n in 1 2 3 4 5 6; do echo step $n; done; echo; exit 1", "step 4|step 5|step 6"),
        (r"printf '10%%\r20%%\r\033]0;x\007\033[31mboom'; kill -TERM $$", "10%|20%|boom"),
        ("exit 3", ""),
    ],
)
def test_where_no_failure_is_found_the_last_words_are_shown(script: str, words: str) -> None:
    """Those on standard error, which buffered output may follow; else those on standard output."""
    told = run("--", "sh", "-c", script).stderr.decode()
    assert ("its last words:" in told) == bool(words)
    assert "|".join(line[4:] for line in told.splitlines() if line.startswith("  │ ")) == words
    assert "\x1b" not in told


def test_secrets_are_taken_out_of_the_last_words() -> None:
    script = "echo using hf_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789; exit 3"
    done = run("--redact", "secrets", "--", "sh", "-c", script)
    assert b"its last words:" in done.stderr
    assert b"hf_AbCd" not in done.stderr
