"""What is told of in a log, and failed nothing: it was survived, handled, or is of somebody who only looked around."""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Callable, Sequence, Set

from neurontriage.claims.claim import Claim
from neurontriage.claims.commands import of_command
from neurontriage.claims.endings import Process, process_of
from neurontriage.claims.phases import tried_again
from neurontriage.claims.remedies import goes_on as tries_on
from neurontriage.claims.remedies import left, remedied
from neurontriage.claims.rows import replaced as replaced_by
from neurontriage.claims.verdicts import verdict
from neurontriage.facts.restarts import restarted
from neurontriage.lines.levels import LOUD
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought
from neurontriage.model import Course
from neurontriage.ranking.causes.commanded import commanded
from neurontriage.ranking.causes.omitted import omitted
from neurontriage.ranking.causes.precedence import firm
from neurontriage.ranking.causes.provided import lacks
from neurontriage.ranking.causes.sections import unserved
from neurontriage.ranking.causes.spoiled import unread
from neurontriage.ranking.causes.unbuilt import unbuilt
from neurontriage.ranking.causes.uncompiled import uncompiled
from neurontriage.ranking.edges.chain import raised_from
from neurontriage.ranking.features import STACK, Scene, particular
from neurontriage.ranking.survived.after import led_to, outlived, telling
from neurontriage.ranking.survived.afterwards import afterwards
from neurontriage.ranking.survived.asides import aside, explains
from neurontriage.ranking.survived.balance import ended_well
from neurontriage.ranking.survived.bettered import bettered, mended
from neurontriage.ranking.survived.came_up import came_up
from neurontriage.ranking.survived.clients import many, of_client, refused
from neurontriage.ranking.survived.concluding import accounted, good, overruled
from neurontriage.ranking.survived.cut_short import cut_short
from neurontriage.ranking.survived.described import described
from neurontriage.ranking.survived.drills import begun, of_drill
from neurontriage.ranking.survived.fallbacks import replaced
from neurontriage.ranking.survived.generated import generated
from neurontriage.ranking.survived.hunks import of_hunk
from neurontriage.ranking.survived.ignored import ignored
from neurontriage.ranking.survived.leaving import leaves
from neurontriage.ranking.survived.outermost import died
from neurontriage.ranking.survived.put_up import put_up
from neurontriage.ranking.survived.recurring import recurs
from neurontriage.ranking.survived.remarked import remarked
from neurontriage.ranking.survived.renewed import losses, renewed
from neurontriage.ranking.survived.reported import debugged
from neurontriage.ranking.survived.resumed import resumed
from neurontriage.ranking.survived.runners import of_runner
from neurontriage.ranking.survived.searched import searched, sizes
from neurontriage.ranking.survived.series import calm_end, of_series, series
from neurontriage.ranking.survived.slips import shown, slipped
from neurontriage.ranking.survived.stepped import stepped
from neurontriage.ranking.survived.torn_down import torn_down
from neurontriage.ranking.survived.zero import ended_zero

_HEADED = 12  # lines of a traceback below its head
_FEW = 40
_SOON = 3  # lines of which one may be said at the end of a program that dies
_AGAIN = Sought(r"(?i)\bre-?tr(?:y|ies|ying)\b|\btr(?:y|ies|ying) again\b|\bre-?attempt|\bnext attempt\b")


