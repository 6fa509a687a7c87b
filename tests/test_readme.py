"""What README and docs show is what the program prints; what they name exists."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from neurontriage import cli

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", ROOT / "CHANGELOG.md"]
PAGES += [ROOT / "skills" / "neurontriage" / "SKILL.md", *sorted((ROOT / "docs").glob("*.md"))]
SAMPLE = "samples/compiler-internal/ten404-loop.log"


def test_the_run_that_is_shown_is_a_real_one() -> None:
    """Rewrite it with NEURONTRIAGE_GOLDEN=write."""
    command = [sys.executable, "-m", "neurontriage", "explain", SAMPLE]
    env = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    printed = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=env, check=False).stdout
    lines = [f"$ neurontriage {SAMPLE}", *printed.rstrip().splitlines()]
    block = "\n".join(f"    {line}".rstrip() for line in lines)
    found = re.search(r"^    \$ neurontriage samples.*?(?=\n\nThe same as a page)", README, re.S | re.M)
    assert found is not None
    if os.environ.get("NEURONTRIAGE_GOLDEN") == "write":
        (ROOT / "README.md").write_text(README.replace(found[0], block), encoding="utf-8")
    else:
        assert found[0] == block


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_link_into_the_repository_leads_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_commands_and_their_options_are_those_of_the_program(path: Path) -> None:
    for line in commands_in(path.read_text(encoding="utf-8")):
        line = line.rstrip().rstrip("'") if line.count("'") % 2 else line
        words = shlex.split(re.split(r" -- | && ", line)[0], posix=False)
        if words[0] in cli.commands():
            unknown = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)} - options(*words[:2])
            assert not unknown, line
        else:
            assert words[0] == "…" or cli.as_meant(words) != words, line


def commands_in(page: str) -> list[str]:
    """What follows the program's name wherever it stands as code: in blocks, tables and between backticks."""
    code = re.findall(r"^ {4,}.*|`[^`\n]+`", page.replace("\\\n", " "), re.M)
    return re.findall(r"(?<![\w/.@*\"-])neurontriage ([a-z…][^\n`#|]*)", "\n".join(code))


def options(name: str, below: str = "") -> set[str]:
    """The options of a command, or of the command below it."""
    command = typer.main.get_command(cli.build(name)).commands[name]  # type: ignore[attr-defined]
    command = getattr(command, "commands", {}).get(below, command)
    return {"-h", "--help", *(one for param in command.params for one in (*param.opts, *param.secondary_opts))}


def test_what_was_measured_stands_in_the_docs() -> None:
    """`make eval` and `make fit` write docs/measured; NEURONTRIAGE_GOLDEN=write takes it over into the page."""
    path = ROOT / "docs" / "confidence.md"
    text = path.read_text(encoding="utf-8")
    kept = re.sub(r"(?s)(<!-- (measured/\S+) -->\n).*?(?=<!-- end -->)", lambda part: part[1] + measured(part[2]), text)
    if os.environ.get("NEURONTRIAGE_GOLDEN") == "write":
        path.write_text(kept, encoding="utf-8")
    assert kept == path.read_text(encoding="utf-8") and kept.count("<!-- end -->") == 2


def measured(name: str) -> str:
    data = json.loads((ROOT / "docs" / name).read_text(encoding="utf-8"))
    rows = [data["columns"], ["---"] * len(data["columns"]), *data["rows"]]
    return "\n".join([data["about"], "", *(f"| {' | '.join(row)} |" for row in rows), ""])
