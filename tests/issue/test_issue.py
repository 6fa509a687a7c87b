"""The issue and its bundle: complete, free of secrets, the same bytes twice, and honest about what is missing."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planted import planted

from neurontriage import cli
from neurontriage.issue import excerpt
from neurontriage.issue.bundle import member_names
from neurontriage.issue.draft import text, title
from neurontriage.model import Diagnosis
from neurontriage.triage import explain_text

SAMPLES = Path(__file__).parents[2] / "samples"
LOOP = SAMPLES / "compiler-internal" / "ten404-loop.log"


def issue(*words: object) -> int:
    return cli.run(cli.build("issue"), ["issue", *map(str, words)])


def bundled(folder: Path) -> dict[str, bytes]:
    with tarfile.open(folder / "bundle.tar.gz") as tar:
        members = {m.name.removeprefix("neurontriage-bundle/"): tar.extractfile(m) for m in tar.getmembers()}
        return {name: file.read() for name, file in members.items() if file}


def test_an_issue_answers_what_a_maintainer_asks_first(tmp_path: Path) -> None:
    assert issue(LOOP, "-o", tmp_path) == 1
    said = (tmp_path / "issue.md").read_text()
    for part in (
        "# \\[neuronx-cc 2.21.18209.0+043b1bf7, trn1\\]",
        "| sdk | 2\\.26.0 |",
        "    11  2025-10-31T07:17:12Z [TEN404] Internal tensorizer error: InferIntrinsicOnCC",
        "## What it brought about",
        "import torch_xla",
        "- [ ] Replace the Python loop",
    ):
        assert part in said, part
    compile(bundled(tmp_path)["repro.py"], "repro.py", "exec")


def test_the_manifest_tells_every_file_its_digest_and_what_was_taken_out(tmp_path: Path) -> None:
    log = tmp_path / "build.log"
    log.write_text(LOOP.read_text() + "mail jane@example.com password=hunter22\n")
    proto = tmp_path / "model.hlo_module.pb"
    proto.write_bytes(b"\x08\0\x01jane@example.com")
    issue(log, "--add", proto, "-o", tmp_path / "out")
    files = bundled(tmp_path / "out")
    rows = {row["name"]: row for row in json.loads(files.pop("manifest.json"))["files"]}
    names = {"logs/build.log", "added/model.hlo_module.pb", "repro.py", "diagnosis.json", "issue.md"}
    assert set(rows) == set(files) == names
    for name, content in files.items():
        assert (rows[name]["bytes"], rows[name]["sha256"]) == (len(content), hashlib.sha256(content).hexdigest())
    assert rows["logs/build.log"]["redactions"] == {"e-mail": 1, "secret": 1}
    assert rows["added/model.hlo_module.pb"]["redactions"] is None


def test_the_same_logs_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        issue(LOOP, "-o", tmp_path / name)
    for name in ("issue.md", "bundle.tar.gz"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_no_planted_secret_is_in_the_issue_or_in_its_bundle(tmp_path: Path) -> None:
    secrets = planted()
    for number, one in enumerate(secrets):
        stated = f"[TEN404] Internal tensorizer error: Pass{number}: {one.text.splitlines()[0]}"
        (tmp_path / f"{number:03}.log").write_text(f"{one.text}\n{stated}\n", encoding="utf-8")
    issue(tmp_path, "-o", tmp_path / "out")
    shown = (tmp_path / "out" / "issue.md").read_text()
    shown += b"\n".join(bundled(tmp_path / "out").values()).decode()
    everything = "\n".join(one.text for one in secrets)
    for one in secrets:
        assert not [p for p in one.leaked(shown) if everything.count(p) == one.secret.count(p)], one.kind


def test_a_failure_that_no_entry_explains_is_called_that() -> None:
    said = text(Diagnosis(inputs=(), findings=()))
    assert "No entry explains this failure" in said
    assert title(Diagnosis(inputs=(), findings=())) == "A failure that no rule recognised"


def test_an_issue_stays_below_what_the_tracker_takes() -> None:
    log = "\n".join(f"[TEN404] Internal tensorizer error: Pass{n}: {'x ' * 900}" for n in range(300))
    assert len(text(explain_text(log))) < 65_536


def test_a_long_log_is_cut_around_the_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excerpt, "WHOLE", 10_000)
    for name in ("_HEAD", "_TAIL", "_AROUND"):
        monkeypatch.setattr(excerpt, name, 5)
    log = tmp_path / "long.log"
    log.write_text(
        "".join(f"step {n}\n" for n in range(9000)) + "[TEN404] Internal tensorizer error: Foo\n" + "later\n" * 9000
    )
    issue(log, "-o", tmp_path / "out")
    files = bundled(tmp_path / "out")
    lines = files["logs/long.log"].decode().splitlines()
    left = next(
        r["lines_left_out"] for r in json.loads(files["manifest.json"])["files"] if r["name"] == "logs/long.log"
    )
    assert "[TEN404] Internal tensorizer error: Foo" in lines and "step 0" in lines
    kept = [line for line in lines if not line.startswith("[…")]
    assert len(kept) + left == 18_001
    assert [line for line in lines if line.startswith("[…")] == [
        "[… 8990 lines left out …]",
        "[… 8990 lines left out …]",
    ]


@given(st.lists(st.text(alphabet="ab\r", max_size=5), max_size=30), st.integers(1, 40))
def test_a_short_log_is_bundled_whole(lines: list[str], size: int) -> None:
    raw = "\n".join(lines).encode() + b"\n"
    blocks = io.BytesIO(raw).readlines()
    cut = excerpt._cut("x", blocks, set())
    assert cut.left_out == 0
    assert cut.text.split("\n")[:-1] == [line.rstrip("\r") for line in lines] or not lines


def test_names_in_a_bundle_never_leave_it(tmp_path: Path) -> None:
    assert member_names(["/a/b/x.log", "/a/b/c/y.log"]) == {"/a/b/x.log": "logs/x.log", "/a/b/c/y.log": "logs/c/y.log"}
    from neurontriage.issue.bundle import Bundle
    from neurontriage.render.redaction import Redactor

    bundle = Bundle(Redactor())
    for name in ("../../etc/passwd", "logs/a b.log", "logs/a b.log"):
        bundle.text(name, "x")
    assert list(bundle.files) == ["etc/passwd", "logs/a_b.log", "logs/a_b.log.2"]


@pytest.mark.parametrize(
    "words", [["-"], ["no-such.log"], [LOOP, "--redact", "none"], [LOOP, "--add", "no-such"], [LOOP, "-o", "/proc/x"]]
)
def test_what_cannot_be_done_is_said(words: list[object], capsys: pytest.CaptureFixture[str]) -> None:
    assert issue(*words) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ") and "expected: " in said
