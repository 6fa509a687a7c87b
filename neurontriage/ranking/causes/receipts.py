"""What only says that something else failed, in words of which nobody learns why: a receipt.

A pool whose worker died, an extension that could not be built, an error of a device that comes too late: the worker,
the compiler, the kernel or the device said above it what went wrong, in the same log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from neurontriage.claims.claim import Claim
from neurontriage.claims.interrupt import stops
from neurontriage.expressions import expression
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import Scene, particular

Briefs = Mapping[str, Mapping[str, Any]]
_BUILT = 60  # lines above the end of a build in which its tools may have said why it failed
_FORMS = frozenset({"located", "diagnostic"})
_TOOL = Sought(r"(?i)\bfatal error: |\bcannot find -l|\bundefined (?:reference|symbol)|\berror: |\bnot found\b")
_ASSERTED = Sought(r"(?i)\bassert(?:ion)?\b.{1,400}\bfailed\b")
# An exception as Python writes an object, inside of a message.
_RECITED = expression(r"\b[A-Za-z_][\w.]{2,80}(?:Error|Exception)\((?P<mark>['\"])(?P<said>.{8,300}?)(?P=mark)[,)]")
# What all of them hold.
_ANY = Sought(r"terminated abruptly|building extension|\.so: cannot open|assert triggered|(?:Error|Exception)\(['\"]")
_SAID = 80  # characters of a message by which it is known again


class _Receipt(NamedTuple):
    """What a receipt says, and what may be why."""

    says: Sought
    why: Callable[[Claim, Claim, Briefs], bool]


def receipt(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim is a receipt of what this one, above it in the same log, states."""
    one, other = claim.event.evidence, likely.event.evidence
    if one.path != other.path or one.line >= other.line or claim.handled or stops(claim):
        return False
    if not _ANY.search(other.text):
        return False
    if recites(likely, claim):
        return True
    for way in _RECEIPTS:
        if way.says.search(other.text):
            return not way.says.search(one.text) and way.why(likely, claim, scene.briefs)
    return False


def only(claim: Claim) -> bool:
    """Whether a claim is a receipt, whatever of."""
    return any(way.says.search(claim.event.evidence.text) for way in _RECEIPTS)


def recites(likely: Claim, claim: Claim) -> bool:
    """Whether the likely claim quotes an exception as an object, and this one is where that was raised."""
    if claim.event.said.kind != "exception":
        return False
    found = _RECITED.search(likely.event.evidence.text)
    return found is not None and found["said"][:_SAID] in claim.event.evidence.text


def _died(likely: Claim, claim: Claim, briefs: Briefs) -> bool:
    """Whether a process failed: by an exception, a signal, or as an entry knows it."""
    said = claim.event.said
    known = particular(claim, briefs) and claim.says in ("raise", "state", "signal")
    raised = said.kind == "exception" and claim.says == "raise" and "CALM" not in said.words
    return known or raised or "SIGNALLED" in said.words


def _built(likely: Claim, claim: Claim, briefs: Briefs) -> bool:
    """Whether a compiler or linker says what is wrong."""
    near = likely.event.evidence.line - claim.last <= _BUILT
    tool = claim.event.said.kind in _FORMS or "DIAGNOSTIC" in claim.event.said.words or claim.says == "raise"
    plain = claim.event.said.kind != "exception"
    return near and plain and tool and _TOOL.search(claim.event.evidence.text) is not None


def _asserted(likely: Claim, claim: Claim, briefs: Briefs) -> bool:
    """Whether a kernel on the device printed the assertion that does not hold."""
    return _ASSERTED.search(claim.event.evidence.text) is not None


_RECEIPTS = (
    _Receipt(Sought(r"\bprocess pool was terminated abruptly\b"), _died),
    _Receipt(Sought(r"\b[Ee]rror building extension '|/torch_extensions/\S+\.so: cannot open shared object"), _built),
    _Receipt(Sought(r"\bdevice-side assert triggered\b"), _asserted),
)
