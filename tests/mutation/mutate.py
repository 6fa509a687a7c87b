"""Do the tests notice when the judgement is broken? Changes code at random (mutmut) and counts what no test notices.

    make mutate                                   150 changes, drawn by a seed, in the rooms of rooms.yaml
    make mutate MUTATE="--rooms ranking --sample 0"     all changes of one room

and those of by_hand.yaml: tables and constants, which mutmut leaves alone.

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
timeout_constant = 4.0
"""
SURVIVED, UNREACHED = (0,), (5, 33)


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
    _copy(rooms)
    share = by_hand(rooms) if args.by_hand else at_random(rooms, args)
    if share < args.need:
        sys.exit(f"below {args.need} %")


def _copy(rooms: Mapping[str, Any]) -> None:
    """The checkout as it is, without what is built; the results of an earlier run are dropped."""
    for folder in COPIED:
        shutil.rmtree(PLACE / folder, ignore_errors=True)
        shutil.copytree(ROOT / folder, PLACE / folder, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for name in FILES:
        shutil.copy2(ROOT / name, PLACE / name)
    values = {
        "files": [one for room in rooms.values() for one in room["files"]],
        "tests": list(dict.fromkeys(one for room in rooms.values() for one in room["tests"])),
        "copied": [*COPIED[1:], *FILES],
    }
    with (PLACE / "pyproject.toml").open("a") as settings:
        settings.write(SETTINGS.format(**{name: json.dumps(value) for name, value in values.items()}))


def at_random(rooms: Mapping[str, Any], args: argparse.Namespace) -> float:
    """Percent of the drawn changes that a test noticed, without the equivalent ones."""
    shutil.rmtree(PLACE / "mutants", ignore_errors=True)
    said = _mutmut(args.jobs, ["no.such.mutant"])  # with a name that nothing has it makes the changes and stops
    names = sorted(one.name for one in mutants())
    if not names:
        sys.exit(f"nothing to mutate, or the tests fail as they are:\n{said[-3000:]}")
    drawn = sorted(random.Random(args.seed).sample(names, min(args.sample or len(names), len(names))))
    print(f"{len(names)} changes, {len(drawn)} drawn", flush=True)
    said = _mutmut(args.jobs, drawn)
    run = [one for one in mutants() if one.name in set(drawn)]
    if missing := [one.name for one in run if one.outcome is None]:
        sys.exit(f"{len(missing)} of {len(run)} were not run, such as {missing[0]}:\n{said[-3000:]}")
    return report(rooms, run)


def _mutmut(jobs: int, names: Sequence[str]) -> str:
    """Run mutmut on these mutants; gives what it printed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["NEURONTRIAGE_TEST_CACHE"] = str(PLACE / "cache")
    words = [str(Path(sys.executable).parent / "mutmut"), "run", "--max-children", str(jobs), *names]
    done = subprocess.run(
        words, cwd=PLACE, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return done.stdout


def mutants() -> Iterator[Mutant]:
    """All changes that mutmut has made, with what became of them."""
    for path in sorted((PLACE / "mutants").rglob("*.meta")):
        file = str(path.relative_to(PLACE / "mutants")).removesuffix(".meta")
        for name, outcome in json.loads(path.read_text())["exit_code_by_key"].items():
            yield Mutant(name, file, outcome)


def report(rooms: Mapping[str, Any], run: Iterable[Mutant]) -> float:
    """Print the share of each room and write down what survived."""
    equivalent = yaml.safe_load((HERE / "equivalent.yaml").read_text()) or []
    counted: dict[str, list[bool]] = {name: [] for name in rooms}
    survivors, without = [], 0
    for one in run:
        lived = one.outcome in (*SURVIVED, *UNREACHED)
        change = shown(one) if lived else ""
        if lived and any(_is(line, one, change) for line in equivalent):
            without += 1
            continue
        counted[_room(rooms, one.file)].append(not lived)
        if lived:
            survivors.append(f"{'no test' if one.outcome in UNREACHED else 'survived'}: {one.name}\n{change}\n")
    (PLACE / "survivors.txt").write_text("\n".join(survivors))
    for name, killed in counted.items():
        print(f"{name}: {sum(killed)} of {len(killed)} noticed")
    everything = [one for killed in counted.values() for one in killed]
    share = 100 * sum(everything) / max(len(everything), 1)
    print(f"all: {sum(everything)} of {len(everything)} noticed, {share:.1f} %; {without} more are equivalent")
    return share


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
    environment = {**os.environ, "PYTHONPATH": str(PLACE), "NEURONTRIAGE_TEST_CACHE": str(PLACE / "cache")}
    words = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]
    return subprocess.run(words, cwd=PLACE, env=environment, capture_output=True).returncode != 0


if __name__ == "__main__":
    main()
