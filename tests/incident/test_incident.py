"""Many logs at once: one bad file never loses the rest, settings hold, and every log for itself is grouped."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from neurontriage import cli, config
from neurontriage.errors import TriageError
from neurontriage.incident import read
from neurontriage.knowledge.catalog import Catalog
from neurontriage.render.groups import alike

ROOT = Path(__file__).parent.parent.parent
SAMPLE = ROOT / "samples" / "compiler-internal" / "ten404-loop.log"


def command(*words: str) -> int:
    return cli.run(cli.build("explain"), ["explain", *words])


def cut(text: bytes) -> bytes:
    packed = gzip.compress(text)
    return packed[: len(packed) * 3 // 4]


def test_a_cut_off_archive_is_read_as_far_as_it_goes(tmp_path: Path, catalog: Catalog) -> None:
    text = SAMPLE.read_bytes() + b"".join(b"step %d of a long training run\n" % n for n in range(90_000))
    (tmp_path / "a.log.gz").write_bytes(cut(text))
    logs = read([str(tmp_path / "a.log.gz")], catalog)
    assert logs.diagnoses[0].roots[0].id == "TEN404-InferIntrinsicOnCC"
    (note,) = logs.notes
    lines = logs.diagnoses[0].inputs[0].lines
    assert "a.log.gz" in note and 40_000 < lines < 90_000
    assert f"cut off after line {lines - 1:,}; " in note or f"cut off after line {lines:,}; " in note


def test_one_bad_file_never_loses_the_rest(tmp_path: Path, catalog: Catalog) -> None:
    (tmp_path / "a.log").write_bytes(SAMPLE.read_bytes())
    (tmp_path / "b.log.gz").write_bytes(b"\x1f\x8b\x08\x00 this is no gzip data")
    (tmp_path / "c.log").symlink_to(tmp_path / "gone.log")
    logs = read([str(tmp_path), str(tmp_path / "vanished.log")], catalog)
    assert logs.diagnoses[0].roots[0].id == "TEN404-InferIntrinsicOnCC"
    assert len(logs.notes) == 2
    assert "b.log.gz" in logs.notes[1] + logs.notes[0] and "vanished.log" in logs.notes[1] + logs.notes[0]


@pytest.fixture
def own() -> Iterator[Path]:
    """A folder that everybody may enter, as pytest's own is not."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.skipif(os.geteuid() == 0 and not os.path.exists("/usr/bin/setpriv"), reason="root may read everything")
def test_what_this_user_may_not_read_is_named(own: Path) -> None:
    (own / "a.log").write_bytes(SAMPLE.read_bytes())
    for name in ("closed.log", "closed"):
        path = own / name
        path.mkdir() if name == "closed" else path.write_bytes(b"x\n")
        path.chmod(0)
    program = [sys.executable, "-m", "neurontriage", "explain", str(own), "--format", "json"]
    drop = ["setpriv", "--reuid=65534", "--clear-groups", "--inh-caps=-all"] if os.geteuid() == 0 else []
    env = {**os.environ, "PYTHONPATH": str(ROOT), "NEURONTRIAGE_CACHE": "/nonexistent"}
    done = subprocess.run([*drop, *program], capture_output=True, text=True, env=env, cwd="/", check=False)
    assert json.loads(done.stdout)["findings"][0]["id"] == "TEN404-InferIntrinsicOnCC", done.stderr
    assert "closed.log: permission denied" in done.stderr
    assert f"{own / 'closed'}: permission denied" in done.stderr
    (own / "closed").chmod(0o755)


def test_nothing_left_is_refused(tmp_path: Path, catalog: Catalog) -> None:
    (tmp_path / "b.log.gz").write_bytes(b"\x1f\x8b\x08\x00 this is no gzip data")
    with pytest.raises(TriageError, match=r"b\.log\.gz"):
        read([str(tmp_path)], catalog)
    with pytest.raises(TriageError, match="no such file"):
        read([str(tmp_path / "vanished.log")], catalog)


