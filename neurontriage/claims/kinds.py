"""Which kind a line is, as the tokens of grammars/record.lark: by its family's grammar first, then by its shape."""

from __future__ import annotations

from typing import NamedTuple

from neurontriage.claims.commands import complains
from neurontriage.expressions import expression
from neurontriage.facts.prompts import prompted
from neurontriage.lines.digits import by_form
from neurontriage.lines.levels import CALM
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought
from neurontriage.model import Event, Line

# Structure of a traceback: passed on at once, and kept for the record that it belongs to.
STRUCTURE = {
    "header": "TRACE",
    "frame": "FRAME",
    "chained": "LINK",
    "caused": "LINK",
    "ignored": "IGNORED",
    "lost": "LOST",
}
MESSAGE = frozenset({"TEXT", "SAID", "NAMED", "WHAT", "HEADING"})
# What an exception's message may hold in the words of another grammar.
_INSIDE = frozenset({"check", "assertion", "symbol", "space"})
PROSE = frozenset({"follow", "text"})

_BARE_MESSAGE = 40
# A frame of faulthandler, below whose last one no exception stands.
_DUMPED = expression(r'\s*File "[^"\n]{1,300}", line \d{1,7} in \S')
_MARKS, _MARK = "]|:)>", expression(r"\S{1,60} {0,2}[\]|:)>]$")  # a name with a sign, as it stands in front of lines
_BARE = frozenset({("nrt", "failure"), ("neuronx_cc", "code"), ("neuronx_cc", "tensorizer"), ("pjrt", "run")})
_TASK = ("plain", "task")  # of Ansible, which lists the output of the task below
_BLOCKS = frozenset({("neuronx_cc", "bir")})
_OWN_FORM = frozenset({"exception", "frame", "rule"})
# At the margin, or below an indented traceback, where only a name of several parts is told from source.
_NAME = expression(
    r"(?!Finished: [A-Z_]+$|(?:Message|Arguments): )[A-Za-z_][\w.$]*(?:: .*)?$|\s+(?:[a-z_]\w*\.)+[A-Z]\w*: \S"
)
# Whoever ran a command says that it ended with a status other than 0.
_EXITED = expression(
    r"(?:(?:\[[\w .-]{1,30}\] )?(?:exit|exited with|exited with exit)(?: code| status)?:?|(?:rc|returncode|exitcode) ?="
    r"|\+ exit|(?:##\[error\]|Error: )?Process completed with exit code|script returned exit code"
    r"|command terminated with exit code|Command exited with non-zero status"
    r"|g?make(?:\[\d+\])?: \*\*\* \[[^\]\n]{1,200}\] Error"
    r"|srun: error: \S{1,80}: tasks? [\d,-]{1,20}: Exited with exit code|[\w.-]{1,80}-\d{1,5} exited with code"
    r"|ERROR: Job failed: exit (?:code|status)|[\w./-]{1,80}: exit(?:ed with)? (?:code|status)"
    r"|error: Recipe `[^`\n]{1,80}` failed (?:on line \d+ )?with exit code) ?[1-9]\d{0,2}\.?\s*$"
    r"|Finished: FAILURE\s*$|Build step '[^'\n]{1,80}' marked build as failure\s*$"
    r"|CallStack \(from HasCallStack\):\s*$|\s{4}while executing\s*$"  # Haskell, Tcl: what was raised stands above
    r"|Cleaning up project directory and file based variables\s*$"
    r"|[WE]\d{4} [\d:.]{8,18} \d{1,8} (?:\S{0,80}/)?torch/distributed/elastic/multiprocessing/api\.py:\d{1,5}\] "
    r"(?:failed \(exitcode: [1-9]|Sending process \d)"
)
# What a script, a shell or a loop says between its steps, and a client of Weights & Biases: lines with a form of their
# own, none of which goes on with the message of an exception.
_BETWEEN = expression(
    r"(?:-{3}|={3}|\*{3,5}) ?\w.{0,200} (?:-{3}|={3}|\*{3,5})\s*$|wandb: |\[ {0,4}\d{1,6}\.\d{1,6} ?m?s\] "
    r"|(?:\[[\w .-]{1,30}\] )?(?:(?i:decreas|reduc|lower|halv|retry|skipp|continu|resum|restart))ing\b"
    r"|(?:\[[\w .-]{1,30}\] )?(?:exit(?:ed)?(?: with)?(?: ?code| status)?|rc|returncode)[ :=]{1,3}\d{1,3}\W*$"
    r"|\{\".{0,2000}\}\s*$|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w{3} +\d{1,2} \d\d:|(?:real|user|sys)\s+\d{1,5}m"
    r"|(?:step|epoch|iteration)[ :=]{1,2}\d{1,9}\b|\S{1,200}: line \d{1,6}: |job \d{1,12} (?:state|done|failed|ended)\b"
    r"|Fatal Python error: "
    r"|\s{0,12}(?:help|hint|note): |[a-z]\w{1,40}=\S{1,80}(?: \w{1,8})?\s*$|(?i:done|finished|all done|bye)\W*$"
)
_LOST = expression(r"(?:Task|Future) exception was never retrieved\s*$")  # also behind a header that stays
_ITEM = expression(r"\s*\d{1,3}: \S")
# A launcher prints the log of what it ran below its own words; lines of it, and those that only inform.
_LOG = expression(r"(?:[\w.-]{1,40}: ){1,4}printing \w{1,40} log file:\s*$")
_LOGGED = expression(r"(?:[\w.-]{1,40}: ){1,4} {2,}(?:\[(?P<mild>INFO|WARN(?:ING)?|DEBUG)\])?")
_SOURCE = expression(
    r"\s*(?:-*>\s*)?(?:\d+\s+)?(?:raise [A-Za-z]|assert [\w(]|warnings?\.warn\(|log(?:ger|ging)?\.\w+\()"
)
# What a loop says of the item that failed, below the traceback; the next command of a script, or typed in Python.
_ASIDE = expression(r"\s*(?:->|=>) \w|\+ [\w./]|>>> |In \[\d{1,6}\]: ")
_INNER = expression(r"\s*(?:Original|Inner|Nested|Remote) Traceback \(most|Traceback of TorchScript,")
# Says where, or of which class; why it failed stands below it.
_HEAD = Sought(
    r"panicked at [^\n]*:\d+:\d+:$|^terminate called after throwing|=== BIR verification failed ===$"
    r"|(?:Check failed|Non-OK-status): \S*$|^Exception in thread \""
)
_STATUS = "Status: "
"""How the reason begins below the head of a failed check of absl."""
_STATED = Sought(r"\bpanic(?: serving \S+)?:|Segmentation fault|\bSIG(?:SEGV|ABRT|BUS)\b")
_SHAPES = expression(
    r"\s*(?:(?P<STACK>\*+ Begin stack trace \*+|stack backtrace:$)|(?P<STACK_END>\*+ End stack trace \*+)"
    r"|(?P<CAUSES>Caused by:\s*$)|(?P<CAUSED_BY>Caused by:|---> (?:\w+\.)+\w+: |(?:├|╰)─▶ \S)"
    r"|(?P<AT>at (?:async |new )?[\w.$<>/@`\[\]+-]+(?: ?\(|:\d|$)|\.\.\. \d+ (?:more|common frames omitted)"
    r"|\w[\w']*, called at \S+:\d+:\d+ in |from \S+:\d+:in [`']"
    r"|\d+# \S|(?:PC: )?@ +0x[0-9a-f]{4,} |#\d+ +(?:0x|\w[\w:]* ?\()|goroutine \d+ \[|/\S+\.go:\d+"
    r"|(?:panic|[\w./*()-]{1,200}\.\w{1,80})\((?:0x|\.\.\.|\{|\)$))"
    r"|(?P<POINTS>--> \S{1,200}:\d+:\d+\s*$)|(?P<RULE>[=*~_#+-]{4,}$|--- End of (?:inner exception )?stack trace)"
    r"|(?P<CODE>[~^][~^ ]*(?:<--- HERE)?$"
    r"|[\w./-]{1,200}\.py:\d{1,6}: (?:\w{1,60}\.)*\w{1,60}(?:Error|Exception|Exit|Failed)$))"  # where pytest ended
)


