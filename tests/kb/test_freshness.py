"""Sources that changed, entries that never win, and how a folder of logs is answered."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from shipped import ENTRIES
from typer.testing import CliRunner

from neurontriage import resources
from neurontriage.commands.kb import app
from neurontriage.errors import TriageError
from neurontriage.kb import sources
from neurontriage.kb.folder import coverage, table
from neurontriage.kb.stale import moved, older, silent
from neurontriage.knowledge.catalog import Catalog
from neurontriage.knowledge.load import releases
from neurontriage.knowledge.schema import Entry, SourceText
from neurontriage.knowledge.versions import Releases

TABLE = Releases(releases([resources.knowledge()]))
SAMPLES = Path(__file__).parents[2] / "samples"


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    done = subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository owner/name with one file and one commit of 2024."""
    folder = tmp_path / "owner" / "name"
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    (folder / "a.c").write_text('int a;\n\tpr_err("no  such"\n\t  "core");\n')
    git(folder, "add", ".")
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "a"],
        cwd=folder,
        check=True,
        env={
            "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
            "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
            "PATH": "/usr/bin:/bin",
        },
    )
    return tmp_path


def entry(clone: Path, lines: str = "2-3", digest: str = "") -> dict[str, Entry]:
    commit = git(clone / "owner" / "name", "rev-parse", "HEAD")
    found = digest or sources.digest('pr_err("no such" "core");')
    source = SourceText(repo="owner/name", file="a.c", commit=commit, lines=lines, digest=found)
    some = next(iter(ENTRIES.values()))
    return {some.id: some.model_copy(update={"sources": (source,)})}


def test_a_passage_as_its_digest_says_is_fresh(clone: Path) -> None:
    assert not list(moved(entry(clone), clone))


def test_another_digest_is_told_with_the_right_one(clone: Path) -> None:
    told = list(moved(entry(clone, digest="sha256:" + "0" * 16), clone))
    assert sources.digest('pr_err("no such" "core");') in told[0]


def test_a_line_that_is_gone_is_told(clone: Path) -> None:
    assert "not to be found" in next(moved(entry(clone, lines="90"), clone))


def test_a_passage_that_later_commits_changed_is_told(clone: Path) -> None:
    old = entry(clone)
    (clone / "owner" / "name" / "a.c").write_text("int a;\n")
    git(clone / "owner" / "name", "commit", "-qam", "b")
    assert "no longer" in next(moved(old, clone))


def test_without_a_clone_nothing_is_said(tmp_path: Path) -> None:
    assert not list(moved(ENTRIES, tmp_path))


def test_sources_read_before_a_release_are_told(clone: Path) -> None:
    assert "2024-01-01" in next(older(entry(clone), clone, "2.20.0", TABLE))
    assert not list(older(entry(clone), clone, "2.16.0", TABLE))
    with pytest.raises(TriageError, match="not in versions"):
        list(older({}, clone, "9.9", TABLE))


def test_a_folder_of_logs_is_counted(catalog: Catalog, tmp_path: Path) -> None:
    with pytest.raises(TriageError, match="no log"):
        coverage(tmp_path, catalog)
    covered = coverage(SAMPLES / "unknown", catalog)
    report = "\n".join(table(covered))
    assert covered.answers["no answer"] > 0
    assert "frob 3 of widget 7" in report
    reasons = coverage(SAMPLES / "reasons", catalog)
    assert reasons.answers["an answer for its reason"] > 0
    assert "frobnicate_descriptor_pool" in "\n".join(table(reasons))
    assert len(list(silent(ENTRIES, covered))) > len(ENTRIES) / 2


def test_the_commands_print_and_exit(clone: Path) -> None:
    run = CliRunner().invoke
    assert run(app, ["coverage", str(SAMPLES / "unknown")]).exit_code == 0
    assert run(app, ["stale", "--logs", str(SAMPLES / "unknown")]).exit_code == 1
    assert run(app, ["stale", "--sources", str(clone)]).exit_code == 0
    assert run(app, ["stale"]).exception is not None
