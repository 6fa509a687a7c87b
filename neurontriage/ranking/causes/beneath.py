"""What the kernel or the loader says right above a program's failure: the ground gave way, and the program stumbled.

They know nothing of the program. A device that does not answer, a file system that lost its disk, a module or library
that could not be linked shows in the program as a status, a missing device, an empty answer or a signal.
"""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.words import Sought
from neurontriage.ranking.causes.stumbled import empty
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.statements import fails
from neurontriage.ranking.things import things

_NEAR, _SOON = 24, 120.0  # lines, and seconds where both are known
_KERNEL = Sought(
    r"^(?:<\d>)?\[ *\d+\.\d{6}\] |[\s:|>\])]\[ *\d{1,7}\.\d{6}\] |^\[\w{3} \w{3} +\d+ [\d:]{8} \d{4}\] |\bkernel: "
)
_SPOKEN = Sought(r"\] [\w.-]+\[\d+\]: ")  # by others than the kernel, in its log
# What is lost to every program.
_BROKEN = Sought(
    r"(?i)I/O error\b|\bnot ready\b|\btime(?:d )?[- ]?out\b|\bnot responding\b|\bhasn't completed\b|\breset triggered\b"
    r"|\buncorrect\w*|\bfatal\b|\bcsum\b|\bcorrupt\w*|\bECC\b|\b[UC]E memory\b|\bmemory failure\b|\bfault(?:ing)?\b"
    r"|\bhardware (?:memory )?(?:error|corruption|failure)\b|\bpage allocation failure\b|\bfs error\b|\bread-only\b"
    r"|\bevicted\b|\blink (?:is )?(?:down|lost)\b|\boffline\b|\bfell off\b|\bsurprise (?:down|removal)\b"
    r"|\btable (?:is )?(?:full|overflow), dropping|\bneighbou?r table overflow\b"
    r"|\bno such device\b|\bunknown symbol\b|\bversion of symbol\b|\brejected\b|apparmor=\"DENIED|avc: +denied"
)
_FATAL = Sought(
    r"(?i)(?:^|[^-\w])fatal\b|\buncorrectable\b|\bfell off the bus\b|\brecovery (?:failed|impossible)\b"
    r"|\bsurprise removal\b"
)
# The kernel tells of what a process did, or became of it.
_OF_PROCESS = Sought(
    r"(?i)\bsegfault at\b|\btraps:|general protection|\boom[-_]|Killed process|Out of memory|blocked for more than"
    r"|potentially unexpected fatal signal|split lock"
)
# The kernel says which process it ended; how others tell of such an end.
_ENDED = Sought(r"Killed process (?P<oom>\d+) \(|\w\[(?P<fault>\d+)\]:? segfault at")
_END = Sought(
    r"SIG(?:KILL|SEGV)\b|[Ss]ignal:? ?(?:9|11)\b|\b(?:137|139)\b|[^\w.]-(?:9|11)\b|[Kk]illed\b|[Ss]egmentation fault"
)
# Printed because something failed: who holds or uses it, so that it cannot be reset, unloaded or taken.
_HOLDS = Sought(
    r"(?i)\b(?:is|are|still|target|device)(?: currently)? (?:in use|busy|held|owned)\b|\b(?:in use|held) by\b"
    r"|\bhold(?:s|ers?)\b|\bhave open files\b|\b(?:users?|pids?|processes)\b.{0,40}\b(?:release|using|open)\b"
    r"|\bowned by (?:pid|process)\b"
)
_NUMBER = expression(r"\d+")
_ABOVE = frozenset({"runtime", "collectives", "host"})
# What is wrong in the program itself.
_OWN = frozenset(
    {"ImportError", "ModuleNotFoundError", "SyntaxError", "NameError", "AttributeError", "TypeError", "KeyError"}
    | {"IndexError", "ValueError", "UnboundLocalError", "IndentationError", "NotImplementedError"}
)


def beneath(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether a program failed right below what the kernel says has failed under it."""
    known = particular(likely, scene.briefs) and likely.layer not in _ABOVE
    known = known and not (of_kernel(likely) and _HOLDS.search(likely.event.evidence.text))
    return not known and gave_way(likely, claim)


def gave_way(likely: Claim, claim: Claim) -> bool:
    """Whether the kernel says that something failed, and soon below it a program does."""
    one, other = claim.event.evidence, likely.event.evidence
    if one.path != other.path or not 0 < other.line - one.line <= _NEAR or not of_kernel(claim):
        return False
    if of_kernel(likely) and not (_HOLDS.search(other.text) or (fatal(claim) and not fatal(likely))):
        return False
    if claim.time and likely.time and not 0 <= likely.time - claim.time <= _SOON:
        return False
    if _ended(one.text, other.text):
        return True
    if not (fails(likely) or of_kernel(likely)) or claim.event.said.words & {"CALM", "ZERO"}:
        return False
    if not _BROKEN.search(one.text) or _OF_PROCESS.search(one.text):
        return False
    own = likely.event.fields.get("exception", "").rpartition(".")[2] in _OWN
    return not own or empty(likely) or not things(claim).isdisjoint(things(likely))


def _ended(told: str, text: str) -> bool:
    """Whether the kernel told that it ended a process, and a text below names that one, or tells of such an end."""
    found = _ENDED.search(told)
    process = found["oom"] or found["fault"] if found else ""
    return bool(process) and (process in _NUMBER.findall(text) or _END.search(text) is not None)


def fatal(claim: Claim) -> bool:
    """Whether the kernel itself calls a fault of a device fatal."""
    calm = claim.event.said.words & {"CALM", "ZERO", "QUOTATION", "SUCCESS"}
    return not calm and _FATAL.search(claim.event.evidence.text) is not None and of_kernel(claim)


def ends(claim: Claim) -> bool:
    """Whether a claim tells that a process was killed, or faulted."""
    return _END.search(claim.event.evidence.text) is not None


def of_kernel(claim: Claim) -> bool:
    """Whether a line is the kernel's."""
    text = claim.event.evidence.text
    return claim.event.process == "kernel" or (_KERNEL.search(text) is not None and not _SPOKEN.search(text))
