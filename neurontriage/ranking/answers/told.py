"""What the lines around a root cause tell of it: the operator, the pass, the class of the exception, the code."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression

_NEAR = 8
_FIELDS = ("code", "pass", "operator", "error_class", "module", "package", "flags", "cache_path")
_COMPILER = frozenset({"compiler"})
# `%dynamic-slice.3 = f32[2,128] dynamic-slice(…)`: an instruction of an HLO module by its text.
_INSTRUCTION, _LISTED = expression(r"%[\w.-]+ = \S+ (?P<operator>[a-z][\w-]*)\("), 4
# `[[{{node XRTCompile_3}}]]`: a node of a TensorFlow graph.
_NODE = expression(r"\{\{node (?:[\w.-]+/)*(?P<operator>[A-Za-z]\w*?)(?:_\d+)?\}\}")


def tell(root: Claim, claims: Sequence[Claim]) -> None:
    """Fields that the root lacks, from what surrounds it: the nearest line first, and only lines of the same failure.

    Those are its consequences, and what else the compiler prints around an error of its own: the block is one report.
    """
    if name := _signal(root.values.get("status", "")):
        root.fields.setdefault("signal", name)
    near = sorted(_around(root, claims), key=lambda claim: _distance(root, claim))
    listed = _listed(root, claims)
    if found := _INSTRUCTION.search(listed) or _NODE.search(listed):
        root.fields.setdefault("operator", found["operator"])
    for claim in near:
        for name in _FIELDS:
            if value := claim.values.get(name):
                root.fields.setdefault(name, value)


def _listed(root: Claim, claims: Sequence[Claim]) -> str:
    """What the root says, with the lines directly below it."""
    end = root.event.evidence.end_line
    below = (c.event.evidence.text for c in claims if end < c.event.evidence.line <= end + _LISTED)
    return "\n".join([root.values.get("message", ""), *below])


def _around(root: Claim, claims: Sequence[Claim]) -> Iterator[Claim]:
    where = root.event
    for claim in claims:
        event = claim.event
        same = (event.evidence.path, event.process) == (where.evidence.path, where.process)
        report = claim.role == "consequence" or {root.layer, claim.layer} == _COMPILER
        if claim is not root and same and report and _distance(root, claim) <= _NEAR:
            yield claim


def _distance(root: Claim, claim: Claim) -> int:
    return abs(claim.event.evidence.line - root.event.evidence.line)


def _signal(status: str) -> str:
    """The signal that ended a process with this exit status, as Python and its launchers print it: -9 is SIGKILL."""
    number = int(status) if status[1:].isdigit() and status[0] == "-" else 0
    return signal.Signals(-number).name if number and -number in signal.valid_signals() else ""
