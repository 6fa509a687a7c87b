"""Do the tests notice when the judgement is broken? Changes code at random (mutmut) and counts what no test notices.

    make mutate                                   150 changes, drawn by a seed, in the rooms of rooms.yaml
    make mutate MUTATE="--rooms ranking --sample 0"     all changes of one room

and those of by_hand.yaml: tables and constants, which mutmut leaves alone.

Each room is measured with its own tests, so that one whose tests fail or crawl costs no other its figure. A change
with which the tests take many times as long counts as noticed and is named apart: on a busy machine look there first.
What survives is tried once more in a process of its own, in which modules and tests are loaded with the change.
Works on a copy below build/mutation. What survives stands in build/mutation/survivors.txt; a change that alters nothing
anybody can see is listed in equivalent.yaml with the reason, and does not count.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

import yaml

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PLACE = ROOT / "build" / "mutation"
NOTHING = "tests/mutation/test_changes.py"  # tests that call nothing that is mutated
COPIED = ("neurontriage", "grammars", "knowledge", "samples", "tests", "docs", "eval", "benchmarks")
FILES = ("pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "hatch_build.py", "Makefile", "action.yml")
SETTINGS = """
[tool.mutmut]
source_paths = ["neurontriage"]
only_mutate = {files}
also_copy = {copied}
pytest_add_cli_args_test_selection = {tests}
pytest_add_cli_args = ["-p", "no:cacheprovider", "-p", "no:xdist"]
process_isolation = "forkserver"
use_git_change_detection = false
timeout_constant = 10.0
timeout_multiplier = 6.0
"""
SURVIVED, UNREACHED, FAILED, LATE = (0,), (5, 33), (1, 3, 255), (-24, 24, 36, 152)
KNOWN = {*SURVIVED, *UNREACHED, *FAILED, *LATE}


class Mutant(NamedTuple):
    """One change. `outcome`: mutmut's exit code, None when it was not run."""

    name: str
    file: str
    outcome: int | None


def main() -> None:
    """Read the options, run, print the share that was noticed, and exit 1 below --need."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", default="", help="names of rooms.yaml, with commas; all by default")
    parser.add_argument("--sample", type=int, default=150, help="how many changes; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--need", type=float, default=85.0, metavar="PERCENT")
    parser.add_argument("--by-hand", action="store_true")
    args = parser.parse_args()
    known = yaml.safe_load((HERE / "rooms.yaml").read_text())
    rooms = {name: known[name] for name in (args.rooms.split(",") if args.rooms else known)}
    _copy()
    share = by_hand(rooms) if args.by_hand else at_random(rooms, args)
    if share < args.need:
        sys.exit(f"below {args.need} %")


def _copy() -> None:
    """The checkout as it is, without what is built."""
    for folder in COPIED:
        shutil.rmtree(PLACE / folder, ignore_errors=True)
        shutil.copytree(ROOT / folder, PLACE / folder, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for name in FILES:
        shutil.copy2(ROOT / name, PLACE / name)


def _set(rooms: Mapping[str, Any], tests: Sequence[str]) -> None:
    """What mutmut changes and the tests that it runs; with other tests it forgets what it has measured."""
    values = {
        "files": [one for room in rooms.values() for one in room["files"]],
        "tests": tests,
        "copied": [*COPIED[1:], *FILES],
    }
    said = SETTINGS.format(**{name: json.dumps(value) for name, value in values.items()})
    (PLACE / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text() + said)


def at_random(rooms: Mapping[str, Any], args: argparse.Namespace) -> float:
    """Percent of the drawn changes that a test noticed, without the equivalent ones; exits if a room has none."""
    shutil.rmtree(PLACE / "mutants", ignore_errors=True)
    _set(rooms, [NOTHING])
    said = _mutmut(args.jobs, [])  # makes the changes, finds that no test is about them, and stops
    made = {one.name: one for one in mutants()}
    if not made:
        sys.exit(f"nothing to mutate:\n{said[-3000:]}")
    drawn = random.Random(args.seed).sample(sorted(made), min(args.sample or len(made), len(made)))
    print(f"{len(made)} changes, {len(drawn)} drawn", flush=True)
    (PLACE / "survivors.txt").write_text("")
    noticed, without = [], []
    for room in rooms:
        if own := sorted(name for name in drawn if _room(rooms, made[name].file) == room):
            run, complete = measured(rooms, room, own, args.jobs)
            noticed += report(room, run, _tests(rooms[room]))
            without += [] if complete else [room]
    share = 100 * sum(noticed) / max(len(noticed), 1)
    print(f"all: {sum(noticed)} of {len(noticed)} noticed, {share:.1f} %")
    if without:
        sys.exit(f"not measured, or not all of: {', '.join(without)}")
    return share


def measured(rooms: Mapping[str, Any], room: str, names: Sequence[str], jobs: int) -> tuple[list[Mutant], bool]:
    """These changes of a room with what its tests make of them, and whether all of them were run."""
    _set(rooms, _tests(rooms[room]))
    said = _mutmut(jobs, names)
    run = [one for one in mutants() if one.name in set(names) and one.outcome in KNOWN]
    if len(run) < len(names):
        print(f"{room}: {len(names) - len(run)} of {len(names)} were not run:\n{said[-1000:]}\n{_failing(rooms[room])}")
    return run, len(run) == len(names)


def _failing(room: Mapping[str, Any]) -> str:
    """What pytest says of the tests of a room where nothing is changed; mutmut keeps it to itself."""
    done = _pytest(PLACE / "mutants", _tests(room), **_under(""))
    return f"without any change: {done.stdout[-2000:]}"


def _under(name: str) -> dict[str, str]:
    """The environment in which mutmut's code runs with one of its changes; "": with none."""
    return {"MUTANT_UNDER_TEST": name, "PY_IGNORE_IMPORTMISMATCH": "1"}