def kind_of(event: Event, payload: str, below: str) -> str:
    """The kind of a line; `below`: the kind of the line directly above it in the same process, "" without one."""
    if "Traceback" in payload and _INNER.match(payload):
        return "INNER"
    if event.family == "python" and event.kind == "frame":
        return "AT" if _DUMPED.match(payload) else "FRAME"
    if below == "FRAME" and event.family in PROSE and payload[:1].isspace():
        return "CODE"
    form = _form(payload)
    if form.exited:
        return "EXITED"
    if "was never retrieved" in payload and _LOST.search(payload):
        return "LOST"
    if event.family != "python" and (kind := _listed(payload, below)):
        return kind
    if event.family == "python" or ("exception" in event.fields and event.kind in _INSIDE):
        said = event.fields.get("message", "") not in ("", payload.strip()) and not payload.rstrip().endswith(":")
        return STRUCTURE.get(event.kind, "RAISED" if said else "BARE")
    if (event.family, event.kind) == ("plain", "what") or (below == "HEAD" and payload.startswith(_STATUS)):
        return "WHAT"
    if form.source:
        return "CODE"
    return _stating(event, payload, form) or _prose(event, form)


class _Form(NamedTuple):
    """What a payload alone shows. `says`: what it is in prose, by its words; None where the event decides."""

    exited: bool
    source: bool
    shape: str
    says: str | None
    named: bool
    stated: bool
    head: bool


