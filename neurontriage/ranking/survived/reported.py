"""What is only reported of something that was looked at: a traceback below the words `Examining … raised:`.

Whoever reports it has caught it, unless he calls it an error. GLib's critical warnings are of a call that then returns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.lines.remembered import remembered
from neurontriage.lines.voices import header, kind, loud
from neurontriage.lines.words import Sought
from neurontriage.model import Course
from neurontriage.ranking.onward import beginning

_SOME, _MANY = 3, 6
_INDENT = " " * 4
_FAR = 60  # lines of tracebacks below what heads them
_REQUEST = Sought(r"\b(?:GET|POST|PUT|PATCH|DELETE|HEAD) /|\[(?:GET|POST|PUT|PATCH|DELETE|HEAD)\]")
_ASIDE = expression(r"(?:\S+ ){0,3}?[A-Za-z]+ing (?:\S+ ){1,8}?(?:raised|threw|ran into)\b[^:]{0,30}:(?: |$)")
_CAUGHT = Sought(
    r"(?i)\b(?:caught|except\w*|\w*errors?|fail\w*|could not|couldn't|cannot|can't|unable|ignor\w+|swallow\w+|handl\w+"
    r"|rais\w+|traceback|suppress\w+|skipp\w+)\b"
)
_AGAIN = Sought(
    r"(?i)(?:\b(?:will )?(?:re-?try(?:ing)?|re-?connect(?:ing)?|re-?open(?:ing)?|re-?establish(?:ing)?)\b"
    r"|\btry(?:ing)? (?:again|to re-?\w+))[^.;:\n]{0,60}[\W_]*$"
)
_RETURNS = Sought(r"[\w-]-CRITICAL \*\*: |\): CRITICAL \*\*: ")
# The lines of a traceback, and between two of them.
_WITHIN = expression(
    r"\s|Traceback \(|$|(?:> )?File \"|During handling of|The above exception|[\w.]+(?:Error|Exception|Warning)\b"
)


def reported(claim: Claim, course: Course) -> bool:
    """Whether a claim stands in the report of somebody who caught it while he did something else.

    Whoever tells of it above its traceback for who debugs, or says there that it is tried again, has caught it, too.
    """
    framed = "FRAMED" in claim.event.said.words
    told = _head(claim.event.evidence.line, course) if framed else claim.event.evidence.text
    if _RETURNS.search(claim.event.evidence.text):
        return True
    if loud(told):
        return False
    prefix = strip(told)
    caught = (
        framed
        and prefix.level is not None
        and ((prefix.level == "DEBUG" and _CAUGHT.search(prefix.payload)) or _AGAIN.search(prefix.payload))
    )
    return bool(caught) or _ASIDE.match(prefix.payload) is not None


def debugged(raised: Sequence[Claim], courses: Mapping[str, Course]) -> list[Claim]:
    """The claims that were only told to who debugs, where the same is raised below by what then ends of it."""
    last: dict[str, int] = {}
    for claim in raised:
        if "FRAMED" in claim.event.said.words:
            last[claim.event.evidence.text] = claim.event.evidence.line
    again = [claim for claim in raised if claim.last < last.get(claim.event.evidence.text, 0)]
    return [
        one for one in again if strip(_head(one.event.evidence.line, courses[one.event.evidence.path])).level == "DEBUG"
    ]


def logged(claim: Claim, course: Course) -> bool:
    """Whether a logger printed the traceback of a claim, whose line stands above it, and speaks on below to the end."""
    line = claim.event.evidence.line
    head = _head(line, course)
    least = _SOME if _REQUEST.search(head) else _MANY
    own, last = header(head) if strip(head).level else "", claim.last
    if not own:
        return False
    same = [text for at, text in course.ends if at > last and header(text) == own]
    starts = [kind(text) for text in beginning(course.head)[0][:line] if header(text) == own][:_SOME]
    anew = any(kind(text) in starts for text in same)  # whoever starts again has ended of it
    return len(same) >= least and not anew and not any(map(loud, same[-_SOME:]))


def headed(claim: Claim, course: Course) -> str:
    """The line with which a logger told of a claim: above the traceback, if it stands in one."""
    own = claim.event.evidence.text
    return (_head(claim.event.evidence.line, course) or own) if "FRAMED" in claim.event.said.words else own


def _head(line: int, course: Course) -> str:
    """The line that heads the tracebacks to which a line belongs; "" where it is not known."""
    known = dict(enumerate(beginning(course.head)[0], 1)) | dict(course.ends)
    above = ((at, known.get(at)) for at in range(line - 1, max(0, line - _FAR), -1))
    for at, text in above:
        if text is None:
            if course.ends and at >= course.ends[0][0]:
                continue  # a blank line among the last ones
            return ""
        if not within(text):
            return text
    return ""


@remembered(1024)
def within(text: str) -> bool:
    """Whether a line is one of a traceback, or stands between two of them."""
    prefix = strip(text)
    source = text[: len(text) - len(prefix.payload)].endswith(_INDENT)  # a time in front takes in the blanks
    return (source or _WITHIN.match(prefix.payload) is not None) and not prefix.level