def test_a_log_with_a_hole_at_its_end_is_a_log(tmp_path: Path, catalog: Catalog) -> None:
    for name, content in (
        ("end.log", SAMPLE.read_bytes() + b"\0" * 9000),
        ("start.log", b"\0" * 9000 + SAMPLE.read_bytes()),
    ):
        (tmp_path / name).write_bytes(content)
        assert read([str(tmp_path / name)], catalog).diagnoses[0].roots[0].id == "TEN404-InferIntrinsicOnCC"


def test_each_log_for_itself_is_grouped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(3):
        (tmp_path / f"a{number}.log").write_bytes(SAMPLE.read_bytes())
    (tmp_path / "b.log").write_text("RuntimeError: No EFA device found at /sys/bu\n")
    (tmp_path / "c.log").write_text("")
    assert command(str(tmp_path), "--each") == 1
    shown = capsys.readouterr().out
    assert shown.startswith("5 logs: 4 failed")
    assert "   3 ×  TEN404-InferIntrinsicOnCC" in shown
    assert "a0.log:11, a1.log:11, a2.log:11" in shown
    assert command(str(tmp_path), "--each", "--format", "json") == 1
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == "neurontriage.each/1"
    assert [log["verdict"] for log in data["logs"]] == ["failed"] * 4 + ["empty"]
    assert data["groups"][0] == {
        "name": "TEN404-InferIntrinsicOnCC",
        "title": data["logs"][0]["title"],
        "count": 3,
        "logs": [str(tmp_path / f"a{number}.log") for number in range(3)],
    }
    assert command(str(tmp_path), "--each", "--format", "html") == 2


def test_failures_that_no_entry_explains_are_of_one_group_by_their_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, said in (("a", "frob 3 is broken"), ("b", "frob 7 is broken"), ("c", "no quux was made")):
        (tmp_path / f"{name}.log").write_text(f"FrobnicationError: {said}\n")
    command(str(tmp_path), "--each", "--format", "json")
    groups = json.loads(capsys.readouterr().out)["groups"]
    assert [[Path(log).stem for log in group["logs"]] for group in groups] == [["a", "b"], ["c"]]


def test_titles_of_a_group_are_told_as_far_as_they_are_alike() -> None:
    titles = ["Too much memory is needed (A1): 3 GB", "Too much memory is needed (A2): 9 GB"]
    assert alike(titles) == "Too much memory is needed …"
    assert alike(titles[:1] * 2) == titles[0]
    assert alike(["Odd: 1", "Odd: 2"]) == "Odd: 1"
    assert alike([]) is None


def test_settings_of_a_project_hold_below_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = '[tool.neurontriage]\nfail-on = "never"\nignore = ["CC-ExitStatus70", "NO-Such"]\nlanguage = "en"\n'
    (tmp_path / "pyproject.toml").write_text(settings)
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    found = config.load()
    assert (found.fail_on, found.ignore, found.path) == (
        "never",
        ("CC-ExitStatus70", "NO-Such"),
        tmp_path / "pyproject.toml",
    )
    assert command(str(SAMPLE)) == 0
    assert command(str(SAMPLE), "--fail-on", "error") == 1


def test_ignored_ids_that_do_not_exist_or_are_over_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "neurontriage.toml").write_text('ignore = ["CC-ExitStatus70", "NO-Such"]\n')
    (tmp_path / "ignore.yaml").write_text("- {id: TEN404-InferIntrinsicOnCC, reason: old, until: 2020-01-01}\n")
    assert command(str(SAMPLE), "--format", "json", "--knowledge", str(tmp_path)) == 1
    told = capsys.readouterr()
    assert "no entry is called NO-Such" in told.err
    assert "TEN404-InferIntrinsicOnCC until 2020-01-01: old is over" in told.err
    data = json.loads(told.out)
    assert "CC-ExitStatus70" not in {finding["id"] for finding in data["findings"]}
    assert data["silenced"][0].startswith("CC-ExitStatus70: ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fail-on = 'warn'\n", "did you mean warning?"),
        ("knowlege = []\n", "did you mean knowledge?"),
        ("ignore = 3\n", "ignore is no list"),
        ("= 3\n", "neurontriage.toml"),
    ],
)
def test_faulty_settings_are_refused_by_name(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "neurontriage.toml").write_text(text)
    with pytest.raises(TriageError) as refused:
        config.load(tmp_path)
    assert said in str(refused.value) and "neurontriage.toml" in str(refused.value)
