"""Who one is comes first: a login, token, ticket or key that is refused, expired or missing explains later refusals."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.lines.levels import CALM
from neurontriage.lines.words import Sought
from neurontriage.ranking.causes.provided import DATA
from neurontriage.ranking.causes.stumbled import empty, worked
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.statements import WHY, fails

_NEAR = 40  # lines from one to the other
_WHO = Sought(
    r"(?i)\b(?:kinit|kerberos|keytab|log-?in|logg?ed in|sign(?:ed)?[- ]?in|credentials?|passwords?|passphrase"
    r"|certificates?|oidc|oauth|saml|sso|imds\w*|authenticat\w+|principal|ticket|service account)\b"
    r"|\b(?:access|refresh|session|bearer|id|auth|api|security)?[- _]?tokens?\b"
)
_REFUSED = Sought(
    r"(?i)\b(?:denied|forbidden|unauthori[sz]ed|not authori[sz]ed|cannot authenticate|anonymous|no basic auth|40[13]"
    r"|refused|not logged in)\b|\baccess ?control|access ?denied|\bauthenticat\w+ (?:failed|required)|\bunreachable\b"
)
_WRONG = frozenset({"REFUSED", "MISSING", "INVALID", "INABILITY", "FAILED", "REASON"})
_MILD = frozenset({"ZERO", "QUOTATION", "SUCCESS", "WARNED", "PROGRESS"})


def admitted(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim is refused, or finds nothing, where this one said that one is not let in at all."""
    since = worked(claim, scene.progress)
    return turned_away(likely, claim) and not since and not particular(likely, scene.briefs)


def turned_away(likely: Claim, claim: Claim) -> bool:
    """Whether a claim tells of a login or what proves one, and the likely one below of what it was for."""
    one, other = claim.event, likely.event
    if one.evidence.path != other.evidence.path or one.evidence.rank not in (None, other.evidence.rank):
        return False
    if not 0 < other.evidence.line - claim.last <= _NEAR or not (unknown(claim) and fails(likely)):
        return False
    if unknown(likely) and one.said.words.isdisjoint(WHY):
        return False
    stumbles = other.fields.get("exception", "") in DATA or empty(likely)
    return stumbles or _REFUSED.search(other.evidence.text) is not None


def unknown(claim: Claim) -> bool:
    """Whether a claim says that something is wrong with who one is, or with what proves it."""
    said = claim.event.said
    mild = said.level in CALM or said.kind == "warned" or said.words & _MILD
    return not mild and bool(said.words & _WRONG) and _WHO.search(claim.event.evidence.text) is not None
