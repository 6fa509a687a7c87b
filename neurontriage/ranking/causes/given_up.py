"""A program records an error, and right below it only that it gives up: what it recorded says why."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.lines.levels import LOUD
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.statements import HEADER, WHY

_NEAR = 3  # lines from the one to the other
_REST = 6  # words, besides, that name no reason
_GIVES_UP = Sought(
    r"(?i)\b(?:cannot|can't|can not|could not|unable to|will not|won't|refusing to)"
    r" (?:continue|proceed|go on|recover)\b"
    r"|\b(?:abort(?:ing|ed)?|giv(?:es|ing) up|gave up|exiting|bailing out|stopping|quitting|terminating"
    r"|shutting down|leaving)\b"
)
_ENDS = frozenset({"exit", "echo", "note"})
_MILD = frozenset({"CALM", "ZERO", "QUOTATION", "SUCCESS", "PROGRESS", "WARNED"})


def given_up(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim only says that a program gives up, right below this one, which it calls an error."""
    one, other = claim.event.evidence, likely.event.evidence
    if (one.path, one.rank) != (other.path, other.rank) or not 0 < other.line - claim.last <= _NEAR:
        return False
    if particular(likely, scene.briefs) or not _gives_up(likely) or _gives_up(claim):
        return False
    said = claim.event.said
    called = said.level in LOUD and said.size > HEADER and claim.says not in _ENDS
    return called and not said.words & _MILD and not claim.handled


def _gives_up(claim: Claim) -> bool:
    """Whether a claim says that somebody gives up, and hardly a word more."""
    text = strip(claim.event.evidence.text).payload
    found = _GIVES_UP.search(text)
    few = found is not None and len(found.re.sub("", text).split()) <= _REST
    return few and claim.event.said.words.isdisjoint(WHY | {"FRAMED", "SIGNALLED"})
