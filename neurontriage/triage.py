"""START HERE. The whole way of a line: bytes → blocks → lines → events → claims → evidence graph → Diagnosis."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable

from neurontriage.claims.placed import in_file, placed
from neurontriage.claims.reading import Reading
from neurontriage.knowledge.catalog import Catalog, load
from neurontriage.model import Diagnosis
from neurontriage.ranking.answers.findings import findings
from neurontriage.ranking.cut_off import cut_off
from neurontriage.ranking.decide import MOST_SUSPECTS, decide
from neurontriage.ranking.features import Scene
from neurontriage.ranking.survived.behind import left_behind
from neurontriage.ranking.survived.concluding import all_well
from neurontriage.read.inputs import Input, blocks, logs
from neurontriage.runs import by_run

Log = tuple[str, Iterable[bytes]]
Watch = Callable[[str, Iterable[bytes]], Iterable[bytes]]


def explain(inputs: Iterable[Input], catalog: Catalog, watch: Watch = lambda _, content: content) -> Diagnosis:
    """Read all inputs as one incident, and say what broke and why; `watch` sees every block go by."""
    return diagnose(((name, watch(name, content)) for one in inputs for name, content in logs(one)), catalog)


def explain_text(text: str, path: str = "<text>", catalog: Catalog | None = None) -> Diagnosis:
    """The same for a log that is already in memory."""
    known, data = catalog or load(), text.encode("utf-8", "replace")
    return by_run(path, lambda: blocks(io.BytesIO(data), path), known, concluded)


def diagnose(incident: Iterable[Log], catalog: Catalog) -> Diagnosis:
    """Blocks of one or more logs → the Diagnosis."""
    reading = Reading(catalog)
    for path, content in incident:
        reading.read(path, content)
    return in_file(concluded(reading), reading.part.places)


def concluded(reading: Reading) -> Diagnosis:
    """What has been read → the Diagnosis."""
    part, catalog = reading.part, reading.catalog
    judged = decide(Scene(reading.claims(), catalog.briefs, reading.courses, reading.done), catalog)
    environment = catalog.releases.with_sdk(part.environment.values())
    broken = cut_off(reading.courses)
    good = not reading.running and any(all_well(course.ends) for course in reading.courses.values())
    diagnosis = Diagnosis(
        inputs=tuple(part.sources),
        findings=findings(judged.claims, catalog, environment, part.environment.set.values()),
        environment=environment,
        notes=(*catalog.releases.ended(environment), *reading.notes),
        modules=part.modules.found(),
        compiles=part.compiles.statistics(part.modules.found()),
        unparsed=reading.unparsed,
        suspects=(*broken, *judged.suspects)[:MOST_SUSPECTS],
        ended_well=(reading.ended_well or good) and not broken and not left_behind(reading.courses.values()),
        knowledge={"entries": catalog.count, "digest": catalog.digest},
    )
    return placed(diagnosis, part.folds)
