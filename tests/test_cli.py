"""The command line as other programs see it: exit codes, one clear message, JSON as the contract says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from neurontriage import cli, reports

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "samples" / "compiler-internal" / "ten404-loop.log"
BENIGN = ROOT / "samples" / "benign" / "training-two-graphs.log"


def run(*words: str, stdin: str | None = None, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "neurontriage", *words],
        capture_output=True, text=True, input=stdin, stdin=subprocess.DEVNULL if stdin is None else None,
        cwd=ROOT, env={**os.environ, **(env or {})}, check=False,
    )  # fmt: skip


def test_a_failure_is_exit_1_and_a_healthy_log_0() -> None:
    assert run("explain", str(SAMPLE)).returncode == 1
    assert run("explain", str(BENIGN)).returncode == 0
    assert run("explain", str(SAMPLE), "--fail-on", "never").returncode == 0


@pytest.mark.parametrize("format", reports.names())
def test_one_exit_code_rule_for_all_formats(format: str, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.log"
    nothing.write_text("a quiet line\n")
    target = str(tmp_path / "out")
    for log, level, code in (
        (SAMPLE, "error", 1), (SAMPLE, "never", 0), (BENIGN, "error", 0), (BENIGN, "unknown", 0),
        (nothing, "error", 0), (nothing, "unknown", 1),
    ):  # fmt: skip
        words = ["explain", str(log), "--format", format, "--fail-on", level, "-o", target]
        assert cli.run(cli.build("explain"), words) == code, (log, level)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["explain", "no/such.log"], "no/such.log"),
        (["explain", str(SAMPLE), "--format", "morse"], "morse"),
        (["explain", str(SAMPLE), "--fail-on", "sometimes"], "sometimes"),
        (["explain", "--nonsense"], "--nonsense"),
        (["explane"], "explane"),
        (["kb", "show", "NCC_XXXX999"], "NCC_XXXX999"),
        (["kb", "new", "--from-log", "no/such.log"], "no/such.log"),
        (["kb", "lint", "no/such/folder"], "no/such/folder"),
        (["explain", str(SAMPLE), "--knowledge", "no/such/folder"], "no/such/folder"),
        (["explain", str(SAMPLE), "-o", "no/such/folder/x.txt"], "no/such/folder/x.txt"),
    ],
)
def test_what_is_wrong_is_named_on_stderr_with_exit_2(words: list[str], named: str) -> None:
    done = run(*words)
    assert done.returncode == 2, done.stderr
    assert named in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_no_input_at_all_is_refused_with_a_hint(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "neurontriage", "explain"],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=tmp_path,
        env={**os.environ, "USER": "nobody-here"}, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "neurontriage explain build.log" in done.stderr


def test_the_newest_compile_log_is_read_where_none_is_given(tmp_path: Path) -> None:
    (tmp_path / "log-neuron-cc.txt").write_text("[TEN404] Internal tensorizer error: InferIntrinsicOnCC\n")
    done = subprocess.run(
        [sys.executable, "-m", "neurontriage", "explain", "--format", "json"],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=tmp_path, check=False,
        env={**os.environ, "USER": "nobody-here"},
    )  # fmt: skip
    assert json.loads(done.stdout)["inputs"][0]["path"] == "log-neuron-cc.txt"


def test_a_pipe_is_read() -> None:
    done = run("explain", "--format", "json", stdin=SAMPLE.read_text())
    assert json.loads(done.stdout)["findings"][0]["id"] == "TEN404-InferIntrinsicOnCC"
    assert json.loads(run("explain", "-", "--format", "json", stdin="").stdout)["verdict"] == "empty"


def test_json_keeps_the_contract() -> None:
    data = json.loads(run("explain", str(SAMPLE), "--format", "json").stdout)
    assert data["schema"] == "neurontriage.explain/1"
    assert set(data) >= {"schema", "tool", "inputs", "verdict", "environment", "compile", "findings", "unparsed"}
    assert data["tool"]["knowledge"]["digest"].startswith("sha256:")
    text = SAMPLE.read_text()
    size = {"path": str(SAMPLE), "bytes": SAMPLE.stat().st_size, "lines": len(text.splitlines())}
    assert data["inputs"] == [size]
    assert data["verdict"] in ("failed", "warned", "clean", "unknown", "empty")
    assert {"modules", "passed", "failed", "cached"} <= set(data["compile"])
    for finding in data["findings"]:
        assert set(finding) >= {
            "id", "known", "title", "layer", "severity", "role", "caused_by", "confidence", "count", "fields",
            "evidence",
            "cause", "workarounds", "links", "fixed_in", "repro",
        }  # fmt: skip
        assert finding["role"] in ("root", "consequence", "context")
        assert 0 <= finding["confidence"] <= 1
        assert 1 <= len(finding["evidence"]) <= 10
        assert all(1 <= e["line"] <= e["end_line"] for e in finding["evidence"])
    roles = [finding["role"] for finding in data["findings"] if finding["severity"] == "error"]
    assert roles[0] == "root"
    assert roles == sorted(roles, key=["root", "consequence", "context"].index)


def test_the_same_file_gives_the_same_bytes() -> None:
    words = ["explain", str(SAMPLE), "--format", "json"]
    assert run(*words).stdout == run(*words, env={"PYTHONHASHSEED": "7"}).stdout


def test_a_read_only_cache_only_costs_time(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = run("explain", str(SAMPLE), env={"NEURONTRIAGE_CACHE": str(tmp_path / "file" / "below")})
    assert done.returncode == 1
    assert "TEN404-InferIntrinsicOnCC" in done.stdout


@pytest.mark.parametrize("suffix", ["catalog", "patterns"])
def test_a_damaged_cache_is_built_again(suffix: str, tmp_path: Path) -> None:
    env = {"NEURONTRIAGE_CACHE": str(tmp_path)}
    assert run("warm-up", env=env).stdout.strip().endswith(".patterns")
    assert any(path.suffix == ".expressions" for path in Path(env["NEURONTRIAGE_CACHE"]).iterdir())
    (stored,) = tmp_path.glob(f"*.{suffix}")
    stored.write_bytes(b"damaged" * 100)
    assert run("explain", str(SAMPLE), env=env).returncode == 1
    assert run("warm-up", env=env).returncode == 0
    assert stored.stat().st_size > 10_000


def test_two_processes_may_build_the_cache_at_once(tmp_path: Path) -> None:
    env = {**os.environ, "NEURONTRIAGE_CACHE": str(tmp_path)}
    both = [
        subprocess.Popen(
            [sys.executable, "-m", "neurontriage", "explain", str(SAMPLE)], env=env, stdout=subprocess.DEVNULL
        )
        for _ in range(2)
    ]
    assert [one.wait() for one in both] == [1, 1]
    assert run("warm-up", env=dict(env)).returncode == 0
    assert {path.suffix for path in tmp_path.iterdir()} == {".apart", ".catalog", ".expressions", ".patterns"}


def test_our_own_failure_is_exit_3_with_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    def broken(**_: object) -> None:
        raise ZeroDivisionError("inside")

    assert cli.run(broken, ["explain", "x.log"]) == 3
    said = capsys.readouterr().err
    assert "ZeroDivisionError" in said
    path = Path(said.split("text in ")[1].strip())
    assert "ZeroDivisionError" in path.read_text()
    path.unlink()


def test_a_closed_pipe_is_no_crash() -> None:
    command = f"{sys.executable} -m neurontriage explain {SAMPLE} | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=ROOT, check=False)
    assert "Traceback" not in done.stderr


def test_every_command_has_help() -> None:
    for name in cli.commands():
        done = run(name, "--help")
        assert done.returncode == 0
        assert len(done.stdout.splitlines()) > 5
    assert "..." not in run("kb", "--help").stdout.partition("Commands:")[2]  # a sentence that is cut says nothing


def test_version() -> None:
    from neurontriage import __version__

    assert __version__ in run("--version").stdout


def test_start_up_does_not_pay_for_torch_yaml_or_html() -> None:
    run("explain", str(SAMPLE))  # compiles the catalogue, which needs YAML
    code = (
        "import sys; from neurontriage import cli; cli.run(cli.build('explain'), ['explain', %r, '--format', 'json']);"
        "heavy = {'torch', 'torch_xla', 'yaml', 'jinja2', 'selenium', 'pydantic'};"
        "print(sorted({m.split('.')[0] for m in sys.modules} & heavy))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code % str(SAMPLE)], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ([str(SAMPLE)], ["explain", str(SAMPLE)]),
        (["--full", str(SAMPLE)], ["explain", "--full", str(SAMPLE)]),
        (["-"], ["explain", "-"]),
        (["explain", str(SAMPLE)], ["explain", str(SAMPLE)]),
        (["explane", "no/such.log"], ["explane", "no/such.log"]),
        (["explane", str(SAMPLE)], ["explane", str(SAMPLE)]),
        (["no/such.log"], ["explain", "no/such.log"]),
        (["logs/*.log", "--each"], ["explain", "logs/*.log", "--each"]),
        (["s3://bucket/job/"], ["explain", "s3://bucket/job/"]),
        (["--format", "json", str(SAMPLE)], ["explain", "--format", "json", str(SAMPLE)]),
        (["--help"], ["--help"]),
        ([], []),
    ],
)
def test_a_log_without_a_command_is_explained(words: list[str], meant: list[str]) -> None:
    assert cli.as_meant(words) == meant


def test_options_as_people_guess_them(tmp_path: Path) -> None:
    assert run("-h").stdout == run("--help").stdout
    assert run("-V").stdout == run("--version").stdout
    told = run("-h").stdout
    assert "Exit codes: 0 nothing wrong found" in told and "kubectl logs" in told
    assert all(f"\n  {name} " in told for name in cli.commands())
    assert "…" not in told.partition("Commands:")[2].partition("Examples:")[0]


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.json", "{"),
        ("a.html", "<!doctype html>"),
        ("a.md", "## "),
        ("a.sarif", "{"),
        ("a.xml", "<?xml"),
        ("a.txt", " F"),
    ],
)
def test_the_suffix_chooses_the_format(name: str, start: str, tmp_path: Path) -> None:
    target = tmp_path / name
    assert cli.run(cli.build("explain"), ["explain", str(SAMPLE), "-o", str(target)]) == 1
    assert target.read_text().startswith(start)


def test_contradictions_are_refused_and_values_have_a_nearest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, said in (
        (["--format", "json", "-o", str(tmp_path / "a.html")], "different formats"),
        (["--html", "--full"], "different formats"),
        (["-o", str(tmp_path / "a.pdf")], "a.pdf: no format ends like that"),
        (["--format", "jsn"], "did you mean json?"),
        (["--fail-on", "warn"], "did you mean warning?"),
        (["--lang", "jp"], "did you mean ja?"),
    ):
        assert cli.run(cli.build("explain"), ["explain", str(SAMPLE), *words]) == 2
        assert said in capsys.readouterr().err


def test_shells_complete_commands_and_options() -> None:
    for line, count, offered in (("neurontriage re", "1", "report"), ("neurontriage explain --fo", "2", "--format")):
        env = {"_NEURONTRIAGE_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": count}
        assert offered in run(env=env).stdout.split()


def test_colour_is_forced_and_forbidden() -> None:
    assert "\x1b[" in run("explain", str(SAMPLE), env={"FORCE_COLOR": "1"}).stdout
    assert "\x1b[" in run("explain", str(SAMPLE), env={"CLICOLOR_FORCE": "1"}).stdout
    assert "\x1b[" not in run("explain", str(SAMPLE), env={"FORCE_COLOR": "1", "NO_COLOR": "1"}).stdout
    assert "\x1b[" not in run("explain", str(SAMPLE)).stdout


def test_an_analyze_report_is_told_from_a_log() -> None:
    done = run("explain", str(ROOT / "samples" / "analyze" / "training-supported.json"))
    assert "neurontriage report" in done.stderr


def test_the_answer_does_not_wait_for_the_database(tmp_path: Path) -> None:
    """The first answer comes from the slower engine; the database is built beside it, for those who come after."""
    env = {"NEURONTRIAGE_CACHE": str(tmp_path)}
    first = run("explain", str(SAMPLE), "--format", "json", env=env).stdout
    assert run("warm-up", env=env).returncode == 0
    assert run("explain", str(SAMPLE), "--format", "json", env=env).stdout == first != ""


def test_a_first_look_needs_no_log() -> None:
    done = run("demo")
    assert done.returncode == 0 and "TEN404-InferIntrinsicOnCC" in done.stdout
    assert "yours: neurontriage build.log" in done.stderr
    assert run("demo", "--lang", "jp").returncode == 2
