"""What the lines around a root cause tell of it: the operator, the pass, the class of the exception, the code."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from neurontriage.claims.claim import MOST_EVIDENCE, Claim
from neurontriage.expressions import expression
from neurontriage.lines.levels import CALM
from neurontriage.lines.prefix import strip
from neurontriage.ranking.answers import chained, holders, underway
from neurontriage.ranking.answers.reasons import message
from neurontriage.ranking.answers.remedy import headed, stated

_NEAR, _BELOW = 8, 6
_FIELDS = ("code", "pass", "operator", "error_class", "module", "package", "flags", "cache_path", "model", "setting")
# The job of the compiler that a component is, and what is said to have failed after a time: a pass, a task, a test.
_JOB, _AFTER = (
    expression(r"job\.(?P<pass>[A-Za-z]\w+)"),
    expression(r"(?P<pass>[A-Za-z_][\w.-]+) failed (?:after|in) \d"),
)
_COMPILER = frozenset({"compiler"})
# `%dynamic-slice.3 = f32[2,128] dynamic-slice(…)`: an instruction of an HLO module by its text.
_INSTRUCTION, _LISTED = expression(r"%[\w.-]+ = \S+ (?P<operator>[a-z][\w-]*)\("), 4
# The operator that a step of the compiler says it failed on.
_ON = expression(r"(?i)\b(?:on|for|to|of|at) (?:operator|op|instruction):? +[\x22'\x60]?(?P<operator>[\w%][\w.:/-]*)")
_SETTING = expression(r"[A-Za-z_][\w.\[\]-]*$")
# `[[{{node XRTCompile_3}}]]`: a node of a TensorFlow graph.
_NODE = expression(r"\{\{node (?:[\w.-]+/)*(?P<operator>[A-Za-z]\w*?)(?:_\d+)?\}\}")


def tell(root: Claim, claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> None:
    """Fields that the root lacks, from what surrounds it: the nearest line first, and only lines of the same failure.

    Those are its consequences, and what else the compiler prints around an error of its own: the block is one report.
    """
    if name := _signal(root.values.get("status", "")):
        root.fields.setdefault("signal", name)
    near = sorted(_around(root, claims), key=lambda claim: _distance(root, claim))
    listed = _listed(root, claims)
    if found := _INSTRUCTION.search(listed) or _NODE.search(listed):
        root.fields.setdefault("operator", found["operator"])
    if operator := _read("operator", root):
        root.fields.setdefault("operator", operator)
    for claim in near:
        for name in _FIELDS:
            if value := claim.values.get(name) or _read(name, claim):
                root.fields.setdefault(name, value)
        if claim.role == "context" and _ON.search(message(claim)) and len(root.evidence) < MOST_EVIDENCE:
            root.evidence = [*root.evidence, claim.event.evidence]
    _set(root, claims)
    _asked(root, claims)
    underway.tell(root, claims)
    holders.tell(root, claims)
    chained.tell(root, claims, briefs)


def _read(name: str, claim: Claim) -> str:
    """The job, pass or operator that a line says to have failed, where no grammar reads it."""
    if name not in ("pass", "operator") or (claim.event.said.level in CALM and "FAILED" not in claim.event.said.words):
        return ""
    if name == "operator":
        found = _ON.search(message(claim)) if claim.layer == "compiler" else None
    else:
        found = _JOB.match(claim.event.fields.get("component", "")) or _AFTER.match(message(claim))
    return found[name].rstrip(".:") if found else ""


def _asked(root: Claim, claims: Sequence[Claim]) -> None:
    """What lines of the same failure, right below a root, ask for: in a sentence, or as a command below its heading."""
    at = root.event.evidence
    below = [
        c for c in claims if c.event.evidence.path == at.path and 0 < c.event.evidence.line - at.end_line <= _BELOW
    ]
    below.sort(key=lambda claim: claim.event.evidence.line)
    for claim, after in zip_longest(below, below[1:]):
        own = claim.role == "consequence" or claim.event.said.words & {"HEADING", "CONTINUATION"}
        if not own or (claim.event.process, claim.event.host) != (root.event.process, root.event.host):
            continue
        typed = headed(_line(claim), _line(after)) if after and "INDENTED" in after.event.said.words else ""
        if asks := typed or stated(message(claim)):
            root.fields.setdefault("asks", asks)
            return


def _line(claim: Claim) -> str:
    return strip(claim.event.evidence.text).payload


def _set(root: Claim, claims: Sequence[Claim]) -> None:
    """The setting that a check names on a line of its own, right above the words that refuse its value."""
    at = root.event.evidence
    above = [
        c.event.evidence.text
        for c in claims
        if (c.event.evidence.path, c.event.evidence.line) == (at.path, at.line - 1)
    ]
    if "INDENTED" in root.event.said.words and above and (found := _SETTING.match(above[0])):
        root.fields.setdefault("setting", found[0])


def _listed(root: Claim, claims: Sequence[Claim]) -> str:
    """What the root says, with the lines directly below it."""
    end = root.event.evidence.end_line
    below = (c.event.evidence.text for c in claims if end < c.event.evidence.line <= end + _LISTED)
    return "\n".join([root.values.get("message", ""), *below])


def _around(root: Claim, claims: Sequence[Claim]) -> Iterator[Claim]:
    where = root.event
    for claim in claims:
        event = claim.event
        same = (event.evidence.path, event.process, event.host) == (where.evidence.path, where.process, where.host)
        report = claim.role == "consequence" or {root.layer, claim.layer} == _COMPILER
        if claim is not root and same and report and _distance(root, claim) <= _NEAR:
            yield claim


def _distance(root: Claim, claim: Claim) -> int:
    return abs(claim.event.evidence.line - root.event.evidence.line)


def _signal(status: str) -> str:
    """The signal that ended a process with this exit status, as Python and its launchers print it: -9 is SIGKILL."""
    number = int(status) if status[1:].isdigit() and status[0] == "-" else 0
    return signal.Signals(-number).name if number and -number in signal.valid_signals() else ""
