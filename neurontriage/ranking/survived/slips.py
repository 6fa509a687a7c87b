"""Slips at a prompt: a command that the shell refuses, or that only looks around in vain, before a program is started.

Whoever types on has seen it. What a program says that did start is no slip, nor is what a command shows of a log.
"""

from __future__ import annotations

import bisect

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought
from neurontriage.model import Course

_SHORT = 4  # lines that a command which finds nothing prints
# What a shell says of a command that it does not start; what a parser of options says of its words.
_SHELL = expression(
    r"-?(?:(?:ba|z|da|k|fi)?sh|Command '[^'\s]{1,80}' not found|command not found)\b|\S{1,80}: command not"
)
_WORDS = Sought(
    r"(?i): error: (?:unrecognized|the following arguments|argument |invalid choice|ambiguous|no such (?:option"
    r"|command))|: can't open file |\b(?:unrecognized|unknown|invalid|illegal|no such) (?:sub)?"
    r"(?:option|command|flag|argument)\b"
    r"|\bmissing (?:file )?operand\b|\boption requires an argument\b|\bunknown (?:shorthand )?flag\b"
)
# Commands that show what others said: it is no complaint of their own.
# fmt: off
_SHOWING = frozenset({
    "cat", "less", "more", "head", "tail", "grep", "egrep", "rg", "dmesg", "journalctl", "logs", "ssh", "tmux",
    "screen", "squeue", "sacct", "systemctl", "describe", "fg", "wait", "watch", "neuron-ls", "neuron-top",
    "neuron-monitor", "type", "events",
})
# fmt: on
# A command that asks for versions and states starts nothing that works.
_ASKS = expression(
    r"(?i)[^;&|]*\s(?:-{0,2}version|-[vVlh]|--help|list|show|freeze|check|info|status|describe|get|-qa|search|config"
    r"|help)(?=\s|$)"
    r"|(?:\S*/)?(?:ldd|nm|file|strings|objdump|readelf|dpkg|rpm|modinfo|ping|nslookup|dig|ss|netstat|lsof|nc|fi_info)\b"
    r"|(?:\S*/)?python[\d.]* -c [\"']import \w+[\"']?\s*$"
)
# What is shown of texts that are no logs: sources, documents, settings, the history of a repository.
_TEXTS = expression(
    r"(?:(?:cat|bat|less|more|head|tail|sed|awk|grep|egrep|rg|diff)\b[^|>]*(?:\.(?:md|rst|py|sh|ya?ml|toml|cfg|ini|cc?|cpp"
    r"|h|rs|go|ipynb)\b|\b(?:README|CHANGE\w*|NEWS|NOTES|LICENSE|Dockerfile|Makefile)\b)[^|>]*"
    r"|git (?:-\S+ )*(?:diff|log|show|blame|grep)\b[^|>]*)(?:\| ?(?:head|tail|less|cat|grep|sed)\b[^|>]*)?$"
)
_NAME = expression(r"[\w./-]+")


def shown(claim: Claim, course: Course) -> bool:
    """Whether a claim stands in a text that a command at a prompt shows, and that is no log."""
    at = _prompt(claim, course)
    ended = 0 <= at < len(course.prompts) - 1 and claim.last < course.prompts[at + 1][0]
    return ended and _TEXTS.match(course.prompts[at][2]) is not None


def _prompt(claim: Claim, course: Course) -> int:
    """Which prompt a claim stands below; -1 where none is above it."""
    return bisect.bisect_right(course.prompts, claim.event.evidence.line, key=lambda one: one[0]) - 1


def slipped(claim: Claim, course: Course) -> bool:
    """Whether a claim is a slip at a prompt below which another program is started."""
    at = _prompt(claim, course)
    if at < 0 or not any(_works(course, place) for place in range(at + 1, len(course.prompts))):
        return False
    line, program, command = course.prompts[at]
    if not any(place > claim.last for place, started, _ in course.prompts[at + 1 :] if started):
        return False
    text = strip(claim.event.evidence.text).payload
    if _SHELL.match(text) or _WORDS.search(text):
        return True
    names = _NAME.findall(command)
    below = course.prompts[at + 1][0] - line - 1
    if program or "FRAMED" in claim.event.said.words:
        return False
    own = any(text.startswith(f"{name}: ") for name in names[:4])
    return own or (below <= _SHORT and _SHOWING.isdisjoint(names))


def _works(course: Course, place: int) -> bool:
    """Whether the command at a prompt starts a program that does something, of which something is seen."""
    line, program, command = course.prompts[place]
    end = course.prompts[place + 1][0] if place + 1 < len(course.prompts) else course.lines + 1
    return bool(program) and end - line > 1 and _ASKS.match(command) is None
