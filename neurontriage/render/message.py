"""The text of a deciding line → the message in it: without what stands in every line, never cut through the match."""

from __future__ import annotations

from collections.abc import Iterable

from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.model import Evidence, Finding
from neurontriage.read.context import GOES_ON
from neurontriage.render.text import printable

_LEVEL = r"(?:TRACE|DEBUG|INFO|NOTICE|USER|WARN(?:ING)?|ERROR|CRITICAL|FATAL)"
_HEADERS = tuple(
    expression(shape)
    for shape in (
        r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,:]\d+)?Z?:?\s+",
        r"\d{4}-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d\.\d+\s+\d+:\d+\s+" + _LEVEL + r"\s+",  # NRT
        r"\d\d/\d\d/\d{4} \d\d:\d\d:\d\d [AP]M\s+",  # neuron-cc
        r"[IWEF]\d{4} \d\d:\d\d:\d\.\d+\s+\d+ [\w./-]+:\d+\]\s+",  # glog
        r"\[[IWEF]\d{0,4} (?:\d\d:\d\d:\d\d\.\d+ )?[\w.]+:\d+\]\s+",  # of PyTorch
        _LEVEL + r"\s+(?:\d+\s*)?\[[\w.-]+\]:\s+(?=\S)",
        r"\d*\s*" + _LEVEL + r"\s+\|\|[A-Z_]+\|\|:\s+",
        r"\[" + _LEVEL + r"\]:?\s+(?=\[)",
        r"\|\s+(?=[^|]*$)",  # the margin of an exception group
    )
)
_BOILERPLATE = expression(
    r"\s?(?:- )?Please open a support ticket(?: at https://github\.com/aws-neuron/aws-neuron-sdk/issues/new)?\.?"
    r"|\s?You may also be able to obtain more information using the 'XLA_IR_DEBUG' and 'XLA_HLO_DEBUG' "
    r"environment variables\.?"
)
_COMPILE = expression(r"(\[?'neuronx?-cc', )[^\]]{40,4000}(?:\]|$)")
_INSTALLED = expression(r"/[^\s\"':,]{12,200}/(?:site|dist)-packages/")
_BLANKS = expression(r"[ \t\u00a0]{2,}")
_RUNS = expression(r"([#=*_~\-█▏▎▍▌▋▊▉ ])\1{7,}")
_SOURCE = expression(r"\^{3}|~{3}")  # carets below a line of source: the next traceback, not the message
_PLACED = expression(r"in function '[^']{1,200}':\s*$")  # neuronx-cc: the message itself follows on the next line
_FRAME = expression(r"\s*(?:File \"|at |$)")
_MOST_HEADERS = 6
_LEAD = 60


def message(finding: Finding, number: int = 0) -> str:
    """What evidence `number` (from 0) says, as one line: with the lines that an exception's message goes on for."""
    if number >= len(finding.evidence):
        return ""
    evidence = finding.evidence[number]
    following = next_line(evidence)
    text = essence(evidence.text) + (f" {essence(following)}" if following else "")
    whole = finding.fields.get("message", "")
    if number or evidence.end_line == evidence.line or not whole:
        return text
    name = finding.fields.get("exception", "")
    told = essence(f"{name}: {whole}" if name and text.startswith(name) else whole)
    goes_on = told.startswith(text.rstrip(" .…")[:40]) and not _SOURCE.search(told)
    return told if goes_on and len(told.rstrip("…")) > len(text) else text


def next_line(evidence: Evidence) -> str:
    """What stands behind a code or a colon on the next line, set in or behind the compiler's own source place."""
    if not evidence.text.rstrip().endswith(GOES_ON):
        return ""
    following = dict(evidence.context).get(evidence.end_line + 1, "")
    below = following[:1].isspace() or (_PLACED.search(evidence.text) and _without_header(following) == following)
    return following if below and not _FRAME.match(following) else ""


def essence(text: str) -> str:
    """One line of a log without launchers' prefixes, times, process numbers, compile commands, known boilerplate.

    A line of which nothing else is left is given as it stands.
    """
    line = strip(text).payload
    for _ in range(_MOST_HEADERS):
        shorter = _without_header(line)
        if shorter == line:
            break
        line = shorter
    line = _BOILERPLATE.sub("", line)
    line = _INSTALLED.sub("…/", _COMPILE.sub(r"\1… ]", line))
    line = _BLANKS.sub(" ", _RUNS.sub(r"\1\1\1", printable(line))).strip()
    return line or " ".join(printable(text).split())


def _without_header(line: str) -> str:
    for header in _HEADERS:
        found = header.match(line)
        if found and line[found.end() :].strip():
            return line[found.end() :]
    return line


def anchors(finding: Finding) -> list[str]:
    """Texts of which each marks the match in its line: the code and what else was captured, the telling ones first."""
    fields = {name: value for name, value in finding.fields.items() if name not in ("message", "command", "flags")}
    codes = [fields[name] for name in ("code", "exception", "assertion", "symbol") if name in fields]
    return [*codes, *(value for value in fields.values() if len(value) > 3), finding.id.partition("-")[2]]


def around(text: str, wanted: Iterable[str], most: int) -> str:
    """At most `most` characters of a text that hold the first wanted text found in it; a cut is marked with `…`."""
    if len(text) <= most:
        return text
    at = next((text.find(one) for one in wanted if one and one in text), 0)
    start = 0 if at <= max(most // 2, most - 160) else max(at - _LEAD, 0)
    if start:
        blank = text.find(" ", start, at)
        start = blank + 1 if blank >= 0 else start
    head = "… " if start else ""
    room = most - len(head) - 2
    if start + room >= len(text):
        return head + text[-room:] if start else text
    end = text.rfind(" ", start + room // 2, start + room)
    return f"{head}{text[start : end if end > 0 else start + room]} …"
