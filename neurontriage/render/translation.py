"""A diagnosis in the reader's language: titles, causes, fixes as far as translated; what stays English is marked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from neurontriage.model import Diagnosis, Finding, Workaround
from neurontriage.render.audience import audience
from neurontriage.render.language import say, texts

_GROUP = re.compile(r"\{(\w+)\}")
MARK = "(in English)"


def localized(diagnosis: Diagnosis) -> Diagnosis:
    """The same diagnosis for the reader of `audience()`; ids, lines of the log and code stay as they are."""
    language = audience().language
    if language == "en":
        return diagnosis
    known = texts(language)["entries"]
    return replace(diagnosis, findings=tuple(_finding(one, known.get(one.id)) for one in diagnosis.findings))


def _finding(finding: Finding, text: Mapping[str, Any] | None) -> Finding:
    if text is None:
        return replace(finding, title=f"{finding.title} {say(MARK)}" if finding.known else finding.title)
    known = {fix["of"]: fix for fix in text.get("fixes", ())}
    fixes = tuple(_fix(fix, known.get(fix.title)) for fix in finding.workarounds)
    title = _GROUP.sub(lambda found: finding.fields.get(found[1], "…"), text["title"])
    return replace(finding, title=title, cause=text["cause"], workarounds=fixes)


def _fix(fix: Workaround, text: Mapping[str, str] | None) -> Workaround:
    """The code of a fix is that of the entry: it knows no language."""
    if text is None:
        return replace(fix, title=f"{fix.title} {say(MARK)}", short=f"{fix.short} {say(MARK)}" if fix.short else "")
    return replace(fix, title=text["title"], detail=text.get("detail", ""), short="")