def _tests(room: Mapping[str, Any]) -> list[str]:
    """What pytest is told to run for a room."""
    return [*room["tests"], *(f"--deselect={one}" for one in room.get("without", ()))]


def _mutmut(jobs: int, names: Sequence[str]) -> str:
    """Run mutmut on these mutants; gives what it printed."""
    words = [str(Path(sys.executable).parent / "mutmut"), "run", "--max-children", str(jobs), *names]
    environment = {name: value for name, value in _environment().items() if name != "PYTHONPATH"}
    done = subprocess.run(
        words, cwd=PLACE, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return done.stdout


def _environment() -> dict[str, str]:
    """That of the tests: one catalogue for all runs, and always the same of the examples that are made at random."""
    return {**os.environ, "NEURONTRIAGE_TEST_CACHE": str(PLACE / "cache"), "NEURONTRIAGE_TEST_EXAMPLES": "fixed"}


def mutants() -> Iterator[Mutant]:
    """All changes that mutmut has made, with what became of them."""
    for path in sorted((PLACE / "mutants").rglob("*.meta")):
        file = str(path.relative_to(PLACE / "mutants")).removesuffix(".meta")
        for name, outcome in json.loads(path.read_text())["exit_code_by_key"].items():
            yield Mutant(name, file, outcome)


def report(room: str, run: Iterable[Mutant], tests: Sequence[str]) -> list[bool]:
    """Whether each change of a room was noticed, without the equivalent ones; prints and writes it down."""
    equivalent = yaml.safe_load((HERE / "equivalent.yaml").read_text()) or []
    noticed: list[bool] = []
    survivors, without, late = [], 0, []
    for one in run:
        lived = one.outcome in (*SURVIVED, *UNREACHED)
        change = shown(one) if lived else ""
        if lived and any(_is(line, one, change) for line in equivalent):
            without += 1
            continue
        lived = lived and not _pytest(PLACE / "mutants", tests, **_under(one.name)).returncode
        noticed.append(not lived)
        late += [one.name] if one.outcome in LATE else []
        if lived:
            survivors.append(f"{'no test' if one.outcome in UNREACHED else 'survived'}: {one.name}\n{change}\n")
    with (PLACE / "survivors.txt").open("a") as file:
        file.writelines(f"{text}\n" for text in survivors)
    endless = f" ({len(late)} because the tests did not end: {', '.join(late)})" if late else ""
    print(f"{room}: {sum(noticed)} of {len(noticed)} noticed{endless}; {without} more are equivalent", flush=True)
    return noticed


def _room(rooms: Mapping[str, Any], file: str) -> str:
    return next(name for name, room in rooms.items() if any(fnmatch(file, one) for one in room["files"]))


def shown(one: Mutant) -> str:
    """The changed lines, as a diff without its head."""
    words = [str(Path(sys.executable).parent / "mutmut"), "show", one.name]
    text = subprocess.run(words, cwd=PLACE, capture_output=True, text=True).stdout
    return "\n".join(line for line in text.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---"))


def _is(line: Mapping[str, str], one: Mutant, change: str) -> bool:
    """Whether a line of equivalent.yaml (file, what is removed, what is added) is this change."""
    removed = [text[1:].strip() for text in change.splitlines() if text.startswith("-")]
    added = [text[1:].strip() for text in change.splitlines() if text.startswith("+")]
    return (line["file"], line["was"].strip(), line["is"].strip()) == (one.file, " ".join(removed), " ".join(added))


def by_hand(rooms: Mapping[str, Any]) -> float:
    """Percent of the changes of by_hand.yaml that a test noticed."""
    tests = list(dict.fromkeys(one for room in rooms.values() for one in room["tests"]))
    if _fails(tests):
        sys.exit("the tests fail as they are")
    noticed = []
    for change in yaml.safe_load((HERE / "by_hand.yaml").read_text()):
        if change["room"] not in rooms:
            continue
        path = PLACE / change["file"]
        text = path.read_text()
        if text.count(change["was"]) != 1:
            sys.exit(f"{change['file']}: stands there {text.count(change['was'])} times: {change['was']}")
        path.write_text(text.replace(change["was"], change["is"]))
        noticed.append(_fails(change.get("tests") or rooms[change["room"]]["tests"]))
        path.write_text(text)
        print(f"{'noticed ' if noticed[-1] else 'SURVIVED'} {change['room']}: {change['about']}", flush=True)
    print(f"{sum(noticed)} of {len(noticed)} noticed")
    return 100 * sum(noticed) / max(len(noticed), 1)


def _fails(tests: Sequence[str]) -> bool:
    return _pytest(PLACE, tests).returncode != 0


def _pytest(folder: Path, tests: Sequence[str], **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**_environment(), "PYTHONPATH": str(folder), **more}
    words = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)


if __name__ == "__main__":
    main()
