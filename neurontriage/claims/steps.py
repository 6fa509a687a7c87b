"""Units of work in a log that end for themselves: steps of a build, tests by number, pods, variants that are tried.

Whatever failed in a unit is none of the run where the log says that the unit ended well.
"""

from __future__ import annotations

from neurontriage.expressions import expression
from neurontriage.lines.digits import by_form
from neurontriage.lines.words import Sought
from neurontriage.model import Event

STEP = "step:"
"""What the name of a unit begins with."""
STEP_ENDED = "step-ended"
"""The kind of an event that says that a unit ended well."""
OWN_KILL = "own-kill"
"""The kind of an event that shows a script ending processes that it started."""
_LONGEST = 400
_ITEMS = f"{STEP}items"
_TRACED = 40  # lines of a traceback below the item that it is of
# The events of a pod before its container runs: what is tried again until it starts, and warnings that end nothing.
_STARTING = expression(
    r"Failed(?:Scheduling|Mount|AttachVolume|CreatePodSandBox)\b"
    r"|(?:Failed|BackOff|ErrImagePull|ImagePullBackOff)\b.*(?:\bpull|ErrImagePull|ImagePull)"
    r"|(?:^|\s)Warning +(?!Failed\b|BackOff|Unhealthy|Evict)(?!\w{0,40}(?:Kill|Exceeded|Crash|Error))[A-Z]\w{2,40} +\S"
)
_OBJECT = expression(r"\b(?:pod|job|statefulset|deployment|daemonset)s?/[\w.-]{1,80}|\b[\w-]{1,80}\.[0-9a-f]{12,20}\b")
_OF_ONE = expression(r"\s*(?:Normal|Warning) +\w")
_KILL = expression(r"(?:^|[\s;&])kill(?: -\w+){0,2}((?: \d{1,9}){1,20})\s*$")
_KILLED = expression(r": line \d{1,6}: +(\d{1,9}) (?:Killed|Terminated|Hangup|Interrupt|Quit)\b")
_STARTED = expression(r"\bNormal +(?:Pulled|Started)\b")
_BUILD = expression(r"(?:\S{1,40} )?#(\d{1,4}) (?!\[|DONE|CACHED|ERROR|CANCELED)")
_BUILT = expression(r"(?:\S{1,40} )?#(\d{1,4}) (?:DONE \d|CACHED\b)")
_TEST = expression(r"(?:\S{1,40} )?(\d{1,4}): ")
_TESTED = expression(r"\s*\d{1,4}/\d{1,4} Test +#(\d{1,4}): \S.* Passed\b")
# One of several that are tried, with its number; whether any of them is good is said when all were.
_ITEM = expression(
    r"(?:\[[A-Z] [^\]]{1,40}\] )?(?:\[\d{1,4}(?:/\d{1,4})?\] \S"
    r"|(?i:(?:trial|variant|candidate|config(?:uration)?|layout|combination) #?\w{1,4}\b)"
    r".{0,60}\b(?i:fail|error|skip|abort|invalid|not supported))"
)
_CHOSEN = Sought(
    r"(?i)^best ?[:=] ?\S"
    r"|\bbest (?:is )?(?:trial|variant|candidate|config(?:uration)?|layout|kernel|combination|schedule)\b"
    r"|\b[1-9]\d* of \d+ (?:trials|variants|candidates|config(?:uration)?s|layouts|kernels|combinations) "
    r"(?:are )?(?:usable|valid|ok|complete|completed|built|compiled)\b"
)


def ended(text: str) -> str:
    """The unit that a line says has ended well; "" for any other line."""
    text = text[:_LONGEST]
    if built := _BUILT.match(text):
        return f"{STEP}#{built[1]}"
    if tested := _TESTED.match(text):
        return f"{STEP}{tested[1]}:"
    if _STARTED.search(text):
        return _pod(text)
    return _ITEMS if chosen(text) else ""


def chosen(text: str) -> bool:
    """Whether a line says which of all that were tried is the best, or how many of them are good."""
    return _CHOSEN.search(text) is not None


def kills(text: str) -> list[str]:
    """The processes, by number, that a command which a script or a person runs ends itself."""
    found = _KILL.search(text) if "kill " in text else None
    return found[1].split() if found else []


def killed(text: str) -> str:
    """The process, by number, that a shell says was ended by a signal; "" where it says so of none."""
    found = _KILLED.search(text[:_LONGEST]) if "line" in text else None
    return found[1] if found else ""


class Steps:
    """The units that lines of one process belong to, line by line."""

    def __init__(self) -> None:
        self._item = -_TRACED

    def of(self, event: Event) -> str:
        """The unit of a failure; "" where it is of none."""
        line = event.evidence.line
        if (named := unit(event.evidence.text)) == _ITEMS:
            self._item = line
        elif not named and "FRAMED" in event.said.words and line <= self._item + _TRACED:
            return _ITEMS
        return named


def unit(text: str) -> str:
    """The unit that a line names; "" if it names none."""
    return _unit(text) if _of_unit(text) else ""


@by_form(1024)
def _of_unit(text: str) -> bool:
    return _unit(text) != ""


def _unit(text: str) -> str:
    text = text[:_LONGEST]
    if built := _BUILD.match(text):
        return f"{STEP}#{built[1]}"
    if tested := _TEST.match(text):
        return f"{STEP}{tested[1]}:"
    if _STARTING.search(text):
        return _pod(text)
    return _ITEMS if _ITEM.match(text) else ""


def _pod(text: str) -> str:
    """The pod that an event is of; the described one where each event begins with its type; "" if it is not named."""
    if named := _OBJECT.search(text):
        return STEP + named[0]
    return f"{STEP}pod" if _OF_ONE.match(text) else ""
