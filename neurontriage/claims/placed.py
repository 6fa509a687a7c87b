"""An answer whose line numbers are those that `grep -n` counts, where lines of a log were read as several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from neurontriage.facts.runs import Begins
from neurontriage.lines.folds import Folds
from neurontriage.model import Diagnosis, Evidence, Finding, Source
from neurontriage.read.places import Places

Where = Folds | Places


def placed(diagnosis: Diagnosis, folds: Mapping[str, Folds]) -> Diagnosis:
    """The same answer with the numbers of the lines that the logs have; itself where each was read as one."""
    if not folds:
        return diagnosis
    return replace(
        _moved(diagnosis, folds),
        inputs=tuple(_source(one, folds) for one in diagnosis.inputs),
        notes=(*diagnosis.notes, *(_note(path, one) for path, one in sorted(folds.items()))),
    )


def in_file(diagnosis: Diagnosis, places: Mapping[str, Places]) -> Diagnosis:
    """The same answer with the numbers of lines that their files have; itself where each was read as it stands."""
    if not places:
        return diagnosis
    turned = [path for path, one in sorted(places.items()) if one.turned]
    return replace(
        _moved(diagnosis, places),
        inputs=tuple(_of_file(one, places) for one in diagnosis.inputs),
        runs=tuple(
            one._replace(line=_line(places, one.path, one.line), end_line=_line(places, one.path, one.end_line))
            for one in diagnosis.runs
        ),
        notes=(
            *diagnosis.notes,
            *(f"{path}: its newest lines stand first, so it was read from its end" for path in turned),
        ),
    )


def _of_file(one: Source, places: Mapping[str, Places]) -> Source:
    if (known := places.get(one.path)) is None:
        return one
    return one._replace(bytes=known.bytes, lines=known.count)


def _moved(diagnosis: Diagnosis, folds: Mapping[str, Where]) -> Diagnosis:
    """The answer with other numbers for its lines."""

    def line(path: str, number: int) -> int:
        return _line(folds, path, number)

    return replace(
        diagnosis,
        findings=tuple(_finding(one, folds) for one in diagnosis.findings),
        suspects=tuple(one._replace(line=line(one.path, one.line)) for one in diagnosis.suspects),
        unparsed=diagnosis.unparsed._replace(
            examples=tuple((path, line(path, number), text) for path, number, text in diagnosis.unparsed.examples)
        ),
    )


def _line(folds: Mapping[str, Where], path: str, number: int) -> int:
    return folds[path].place(number) if path in folds else number


def begins(found: Begins, folds: Folds | None) -> Begins:
    """Where a log begins again, in the numbers of its lines; within one of them it does not."""
    if not folds:
        return found
    return Begins(
        [folds.place(line) for line in found.lines if not folds.within(line)],
        found.seen,
        [one._replace(line=folds.place(one.line)) for one in found.typed if not folds.within(one.line)],
        [one._replace(line=folds.place(one.line)) for one in found.restarts if not folds.within(one.line)],
    )


def _source(one: Source, folds: Mapping[str, Folds]) -> Source:
    return one._replace(lines=one.lines - sum(folds[one.path].more)) if one.path in folds else one


def _note(path: str, folds: Folds) -> str:
    count = len(folds)
    held = "1 line holds" if count == 1 else f"{count:,} lines hold"
    return f"{path}: {held} others as escaped text, read as {sum(folds.more) + count:,} lines"


def _finding(one: Finding, folds: Mapping[str, Where]) -> Finding:
    evidence = tuple(_evidence(line, folds) for line in one.evidence)
    seen = [
        sight._replace(line=folds[sight.path].place(sight.line)) if sight.path in folds else sight
        for sight in one.sightings
    ]
    return replace(one, evidence=evidence, sightings=seen)


def _evidence(one: Evidence, folds: Mapping[str, Where]) -> Evidence:
    if (known := folds.get(one.path)) is None:
        return one
    first, last = known.place(one.line), known.place(one.end_line)
    return one._replace(line=first, end_line=max(first, last))
