"""What a claim states: that something failed, or what is wrong."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.lines.levels import CALM, LOUD
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought

HEADER = 3
"""Words of a line that is a level and a number."""
WHY = frozenset({"REASON", "ERRNO", "MISSING", "REFUSED", "INVALID", "LIMIT", "EXPECTED", "ASSERTION", "STATUS"})
"""Words of a reason."""
_MILD = frozenset({"ZERO", "QUOTATION", "WARNING", "WARNED", "PROGRESS", "TEARDOWN"})
_CALLED = frozenset({"labelled", "located"})  # what a program, or a compiler, calls an error
_NO_SENTENCE = frozenset({"QUOTATION", "ZERO", "HEADING"})
_FAILING = WHY | {"INABILITY", "FAILED", "WRAP", "EXIT", "NRT", "SIGNALLED", "TEARDOWN"}

_CRASH = Sought(r"Segmentation fault|Bus error|Illegal instruction|core dumped|SIG(?:SEGV|BUS|ILL|FPE)")
# The innermost frame of a debugger's stack; the error of Go for a command that ended with a status.
_ENDED = Sought(r"^#0 +0x[0-9a-f]+ in \w|[a-z)]: exit status [1-9]\d*$")

# Words with which a program takes an error of its own back; others only soften, or advise.
_TAKEN_BACK = Sought(
    r"(?i)\b(?:recovered|resolved|ignor\w+|retr(?:y|ies|ying|ied)|re-try|fall(?:ing|s)?[- ]?back|expected behavio\w+"
    r"|harmless|safely|skipp\w+|continu\w+|is expected|defaulting)\b"
)
# Somebody else was asked, and did not answer, or was not found.
_NOBODY = Sought(
    r"(?i)\bconnection (?:was )?refused\b|\bconnectionrefused\w*\b|\bconnect\w*(?: to \S+)? (?:failed|timed out)\b"
    r"|\b(?:cannot|can't|could not|couldn't|unable to|failed to) (?:connect|reach|contact|resolve)\b"
    r"|\bno (?:answer|response|reply)\b|\bunreachable\b|\btime(?:d)? ?out\b|\bnot responding\b"
    r"|\bservice unavailable\b|\b503\b|\bno brokers? available\b|\bcould not translate host ?name\b"
    r"|\b(?:name or service not known|temporary failure in name resolution|no route to host)\b"
)
# The row of a table of resources that says why one failed, in a sentence behind its state.
_ROW = Sought(r"(?:[A-Z]{2,20}_){1,4}FAILED[\s|]{1,20}[A-Z][\w']*(?: [^\s|]{1,60}){3}")


def reasoned(claim: Claim) -> bool:
    """Whether a claim is the row of a table, and says behind the state of a thing why that failed."""
    return _ROW.search(claim.event.evidence.text) is not None


def unanswered(claim: Claim) -> bool:
    """Whether a claim says that somebody else did not answer, or was not found."""
    return _NOBODY.search(claim.event.evidence.text) is not None


def calms(claim: Claim) -> bool:
    """Whether a line calls what it states harmless or over; an error is one however softly it ends."""
    said = claim.event.said
    loud = (said.level in LOUD or said.kind in _CALLED) and not _TAKEN_BACK.search(claim.event.evidence.text)
    return not loud and not said.words.isdisjoint({"CALM", "SUCCESS"})


def fails(claim: Claim) -> bool:
    """Whether a claim says that something failed, or ended."""
    return claim.event.said.kind == "exception" or not claim.event.said.words.isdisjoint(_FAILING)


def tells(claim: Claim) -> bool:
    """Whether a claim says what is wrong, and that it is no mere remark."""
    said = claim.event.said
    plain = said.kind != "warned" and not said.words & _MILD and not calms(claim)
    return plain and said.level not in CALM and bool(said.words & WHY)


def counts_none(claim: Claim) -> bool:
    """Whether a line only quotes a failure, or counts none; who tells of a killed process counts other things."""
    words = claim.event.said.words
    return "QUOTATION" in words or words & {"ZERO", "SIGNALLED"} == {"ZERO"}


def record(claim: Claim) -> bool:
    """Whether a program recorded an error in words of its own."""
    said = claim.event.said
    own = claim.says not in ("exit", "echo", "note") and not said.words & {"QUOTATION", "ZERO", "CALM"}
    return own and said.level in LOUD and said.size > HEADER


def worded(claim: Claim) -> bool:
    """Whether a line is a sentence, however mild: no header or heading, no quotation, no count of none, no report."""
    said = claim.event.said
    return said.size > HEADER and not said.words & _NO_SENTENCE and claim.says not in ("exit", "echo")


def crashed(claim: Claim) -> bool:
    """Whether the shell, Python or a debugger reports a crash in its own form, or Go that a command of it failed."""
    said, text = claim.event.said, claim.event.evidence.text
    if "SIGNALLED" in said.words and strip(text).payload.startswith("Fatal Python error: "):
        return True
    own = claim.event.family == "plain" and claim.event.kind == "signal" and claim.says == "signal"
    ended = said.level not in CALM and _ENDED.search(strip(text).payload) is not None
    return ended or claim.event.family == "crash" or (own and _CRASH.search(text) is not None)
