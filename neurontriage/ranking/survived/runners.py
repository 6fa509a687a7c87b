"""Who says for itself when something failed: a runner that came to its last step without that word had no failure.

Runners of jobs, builders of images and fuzzers mark what failed by a word of their own, whatever the commands, steps
and programs say that they run.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from neurontriage.claims.claim import Claim
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import known_lines

_NEAR = 1  # lines above the word of a fuzzer that may say what it found


class Runner(NamedTuple):
    """How a runner begins, comes to its last step, and calls what failed. `sign`: what its logs hold at their start.

    `tries`: it feeds what it runs with anything, of which most is refused: also where it then finds a failure.
    """

    sign: str
    begins: Sought
    ends: Sought
    fails: Sought
    tries: bool = False


_RUNNERS = (
    # GitHub Actions: what has failed ends in `##[error]`, whether the job goes on or not.
    Runner(
        "##[group]Run ",
        Sought(r"##\[group\]Run "),
        Sought(r"^(?:Post job cleanup\.|Cleaning up orphan processes)|Complete job name: "),
        Sought(r"##\[error\]|\bThe operation was cancell?ed\b"),
    ),
    # BuildKit writes an image only when each of its steps ended with status 0.
    Runner(
        "#1 [",
        Sought(r"^#\d{1,4} \[(?:internal|[^\]]{0,60}\d{1,3}/\d{1,3})\]"),
        Sought(r"^#\d{1,4} (?:writing image|naming to|exporting manifest|pushing manifest for) \S+.*\bdone\b"),
        Sought(r"^#\d{1,4} (?:ERROR|CANCELED)\b|\bfailed to (?:solve|build|push)\b"),
    ),
    # libFuzzer, and what is made of it, in C++, Rust and Python.
    Runner(
        "INFO: Seed: ",
        Sought(r"^(?:INFO: )?(?:Seed: \d{4}|Running with entropic )"),
        Sought(r"^Done \d{1,12} runs in \d{1,9} second|^Executed \S+ in \d{1,9} ms"),
        Sought(
            r"\b(?:ERROR|SUMMARY): (?:libFuzzer|\w+Sanitizer)|\bTest unit written to\b|: runtime error: "
            r"|\bUncaught Python exception\b|\bpanicked at\b"
        ),
        tries=True,
    ),
    # The fuzzer of Go.
    Runner(
        "fuzz: elapsed: ",
        Sought(r"^fuzz: elapsed: \d{1,6}s, "),
        Sought(r"^(?:PASS|ok\s+\S+\s+\d[\d.]*s)\s*$"),
        Sought(r"^\s*--- FAIL: |^FAIL\b|\bFailing input written to\b"),
        tries=True,
    ),
)


def of_runner(claim: Claim, scene: Scene) -> bool:
    """Whether a claim stands between the first and the last step of a runner that says nowhere that one failed."""
    course, line = scene.course(claim), claim.event.evidence.line
    if claim.says == "signal":
        return False
    for runner, first, last, failed in _ran(course.head, course.ends):
        if first < line:
            failed = failed or _failed(runner, claim, scene)
            return claim.last + _NEAR < failed if runner.tries and failed else claim.last < last and not failed
    return False


@lru_cache(maxsize=8)
def _ran(head: str, ends: tuple[tuple[int, str], ...]) -> tuple[tuple[Runner, int, int, int], ...]:
    """The runners of a log, each with its first line, the line of its last step and the first in which one failed."""
    runners = [one for one in _RUNNERS if one.sign in head]
    known = _known(head, ends) if runners else {}
    found = []
    for one in runners:
        first, *_ = [*_lines(one.begins, known), 0]
        if first:
            *_, last = [0, *_lines(one.ends, known)]
            found.append((one, first, last, min(_lines(one.fails, known), default=0)))
    return tuple(found)


def _lines(sought: Sought, known: Mapping[int, str]) -> list[int]:
    """The lines that hold what is sought."""
    return [line for line, text in sorted(known.items()) if sought.search(text)]


def _failed(runner: Runner, claim: Claim, scene: Scene) -> int:
    """The first claim in which a runner says that a step failed; else 0."""
    path = claim.event.evidence.path
    events = (one.event.evidence for one in scene.claims)
    return min((one.line for one in events if one.path == path and runner.fails.search(one.text)), default=0)


def _known(head: str, ends: tuple[tuple[int, str], ...]) -> dict[int, str]:
    """The lines that are known of a log, without what a runner puts before each of them but its own numbers."""
    lines = known_lines(head, ends)
    return {line: _behind_time(text) for line, text in lines.items()}


def _behind_time(text: str) -> str:
    return text if text.startswith("#") else strip(text).payload.strip()
