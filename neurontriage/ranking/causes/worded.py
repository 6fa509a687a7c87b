"""An exception without a message, and the one raised while it was handled that says in words what happened.

So has one no word of what happened that only lost who it talked to: the other one says by which signal that was ended.
Nor has one with which something was looked for that need not be there, where what was called instead failed, too.
"""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.claims.interrupt import stops
from neurontriage.expressions import expression
from neurontriage.lines.words import Sought
from neurontriage.ranking.causes.beneath import ends

_PLACES = ("AssertionError", "NotImplementedError")  # where they stand says what they mean
_LOST = Sought(
    r"\bEOFError\b|[Bb]roken ?[Pp]ipe|\bConnectionResetError\b|\b[Cc]onnection (?:reset|closed|lost|aborted)\b"
    r"|\bIncompleteReadError\b|\bsocket closed\b"
)
_MISSES = frozenset({"KeyError", "IndexError", "AttributeError", "FileNotFoundError", "ImportError"}) | {
    "ModuleNotFoundError",
    "LookupError",
}
# What a handler does besides, but not instead.
_AFTERWARDS = Sought(
    r"(?i)\braise\b|\b(?:\w+[._])?(?:log|logger|logging|report|notify|alert|send|print|save|dump|write|close|stop|exit|kill"
    r"|abort|quit|shutdown|terminate|teardown|destroy|delete|remove|unlink|release|clean|cleanup|rollback|cancel|join"
    r"|error|warn|warning|exception|debug|info|fail|handle)(?:_\w+)?\("
)
# That something went wrong, and in what.
_OCCURRED = expression(
    r"(?i)\W{0,3}(?:an? |the |some )?(?:\w+ )?(?:error|exception|problem|failure)s? (?:has |have |was |were )?"
    r"(?:occur+ed|happened|encountered|raised)(?: (?:while|during|when|in) [\w ]{1,80})?\W*$"
)
_SENTENCE = 4  # words of one that says of what a key is none
_LEAST = 3  # words of a message that says something


def worded(claim: Claim, mute: Claim) -> bool:
    """Whether a claim says what the mute one, an exception of its chain from which it was raised, has no words for."""
    (chain, place), (inner, deeper) = claim.event.chain, mute.event.chain
    if not chain or chain != inner or place <= deeper or stops(mute):
        return False
    if _LOST.search(mute.event.evidence.text) and ends(claim) and not ends(mute):
        return True
    if looked_up(mute, claim) or tried_first(mute, claim):
        return True
    if message(mute) or _class(mute).endswith(_PLACES):
        return False
    return len(message(claim).split()) >= _LEAST


def tried_first(mute: Claim, claim: Claim) -> bool:
    """Whether the mute one, a miss, was caught, and the other one raised in what its handler called instead."""
    called, missed = claim.event.fields.get("instead", ""), message(mute)
    if not called or _class(mute) not in _MISSES or (missed and missed in message(claim)):
        return False
    return not _AFTERWARDS.search(called)


def occurred(likely: Claim, claim: Claim) -> bool:
    """Whether the likely claim, raised from this one of its chain, only says that an error occurred."""
    (chain, place), (inner, deeper) = likely.event.chain, claim.event.chain
    if not chain or chain != inner or place <= deeper or stops(claim):
        return False
    return _OCCURRED.match(message(likely)) is not None and bool(message(claim))


def looked_up(mute: Claim, claim: Claim) -> bool:
    """Whether the mute one is only the key that was looked up, and the other says of what it is none."""
    key = message(mute).strip("'\"")
    whole, said = _class(mute) == "KeyError" and len(key) >= _LEAST, message(claim)
    return whole and not any(map(str.isspace, key)) and key in said and len(said.split()) >= _SENTENCE


def _class(claim: Claim) -> str:
    return claim.event.fields.get("exception", "")


def message(claim: Claim) -> str:
    """What an exception says besides its class."""
    said = claim.event.fields.get("message", "")
    return "" if said == _class(claim) else said
