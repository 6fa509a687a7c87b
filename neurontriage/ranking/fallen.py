"""A launcher reports first the end of a process that no peer of it had: killed, crashed, or with a status of its own.

Whoever only misses another process did not end so: an exception that nobody catches ends Python with 1. What the peers
say stands above the report, and follows from that end all the same.
"""

from __future__ import annotations

from collections.abc import Iterable

from neurontriage.claims.claim import Claim
from neurontriage.lines.words import Sought

# How a process ends that can say nothing any more, or with a status that an exception of Python does not have.
_FELL = (
    r"\bSIG(?:KILL|SEGV|BUS|ILL|FPE)\b"
    r"|(?i:\b(?:code|status)\b\W{1,6}(?:-(?:9|11|7|4|8)|13[256789])\b|\bsignal\W{1,3}(?:9|11|7|4|8)\b)"
    r"|(?i:\btask\w* [\d,-]{1,40}: (?:killed|segmentation fault|bus error|illegal instruction|out of memory)\b)"
    r"|(?i:\b(?:exit ?|return ?)(?:code|status)\b\W{1,6}(?:[2-9]|1[0-24-9]|[2-9]\d|1[01]\d|12\d)\b)"
)
# An end that peers may have had; and what a launcher brings about itself, which reports no end.
_ORDINARY = r"(?i:\b(?:exit ?|return ?)(?:code|status)\b\W{1,6}1\b|\bcancelled\b|\btask\w* [\d,-]{1,40}: terminated\b)"
_FALLS, _REPORTS = Sought(_FELL), Sought(f"{_FELL}|{_ORDINARY}")
_ENDING = Sought(r"(?i)\b(?:closing signal|forcefully|sending|killing subprocess)\b")
_ENDS = frozenset({"exit", "wrap", "signal", "raise"})
_MOST = 3  # lines of a claim that are looked at


def fallen(claims: Iterable[Claim]) -> list[Claim]:
    """The reports of ends that no peer had: of each log the first report of an end, if it is one."""
    first: dict[str, tuple[int, str, Claim]] = {}
    for claim in claims:
        for line in claim.evidence[:_MOST] if claim.layer == "host" and claim.says in _ENDS else ():
            if line.path in first and first[line.path][0] <= line.line:
                continue
            if _REPORTS.search(line.text) and not _ENDING.search(line.text):
                first[line.path] = line.line, line.text, claim
    return [claim for _, text, claim in first.values() if _FALLS.search(text)]
