"""The status with which something ended, in any of the ways in which tools print it: a number beside a word."""

from __future__ import annotations

from neurontriage.expressions import expression
from neurontriage.lines.words import Sought

_ASKED = frozenset({0, -2, -15, 130, 143})
"""Statuses of what ended well, or was asked to end by SIGINT or SIGTERM."""
# What tells of an end, and its status.
_EXIT = Sought(
    r"(?i)(?<![\w.|&{-])(?<!; )(?:[a-z]+_)?(?:exit(?:ed|ing|s)?(?:[ _-]?(?:code|status|value))?"
    r"|return(?:ed)?[ _-]?(?:code|status|value)|rc|ret(?:val|code))"
    r"(?:[ \"']{1,4}(?:exit|status|code|with|non-zero|value)){0,4}"
    r"[\"']?[\s:=(\"']{1,20}(?P<status>-?\d{1,3})(?::\d{1,3})?(?=[\s).,;:'\"|}]|$)",
    expression,
)
# How something ended, in other words, with a bare number.
_ENDED = Sought(
    r"(?i)\b(?:end(?:ed|s|ing)|finish(?:ed|es|ing)|quit(?:s|ting)?|leav(?:es|ing)|left|stop(?:s|ped|ping)|terminated|terminating|died"
    r"|closed|closing|gone)(?: early)?"
    r"(?:,? (?:with|as) (?:(?:a |exit )?(?:status|code|rc) )?|,? \(?(?:status|code|rc)[ =:]{1,2})"
    r"(?P<status>-?\d{1,3})\W*$"
    r"|\b(?:leaving|returning|returns?) (?:(?:status|code|rc) )?(?P<left>-?\d{1,3})"
    r" to (?:the )?(?:caller|shell|parent|system|os)\W*$"
    r"|,? \b(?:leaving|returning)(?: with)?(?: status| code| rc)? (?P<bare>-?\d{1,3})\W*$",
    expression,
)
# A line that tells nothing else, of whom it may name; of HTTP those below 256 are well.
_ALONE = Sought(
    r"(?i)^(?!(?:https?|response|job|pod|\S*task)\b)(?:\[?[\w./-]{1,40}(?:\]:?|:) |xargs |exit ){0,2}"
    r"status:? (?P<status>(?!20[0-6]\b)(?:\d{1,2}|1\d\d|2[0-4]\d|25[0-5]))\W*$",
    expression,
)
# An error of the kernel, with its number, as drivers and what calls them print it.
_ERROR = Sought(
    r"(?i)(?<![\w.-])(?:ret|err(?:or|no)?|rc)(?: ?= ?|: ?| )\(?-(?:[1-9]\d?|1[0-3]\d)(?![\w.%])|\(-[1-9]\d{0,2}\)\W*$",
    expression,
)
# systemd, of a process of a unit.
_UNIT = Sought(
    r"\bcode=(?P<how>exited|killed|dumped), status=(?P<status>\d{1,3})/|\bexited, status=(?P<alone>\d{1,3})/"
)
# That of a test which wants it so.
_EXPECTED = Sought(r"(?i)[ =:](?P<status>\d{1,3}) \(expected (?P<expected>\d{1,3})\)", expression)
_NO_EXIT = expression(r"(?i)\bif\b|[{;&|]{2}|; ?then")
_ASKS_STATUS = expression(r"(?:\S{1,80}[$#>%]|\S{1,80} \S{1,80}[$#]|\$|\+) ?echo \"?\$\?\"?\s*$")


def status(said: str) -> bool | None:
    """Whether something ended with a status that tells a failure; None where a line tells none."""
    if _NO_EXIT.search(said):
        return None
    if (asked := _EXPECTED.search(said)) and asked["status"] == asked["expected"]:
        return False
    if (unit := _UNIT.search(said)) and (unit["how"] or "exited") == "exited":
        return int(unit["status"] or unit["alone"]) != 0
    found = [*_EXIT.finditer(said), *_ENDED.finditer(said), *_ALONE.finditer(said)]
    if not found:
        return True if _ERROR.search(said) else None
    statuses = {int(next(filter(None, one.groups()))) for one in found}
    return None if statuses & _ASKED - {0} else statuses != {0}


def status_asked(text: str) -> bool:
    """Whether a line is a command at a prompt that prints the status of the one before."""
    return "$?" in text and _ASKS_STATUS.match(text) is not None
