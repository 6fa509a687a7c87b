"""What cannot be closed, told or taken down any more, below the word that the whole ended well."""

from __future__ import annotations

from functools import lru_cache

from neurontriage.claims.claim import Claim
from neurontriage.lines.prefix import strip
from neurontriage.lines.voices import loud
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import STACK, Scene
from neurontriage.ranking.survived.accounts import bad

# Who started all says how it ended.
_ENDED_WELL = Sought(
    r"(?i)\b(?:stopp(?:ing|ed)|exit(?:ing|ed)?|finish(?:ed|ing)|end(?:ed|ing)|complet(?:ed|ing)|terminat(?:ed|ing))\b"
    r"[^.;\n]{0,40}\bexit ?(?:code|status)[ :=]{1,3}0\b"
    r"|\bworker group (?:successfully finished|finished \(SUCCEEDED\))"
    r"|\b(?:final|application|overall)(?: \w+)? (?:status|state|result)\W{1,3}(?:SUCCEEDED|SUCCESS|COMPLETED)\b"
    r"|\b(?:job|run|training|application|workflow|experiment)(?: \S{1,60})? (?:succeeded|(?:finished|completed) "
    r"(?:successfully|with status SUCC\w+))\W*$"
)
# What is of an end: a connection, a channel, a meeting place, what is to be closed or given back.
_OF_AN_END = Sought(
    r"(?i)\b(?:shut ?downs?|shutting down|tear\w* ?down|rendezvous|channels?|RPCs?|connections?|sockets?|pipe"
    r"|disconnect\w*|heart ?beats?|(?:un|de)-?regist\w*|dispos\w+|finaliz\w+|destroy\w*|clos(?:e|ed|ing)|keep-?alive"
    r"|TCPStore|ShutdownHook\w*"
    r"|delet(?:e|ing):? (?:\w+ )?te?mp\b|delet(?:e|ing):? /tmp/"
    r"|clean(?:ing)? ?up|daemons?|leaked|atexit|__del__|exporters?|telemetry|metrics)\b"
)
# What was made may be lost.
_LOST = Sought(
    r"(?i)\b(?:sav(?:e|ed|ing)|writ(?:e|ing|ten)|wrote|upload\w*|commit\w*|checkpoints?|outputs?|artifacts?"
    r"|corrupt\w*|incomplete|no space)\b"
)


def torn_down(claim: Claim, scene: Scene) -> bool:
    """Whether a claim is such a complaint, and nothing else is complained of below that word."""
    course, known = scene.course(claim), claim.layer in STACK and claim.entry is not None
    if known or claim.says in ("exit", "signal") or not 0 < _word(course.ends) < claim.event.evidence.line:
        return False
    rest = (text for at, text in course.ends if at > _word(course.ends) and bad(text))
    return takes_down(claim.event.evidence.text) and all(map(takes_down, rest))


@lru_cache(maxsize=8)
def _word(ends: tuple[tuple[int, str], ...]) -> int:
    """The last line that says that the whole ended well; 0 where none does."""
    if not _ENDED_WELL.search("\n".join(text for _, text in ends)):
        return 0
    return max((line for line, text in ends if _well(text)), default=0)


def _well(text: str) -> bool:
    return _ENDED_WELL.search(text) is not None and not loud(text)


def takes_down(text: str) -> bool:
    """Whether a line complains of what is of an end only."""
    payload = strip(text).payload
    return _OF_AN_END.search(payload) is not None and not _LOST.search(payload)
