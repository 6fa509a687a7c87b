"""Data that cannot be read: what was to bring it broke off, its digest did not fit, or it could not be written.

A program goes on without looking at what it has fetched, and finds out much later, in words of the reader.
"""

from __future__ import annotations

from collections.abc import Mapping

from neurontriage.claims.claim import Claim
from neurontriage.facts.beyond import beyond
from neurontriage.lines.levels import CALM
from neurontriage.lines.words import Sought
from neurontriage.ranking.causes.provided import absent
from neurontriage.ranking.causes.stumbled import NOWHERE, worked
from neurontriage.ranking.features import Scene
from neurontriage.ranking.statements import fails
from neurontriage.ranking.things import things

_FEW = 3  # lines of a kind that are not said of every file
# How a reader says that its input is not what it should be.
_UNREADABLE = Sought(
    r"(?i)\b(?:unexpected|premature) (?:EOF|end)\b|\bEOFError\b|\btruncated\b|\bcorrupt\w*|\bdeserializ\w+|\bunpickl\w+"
    r"|\binvalid (?:load key|header|magic|block|zip|json|checksum)|\bbad (?:magic|zip|header|crc)|\bBadZipFile\b"
    r"|\bnot a (?:valid )?(?:zip|gzip|tar|archive)|\b\w+DecodeError\b|\bExpecting (?:value|property name)\b"
    r"|\b(?:Parser?|Scanner|Syntax)Error\b|<{7}"
    r"|\bfile size\b|\bsize (?:mismatch|does not match)|\b(?:is |are )?not whole\b|\bincomplete\b"
    r"|\bin gzip format\b|\bdecompress\w*|\bcentral directory\b|\bIncompleteBuffer\b|\bHeaderToo\w+"
    r"|\bPytorchStreamReader\b|\bran out of input\b"
    # An installer looks for releases in the indexes that it could fetch.
    r"|\b(?:find a version|matching distribution|locate package|installation candidate)\b"
)
_DIGEST = Sought(r"(?i)\b(?:checksums?|digests?|hash(?:es)?|sha-?\d{1,3}(?:sum)?|md5(?:sum)?|crc\d*|signatures?)\b")
_BROKE = Sought(
    r"(?i)\b(?:broken? off|cut off|half[- ](?:written|read|done)|truncated|incomplete|partial(?:ly)?|interrupted"
    r"|short (?:read|write)|0 bytes|no space left|quota|input/output error|read-only file system|merge conflict)\b"
)
_FETCH = Sought(
    r"(?i)\b(?:(?:failed|unable|not able) to|could(?: not|n.t)|cannot|can.t) "
    r"(?:fetch|download|pull|copy|unpack|extract|decompress|clone|sync|transfer|upload)\b"
)
_ILL = frozenset({"FAILED", "INVALID", "INABILITY", "REASON", "ERRNO"})


def spoiled(crash: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether a program cannot read what this claim says was not brought, or not written, as it should be."""
    return not scene.survived(claim) and unread(crash, claim, scene.progress)


def unread(crash: Claim, claim: Claim, progress: Mapping[str, int] = NOWHERE) -> bool:
    """Whether a claim says that data came to harm, and the crash below that some cannot be read.

    `progress`: in which line of each log a step of work was counted last: then both have to name the same.
    """
    one, other = claim.event, crash.event
    if one.evidence.path != other.evidence.path or not claim.last < other.evidence.line:
        return False
    if not harmed(claim) or not fails(crash) or not (unreadable(crash) or absent(crash)):
        return False
    return not worked(claim, progress) or not things(claim).isdisjoint(things(crash))


def unreadable(claim: Claim) -> bool:
    """Whether a claim says that data is not what its reader takes."""
    event = claim.event
    return any(_UNREADABLE.search(text) for text in (event.fields.get("message", ""), event.evidence.text))


def harmed(claim: Claim) -> bool:
    """Whether a claim says, and of few, that data broke off, was not brought or written, or does not fit its digest."""
    said, text = claim.event.said, claim.event.evidence.text
    if claim.count >= _FEW or claim.handled or said.level in ("INFO", "DEBUG") or said.words & {"ZERO", "QUOTATION"}:
        return False
    if said.kind == "exception" and "FRAMED" in said.words:
        return False
    digest = _DIGEST.search(text) is not None and (bool(said.words & _ILL) or beyond(text))
    fetched = said.level not in CALM and _FETCH.search(text) is not None
    return digest or fetched or _BROKE.search(text) is not None
