"""Claims → Findings: title, cause, workarounds and links from the entry, or what to collect for an unknown failure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.facts.settings import Settings
from neurontriage.knowledge import snippets
from neurontriage.knowledge.catalog import Catalog
from neurontriage.knowledge.commands import with_values
from neurontriage.model import HELD, Check, Finding, Link, Outcome, Role, Severity, Workaround
from neurontriage.ranking.answers import remedy, ruled_out, unknown
from neurontriage.ranking.answers.reasons import message
from neurontriage.ranking.answers.suited import suited
from neurontriage.ranking.answers.values import both_ends, shown

_HIDDEN = frozenset({"pid", "tid", "time", "clock", "channel", "error_level", "level", "said", "because", "asks"})
_LONGEST, _SHORTER = 400, 120
_FEW = 2
_GROUPS = expression(r"\{(\w+)\}")
_IN_BRACKETS = expression(r"\s*\(([^()]*\{\w+\}[^()]*)\)")
_SIGNS, _PARTS = expression(r"([,;:] )"), expression(r"(?<=[,;]) ")
_LEFT_OPEN, _BLANKS = expression(r"\s*[:,]\s*$"), expression(r"\s{2,}")
_LISTED = expression(r"\s*\[[\s,]*(?:\{\w+\}[\s,]*)+\]")


def findings(
    claims: Sequence[Claim], catalog: Catalog, environment: Mapping[str, str], settings: Settings
) -> tuple[Finding, ...]:
    """Claims in the order of the answer → findings; the fixes of the root end with those that its consequences need.

    What the log shows to be set or installed already comes last among the fixes.
    """
    found = [finding(claim, catalog, environment) for claim in claims]
    found = [_in_order(one, ruled_out.last(one.workarounds, settings, environment)) for one in found]
    left = [fix for one in found if one.role == "consequence" for fix in one.workarounds if fix.always]
    return tuple(_completed(one, left) if left and one.role == "root" else one for one in found)


def _in_order(found: Finding, fixes: tuple[Workaround, ...]) -> Finding:
    return found if fixes == found.workarounds else replace(found, workarounds=fixes)


def _completed(root: Finding, left: Sequence[Workaround]) -> Finding:
    """The root with the fixes that it does not have already, by their commands."""
    fixes = {fix.after or fix.title: fix for fix in [*left, *root.workarounds]}
    added = [fix for name, fix in fixes.items() if fix not in root.workarounds]
    return replace(root, workarounds=(*root.workarounds, *added))


def finding(claim: Claim, catalog: Catalog, environment: Mapping[str, str]) -> Finding:
    """One claim → the finding that reports show, judged by the versions that the log prints."""
    found = _known(claim, catalog, environment) if claim.known else _unknown(claim)
    if claim.role != "root":
        return found
    fixes = found.workarounds
    if not claim.known or not catalog.article(claim.id).get("order"):
        wide = not found.known or found.general or bool(found.because)
        fixes = remedy.first(fixes, message(claim), wide, claim.fields.get("asks", ""))
    held = claim.fields.get("holder")
    own = [Workaround(HELD, "config", f"{held}.")] if held else []
    return replace(found, workarounds=(*own, *fixes))


def _known(claim: Claim, catalog: Catalog, environment: Mapping[str, str]) -> Finding:
    article = _with_reason(with_values(catalog.article(claim.id), claim.fields), claim, catalog)
    by_reason = bool(article.get("reason"))
    return Finding(
        id=claim.id,
        known=True,
        title=filled(article["title"], shown(claim.fields, claim.event.evidence.text)),
        layer=claim.layer,
        severity=cast(Severity, claim.severity),
        role=cast(Role, claim.role),
        confidence=catalog.briefs[claim.id]["confidence"][str(claim.fitting)],
        count=claim.count,
        fields=_fields(claim),
        evidence=tuple(claim.evidence),
        cause=f"{unknown.UNKNOWN} {article['cause']}" if by_reason else article["cause"],
        not_proof=article.get("not_proof", ""),
        workarounds=tuple(
            _workaround(one, environment, catalog) for one in suited(article.get("workarounds", ()), claim)
        ),
        links=tuple(Link(**one) for one in article["links"]),
        check=_check(article.get("check")),
        done_when=article.get("done_when", ""),
        escalate=article.get("escalate", ""),
        blast_radius=article.get("blast_radius", ""),
        stack=tuple(article.get("stack", ())),
        caused_by=claim.caused_by,
        why=claim.why,
        fixed_in=article.get("fixed_in") or None,
        affects=catalog.releases.says(article, environment),
        repro=article.get("repro"),
        ranks=tuple(sorted(claim.ranks)),
        sightings=claim.sightings,
        general=bool(article.get("general")),
        by_reason=by_reason,
        because=claim.fields.get("because", ""),
    )


def _with_reason(article: dict[str, Any], claim: Claim, catalog: Catalog) -> dict[str, Any]:
    """An entry that knows which step failed, with what the entry for the reason says that its line passes on."""
    if not (because := claim.fields.get("because", "")):
        return article
    reason = with_values(catalog.article(because), claim.fields)
    steps = {one["title"]: one for one in (*reason["workarounds"], *article.get("workarounds", ()))}
    links = {one["url"]: one for one in (*article["links"], *reason["links"])}
    told = {
        "cause": f"{reason['cause']} {article['cause']}",
        "workarounds": [*steps.values()],
        "links": [*links.values()],
    }
    return {**article, **told, "check": reason.get("check") or article.get("check")}


def _workaround(text: Mapping[str, Any], environment: Mapping[str, str], catalog: Catalog) -> Workaround:
    found = snippets.filled(text, environment, catalog.releases)
    return Workaround(**{**found, "fills": tuple(found.get("fills", ()))})


def _check(text: Mapping[str, Any] | None) -> Check | None:
    if text is None:
        return None
    outcomes = tuple(Outcome(**one) for one in text.get("outcomes", ()))
    return Check(text["look"], text.get("command"), outcomes)


def _unknown(claim: Claim) -> Finding:
    return Finding(
        id=claim.id,
        known=False,
        title=_in_words(both_ends(message(claim), 160), 160),
        layer=claim.layer,
        severity=cast(Severity, claim.severity),
        role=cast(Role, claim.role),
        confidence=round(claim.score, 2),
        count=claim.count,
        fields=_fields(claim),
        evidence=tuple(claim.evidence),
        cause=unknown.cause(claim),
        workarounds=unknown.workarounds(claim),
        links=(Link(unknown.ISSUES, "AWS Neuron SDK issues"),),
        caused_by=claim.caused_by,
        why=claim.why,
        ranks=tuple(sorted(claim.ranks)),
        sightings=claim.sightings,
    )


def filled(title: str, fields: Mapping[str, Any]) -> str:
    """A title with its placeholders filled from the fields; what only names a value that is missing goes.

    `too many ({code}): {count}, limit {limit}` without count and limit is `too many (XTP002)`.  Brackets of a value or
    of the title's own words (`trace()`, `shape []`) stay.
    """
    text = _IN_BRACKETS.sub(lambda found: _bracketed(found[1], fields), title)
    text = _LISTED.sub(lambda found: found[0] if _any(found[0], fields) else "", text)
    first, *others = _SIGNS.split(text)
    pairs = zip(others[::2], others[1::2], strict=True)
    text = first + "".join(sign + part for sign, part in pairs if not _only_names(part, fields))
    text = _GROUPS.sub(lambda found: _in_words(both_ends(str(fields.get(found[1], "")), 120), 120), text)
    return _BLANKS.sub(" ", _LEFT_OPEN.sub("", text)).strip()


def _bracketed(inside: str, fields: Mapping[str, Any]) -> str:
    """What stands in brackets, without the parts that no value fills."""
    parts = [part for part in _PARTS.split(inside) if not _GROUPS.search(part) or _any(part, fields)]
    return f" ({' '.join(parts).rstrip(',; ')})" if parts else ""


def _only_names(part: str, fields: Mapping[str, Any]) -> bool:
    """Whether a part is hardly more than values, none of which is there."""
    few = len(_GROUPS.sub("", part).split()) <= _FEW
    return few and bool(_GROUPS.search(part)) and not _any(part, fields)


def _any(part: str, fields: Mapping[str, Any]) -> bool:
    return any(fields.get(name) for name in _GROUPS.findall(part))


def _fields(claim: Claim) -> dict[str, str]:
    values = {"context": _context(claim), **claim.values}
    return {name: _short(value, _LONGEST) for name, value in sorted(values.items()) if name not in _HIDDEN and value}


def _context(claim: Claim) -> str:
    """What a line says before the message that the entry takes of it, mostly what was tried: `Error loading model`."""
    whole, message = claim.event.fields.get("message", ""), claim.values.get("message", "")
    said = whole[: max(whole.find(message), 0)].strip(" .:-")
    return said if " " in said and len(said) <= _SHORTER else ""


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _in_words(text: str, most: int) -> str:
    """The same, cut between words where that leaves enough."""
    words = text[: most - 1].rpartition(" ")[0]
    return f"{words} …" if len(text) > most and len(words) > most // 2 else _short(text, most)
