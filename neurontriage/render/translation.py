"""A diagnosis in the reader's language: titles, causes, fixes as far as translated; what stays English is marked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from neurontriage.expressions import expression
from neurontriage.model import LISTED, STATED, Diagnosis, Finding, Why, Workaround
from neurontriage.render.audience import audience
from neurontriage.render.language import say, texts

_GROUP = expression(r"\{(\w+)\}")
_OWN = expression(r" Its own words say that (.{1,400}?)\.(?= It is )")
MARK = "(in English)"
_BY_REASON = "No entry knows this message itself."  # what ranking puts before the text of an entry for a stated reason
_NAMED = {
    "{id} is known to cause it": expression(r"^(?P<id>\S+) is known to cause it"),
    "it repeats {code}": expression(r"^it repeats (?P<code>.+)"),
}


def localized(diagnosis: Diagnosis) -> Diagnosis:
    """The same diagnosis for the reader of `audience()`; ids, lines of the log and code stay as they are."""
    language = audience().language
    if language == "en":
        return diagnosis
    known, advice = texts(language)["entries"], texts(language)["advice"]
    found = (_framed(_finding(one, _text(one, known), advice)) for one in diagnosis.findings)
    return replace(diagnosis, findings=tuple(found))


def _text(finding: Finding, known: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What is translated of an entry, behind what is of the entry for the reason that its line passes on."""
    text, reason = known.get(finding.id), known.get(finding.because)
    if text is None or reason is None:
        return text
    fixes = [*text.get("fixes", ()), *reason.get("fixes", ())]
    return {**text, "cause": f"{reason['cause']} {text['cause']}", "fixes": fixes}


def _framed(finding: Finding) -> Finding:
    """What is said of many entries in the same words: why it is a consequence, when it is done, when to stop."""
    return replace(
        finding,
        why=finding.why and _why(finding.why),
        done_when=finding.done_when and say(finding.done_when),
        escalate=finding.escalate and say(finding.escalate),
    )


def _why(why: Why) -> Why:
    for english, form in _NAMED.items():
        if found := form.fullmatch(why.text):
            return why._replace(text=say(english, **found.groupdict()))
    return why._replace(text=say(why.text))


def _finding(finding: Finding, text: Mapping[str, Any] | None, advice: Mapping[str, str]) -> Finding:
    """`text`: what is translated of the entry; its title is left out where the log's own words are the title."""
    own = {fix["of"]: fix for fix in (text or {}).get("fixes", ())}
    fixes = tuple(_fix(fix, own.get(fix.title) or _advice(fix, advice)) for fix in finding.workarounds)
    if not finding.known:
        return replace(finding, cause=_unknown(finding.cause, advice), workarounds=fixes)
    if text is None:
        return replace(finding, title=f"{finding.title} {say(MARK)}", workarounds=fixes)
    title = _title(finding, text["title"]) if "title" in text else finding.title
    cause = f"{say(_BY_REASON)} {text['cause']}" if finding.by_reason else text["cause"]
    return replace(finding, title=title, cause=cause, workarounds=fixes)


def _title(finding: Finding, given: str) -> str:
    """A translated title with the values of the log; its own words stand behind as many colons as in English."""
    values = finding.fields
    if finding.by_reason:
        values = {**values, "said": finding.title.split(": ", given.count(": "))[-1]}
    return _GROUP.sub(lambda found: values.get(found[1], "…"), given)


def _unknown(cause: str, advice: Mapping[str, str]) -> str:
    """Why a line is taken for the root that no entry explains."""
    own = _OWN.search(cause)
    plain = _OWN.sub("", cause)
    if say(plain) == plain or (own is not None and own[1] not in advice):
        return f"{cause} {say(MARK)}"
    return f"{say(plain)} {say('Its own words say that {claims}.', claims=advice[own[1]])}" if own else say(plain)


def _advice(fix: Workaround, advice: Mapping[str, str]) -> Mapping[str, str] | None:
    """A piece of advice that many entries give in the same words."""
    title, detail = advice.get(fix.title), advice.get(fix.short or fix.detail, "")
    if fix.title in (STATED, LISTED) and fix.kind == "config":  # the log's own words know no language
        detail = fix.detail
    return {"title": title, "detail": detail} if title and (detail or not fix.detail) else None


def _fix(fix: Workaround, text: Mapping[str, str] | None) -> Workaround:
    """The code of a fix is that of the entry: it knows no language."""
    if text is None:
        return replace(fix, title=f"{fix.title} {say(MARK)}", short=f"{fix.short} {say(MARK)}" if fix.short else "")
    return replace(fix, title=text["title"], detail=text.get("detail", ""), short="")
