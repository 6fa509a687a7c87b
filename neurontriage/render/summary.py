"""A diagnosis in a few words, as every short format tells it: verdict, versions, chain of consequences, last line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rich.cells import cell_len
from rich.text import Text

from neurontriage.expressions import expression
from neurontriage.model import Diagnosis, Finding
from neurontriage.render import verdict
from neurontriage.render.audience import audience
from neurontriage.render.drawing import wrapped
from neurontriage.render.language import count, say
from neurontriage.render.message import message
from neurontriage.render.places import Names, ranges
from neurontriage.render.shorten import shortened
from neurontriage.render.speaking import speaks
from neurontriage.render.text import printable

Row = tuple[str, str]
_STYLES = {"bad": "bold white on red", "warn": "bold black on yellow", "ok": "bold white on green"}
_COMPILERS = ("neuronx-cc", "neuron-cc")
_CHAIN, _LOGS = 8, 3
_SHORTEST = 12
_MARGIN, _TELLING = 8, 24
"""Columns before a text of the answer, and those that a consequence takes at least to say something."""
_FRACTION = expression(r"[.,]\d|Z|[+-]\d\d:?\d\d$")


def explained(diagnosis: Diagnosis) -> Finding | None:
    """What the short answer explains: the first root, else the first warning, else nothing."""
    if diagnosis.roots:
        return diagnosis.roots[0]
    failed = [finding for finding in diagnosis.findings if finding.severity == "error"]
    warned = [finding for finding in diagnosis.findings if finding.severity == "warning"]
    return next(iter([*failed, *warned]), None)


def versions(diagnosis: Diagnosis) -> list[str]:
    """`neuronx-cc 2.23.6484.0 (SDK 2.28), trn2` as the log prints them, then the same in fewer words."""
    known = diagnosis.environment
    name = next((name for name in (*_COMPILERS, "torch-neuronx", "torch-neuron", "runtime") if name in known), None)
    sdk = f"SDK {known['sdk'].partition(' ')[0]}" if "sdk" in known else ""
    release = known[name].split("+")[0] if name else ""
    whole = f"{name} {release}" + (f" ({sdk})" if sdk else "") if name else sdk
    target = known.get("target", "")
    lists = (
        (whole, target),
        (f"{name} {'.'.join(release.split('.')[:2])}", sdk, target) if name else (),
        (sdk, target),
        (target,),
    )
    return [printable(", ".join(part for part in parts if part)) for parts in lists]


def headline(diagnosis: Diagnosis, called: Names, main: Finding | None) -> list[Text]:
    """Verdict, where, id, versions: one line, with as much of the name and of the versions as fits."""
    word, style = verdict.name(diagnosis).upper(), _STYLES[verdict.tone(diagnosis)]
    columns = audience().columns or 1000
    mark = Text.assemble((f" {say(word)} ", style), "  ")
    id = Text.assemble("   ", (printable(main.id), "bold")) if main else Text()
    text = mark + Text(_where(diagnosis, called, main, columns - cell_len(mark.plain + id.plain))) + id
    left = columns - cell_len(text.plain) - 3
    if said := next((said for said in versions(diagnosis) if said and cell_len(said) <= left), None):
        text.append_text(Text.assemble("   ", (said, "dim")))
    return wrapped(text, 0)


def _where(diagnosis: Diagnosis, called: Names, main: Finding | None, room: int) -> str:
    """`build.log:410`; where there is little room, the end of the name."""
    if main is not None and main.evidence:
        evidence = main.evidence[0]
        name, line = called.name(evidence.path), f":{evidence.line}"
    elif len(diagnosis.inputs) == 1:
        source = diagnosis.inputs[0]
        name, line = called.name(source.path), "  " + count(source.lines, "line")
    else:
        return count(len(diagnosis.inputs), "log")
    most = max(room - cell_len(line), _SHORTEST)
    return (name if len(name) <= most else "…" + name[1 - most :]) + line


def chain(findings: list[Finding], called: Names, main: Finding | None = None) -> str:
    """`2982 → 2984-2990; rank_1.log:7`: where consequences stand, in the order of each log, that of `main` first.

    The log of `main`, which the headline names, needs no name here.
    """
    home = main.evidence[0].path if main is not None and main.evidence else ""
    places: dict[str, set[int]] = {}
    for evidence in (one.evidence[0] for one in findings if one.evidence):
        places.setdefault(evidence.path, set()).add(evidence.line)
    said, left = [], _CHAIN
    for path in sorted(places, key=lambda path: (path != home, path))[:_LOGS]:
        parts = ranges(places[path]).split(", ")
        numbers = " → ".join([*parts[:left], *(["…"] if len(parts) > left else [])])
        said.append(numbers if path == home else called.at(path, numbers))
        left = max(left - len(parts), 1)
    return "; ".join([*said, *(["…"] if len(places) > _LOGS else [])])


def consequences(diagnosis: Diagnosis, called: Names, main: Finding | None) -> Iterator[Row]:
    """The chain, how many consequences, warnings and harmless messages there are, and what it ended in; one line."""
    followed = [finding for finding in diagnosis.findings if finding.role == "consequence"]
    kinds = Counter(f.severity for f in diagnosis.findings if f is not main and f.role != "consequence")
    counts = ((len(followed), "consequence"), (kinds["warning"], "warning"), (kinds["benign"], "harmless message"))
    said = ", ".join(count(number, noun) for number, noun in counts if number)
    if said:
        text = "  ".join(part for part in (chain(followed, called, main), said) if part)
        yield "Then" if followed else "Also", text + _last(followed, main, cell_len(text))


def _last(followed: list[Finding], main: Finding | None, taken: int) -> str:
    """What the last consequence in the log of the root says, of those that say something, where it has room."""
    home = main.evidence[0].path if main is not None and main.evidence else ""
    there = [one for one in followed if one.evidence and one.evidence[0].path == home]
    if not (there := [one for one in there if one.known or speaks(message(one))]):
        return ""
    last = max(there, key=lambda one: one.evidence[0].line)
    named = last.known and main is not None and last.id != main.id
    said = " ".join(printable(last.title if named else message(last)).split())
    what, columns = say("last: {what}", what=said), audience().columns
    if columns is None:
        return f"; {what}"
    room = columns - _MARGIN - taken - 2
    short = shortened(what, room) if room >= _TELLING else ""
    return f"; {short}" if len(short) >= _TELLING else ""


def facts(diagnosis: Diagnosis, main: Finding | None) -> Iterator[Row]:
    """What matters besides: ranks, runs, versions affected, compilations, what could not be read."""
    if main is not None and main.affects:
        yield "Vers", main.affects
    if said := ranks(diagnosis):
        yield "Ranks", said
    if len(diagnosis.runs) > 1:
        yield "Runs", runs(diagnosis, main)
    for one in diagnosis.against[:3]:
        yield "Good", one
    if main is None or not diagnosis.roots:
        yield from compiled(diagnosis)
    if diagnosis.collect and (main is None or not main.recognised):
        yield "Get", "; ".join(diagnosis.collect[:3])
    for one in diagnosis.silenced:
        yield "Quiet", one


def runs(diagnosis: Diagnosis, main: Finding | None) -> str:
    """How many runs one file holds, and which of them is explained."""
    number, line = len(diagnosis.runs), diagnosis.runs[-1].line
    for place, run in enumerate(diagnosis.runs, 1):
        if main is not None and main.evidence and run.line <= main.evidence[0].line <= run.end_line:
            number, line = place, run.line
    text = "{n} runs in this file; run {number} (from line {line}) is explained"
    return say(text, n=len(diagnosis.runs), number=number, line=line)


def compiled(diagnosis: Diagnosis) -> Iterator[Row]:
    """How the compilations ended; one without a result is not said to be running."""
    counts: Counter[str] = Counter(module.status for module in diagnosis.modules)
    words = {
        "passed": "{n} passed",
        "cached": "{n} from the cache",
        "failed": "{n} failed",
        "running": "{n} without a result in the log",
    }
    parts = [say(words[status], n=counts[status]) for status in words if counts[status]]
    if said := ", ".join([*parts, *_compile_times(diagnosis)]):
        yield "Comp", said


def _compile_times(diagnosis: Diagnosis) -> Iterator[str]:
    """How long it took, and the place that compiled most often."""
    found = diagnosis.compiles
    if found is None:
        return
    if found.seconds and found.longest_seconds and found.longest:
        longest = {"longest": f"{found.longest_seconds:,.0f}", "module": printable(found.longest)}
        yield say("{seconds} s, the longest {longest} s ({module})", seconds=f"{found.seconds:,.0f}", **longest)
    if found.share is not None:
        yield say("{share} of the time", share=f"{found.share:.0%}")
    if found.recompilations:
        most = found.recompilations[0]
        yield say("{n} graphs at {place}", n=most.graphs, place=printable(most.place))


def ranks(diagnosis: Diagnosis) -> str:
    """`rank 5 failed first (02:13:07); then 3; 0-2, 4, 6, 7 waited`; "" where the log names no ranks."""
    found = diagnosis.ranks
    if found is None:
        return ""
    parts = []
    if found.first_failed is not None:
        when = _time(diagnosis, found.first_failed)
        parts.append(say("rank {rank} failed first", rank=found.first_failed) + (f" ({when})" if when else ""))
    others = [rank for rank in found.failed if rank != found.first_failed]
    for numbers, words in (
        (others, "then {ranks}" if found.first_failed is not None else "{ranks} failed"),
        (found.waited, "{ranks} waited"),
        (found.silent, "{ranks} said nothing"),
    ):
        if numbers:
            parts.append(say(words, ranks=ranges(numbers)))
    return "; ".join(parts)


def _time(diagnosis: Diagnosis, rank: int) -> str:
    """When a rank's first evidence of a root was printed."""
    times = [e.time for f in diagnosis.roots for e in f.evidence if e.rank == rank and e.time]
    return _FRACTION.split(min(times).replace("T", " "))[0] if times else ""


def coda(finding: Finding, columns: int | None) -> str:
    """The last line: what it is, and what to do first; each is shortened where both do not fit."""
    said = finding.title if finding.known else message(finding) or finding.title
    exception = finding.fields.get("exception", "")
    if finding.id.endswith(f"-{exception}"):
        said = said.removeprefix(f"{exception}: ")
    said = " ".join(printable(f"{finding.id}: {said}").split())
    if not finding.workarounds:
        return said if columns is None else shortened(said, columns)
    first = finding.workarounds[0]
    fix = f" → {' '.join(printable(first.title if finding.known else first.detail or first.title).split())}"
    if columns is None or cell_len(said + fix) <= columns:
        return said + fix
    fix = " " + shortened(fix, max(columns - cell_len(said), columns * 2 // 5) - 1)
    return shortened(said, columns - cell_len(fix)) + fix
