"""A command that a log shows names what is missing, or cannot be read, later: where it failed, what it said is why."""

from __future__ import annotations

from collections.abc import Iterator

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.model import Course
from neurontriage.ranking.causes.provided import absent, brings_place, complains
from neurontriage.ranking.causes.spoiled import unreadable
from neurontriage.ranking.causes.stumbled import empty, worked
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import beginning
from neurontriage.ranking.things import names, things

_NEAR = 12  # lines of output below a command
# As a shell shows it: at a prompt, or in its trace; as a builder of images does, or whoever runs it for others.
_COMMAND = expression(
    r"(?:\[?\d[\d:TZ.-]{5,30}\]? )?(?:\+{1,3} |(?:[\w.@:~/-]{1,60})?[$] |==> "
    r"|(?:#\d+ )?\[[^\]\n]{1,40}\] RUN |Step \d+/\d+ : RUN "
    r"|(?i:running|executing|exec|run)(?: command)?: )(?P<command>\S.*)"
)


def commanded(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim misses, or cannot read, what a command above names, which this claim says has failed.

    That work went on proves nothing where the command names the very place, or one above it.
    """
    one, other = claim.event.evidence, likely.event.evidence
    if one.path != other.path or claim.last >= other.line:
        return False
    lost = absent(likely) or empty(likely)
    if not (lost or unreadable(likely)):
        return False
    if not complains(claim, brings=True):
        return False
    line, command = _above(one.line, scene.course(claim))
    if line == _above(other.line, scene.course(likely))[0]:
        return False
    worked_on = worked(claim, scene.progress)
    return brings_place(command, other.text) or (
        lost and not worked_on and not names(command).isdisjoint(things(likely))
    )


def _above(line: int, course: Course) -> tuple[int, str]:
    """The command that was run last above a line, as far as the lines around it are known."""
    near = ((place, text) for place, text in _known(course) if 0 < line - place <= _NEAR)
    shown = ((place, _COMMAND.match(text) or _COMMAND.match(strip(text).payload)) for place, text in near)
    return max(((place, found["command"]) for place, found in shown if found), default=(0, ""))


def _known(course: Course) -> Iterator[tuple[int, str]]:
    yield from enumerate(beginning(course.head)[0], 1)
    yield from course.ends
