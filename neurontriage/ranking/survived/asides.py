"""Complaints of others than the program: of what is gone already, of lists, of a kernel's start, of who watches."""

from __future__ import annotations

from functools import lru_cache

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.facts.prompts import prompted
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought
from neurontriage.model import Course
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.onward import known_lines

# What is to be ended, unloaded or deleted is not there: so it is as it was to be.
_GONE = Sought(
    r"(?i)^(?:\S*/)?(?:rm|rmdir|unlink|shred): .*: No such file or directory\W*$"
    r"|^(?:\S*/)?p?kill(?:all)?: .*\bno (?:such )?process\b"
    r"|: kill: \(\d+\) - No such process\W*$|^(?:\S*/)?(?:p?kill(?:all)?|\S+): no process found\W*$"
    r"|^(?:\S*/)?umount: .*\bnot (?:mounted|found)\W*$|\brmmod: .*\b(?:is )?not (?:currently )?loaded\W*$"
    r"|\bNo such (?:container|image|network|volume): \S+\W*$|\bcan't find session\b|\bno server running on \S*tmux"
    r"|\(NotFound\): \S+ \"[^\"]{1,100}\" not found\W*$|\bscancel: error: .*\bInvalid job id\b"
)
# What lists or searches leaves out what it may not see.
_LISTS = expression(
    r"(?:\S*/)?(?:find|df|du|lsof|tree|locate|ps|ss|fuser): .*(?:Permission denied|Operation not permitted)\W*$"
)
# What a library asks of its surroundings, to print it or to choose by it, and they do not have.
_PROBES = expression(
    r"(?:fatal|git): not a git repository|which: no \S+ in \(|lspci: (?:Unable|Cannot|pcilib)"
    r"|(?:/\S{1,40}/)?(?:ba|da|z)?sh: (?:line )?(?:\d{1,5}: )?(?:git|hg|hostname|lspci|lscpu|lshw|dmidecode"
    r"|(?:nvidia|rocm|amd|hl|xpu)-smi): (?:command )?not found"
)
# What the daemon for logins says of whoever knocks at a host, and what ldconfig says of each library by the way.
_LOGINS = Sought(
    r"\bsshd(?:-session|-auth)?\[\d{1,8}\]: (?:error: |fatal: )?(?:Invalid user|Connection (?:closed|reset)|kex_"
    r"|[Mm]aximum authentication|Failed (?:password|publickey|none)|Disconnect|Received disconnect|Unable to negotiate"
    r"|banner exchange|pam_|PAM|ssh_dispatch_run_fatal|Timeout before auth|Bad (?:protocol|packet)|drop connection"
    r"|reverse mapping|Protocol major|Could not get shadow|Did not receive|userauth|beginning MaxStartups)"
)
_BY_THE_WAY = Sought(
    r"^(?:\S*/)?ldconfig(?:\.real)?: .*\b(?:not a symbolic link|empty, not checked|given more than once"
    r"|wrong ELF class|not an ELF file)"
    r"|^remote: (?:warning: |hint: |GitHub found \d)"  # what refuses a push, as git tells of it, is `remote: error: `
)
# What heads a list of warnings, and an item of a list.
_WARNS = expression(r"(?i)\W{0,4}(?:[\w.-]{1,40}: )?(?:\d{1,6} )?(?:[a-z]+ ){0,2}warnings?\b[^:\n]{0,80}:$")
_ITEM = expression(r"\s*(?:[-*•·–+]|\(?\d{1,4}[.)]) +\S")
# Where it is only watched what a program does.
_WATCHED = Sought(
    r"(?i)\b(?:metrics?|telemetry|tracing|traces?|spans?|otlp|usage(?: stat\w+)?) (?:endpoint|exporter|server|collector"
    r"|backend|reporter|reporting|agent|push|gateway)\b[^:]{0,60}"
    r"\b(?:unreachable|failed|refused|could not|unable|unavailable|timed out)\b"
)
# The first seconds of a kernel: what its parts lack then, it goes without.
_BOOT = expression(
    r"(?:\w{3} [ \d]\d [\d:]{8} \S+ kernel: )?\[ {1,5}\d{1,2}\.\d{6}\] "
    r"(?!neuron|nd\d|Kernel panic|BUG|Oops|Out of mem|---)"
)
# What a program says of its use, and what one says that was not used so.
_USAGE = expression(r"(?i)usage: \S")
_MISUSED = Sought(r"(?i)\berror: |\btry [`'\"]?\S+ (?:--help|-h)\b")


def explains(course: Course) -> bool:
    """Whether a log is the text of usage of a program, that somebody asked for."""
    return 0 < course.lines <= _of_usage(course.head)


@lru_cache(maxsize=8)
def _of_usage(head: str) -> int:
    """How many lines the beginning of a log has, if it is a text of usage; else 0."""
    lines = head.splitlines()
    first = next((text for text in lines if text.strip() and not prompted(text)), "")
    return len(lines) if _USAGE.match(first) is not None and not _MISUSED.search(head) else 0


def aside(claim: Claim, scene: Scene) -> bool:
    """Whether a claim is such a complaint, and its log goes on below."""
    text = claim.event.evidence.text
    if explains(scene.course(claim)) or _of_others(text) or _warned(claim, scene.course(claim)):
        return True
    if claim.last >= scene.course(claim).lines or "FRAMED" in claim.event.said.words:
        return False
    if not particular(claim, scene.briefs) and _BOOT.match(text):
        return True
    payload = strip(text).payload
    if any(one is not None for one in (_GONE.search(payload), _LISTS.match(payload), _WATCHED.search(payload))):
        return True
    return _PROBES.match(payload) is not None and not any(_ends(one, claim) for one in scene.errors)


def _ends(claim: Claim, above: Claim) -> bool:
    """Whether a claim reports, below another one of its log, how a command ended."""
    here, there = claim.event.evidence, above.event.evidence
    return here.path == there.path and here.line > there.line and "EXIT" in claim.event.said.words


def _of_others(text: str) -> bool:
    if "sshd" in text and _LOGINS.search(text):
        return True
    return ("ldconfig" in text or "remote: " in text) and _BY_THE_WAY.search(strip(text).payload) is not None


def _warned(claim: Claim, course: Course) -> bool:
    """Whether a claim is an item of a list that its head calls one of warnings."""
    if not _ITEM.match(claim.event.evidence.text) or "FRAMED" in claim.event.said.words:
        return False
    known = known_lines(course.head, course.ends)
    line = claim.event.evidence.line - 1
    while _ITEM.match(known.get(line, "")):
        line -= 1
    return _WARNS.match(known.get(line, "")) is not None
