"""What a program passes on of another that it ran: the error output in its report, the traceback of its worker.

Configuration management, boot scripts and libraries quote what a command said before it failed; a server in Java prints
what its Python worker said, and then an exception of its own, that the worker did not start; an exception that gathers
those of several processes has no words of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.levels import LOUD
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought
from neurontriage.ranking.causes.detailed import bare
from neurontriage.ranking.causes.provided import speaks
from neurontriage.ranking.causes.relayed import MILD, WORDS
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.messages import Heads
from neurontriage.ranking.peers import actor
from neurontriage.ranking.statements import WHY, record

Briefs = Mapping[str, Mapping[str, Any]]
_NEAR = 40  # lines between a report and what it quotes, or between a worker's traceback and what is said of it
_BLOCK, _RIGHT = 12, 2  # lines of output below its heading: where it is indented, and where it is not
_OUTPUT = Sought(r"(?i)\b(?:std_?err(?:_lines)?|standard ?error(?: ?content)?)\b\W{0,3}[:=]\W{0,3}\w|/returns: \w")
_WORKER = Sought(r"(?i)-std(?:out|err)\b|\bworker\b")
_JAVA = expression(r"(?:[a-z]\w*\.){2,}[A-Z][\w$]*$")


def passed_on(likely: Claim, claim: Claim, heads: Heads, briefs: Briefs) -> bool:
    """Whether the likely claim only reports on a command or worker, and this one is what that said of its failure."""
    here, there = likely.event.evidence, claim.event.evidence
    if here.path != there.path or claim.handled or abs(here.line - there.line) > _NEAR:
        return False
    known = particular(likely, briefs)
    return not known and (
        _of_worker(likely, claim)
        or _relayed(likely, claim)
        or _gathered(likely, claim)
        or _reported(likely, claim, heads)
    )


def _reported(likely: Claim, claim: Claim, heads: Heads) -> bool:
    """Whether this is error output that a report quotes, and the likely one is no part of it."""
    said, ended = claim.event.said, "EXIT" in likely.event.said.words and "FRAMED" in likely.event.said.words
    told = said.words & WORDS or (ended and speaks(claim))
    if not told or said.words & MILD:
        return False
    return quotes(claim, heads) and not quotes(likely, heads)


def quotes(claim: Claim, heads: Heads) -> bool:
    """Whether a line quotes the error output of a command, beside the name of that output or below it."""
    text = strip(claim.event.evidence.text).payload
    if _OUTPUT.search(text):
        return True
    line, most = claim.event.evidence.line, _BLOCK if "INDENTED" in claim.event.said.words else _RIGHT
    return any(0 < line - head <= most for head in heads.get(claim.event.evidence.path, ()))


def _of_worker(likely: Claim, claim: Claim) -> bool:
    """Whether the traceback of a worker stands above what a server in Java says of its start."""
    if "FRAMED" not in claim.event.said.words or claim.place > likely.place:
        return False
    java = _JAVA.match(likely.event.fields.get("exception", "")) is not None and "FRAMED" not in likely.event.said.words
    return java or (record(likely) and _WORKER.search(claim.event.evidence.text) is not None)


def _relayed(likely: Claim, claim: Claim) -> bool:
    """Whether a traceback that is passed on, not as an error, stands below the notice that its process died."""
    said, notice = claim.event.said, likely.event.said
    died = likely.says == "wrap" and "FAILED" in notice.words and notice.level in LOUD and notice.words.isdisjoint(WHY)
    return died and "FRAMED" in said.words and said.level not in LOUD and claim.place[1] - likely.place[1] > 0


def _gathered(likely: Claim, claim: Claim) -> bool:
    """Whether the likely claim is an exception that says no more than its class, and this one stands below it."""
    said, name = likely.event.said, likely.event.fields.get("exception", "").rpartition(".")[2]
    bare = bool(name) and likely.event.fields.get("message", "").startswith(name) and not said.words & WORDS
    below = claim.place > likely.place and actor(claim.event) == actor(likely.event)
    return bare and below and "FRAMED" in said.words & claim.event.said.words and bool(claim.event.said.words & WORDS)


def raised_of_exit(claim: Claim, scene: Scene) -> bool:
    """Whether an exception was raised only because a command ended with a status, as the first of its chain says."""
    chain, place = claim.event.chain
    if place < 2 or particular(claim, scene.briefs):
        return False
    first = (one for one in scene.claims if one.event.chain == (chain, 1))
    return any(one.says == "wrap" and "EXIT" in one.event.said.words for one in first)


def heads_exit(claim: Claim, scene: Scene) -> bool:
    """Whether a claim only says that something failed, right above the traceback of a status with which it ended."""
    if claim.known or not bare(claim):
        return False
    path, first = claim.event.evidence.path, claim.event.evidence.line
    below = min(
        (c for c in scene.claims if c.event.evidence.path == path and c.event.evidence.line > first),
        key=lambda one: one.event.evidence.line,
        default=claim,
    )
    ends = below.says in ("exit", "wrap") and {"EXIT", "FRAMED"} <= below.event.said.words
    return ends and below.event.evidence.line - first <= _BLOCK
