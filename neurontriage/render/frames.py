"""A Python failure → the frame of the user's own code: `train.py:41 in step: loss.backward()`."""

from __future__ import annotations

import re

from neurontriage.model import Finding

_LIBRARY = re.compile(r"(^|/)(?:site-packages|dist-packages|lib(?:64)?/python\d)|^<")
_FRAME = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>[\w.<>]+))?')


def frame(finding: Finding) -> str | None:
    """None where the log shows no traceback, or only frames of libraries."""
    fields = finding.fields
    place = fields.get("called_at") or fields.get("raised_at")
    if not place or _LIBRARY.search(place):
        return None
    own = "called_at" in fields
    function = fields.get("called_in") if own else fields.get("function")
    code = fields.get("called_code" if own else "raised_code") or _code(finding, place)
    within = f" in {function}" if function and function != "<module>" else ""
    return f"{place}{within}" + (f": {code}" if code else "")


def _code(finding: Finding, place: str) -> str | None:
    """The source line that the traceback prints below the frame, where the lines around the evidence hold it."""
    for evidence in finding.evidence[:1]:
        lines = [text for _, text in evidence.context]
        for number, text in enumerate(lines[:-1]):
            found = _FRAME.search(text)
            if found and f"{found['file']}:{found['line']}" == place and not _FRAME.search(lines[number + 1]):
                return lines[number + 1].strip() or None
    return None
