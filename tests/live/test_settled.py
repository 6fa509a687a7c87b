"""What a project has settled (own entries, silenced ids, a language) holds beside a command and a growing log, too."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from live.jobs import ENVIRONMENT, RUN

from neurontriage.knowledge.catalog import Catalog
from neurontriage.live.following import ABSENT, BINARY, Flock
from neurontriage.live.watching import Watch

ENTRY = """
id: OWN-Frobnicator
title: "The frobnicator of pool {pool} is stuck"
layer: host
severity: error
role: root
status: draft
match:
  - text: 'frobnicator of pool (?P<pool>\\d+) is stuck'
cause: It was not oiled.
not_proof: That oil helps.
workarounds:
  - {title: Oil it, kind: config}
links:
  - {url: "https://example.org/frobnicator", title: Where it is discussed}
examples:
  - "ERROR frobnicator of pool 12 is stuck"
near_misses:
  - "INFO frobnicator of pool 12 is well"
"""
LINE = "ERROR frobnicator of pool 7 is stuck"
SETTINGS = 'knowledge = ["own"]\nlanguage = "ja"\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "own" / "host").mkdir(parents=True)
    (tmp_path / "own" / "host" / "OWN-Frobnicator.yaml").write_text(ENTRY)
    (tmp_path / "neurontriage.toml").write_text(SETTINGS)
    return tmp_path


def done(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**ENVIRONMENT, "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-m", "neurontriage", *words],
        capture_output=True, text=True, cwd=project, env=environment, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def test_a_command_is_explained_as_the_project_has_settled(project: Path) -> None:
    failing = ["--", sys.executable, "-c", f"print({LINE!r}); raise SystemExit(1)"]
    said = done(project, "run", *failing).stderr
    assert "OWN-Frobnicator" in said and "失敗" in said
    (project / "neurontriage.toml").write_text(SETTINGS + 'ignore = ["OWN-Frobnicator"]\n')
    assert "Oil it" not in done(project, "run", *failing).stderr


def test_faulty_settings_keep_no_command_from_its_answer(project: Path) -> None:
    (project / "neurontriage.toml").write_text("knowlege = []\n")
    code = "print('[TEN404] Internal tensorizer error: InferIntrinsicOnCC'); raise SystemExit(3)"
    ended = done(project, "run", "--", sys.executable, "-c", code)
    assert ended.returncode == 3
    assert "neurontriage.toml: key knowlege" in ended.stderr
    assert "TEN404-InferIntrinsicOnCC" in ended.stderr


@pytest.mark.parametrize("words", [["kb", "show", "OWN-Frobnicator"], ["kb", "search", "frobnicator"]])
def test_the_knowledge_base_has_the_projects_entries(project: Path, words: list[str]) -> None:
    found = done(project, *words)
    assert "OWN-Frobnicator" in found.stdout, found.stderr


def test_a_growing_log_is_read_as_the_project_has_settled(project: Path) -> None:
    (project / "train.log").write_text(LINE + "\n")
    whole = done(project, "watch", "--until-failure", "train.log")
    assert whole.returncode == 1
    assert "OWN-Frobnicator" in whole.stdout and "失敗" in whole.stdout


def test_what_is_not_followed_is_said_once(tmp_path: Path, catalog: Catalog) -> None:
    (tmp_path / "core").write_bytes(b"\0\1\2" * 1000)
    absent, rounds, said = str(tmp_path / "later.log"), iter(range(8)), []
    flock = Flock((absent, str(tmp_path / "core")))
    watch = Watch(flock, catalog, lambda: next(rounds, None) is None, lambda _: None, note=said.append)
    assert list(watch.findings()) == []
    assert said == [f"{absent}: {ABSENT}", f"{tmp_path / 'core'}: {BINARY}"]


def test_watch_says_what_it_waits_for(tmp_path: Path) -> None:
    command = [*RUN[:-1], "watch", "no-such.log"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT, cwd=tmp_path) as job:
        assert job.stderr and job.stderr.readline() == "note: no-such.log: not there yet\n"
        job.send_signal(signal.SIGTERM)
    assert job.returncode == 0
