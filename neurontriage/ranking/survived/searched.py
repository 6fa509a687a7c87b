"""A search for a size that fits: what failed of a larger one failed nothing, where a smaller one is used and works."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.outlook import done, trouble
from neurontriage.lines.prefix import strip
from neurontriage.model import Course
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import known_lines

_SIZE = expression(
    r"(?i)(?:^|[\s\[(,;:'\"])(?P<name>(?:[a-z]{2,20}[_ -]){0,3}(?:batch(?:[_ -]?size)?|m?bs|bsz|size|length|len|bucket"
    r"|seq(?:uence)?(?:[_ -]?len(?:gth)?)?|(?:chunks?|tile)(?:[_ -]?size)?|workers|jobs|layers|depth|tp|degree"
    r"|resolution))(?: ?[=:] ?| of | to:? | )(?P<value>\d{1,7})\b"
)
_LOWERS, _NEXT = expression(r"(?i).{0,60}\b(?:decreas|reduc|lower|halv)(?:ing|ed)\b"), 4
_LINE = 200  # characters of a line that tells of a try
_LONGEST = 40  # lines between the first and the last try that one failure may stand in


def searched(claim: Claim, scene: Scene) -> bool:
    """Whether a claim stands below a try of one size, above the last and smallest one, below which work goes on."""
    course, first = scene.course(claim), claim.event.evidence.line
    worked = max(scene.progress.get(claim.event.evidence.path, 0), _ends_well(course.head, course.ends))
    if first >= worked or claim.last >= worked:
        return False
    for tries in sizes(course.head, course.ends):
        above = [line for line, _, _ in tries if line < first]
        near = first - above[-1] <= _LONGEST if above else tries[0][0] - first <= _NEXT and _lowers(tries[0][0], course)
        last, _, well = tries[-1]
        if near and claim.last < last < worked and well:
            return True
    return False


@lru_cache(maxsize=8)
def _ends_well(head: str, ends: tuple[tuple[int, str], ...]) -> int:
    """The last line of a log, where it says that all is done; else 0."""
    line, text = max(((at, text) for at, text in known_lines(head, ends).items() if text.strip()), default=(0, ""))
    return line if done(text) and not trouble(text) else 0


def _lowers(line: int, course: Course) -> bool:
    """Whether the first size that is named is already a smaller one than what was tried."""
    return _LOWERS.match(strip(known_lines(course.head, course.ends).get(line, "")).payload) is not None


@lru_cache(maxsize=8)
def sizes(head: str, ends: tuple[tuple[int, str], ...]) -> list[list[tuple[int, int, bool]]]:
    """Of each name of a size the tries whose values fall: first line, value, whether its last line tells no trouble."""
    found: dict[str, dict[int, tuple[int, bool]]] = {}
    for line, text in sorted(known_lines(head, ends).items()):
        payload = strip(text).payload[:_LINE]
        if not (named := _SIZE.findall(payload)) or any(value != named[0][1] for _, value in named):
            continue
        for name, number in named:
            tries, value = found.setdefault(name.lower(), {}), int(number)
            tries[value] = (tries.get(value, (line,))[0], not trouble(text))
    told = [[(line, value, well) for value, (line, well) in tries.items()] for tries in found.values()]
    return [tries for tries in told if len(tries) > 1 and _falls(tries)]


def _falls(tries: list[tuple[int, int, bool]]) -> bool:
    """Whether each value is smaller than the one before."""
    return all(one[1] > other[1] for one, other in pairwise(tries))
