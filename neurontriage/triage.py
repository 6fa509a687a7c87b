"""START HERE. The whole way of a line: bytes → blocks → hit lines → events → matches → findings → Diagnosis."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import cast

from neurontriage.claims.events import Reader
from neurontriage.claims.match import match
from neurontriage.claims.record import Joiner
from neurontriage.facts.compiles import Compiles
from neurontriage.facts.hlo_modules import Modules, Retries
from neurontriage.knowledge.catalog import Catalog, load
from neurontriage.lines.flood import Repeats
from neurontriage.lines.scan import Cutter
from neurontriage.model import Diagnosis, Source
from neurontriage.ranking.decide import Groups, rank
from neurontriage.ranking.findings import finding
from neurontriage.read.inputs import Input, blocks, logs

Log = tuple[str, Iterable[bytes]]
Watch = Callable[[str, Iterable[bytes]], Iterable[bytes]]


def explain(inputs: Iterable[Input], catalog: Catalog, watch: Watch = lambda _, content: content) -> Diagnosis:
    """Read all inputs as one incident, and say what broke and why; `watch` sees every block go by."""
    return diagnose(((name, watch(name, content)) for one in inputs for name, content in logs(one)), catalog)


def explain_text(text: str, path: str = "<text>", catalog: Catalog | None = None) -> Diagnosis:
    """The same for a log that is already in memory."""
    stream = cast("io.BufferedReader", io.BytesIO(text.encode("utf-8", "replace")))
    return diagnose([(path, blocks(stream, path))], catalog or load())


def diagnose(incident: Iterable[Log], catalog: Catalog) -> Diagnosis:
    """Blocks of one or more logs → the Diagnosis."""
    reader, groups, modules, compiles = Reader(catalog), Groups(catalog), Modules(), Compiles()
    sources: list[Source] = []
    repeats, retries = Repeats(catalog.ordered), Retries()
    for path, content in incident:
        cutter = Cutter(path, catalog.engine, catalog.patterns)
        for event in Joiner().join(reader.read(repeats.thin(cutter.cut(content)))):
            modules.read(event)
            compiles.read(event)
            groups.add(match(event, catalog), retries.quoted(event))
        sources.append(Source(path, cutter.bytes, cutter.lines))
    for sign in compiles.signs():
        groups.add(match(sign, catalog))
    groups.repeat(repeats.skipped())
    groups.recover(module.module for module in modules.found() if module.status == "passed")
    listed = groups.listed(sum(source.lines for source in sources))
    environment = catalog.releases.with_sdk(reader.environment.values())
    return Diagnosis(
        inputs=tuple(sources),
        findings=tuple(finding(group, catalog, environment) for group in rank(listed, catalog)),
        environment=environment,
        notes=catalog.releases.ended(environment),
        modules=modules.found(),
        compiles=compiles.statistics(modules.found()),
        unparsed=reader.summary(),
        ended_well=bool(listed or environment or modules.seen),
        knowledge={"entries": catalog.count, "digest": catalog.digest},
    )
