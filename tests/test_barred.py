"""What the machine refuses is no failure of ours: places without rights are named, a reader may go away."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from neurontriage import cli

SAMPLE = str(Path(__file__).parent.parent / "samples" / "compiler-internal" / "ten404-loop.log")
BARRED = "BARRED"


@pytest.mark.parametrize(
    "words",
    [
        ["explain", BARRED],
        ["explain", SAMPLE, "--knowledge", BARRED],
        ["explain", SAMPLE, "--good", BARRED],
        ["report", BARRED],
        ["preflight", BARRED],
        ["reduce", BARRED, "--like", "NCC-EVRF009", "--check", "false {}"],
        ["kb", "lint", BARRED],
    ],
    ids=lambda words: " ".join(one for one in words if one != SAMPLE),
)
def test_a_place_that_may_not_be_looked_at_is_named(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder without rights makes every question about what is in it an error."""
    asked = os.stat

    def stat(path: Any, *rest: Any, **options: Any) -> os.stat_result:
        if str(path) == BARRED:
            raise PermissionError(13, "Permission denied", path)  # not so for the superuser, who runs tests, too
        return asked(path, *rest, **options)

    monkeypatch.setattr(os, "stat", stat)
    assert cli.run(cli.build(words[0]), words) == 2
    assert "BARRED" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code"), [(["kb", "list"], 0), (["schema", "explain"], 0), (["watch", "--until-failure", SAMPLE], 1)]
)
def test_a_reader_that_goes_away_changes_no_exit_code(words: list[str], code: int) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "neurontriage", *words], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (code, b"")