def passed(errors: Sequence[Claim], loud: Sequence[Claim], dead: Set[int], scene: Scene) -> set[int]:
    """The claims (by id()) of a log that failed nothing. `loud`: those that would fail it, `dead`: that are last words.

    Whoever goes on without what it could not have, and then misses it or crashes without it, has not survived that.
    """
    done = {id(c) for c in errors if id(c) not in dead and scene.survived(c)}
    done |= {id(c) for c in errors if not c.tried and _undone(c, scene)}
    done |= {id(c) for c in errors if shown(c, scene.course(c))} | {id(c) for c in loud if good(c, scene.course(c))}
    done |= {id(c) for c in loud if slipped(c, scene.course(c)) or aside(c, scene) or leaves(c, scene)}
    done |= {id(c) for c in loud if came_up(c, scene.course(c)) or replaced(c, scene.course(c))}
    done |= {id(c) for c in loud if _started_again(c, scene) or remarked(c, scene)}
    done |= {id(c) for c in loud if put_up(c, scene)}
    done |= {id(c) for c in [*refused(loud, scene), *described(loud, scene)]}
    below = errors if loud else ()
    tidied = {id(c) for c in [*afterwards(below, scene), *ignored(below, scene)]}
    done |= tidied
    done |= {id(c) for c in debugged(scene.raised, scene.courses)}
    done |= {id(c) for c in errors if of_hunk(c, scene.course(c)) or generated(c, scene.course(c))}
    done |= {id(c) for c in loud if stepped(c, scene)}
    done |= {id(c) for c in loud if of_runner(c, scene) or torn_down(c, scene) or resumed(c, scene)}
    done |= _of_one([c for c in loud if id(c) not in done], dead, scene)
    last = dead - done
    done |= {id(c) for c in overruled([c for c in loud if id(c) not in done], scene)}
    unmade = [c for c in loud if id(c) not in done]
    celled = [c for c in unmade if c.says == "exit" or "\t" in (text := c.event.evidence.text) or " | " in text]
    open_rows = [c for c in celled if _row(c, scene)]
    unmade = [c for c in unmade if c not in open_rows] if open_rows else unmade
    done |= _outlived(unmade, [c for c in errors if id(c) in done], scene)
    done |= {id(c) for c in ended_well([c for c in loud if id(c) not in done], scene)}
    done -= last
    done -= {id(c) for c in loud if recurs(c, scene) or ("MAIN" in c.event.said.words and _unhandled(c, scene))}
    done -= {id(c) for c in errors if c.event.said.level in LOUD and id(c) in done and cut_short(c, scene)}
    left = [c for c in loud if id(c) not in done][:_FEW]
    done -= _each_time([c for c in errors if id(c) in done], left, scene)
    ends = [c for c in left if "MAIN" in c.event.said.words]  # what was tried again until then was not got over
    done -= {id(c) for c in errors if id(c) in done and any(raised_from(one, c) for one in ends)}
    done -= {id(c) for c in loud if id(c) in done and any(unserved(one, c, scene) for one in left)}
    done -= {id(c) for c in errors if id(c) in done and any(_missed(one, c, scene) for one in left)}
    done |= {id(c) for c in errors if stepped(c, scene) and of_command(c.event.evidence.text)}
    done |= tidied
    told: dict[Process, list[tuple[int, int]]] = {}
    for one in errors:
        if id(one) in done:
            told.setdefault(process_of(one.event), []).append((one.event.evidence.line, one.count))
    told = {process: sorted(lines) for process, lines in told.items()}
    return done | {id(c) for c in errors if _heads(c, told.get(process_of(c.event), ())) and not _codes(c, scene)}


def _each_time(done: Sequence[Claim], left: Sequence[Claim], scene: Scene) -> set[int]:
    """What a program died of every time that it was started, where nothing is left but the reports of these ends.

    Or once, and nothing went well below, where those are left who waited for it in vain.
    """
    if not left or any(c.says not in ("exit", "echo", "wrap") or c.event.said.kind == "exception" for c in left):
        return set()
    again = [c for c in done if c.count > 1 and "MAIN" in c.event.said.words and not scene.went_on(c)]
    if any(c.says == "wrap" for c in left):
        again = [c for c in done if c.handled and firm(c) and not (scene.went_on(c) or _well_below(c, scene))]
    return {id(c) for c in again if any(c.last < one.latest for one in left) and not accounted(scene.course(c).ends)}


def _row(claim: Claim, scene: Scene) -> bool:
    """Whether a claim is the row of a thing in whose place no other stands below: who prints it does not outlive it."""
    said = verdict(claim.event.evidence.text)
    if said is None or (own := said.row) is None:
        return False
    below = (verdict(text) for line, text in scene.course(claim).ends if line > claim.last)
    return not any(one and one.row and not one.ill and replaced_by(one.row, own) for one in below)


def _well_below(claim: Claim, scene: Scene) -> bool:
    path = claim.event.evidence.path
    return max(scene.success.get(path, 0), scene.progress.get(path, 0)) > claim.last


def _unhandled(claim: Claim, scene: Scene) -> bool:
    """Whether a program died of a claim: no command stands in for it, nor does its last word account for it."""
    course = scene.course(claim)
    return died(claim, scene) and not replaced(claim, course) and not accounted(course.ends)


def _missed(claim: Claim, above: Claim, scene: Scene) -> bool:
    """Whether a claim misses what the one above it could not have, or could not bring."""
    if above.event.evidence.path != claim.event.evidence.path or above.event.evidence.line >= claim.event.evidence.line:
        return False
    left_out = any(way(claim, above, scene) for way in (omitted, unbuilt, uncompiled))
    brought = lacks(claim, above, scene) or commanded(claim, above, scene)
    return left_out or brought or unread(claim, above, scene.progress)


def last_word(errors: Sequence[Claim], loud: Sequence[Claim], scene: Scene) -> list[Claim]:
    """The complaint that a log ends in, where all that was loud in it is only an aside: it is not silent for that.

    `errors`: what is not passed over.
    """
    asides = [c for c in loud if aside(c, scene) and not explains(scene.course(c))]
    above = {c.event.evidence.path: c.event.evidence.line for c in asides}
    last = [c for c in errors if c.says == "raise" and c.last >= scene.course(c).lines]
    return [c for c in last if above.get(c.event.evidence.path, c.last) < c.last and not scene.went_on(c)]


