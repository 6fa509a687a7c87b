"""What only passes a failure on: an exception that carries what stands below it, a line that points up to why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.lines.levels import LOUD
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.statements import record

WORDS = frozenset({"INABILITY", "LIMIT", "MISSING", "REFUSED", "INVALID", "FAILED", "REASON", "ASSERTION"})
"""Words of a failure."""
MILD = frozenset({"CALM", "ZERO", "QUOTATION", "SUCCESS"})
"""Words that take a failure back."""
_BELOW = frozenset({"runtime", "driver", "collectives"})
_NEAR = 40  # lines from what failed to the line that points up to it, or to the exception with its frames
_RIGHT = 2  # the same for what the program does not call an error
_RUNTIME = Sought(r"(?i)\bneuron[ -]?(?:runtime|device|core)|\bnrt_|\bNRT\b|\bruntime\b.{0,40}\bneuron")
_UP = Sought(
    r"(?i)\b(?:messages?|errors?|output|details?|reasons?|lines?|logs?|failures?|problems?|issues?)\b.{0,12}\babove\b"
    r"|\babove (?:errors?|messages?|output|failures?)\b|\bsee (?:the )?(?:above|previous|earlier|prior)\b"
    r"|\b(?:due to|because of|after|on) (?:the |an? )?(?:\d+ )?(?:previous|earlier|prior) (?:error|failure|problem)s?\b"
    r"|\bcontains? errors\W*$|\berror is not recoverable\b|\bscroll up\b"
    r"|\bcompilation failed in require at\b|\bBEGIN failed--compilation aborted\b"  # Perl
)


# A compiler calls it an error, with the number of its kind.
_CODED = Sought(r"(?:^|[\s|>\])])error\[[A-Z]\d{2,5}\]: \w")


def points(claim: Claim) -> bool:
    """Whether a line no entry knows in particular says that the reason stands above it."""
    return claim.event.said.kind != "exception" and _UP.search(claim.event.evidence.text) is not None


def pointed(likely: Claim, claim: Claim) -> bool:
    """Whether the likely claim only points up, and this is an error that the program recorded above it."""
    here, there = claim.event.evidence, likely.event.evidence
    near = here.path == there.path and 0 < there.line - claim.last <= _NEAR
    right = there.line - claim.last <= _RIGHT and claim.says == "raise" and not claim.event.said.words & MILD
    known = claim.known and claim.says in ("raise", "state")
    called = record(claim) or right or known or claim.event.said.kind == "located" or _CODED.search(here.text)
    return near and bool(called) and not claim.handled and points(likely) and not points(claim)


def carried(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim is an exception that only carries this line of a layer below it, where all stopped."""
    return carries(likely, claim, scene.briefs) and not scene.went_on(claim)


def carries(likely: Claim, claim: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether the likely claim is an exception with a status and no more, and this one a line of a layer below it.

    So is one that only says what the runtime could not do, right below the errors of that.
    """
    known = likely.entry is not None and likely.layer == "runtime"
    if not of_layer_below(claim) or claim.place >= likely.place or not carrier(likely, briefs):
        return False
    if likely.event.said.kind != "exception" and carrier(claim, briefs):
        return False  # two statuses
    if known or likely.event.said.words & {"STATUS", "NRT"}:
        return claim.says == "raise" or bool(claim.event.said.words & WORDS)
    return claim.says == "raise" and claim.event.said.level in LOUD and _of_runtime(likely, claim)


def carrier(claim: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a claim is an exception, a status of the runtime or a check of one, that may carry a line below it."""
    words = claim.event.said.words
    checks = words >= {"ASSERTION", "NRT"} or ("NRT" in words and claim.event.kind == "failure" and claim.known)
    return (claim.event.said.kind == "exception" or checks) and not particular(claim, briefs)


def of_layer_below(claim: Claim) -> bool:
    """Whether a claim is a line of a layer below the program, and no exception."""
    said = claim.event.said
    own = claim.layer in _BELOW and said.kind != "exception" and not said.words & MILD
    return own and not claim.handled


def _of_runtime(likely: Claim, claim: Claim) -> bool:
    """Whether an exception speaks of the runtime, not far below one of its lines."""
    here, there = claim.event.evidence, likely.event.evidence
    near = here.path == there.path and there.line - claim.last <= _NEAR
    return near and _RUNTIME.search(likely.event.fields.get("message", "")) is not None
