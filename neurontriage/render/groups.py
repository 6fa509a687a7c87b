"""Many logs, each for itself → groups by what they failed of: `99 logs: 12 × NCC-EVRF009, 7 × …`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from rich.text import Text

from neurontriage.expressions import expression
from neurontriage.model import Diagnosis, Finding
from neurontriage.render.drawing import drawn, wrapped
from neurontriage.render.language import count, say
from neurontriage.render.places import Names, shared
from neurontriage.render.shorten import brief
from neurontriage.render.summary import explained
from neurontriage.render.text import printable

SCHEMA = "neurontriage.each/1"
_SHOWN, _FEW = 4, 3
_NUMBERS = expression(r"\d+")


@dataclass(frozen=True, slots=True)
class Group:
    """Logs with the same first root (or, where none has one, the same verdict); `finding` None where there is none.

    `title`: what the titles of its findings begin with alike.
    """

    name: str
    finding: Finding | None
    logs: tuple[tuple[str, int], ...]
    title: str | None = None


def outlined(diagnosis: Diagnosis) -> Diagnosis:
    """What the table shows of an answer, and no more: those of all logs are held until it is drawn."""
    main = explained(diagnosis)
    if main is None:
        return Diagnosis(diagnosis.inputs, (), ended_well=diagnosis.ended_well)
    shown = Finding(
        *(main.id, main.known, main.title, main.layer, main.severity, main.role, main.confidence, main.count),
        main.fields,
        tuple(one._replace(text="", context=()) for one in main.evidence[:1]),
        workarounds=main.workarounds[:1],
        by_reason=main.by_reason,
        because=main.because,
    )
    return Diagnosis(diagnosis.inputs, (shown,), ended_well=diagnosis.ended_well)


def grouped(diagnoses: Iterable[Diagnosis]) -> tuple[Group, ...]:
    """Groups of failed logs, the largest first, then those with warnings and those without a finding."""
    found: dict[tuple[int, str, str], list[tuple[str, Finding | None]]] = {}
    for diagnosis in diagnoses:
        main = explained(diagnosis)
        key = (_rank(main), main.id if main else diagnosis.verdict, _kind(main))
        found.setdefault(key, []).append((diagnosis.inputs[0].path, main))
    order = sorted(found, key=lambda key: (key[0], -len(found[key]), *key[1:]))
    return tuple(_group(key[1], found[key]) for key in order)


def _kind(main: Finding | None) -> str:
    """What parts findings of one id: those that no entry knows have nothing in common but their words."""
    return "" if main is None or main.recognised else _NUMBERS.sub("0", main.title)


def _group(name: str, logs: Sequence[tuple[str, Finding | None]]) -> Group:
    findings = [finding for _, finding in logs if finding]
    places = tuple((path, main.evidence[0].line if main and main.evidence else 0) for path, main in logs)
    return Group(name, findings[0] if findings else None, places, alike([one.title for one in findings]))


def alike(titles: Sequence[str]) -> str | None:
    """What titles have in common from their beginning on, the first one where that is little; None without any."""
    if len(set(titles)) < 2:
        return titles[0] if titles else None
    words = [
        same[0] for same in takewhile(lambda same: len(set(same)) == 1, zip(*map(str.split, titles), strict=False))
    ]
    text = " ".join(words).rstrip(" ,:;([-")
    return f"{text} …" if len(words) >= _FEW else titles[0]


def _rank(main: Finding | None) -> int:
    return 2 if main is None else 0 if main.severity == "error" else 1


def table(diagnoses: Sequence[Diagnosis]) -> str:
    """The groups as text, each with its title, its first fix and where it is seen."""
    called = Names(shared([d.inputs[0].path for d in diagnoses]), True)
    return drawn(_rows(diagnoses, called))


def _rows(diagnoses: Sequence[Diagnosis], called: Names) -> Iterable[Text]:
    verdicts = Counter(diagnosis.verdict for diagnosis in diagnoses)
    told = ", ".join(f"{number} {say(verdict)}" for verdict, number in sorted(verdicts.items(), key=lambda v: -v[1]))
    yield from wrapped(Text(f"{count(len(diagnoses), 'log')}: {told}", style="bold"), 0)
    for group in grouped(diagnoses):
        yield Text()
        sign = f"{len(group.logs):>4} ×  "
        title = printable(group.title or (say("no failure found") if group.name == "clean" else ""))
        yield from wrapped(Text.assemble((say(printable(group.name)), "bold"), "  ", title), 8, sign)
        if group.finding and group.finding.workarounds:
            yield from wrapped(f"{say('Fix')}: {brief(group.finding.workarounds[0])}", 8)
        places = [f"{called.name(path)}:{line}" if line else called.name(path) for path, line in group.logs[:_SHOWN]]
        more = len(group.logs) - len(places)
        text = ", ".join(places) + (f", {say('{n} more', n=more)}" if more else "")
        yield from wrapped(Text(text, style="dim"), 8)


def document(diagnoses: Sequence[Diagnosis]) -> str:
    """The same as JSON: every log with its verdict and first finding, and the groups."""
    logs = [{"path": d.inputs[0].path, "verdict": d.verdict, **_first(explained(d))} for d in diagnoses]
    groups = [
        {"name": g.name, "title": g.title, "count": len(g.logs), "logs": [path for path, _ in g.logs]}
        for g in grouped(diagnoses)
    ]
    return json.dumps({"schema": SCHEMA, "logs": logs, "groups": groups}, indent=2, ensure_ascii=False) + "\n"


def _first(main: Finding | None) -> dict[str, object]:
    if main is None:
        return {"id": None, "known": None, "title": None, "line": None}
    line = main.evidence[0].line if main.evidence else None
    return {"id": main.id, "known": main.known, "title": main.title, "line": line}
