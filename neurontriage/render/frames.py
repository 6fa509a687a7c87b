"""A Python failure → the frame of the user's own code: `train.py:41 in step: loss.backward()`."""

from __future__ import annotations

import re

from neurontriage.model import Finding

_LIBRARY = r"(^|/)(?:site-packages|dist-packages|(?:lib(?:64)?/)?python\d[\d.]*/|bin/[\w.-]+:\d+$)|^<|\.pyx:\d+$"
_LONGEST = 60
_CELL = r"\bIn ?\[(?P<cell>\d+)\]|<ipython-input-(?P<old>\d+)-"
_ARROW = r"-+> ?(?P<line>\d+) (?P<code>.*)"
_FRAME = r'File "(?P<file>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>[\w.<>]+))?'


def frame(finding: Finding) -> str | None:
    """The user's own frame; where the log shows only frames of libraries, the one that raised. None without any."""
    fields = finding.fields
    called, raised = fields.get("called_at"), fields.get("raised_at")
    if called and not re.search(_LIBRARY, called):
        return _told(finding, called, fields.get("called_in"), fields.get("called_code"))
    if raised:
        library = re.search(_LIBRARY, raised) is not None  # its code says how the message is made, not what is wrong
        return _told(finding, raised, fields.get("function"), None if library else fields.get("raised_code"), library)
    return _cell(finding) if "exception" in fields else None


def _cell(finding: Finding) -> str | None:
    """The cell of a notebook that raised, with its line and code, where the lines before the evidence show it."""
    shown = None
    for evidence in finding.evidence[:1]:
        for number, text in evidence.context:
            if number >= evidence.line:
                break
            if cell := re.search(_CELL, text):
                shown = f"cell {cell['cell'] or cell['old']}"
            elif shown and ":" not in shown and (arrow := re.match(_ARROW, text)):
                shown += f", line {arrow['line']}: {arrow['code'].strip()}"
    return shown


def statement(finding: Finding) -> str | None:
    """The source line that raised an exception without words, which is all that says what failed; None otherwise."""
    exception, said = finding.fields.get("exception"), finding.fields.get("message", "")
    if not exception or said.strip() not in ("", exception):
        return None
    for evidence in finding.evidence[:1]:
        before = [text.strip() for number, text in evidence.context if number < evidence.line]
        code = next((text.lstrip("| ") for text in reversed(before) if text.strip("|^~ ")), "")
        return None if not code or re.search(_FRAME, code) or code.startswith("Traceback") else code
    return None


def _told(finding: Finding, place: str, function: str | None, code: str | None, library: bool = False) -> str:
    within = f" in {function}" if function and function != "<module>" else ""
    code = code or (None if library else _code(finding, place))
    if code and finding.evidence and _same(code) in _same(finding.evidence[0].text):
        code = None  # some loggers print the message where the source line stands
    return f"{_short(place)}{within}" + (f": {code}" if code else "")


def _short(place: str) -> str:
    """A long path from as far up as it fits a line, at least its file."""
    parts = place.split("/")
    if len(place) <= _LONGEST or len(parts) <= 4:
        return place
    shorter = ("/".join(["…", *parts[-kept:]]) for kept in (3, 2))
    return next((one for one in shorter if len(one) <= _LONGEST), f"…/{parts[-1]}")


def _same(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _code(finding: Finding, place: str) -> str | None:
    """The source line that the traceback prints below the frame, where the lines around the evidence hold it."""
    for evidence in finding.evidence[:1]:
        lines = [text for _, text in evidence.context]
        for number, text in enumerate(lines[:-1]):
            found = re.search(_FRAME, text)
            if found and f"{found['file']}:{found['line']}" == place and not re.search(_FRAME, lines[number + 1]):
                return lines[number + 1].strip("| ") or None
    return None
