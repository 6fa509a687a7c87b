"""A server that was asked to stop, and stops: nobody failed. A run that counts its steps to an end was interrupted."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.claims.tries import gives_up
from neurontriage.lines.words import Sought
from neurontriage.model import Course
from neurontriage.ranking.features import Scene
from neurontriage.ranking.survived.steps_below import rises

_ANSWER, _SOME = Sought(r"\b(?:GET|POST|PUT) /\S{0,200}\"? (?:HTTP/[\d.]+\"? )?20\d\b"), 3
_ABOVE = 3  # lines between a status and what a manager makes of it
# What says that a process was asked to end, and the status that it then has.
_TERM = Sought(
    r"\bSIG(?:TERM|INT)\b|[Ss]ignal:? \(?(?:15|2)\b|\bsignal: term\b"
    r"|\b(?:code|status)[ :=]{1,3}(?:143|130|-15|-2)\b|=15/TERM|(?:^|\s)Terminated\W*$"
    r"|(?i:\b(?:due to|because of|on|by) (?:an? |the )?(?:administrator|operator|admin)(?:'s)? (?:command|request)\b)"
    r"|(?i:\b(?:due to|because of) (?:an? |the )?(?:\w+ )?shut ?down\b)"
)
# Who asks: systemd, Docker, Kubernetes, a person at the keyboard, the master of a server's workers.
_ASKED = Sought(
    r"\bsystemd(?:\[1\])?: Stopping \S|"
    r"\bCOMMAND=(?:/usr)?(?:/s?bin/)?(?:systemctl|service|p?kill)\b.{0,40}\b(?:re-?start|stop|kill)"
    r"|\^C|(?i:\bgracefully stopping)|\b[Hh]andling signal: (?:term|int|quit)\b"
    r"|\bindicating exit request\b|\bSIG(?:TERM|INT) received, (?:shutting|stopping)\b"
    r"|\bShutdown confirmed\b|\bStopping container \S"
    r"|(?i:\b(?:received|got|on) (?:an? )?(?:\w+ )?(?:shutdown|stop|termination|quit|exit)"
    r" (?:request|signal|command)\b)"
)
# What a server says that has done its last work.
_CLOSED = Sought(
    r"(?i)\b(?:shut ?down|stop|exit|terminat(?:ion|ed)) (?:is )?(?:complete|gracefully|cleanly)|\bgraceful(?:ly)?\b"
    r"|\b(?:server|system|service|daemon|broker) (?:is |has )?(?:stopped|closed|shut down)\b"
    r"|\b(?:all|no) (?:\w+ )?(?:models|requests|connections"
    r"|clients|workers) (?:are |were |have )?(?:stopped|drained|done|closed|left|unloaded|pending)\b"
    r"|\bdeactivated successfully\b|\bdrained\b"
    r"|\bsystemd(?:\[1\])?: Stopped \S|\bfinished server process\b|\bShutting down: Master\b|\bgood ?bye\b|\bbye\b"
)
_ILL = Sought(
    r"(?i)\b(?:\w*error|\w*exception|traceback|fatal|fail\w*|timed? ?out|SIGKILL|kill(?:ing|ed)?|core dumped|oom"
    r"|panic|abort\w*|cannot|could not|unable|lost|segfault)\b"
)
# Who does not end in time is ended by force.
_FORCED = Sought(r"^[\w.-]{1,80} exited with code 137\b")
# What is still under way is broken off by who stops.
_BREAKS_OFF = Sought(r"(?i)\b(?:abort|cancel|kill|clos|terminat)\w* (?:all|any|other|the) (?:\w+ ){0,3}\w+s\W*$")
_OF_STATUS = Sought(r"\bFailed with result '(?:exit-code|signal)'")


_OF_END = (_TERM, _OF_STATUS, _BREAKS_OFF)


def leaves(claim: Claim, scene: Scene) -> bool:
    """Whether a claim is part of an end in order: somebody asked for it, or the server says that it is done."""
    course, line = scene.course(claim), claim.event.evidence.line
    if claim.event.evidence.path in scene.progress and not (
        _TERM.search(claim.event.evidence.text) and _serves(course)
    ):
        return False
    if rises([text for _, text in course.ends]):
        return False
    asked = next((at for at, text in course.ends if at <= line and _ASKED.search(text)), None)
    if not _ends(claim, course) and (asked is None or not _of_part(claim, course)):
        return False
    begin = line if asked is None else asked
    rest = [text for at, text in course.ends if at >= begin]
    if any(gives_up(text) for at, text in course.ends if asked is None or at >= begin):
        return False
    if any(_ILL.search(text) and not any(one.search(text) for one in _OF_END) for text in rest):
        return False
    near = (text for at, text in course.ends if at >= line - _ABOVE and at != line)
    return bool(rest) and (asked is not None or any(map(_CLOSED.search, near)))


def _serves(course: Course) -> bool:
    """Whether requests are answered, which have numbers, too, but no end that they go to."""
    return sum(_ANSWER.search(text) is not None for _, text in course.ends) >= _SOME


def _ends(claim: Claim, course: Course) -> bool:
    """Whether a claim says that a process was asked to end, or is what its manager makes of its status."""
    text, line = claim.event.evidence.text, claim.event.evidence.line
    if _TERM.search(text):
        return True
    above = (one for at, one in course.ends if line - _ABOVE <= at < line)
    return _OF_STATUS.search(text) is not None and any(map(_TERM.search, above))


def _of_part(claim: Claim, course: Course) -> bool:
    """Whether a claim is of a part of what was asked to stop: ended by force, or before the whole is done."""
    if _FORCED.search(claim.event.evidence.text):
        return True
    done = any(at > claim.last and _CLOSED.search(text) for at, text in course.ends)
    return done and (claim.says in ("exit", "signal") or _BREAKS_OFF.search(claim.event.evidence.text) is not None)
