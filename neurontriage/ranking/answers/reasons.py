"""A root cause that no entry knows → the entry that explains the reason which its own words state, or who says it.

Where the root stands is decided before and does not change: these entries claim no line, they only explain one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from neurontriage.claims.claim import Claim
from neurontriage.claims.guesses import certain
from neurontriage.claims.match import said
from neurontriage.claims.verdicts import Form
from neurontriage.expressions import expression
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.linear import compiled
from neurontriage.lines.prefix import RUNTIME, strip
from neurontriage.ranking.answers.codes import broad, codes, named

_SENTENCES = expression(r"(?:[.!?]|(?<=[a-z0-9)'\"])[;,]) +(?=[A-Z`'\"]|(?:set|use|try|see|please) )")
_ADVICE = expression(
    r"(?i:please|try|you (?:can|may|might|could|should|need)|make sure|ensure|set|use|see|consult|check|info on"
    r"|for more|consider|(?:this|it) (?:is )?(?:usually|often|may|might|can|could|likely|probably)|if"
    r"|to (?:use|fix|avoid)|install|upgrade|specify|note|hint|tip)\b"
)
_GUESSES = expression(r"(?i)\b(?:likely|possible|common|typical|usual) (?:causes?|reasons?)\b")
_LINKS = expression(r"\bhttps?://[^\s'\"<>)]+")
# What may come of it; what a build leaves out for it.
_FEARED = expression(
    r"(?i)\b(?:could|may|might|can|would|will)(?: also)? (?:result in|lead to|cause)\b[^.;:]*"
    r"|[:;,] (?:[\w-]+ ){1,6}(?:(?:will be|are|is|was|were) (?:skipped|disabled|left out|not (?:built|compiled))"
    r"|will not be (?:built|compiled))\b"
)
_COUNTED, _REPORTED = "REASON-Counted", "REASON-Reported"
"""What explains the last word of a log that counts failures, or reports one, and names no reason."""
_LITTLE = frozenset({"REASON-InvalidValue", "REASON-Assertion", "REASON-Aborted", _COUNTED, _REPORTED})
"""Reasons that say no more than an entry which knows what failed."""
_SAME = _LITTLE | {"REASON-Mismatch", "REASON-Type"}
"""Reasons that say no more than an entry which passes on a line: that a thing is not as another, or of another type."""
_LEAST = _SAME | {"REASON-NotOpened"}
"""Reasons that are told only where the line states no other."""
_CLAUSES = expression(r"(?:[:;.,]|\bdesc =|\bdetails =|\\n) +[\x22'\[(]*|: ?[\x22']")
_PAIRS = expression(
    r'"(?P<head>[^"]{1,120})"(?: [\w.]+=(?:"(?:[^"\\]|\\.)*"|[^"\s]+))*? err(?:or)?="(?P<why>(?:[^"\\]|\\.)+)"'
)
_NUMBERED = "[Errno "  # of the system: what was called says as much
# The header of a line of the runtime of which no more than a status is read.
_HEADER = expression(RUNTIME + r" *[A-Z]+ +\w+:\w+ +")
# What a logger of C++ puts behind the prefix of its launcher: time and level, the program, the place in its source.
_STAMP = expression(r"\[\d{4}-\d\d-\d\d[^\]]{6,50}\] ?(?:\([\w-]+\) )?(?:[\w./-]+\.\w{1,3}:\d+:? )?(?=\S.{9})")
_BEGIN = 20  # characters that say where a reason begins: signs between its sentences are left out of it
_SHOWN = 116  # characters that a title surely shows of a message
_LONGEST = 2000  # characters of a message in which a reason is looked for


class Reason(NamedTuple):
    """An entry for a stated reason. `text`: that; `place`: its end in the message, -1 where only the program counts."""

    place: int
    weight: tuple[int, ...]
    entry: str
    fields: dict[str, str]
    text: str = ""


def answer(root: Claim, catalog: Catalog, form: Form | None = None) -> None:
    """Let the entry for its reason explain a root that no entry explains, or only one that passes on what it says.

    `form`: how the root has the last word of its log, if it has: it gives no reason, but in a sentence or a code.
    """
    brief = catalog.briefs[root.entry] if root.entry is not None else None
    if brief is not None and not (brief["gives_way"] or brief["passes_on"]):
        return
    own, family = message(root), root.event.family if root.entry is None else ""
    whole = strip(root.event.evidence.text).payload
    own, whole = certain(own), certain(whole)
    ends = form is not None and form != "sentence" and root.entry is None
    called = (f"{root.fields.get('raised_code', '')} {own}",) if _NUMBERED in own else ()
    if root.event.said.kind == "located":
        called = (*called, f"{root.event.fields.get('place', '')}: error: {own}")
    texts = (*called, plain(own), own, whole) if root.entry is None else (*called, plain(own), plain(whole))
    names = named(own, root.event.said.kind == "exception") if root.entry is None else ()
    sought = dict.fromkeys((*codes(own), *codes(whole), *(() if ends else texts), *broad(own), *broad(whole), *names))
    candidates = [max(reasons(text, family, catalog), default=None, key=told) for text in sought]
    found = next((one for one in candidates if one is not None and one.place >= 0), None)
    if found is None and ends:
        _explain(root, _COUNTED if form == "count" else _REPORTED, {}, catalog)
        return
    found = found or candidates[0]
    if brief is not None and brief["passes_on"]:
        if found is not None and found.place >= 0 and found.entry not in _SAME:
            root.fields |= {"because": found.entry, **found.fields, **root.fields}
    elif found is not None:
        _explain(root, found.entry, {**found.fields, "said": around(own, found)}, catalog)


def _explain(root: Claim, entry: str, fields: dict[str, str], catalog: Catalog) -> None:
    if entry in catalog.briefs and entry not in catalog.off:
        root.fields |= {"said": message(root), **fields}
        root.id = root.entry = entry


def around(text: str, reason: Reason) -> str:
    """A message from the clause on in which its reason stands, where a title would end before it."""
    whole, stated = text.lower(), reason.text.lower()
    start = max(whole.rfind(stated), whole.rfind(stated[:_BEGIN]))
    needed = start + min(len(reason.text), _SHOWN // 4)
    if start < 0 or needed <= _SHOWN:
        return text
    clauses = [one.end() for one in _CLAUSES.finditer(text, needed - _SHOWN, start)]
    return f"… {text[clauses[0] if clauses else text.find(' ', needed - _SHOWN) + 1 :]}"


def message(claim: Claim) -> str:
    """What a claim says in its own words, in one line: the exception with its message, else the line.

    Of a structured line (`"head" err="why" key="value"`): its head and why.
    """
    parts = [said(claim.fields), claim.fields.get("reason", "")]
    own = ": ".join(part for part in parts if part) or strip(claim.event.evidence.text).payload
    own = _HEADER.sub("", own, count=1) if claim.event.family == "nrt" else own
    own = own[stamp.end() :] if (stamp := _STAMP.match(own)) else own
    if pairs := _PAIRS.match(own):
        own = f"{pairs['head']}: {pairs['why']}".replace('\\"', '"')
    return own.strip(" \t,;:").expandtabs(1)


def plain(text: str) -> str:
    """A message without its guesses, what it fears and its sentences of advice (`Please …`): these name no reason."""
    stated = _FEARED.sub("", _GUESSES.split(text, maxsplit=1)[0])
    return " ".join(one for one in _SENTENCES.split(stated) if not _ADVICE.match(one))


def reasons(text: str, family: str, catalog: Catalog) -> Iterator[Reason]:
    """Every entry whose reason stands in a message, each where it stands last: programs tell the inner reason last.

    The words of a link are no reason.
    """
    small = text[:_LONGEST].lower()
    links = [one.span() for one in _LINKS.finditer(text[:_LONGEST])] if "://" in small else ()
    holds = small.__contains__
    for one in catalog.stated:
        if not any(map(holds, one.literals)) or one.entry in catalog.off or (one.family or family) != family:
            continue
        if one.text is None:
            yield Reason(-1, one.weight, one.entry, {})
        else:
            for place in compiled(one.text).finditer(text[:_LONGEST]):
                if any(link[0] < place.start() and place.end() <= link[1] for link in links):
                    continue
                groups = {name: value.strip() for name, value in place.groupdict().items() if value}
                yield Reason(place.end(), one.weight, one.entry, groups, place.group())


def told(reason: Reason) -> tuple[bool, int, tuple[int, ...], str]:
    """The reason told last; of several there the one that says most. That anything is wrong says least."""
    return reason.place >= 0 and reason.entry not in _LEAST, reason.place, reason.weight, reason.entry