@by_form(1024)
def _form(payload: str) -> _Form:
    """Logs repeat themselves: what a text shows is remembered, and zero is the only number that counts."""
    shape = _SHAPES.match(payload)
    aside = not payload.strip() or prompted(payload) or _ASIDE.match(payload) is not None or complains(payload)
    says = "" if aside else "LINE" if _BETWEEN.match(payload) else None
    exited, source = _EXITED.match(payload) is not None, _SOURCE.match(payload) is not None
    named, stated = _NAME.match(payload) is not None, _STATED.search(payload) is not None
    kind = (shape.lastgroup or "TEXT") if shape else ""
    return _Form(exited, source, kind, says, named, stated, _HEAD.search(payload.rstrip()) is not None)


def _stating(event: Event, payload: str, form: _Form) -> str:
    """The kind of a line by its shape, or by how it states a failure; "" of all others."""
    if event.family in PROSE and form.shape:
        return form.shape
    if event.said.level in CALM:
        return ""
    return "STATED" if form.stated else _head(event, payload.rstrip(), form.head)


def _prose(event: Event, form: _Form) -> str:
    if event.family not in PROSE or form.says == "":
        return "ERROR" if (event.family, event.kind) == ("plain", "error") else "LINE"
    if form.says is not None:
        return form.says
    if event.said.level or event.said.kind in _OWN_FORM:
        return "SAID"
    return "NAMED" if form.named and "QUOTATION" not in event.said.words else "TEXT"


def printed(payload: str) -> bool:
    """Whether a launcher says that it prints the log of what it ran below."""
    return _LOG.match(payload) is not None


def _listed(payload: str, below: str) -> str:
    """The kind of a line of a list of causes or of a log that a launcher prints; "" of all others.

    The first cause of a list has any form, the others their numbers; a line that only informs is none.
    """
    if "log file:" in payload and printed(payload):
        return "CAUSES"
    if below not in ("CAUSES", "ITEM"):
        return ""
    logged = _LOGGED.match(payload)
    if logged and logged["mild"]:
        return "CAUSES"
    first = below == "CAUSES" and not payload.isspace()
    return "ITEM" if first or logged or _ITEM.match(payload) else ""


def _head(event: Event, payload: str, head: bool) -> str:
    """HEAD where the reason stands below, HEADING where what stands below only goes on, "" elsewhere.

    `head`: the words of the payload say so.
    """
    if (event.family, event.kind) == _TASK:
        return ""
    if head or (event.family, event.kind) in _BLOCKS:
        return "HEAD"
    said = event.fields.get("message", "")
    named = "pass" in event.fields and said == payload.strip()  # the pass is all that it says
    bare = len(said) < _BARE_MESSAGE or payload.endswith(f"[{event.fields.get('code')}]")
    if (event.family, event.kind) in _BARE and bare and not named:
        return "HEAD"
    return "HEADING" if "HEADING" in event.said.words and event.said.size > 1 else ""


def nothing(payload: str, line: Line) -> bool:
    """Whether a line says nothing, whatever stands in front of it, with or without the blank behind that."""
    if payload[-1:] in _MARKS and _MARK.match(payload):
        payload = strip(f"{line.text} ", line.own).payload
    return not payload or payload.isspace()
