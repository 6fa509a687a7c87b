"""Short answers: parts in the order of their weight, redacted, as many as fit into what an agent should read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from neurontriage.model import Diagnosis, Evidence, Finding, Workaround
from neurontriage.render.redaction import Redactor
from neurontriage.render.text import printable

TOKENS = 1500
_PIECE = re.compile(r"\d{1,3}|[^\W\d]{1,4}|[^\w\s]|\n")
"""What one token holds at least, for the tokenisers in use: so the count is never too low."""
_LINE = 300
_CODE = 700
_ROOTS = 3
_FIXES = 3


def tokens(text: str) -> int:
    """An upper estimate of how many tokens a text takes."""
    return len(_PIECE.findall(text))


def fitted(parts: Iterable[str], budget: int = TOKENS) -> str:
    """The parts from the first on, redacted, as long as they fit; what is left out is said."""
    redactor, shown, room, left = Redactor(), [], budget - 30, 0
    for part in parts:
        cleaned = redactor.text(printable(part))
        cost = tokens(cleaned) + 2
        if cost > room:
            left += 1
            continue
        room -= cost
        shown.append(cleaned)
    if left:
        shown.append(f"({left} more parts left out)")
    return "\n".join(shown) + "\n"


def brief(diagnosis: Diagnosis) -> Iterator[str]:
    """A diagnosis in parts: the verdict, root causes, what they brought about, suspects, versions.

    It has to be redacted already, because long lines are cut here.
    """
    yield _head(diagnosis)
    roots = diagnosis.roots[:_ROOTS]
    for finding in roots:
        yield from _root(finding)
    if not roots and diagnosis.verdict in ("failed", "unknown"):
        yield "No entry explains this failure. It may be stated by:"
        yield from (f"  {_place(one.path, one.line)} {_short(one.text)} ({one.why})" for one in diagnosis.suspects[:6])
    if diagnosis.environment:
        yield "Versions in the log: " + ", ".join(f"{name} {value}" for name, value in diagnosis.environment.items())
    if diagnosis.ranks and diagnosis.ranks.first_failed is not None:
        yield f"First rank that failed: {diagnosis.ranks.first_failed}"
    yield from _others(diagnosis)
    if diagnosis.collect:
        yield "Not at hand, worth reading: " + ", ".join(diagnosis.collect[:5])
    yield from (f"Note: {note}" for note in diagnosis.notes[:3])


def _head(diagnosis: Diagnosis) -> str:
    size = sum(source.bytes for source in diagnosis.inputs)
    lines = sum(source.lines for source in diagnosis.inputs)
    return f"Verdict: {diagnosis.verdict} ({len(diagnosis.inputs)} logs, {lines:,} lines, {size / 1e6:.1f} MB)"


def _root(finding: Finding) -> Iterator[str]:
    known = f"confidence {finding.confidence:.2f}" if finding.known else "no entry explains it"
    yield f"\nROOT CAUSE {finding.id}: {finding.title} ({finding.layer}, {known}, seen {finding.count} times)"
    yield from (f"  {_at(one)}" for one in finding.evidence[:1])
    if finding.cause:
        yield f"Why: {_short(finding.cause, 600)}"
    if finding.affects:
        yield f"Versions: {finding.affects}"
    for number, item in enumerate(finding.workarounds[:_FIXES], 1):
        yield from _fix(number, item)
    if finding.check and finding.check.command:
        yield f"Check first: {_short(finding.check.look)} `{_short(finding.check.command)}`"
    if finding.links:
        yield "Discussed: " + ", ".join(one.url for one in finding.links[:3])
    if finding.repro:
        yield f"Prove it: neurontriage repro {finding.repro}"
    yield from (f"  also {_at(one)}" for one in finding.evidence[1:3])


def _fix(number: int, item: Workaround) -> Iterator[str]:
    since = f" (from {item.since})" if item.since else ""
    yield f"{number}. {item.title}{since}. {item.short or _short(item.detail, 350)}"
    if item.after:
        yield "\n".join("   " + line for line in item.after[:_CODE].rstrip().split("\n"))


def _others(diagnosis: Diagnosis) -> Iterator[str]:
    kinds = (("consequence", "Only consequences"), ("context", "Besides"))
    for role, words in kinds:
        found = [f for f in diagnosis.findings if f.role == role and f.severity != "benign"]
        if found:
            yield f"{words}: " + "; ".join(
                f"{f.id} ({_place(f.evidence[0].path, f.evidence[0].line)})" for f in found[:6] if f.evidence
            )


def _at(one: Evidence) -> str:
    rank = f" rank {one.rank}" if one.rank is not None else ""
    return f"{_place(one.path, one.line)}{rank}: {_short(one.text)}"


def _place(path: str, line: int) -> str:
    return f"{path.rsplit('/', 1)[-1]}:{line}"


def _short(text: str, most: int = _LINE) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