def _outlived(loud: Sequence[Claim], done: Sequence[Claim], scene: Scene) -> set[int]:
    """The claims below which work goes on, where nothing is left that only reports an end."""
    lived = outlived(loud, done, scene)
    told = telling([c for c in loud if c not in lived], scene)
    return {id(c) for c in lived if told is not None and not (told and led_to(c, told, scene))}


def _of_one(loud: Sequence[Claim], dead: Set[int], scene: Scene) -> set[int]:
    """The claims of single items or clients, where others went on, and what is left does not follow from them.

    `dead`: those that a speaker died of, who is no item of what others work through.
    """
    rooms = {path: _rooms(scene.courses[path]) for path in {claim.event.evidence.path for claim in loud}}
    found = {
        id(c): [of for of in rooms[c.event.evidence.path] if not (of is of_series and id(c) in dead) and of(c, scene)]
        for c in loud
    }
    single = [c for c in loud if found[id(c)]]
    told = telling([c for c in loud if not found[id(c)]], scene) if single else None
    if told is None:
        return set()
    sure = [c for c in single if told or set(found[id(c)]) & _SURE or calm_end(scene.course(c))]
    return {id(c) for c in sure if not (told and led_to(c, told, scene))}


_SURE = frozenset({of_client, ended_zero, bettered})
"""What looks at the end of a log itself."""


def _rooms(course: Course) -> list[Callable[[Claim, Scene], bool]]:
    """What may find claims of single things in a log, as far as it is known."""
    known = course.head, course.ends
    rooms: list[tuple[Callable[[Claim, Scene], bool], object]] = [
        (of_series, series(*known)),
        (renewed, losses(*known)),
        (of_drill, begun(course.head)),
        (of_client, many(course)),
        (ended_zero, course.prompts),
        (bettered, mended(course)),
        (searched, sizes(*known)),
    ]
    return [room for room, any_there in rooms if any_there]


def _started_again(claim: Claim, scene: Scene) -> bool:
    """Whether a job was only ended to be started again, and then raises what is its own."""
    below = (one for one in scene.raised if "FRAMED" in one.event.said.words and one.place > claim.place)
    return restarted(claim.event.evidence.text) and any(below)


def _undone(claim: Claim, scene: Scene) -> bool:
    """Whether the program itself handled a failure every time, or called it expected, and went on, or tries again."""
    text = claim.event.fields.get("message") or claim.event.evidence.text
    if _left_off(claim, scene):
        return False
    last = claim.count > 1 and claim.last >= scene.course(claim).lines  # which nobody tries again
    if not last and (tries_on(text) or tried_again(text)):
        return True
    mild = "FRAMED" not in claim.event.said.words and claim.event.said.level != "FATAL"
    if mild and (remedied(text) or (left(text) and _further(claim, scene))):
        return True
    path, first = claim.event.evidence.path, claim.event.evidence.line
    if claim.answered and scene.success.get(path, 0) <= first and not scene.went_on(claim):
        return False  # a server that refuses all that it is asked serves nobody
    return 0 < claim.handled >= claim.count and first < scene.course(claim).lines


def _further(claim: Claim, scene: Scene) -> bool:
    """Whether a log goes on below a claim that speaks of no end, and of no part of the Neuron stack."""
    mild = claim.event.said.level == "WARNING" or "CALM" in claim.event.said.words
    warns = mild and claim.entry is not None and scene.briefs[claim.entry]["general"]
    ill = (claim.layer in STACK and not warns) or claim.says in ("exit", "signal") or claim.event.said.level == "FATAL"
    return not ill and scene.course(claim).lines - claim.last > 1


def _left_off(claim: Claim, scene: Scene) -> bool:
    """Whether a log ends in the word that what raised a traceback is tried again, or in one for who debugs."""
    course = scene.course(claim)
    left = course.lines - claim.latest
    raised = "FRAMED" in claim.event.said.words and claim.says == "raise" and not claim.event.said.level
    if not raised or not course.ends or left > _SOON:
        return False
    last = course.ends[-1][1]
    return strip(last).level == "DEBUG" or (left == 1 and _AGAIN.search(last) is not None)


def _codes(claim: Claim, scene: Scene) -> bool:
    """Whether a claim states a failure itself: by a code of the stack, or as an entry knows it in particular."""
    of_stack = claim.entry is not None and claim.layer in STACK and claim.event.said.level in LOUD
    return of_stack or "BRACKETED" in claim.event.said.words or particular(claim, scene.briefs)


def _heads(claim: Claim, told: Sequence[tuple[int, int]]) -> bool:
    """Whether a claim only heads, each time, what the same process then tells and has survived.

    `told`: in which lines it tells of that, and how often, in their order.
    """
    if claim.says not in ("wrap", "echo", "note"):
        return False
    line = claim.event.evidence.line
    below = told[bisect(told, (line, math.inf)) : bisect(told, (line + _HEADED, math.inf))]
    return any(count >= claim.count for _, count in below)
