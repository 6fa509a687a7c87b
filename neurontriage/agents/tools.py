"""What the MCP server offers: each tool takes plain values, reads below the roots, and gives a short redacted text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from neurontriage import resources
from neurontriage.agents.brief import brief, fitted
from neurontriage.agents.roots import Roots
from neurontriage.errors import TriageError
from neurontriage.knowledge.catalog import Catalog
from neurontriage.knowledge.commands import without_log
from neurontriage.knowledge.schema import Entry
from neurontriage.render.redaction import redacted

MOST_TEXT = 4 << 20
"""Characters of a log that is given in the call itself."""
_MOST_WORDS = 20
_MOST_FOUND = 20


@dataclass(frozen=True)
class Tools:
    """The tools and what they need: where they may read, and what is known."""

    roots: Roots
    catalog: Catalog

    def explain(self, paths: list[str] | None = None, text: str = "") -> str:
        """Say why an AWS Neuron (Trainium, Inferentia) job failed: root cause, the line that proves it, what to change.

        paths: log files or folders of one incident (build logs, training logs, all ranks). text: a log given directly.
        """
        from neurontriage.incident import read
        from neurontriage.triage import explain_text

        if bool(paths) == bool(text):
            raise TriageError("wrong-input", "give either paths or text", "paths of logs, or the text of one")
        if len(text) > MOST_TEXT:
            raise TriageError(
                "too-much", f"a text of {len(text):,} characters", f"at most {MOST_TEXT:,}", "save it and give its path"
            )
        if text:
            return fitted(brief(redacted(explain_text(text, "text", self.catalog))))
        logs = read(self.roots.checked(paths or []), self.catalog)
        return fitted(
            (
                *(part for one in logs.diagnoses for part in brief(redacted(one))),
                *(f"Note: {n}" for n in logs.notes[:3]),
            )
        )

    def kb_search(self, words: str, limit: int = 8) -> str:
        """Search the knowledge base for words or a code (NCC_IBIR440, TEN404, NRT_RESOURCE); best match first."""
        from neurontriage.kb.search import card, ranked

        wanted = words.split()[:_MOST_WORDS]
        found = ranked(map(card, self.catalog.articles.values()), wanted)
        lines = [
            f"{entry.id}: {entry.heading} ({entry.layer})" for _, entry in found[: max(1, min(limit, _MOST_FOUND))]
        ]
        return fitted([f"{len(found)} entries hold {' '.join(wanted)!r}", *lines])

    def kb_show(self, name: str) -> str:
        """Show one entry of the knowledge base, by its id or by a printed code: cause, versions, workarounds, links."""
        from neurontriage.kb.search import named

        found = named(self._entries(), name[:200])
        return fitted(part for entry in found[:3] for part in _entry(entry))

    def report(self, path: str) -> str:
        """Read result.json of neuron_parallel_compile --command analyze: what does not compile, why, and where."""
        from neurontriage.analysis.formats import renderer
        from neurontriage.analysis.join import Facts, analyse
        from neurontriage.analysis.result import load

        [checked] = self.roots.checked([path])
        facts = Facts(self._entries().get, self.catalog.releases, "trn1", None)
        return fitted(_paragraphs(renderer("markdown")(analyse(load(Path(checked)), facts))))

    def preflight(self, path: str, target: str = "trn2") -> str:
        """Judge an HLO or StableHLO module before it is compiled: operators that this target does not support.

        path: a .hlo, .hlo_module.pb, .txt or .mlir file. Python files are refused: nothing is run.
        """
        from neurontriage.agents.judging import judged

        [checked] = self.roots.checked([path])
        return fitted(judged(Path(checked), target, self.catalog))

    def repro_list(self, words: str = "") -> str:
        """List the failures that can be shown again with a minimal graph (neurontriage repro ID), filtered by words."""
        from neurontriage.repro.catalogue import listing

        wanted = words.lower().split()[:_MOST_WORDS]
        cases = [
            one for one in listing()["cases"] if all(word in f"{one['id']} {one['title']}".lower() for word in wanted)
        ]
        return fitted(
            [f"{len(cases)} cases; run one with: neurontriage repro ID", *(f"{c['id']}: {c['title']}" for c in cases)]
        )

    def _entries(self) -> Mapping[str, Entry]:
        """All entries in full, checked once."""
        from neurontriage.knowledge.load import load

        return load([resources.knowledge(), *resources.own_knowledge([])]).entries


def _entry(entry: Entry) -> Iterator[str]:
    entry = without_log(entry)
    yield f"{entry.id}: {entry.heading}"
    yield f"{entry.layer}, {entry.severity}, {entry.status}" + (
        f"; also {', '.join(entry.aliases)}" if entry.aliases else ""
    )
    yield f"Cause: {entry.cause}"
    if entry.not_proof:
        yield f"Not proven: {entry.not_proof}"
    for number, item in enumerate(entry.workarounds, 1):
        yield f"{number}. {item.title}. {item.detail}"
        if item.after:
            yield "\n".join("   " + line for line in item.after.rstrip().split("\n"))
    if entry.fixed_in:
        yield "Fixed in: " + ", ".join(f"{name} {version}" for name, version in entry.fixed_in.items())
    yield from (f"{one.title}: {one.url}" for one in entry.links)
    yield from (f"Seen as: {example}" for example in entry.examples[:2])


def _paragraphs(text: str) -> list[str]:
    return [part for part in text.split("\n\n") if part.strip()]


def schema_of(tools: Tools) -> dict[str, Any]:
    """Name → function of everything that is offered."""
    names = ("explain", "kb_search", "kb_show", "report", "preflight", "repro_list")
    return {name: getattr(tools, name) for name in names}
