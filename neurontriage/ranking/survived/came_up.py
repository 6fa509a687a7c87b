"""What was not there yet: a host, a port, a lock, a mount, a server that starts; and then it is there, by its name."""

from __future__ import annotations

from collections.abc import Iterator

from neurontriage.claims.claim import Claim
from neurontriage.claims.endings import process_of
from neurontriage.expressions import expression
from neurontriage.lines.levels import LOUD
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought
from neurontriage.model import Course
from neurontriage.ranking.onward import beginning

_SHORT = 3  # letters of the name of a service
_STEM = 5  # letters that two forms of a word have in common
# What may be otherwise a moment later.
_NOT_YET = Sought(
    r"(?i)\b(?:connect(?:ion)?\b.*\b(?:refused|reset|timed out|failed|lost|closed)|disconnected|unreachable"
    r"|(?:could(?: not|n't)|can(?:not|'t)) (?:connect|reach)"
    r"|timed out|no route to host|no such host|(?:can't|cannot|could not|does not|not) resolve"
    r"|name resolution|not ready"
    r"|starting up|not yet|temporarily unavailable|service unavailable|could not get lock|not reachable|empty reply"
    r"|(?:error|status|http)\W{0,3}50[234])\b"
)
_THERE = Sought(
    r"(?i)\b(?:ready|(?:re-?)?connected|restored|reachable|available|mounted|resolved|acquired|joined|healthy|online|succeeded|established"
    r"|(?:is|are) (?:now )?(?:up|there|ok)|up again|came up|accepts? connections|lookup ok)\b"
)
_NOT = Sought(r"(?i)\b(?:not|no|never|isn't|aren't|wait\w*|until|if|when|un\w+able|failed|lost|dis\w+|0 of|0/\d+)\b")
_AWAITS = Sought(r"(?i)\bwait(?:s|ing)? (?:for|until|till)\b")
_STILL = Sought(
    r"(?i)(?<![\w-])(?P<name>[\w.-]{2,40}) (?:is |are )?(?:still )?not (?:up|ready|there|available|reachable)\b"
    r"|\bwait(?:s|ing)? (?:for|until|till) (?:the )?(?P<for>[\w.-]{2,40})",
    expression,
)
_SOON = 3  # lines below a complaint in which whoever waits says so
_PARTS = expression(r"[._-]")
_NAME = expression(r"[A-Za-z0-9][\w.-]*[A-Za-z0-9]")
# fmt: off
_ANY = frozenset({
    "connect", "connection", "connected", "refused", "timed", "failed", "could", "cannot", "host", "port", "error",
    "warning", "info", "fatal", "yet", "ready", "name", "system", "the", "for", "not", "tcp", "http", "https",
    "waiting", "wait", "waits", "until", "till", "are", "has",
})
# fmt: on


def came_up(claim: Claim, course: Course) -> bool:
    """Whether what a claim misses is there later, as the same process says or a line that names it."""
    text = claim.event.evidence.text
    if any("FRAMED" in one.event.said.words for one in claim.kept) or not _NOT_YET.search(text):
        return False
    names, own = _names(text), process_of(claim.event)[2]
    awaited = _awaited(claim, course) | _still_awaited(claim, course)
    for later in _below(claim, course):
        prefix = strip(later)
        if prefix.level in LOUD or not _THERE.search(prefix.payload) or _NOT.search(prefix.payload):
            continue
        if (own and own in (prefix.process, prefix.host)) or _share(names, there := _names(later)):
            return True
        if awaited & (there | set(_PARTS.split((prefix.process or prefix.host or "").lower()))):
            return True
    return False


def _below(claim: Claim, course: Course) -> Iterator[str]:
    """The lines below a claim that are known: of the beginning of its log, and its last ones."""
    text = claim.event.evidence.text.strip()
    head, stripped = beginning(course.head)
    found = [number for number, line in enumerate(stripped) if line == text]
    yield from head[found[-1] + 1 :] if found and claim.last <= len(head) else ()
    yield from (line for number, line in course.ends if number > claim.last)


def _awaited(claim: Claim, course: Course) -> set[str]:
    """What is waited for, as the line above a claim, or above all that is like it, names it."""
    own, above = _first(claim.event.evidence.text), beginning(course.head)[0][: claim.event.evidence.line - 1]
    wait = next((text for text in reversed(above) if _first(text) != own), "")
    return {name for name in _names(wait) if len(name) >= _SHORT} if _AWAITS.search(wait) else set()


def _still_awaited(claim: Claim, course: Course) -> set[str]:
    """What the lines right below a claim say is not there yet."""
    head, last = beginning(course.head)[0], claim.event.evidence.line
    found = (_STILL.search(text) for text in head[last : last + _SOON])
    return {(one["name"] or one["for"]).lower() for one in found if one}


def _first(text: str) -> str:
    """The first word of a line, which names the command that complains."""
    return strip(text).payload.strip().partition(" ")[0]


def _names(text: str) -> set[str]:
    """What a line names, and the words of which a name is made."""
    names = {name.lower() for name in _NAME.findall(strip(text).payload)}
    return (names | {part for name in names for part in _PARTS.split(name) if len(part) >= _STEM}) - _ANY


def _share(some: set[str], others: set[str]) -> bool:
    """Whether two lines name the same: a number or a name, in whatever form of the word."""
    telling = {one for one in some & others if len(one) >= _STEM - 1 or not one.isalpha()}
    return bool(telling) or any(
        one != other and len(one) >= _STEM and one.isalpha() and other.startswith(one)
        for one in some
        for other in others
    )
