"""Diagnosis → the text of an issue for aws-neuron-sdk: what a maintainer asks first, already answered."""

from __future__ import annotations

from collections.abc import Iterator

from neurontriage import __version__
from neurontriage.model import Diagnosis, Finding
from neurontriage.render.chain import chains, excerpts, places
from neurontriage.render.markdown import block, link, plain, prose, span, tree

LONGEST = 60_000
"""Characters: GitHub refuses the body of an issue over 65,536."""
_TITLE = 110
_THREADS = 6
_PACKAGES = (
    "sdk", "neuronx-cc", "neuron-cc", "torch-neuronx", "torch", "torch-xla", "libneuronxla", "jax",
    "neuronx-distributed", "aws-neuronx-runtime-lib", "aws-neuronx-collectives", "aws-neuronx-dkms", "python", "target",
)  # fmt: skip


def title(diagnosis: Diagnosis) -> str:
    """One line: compiler and target, then the root cause; nothing of a log that is markup."""
    environment = diagnosis.environment
    known = [f"{name} {environment[name]}" for name in ("neuronx-cc", "neuron-cc") if name in environment]
    head = ", ".join([*known[:1], *([environment["target"]] if "target" in environment else [])])
    roots = diagnosis.roots
    words = roots[0].title if roots else "A failure that no rule recognised"
    line = f"[{head}] {words}" if head else words
    return line if len(line) <= _TITLE else line[: _TITLE - 1].rstrip() + "…"


def text(diagnosis: Diagnosis, script: str = "", files: tuple[str, ...] = ()) -> str:
    """The whole issue in Markdown. `script`: a minimal program that fails the same way; `files`: what is attached."""
    parts = [
        f"# {plain(title(diagnosis))}",
        *_environment(diagnosis),
        "## What fails",
        *(part for finding in diagnosis.roots[:3] for part in _root(finding, diagnosis)),
        *_suspects(diagnosis),
        *_chain(diagnosis),
        *_script(script),
        *_tried(diagnosis),
        *_threads(diagnosis),
        *_attached(diagnosis, files),
        f"<sub>Written by neurontriage {__version__}; secrets are taken out. Read it before you send it.</sub>",
    ]
    whole = "\n\n".join(part for part in parts if part) + "\n"
    return whole if len(whole) <= LONGEST else whole[:LONGEST].rpartition("\n")[0] + "\n```\n\n… cut; see the bundle\n"


def _environment(diagnosis: Diagnosis) -> Iterator[str]:
    known = dict(diagnosis.environment)
    names = [name for name in _PACKAGES if name in known] + sorted(set(known) - set(_PACKAGES))
    yield "## Environment, as the log prints it"
    rows = [f"| {plain(name)} | {plain(known[name])} |" for name in names]
    missing = [name for name in ("neuronx-cc", "target") if name not in known and not known.get("neuron-cc")]
    rows += [f"| {name} | not in the log: please add |" for name in missing]
    yield "\n".join(["| | |", "|---|---|", *rows])


def _root(finding: Finding, diagnosis: Diagnosis) -> Iterator[str]:
    yield f"**{plain(finding.title)}** ({span(finding.id)}, seen {finding.count} times)"
    yield prose(finding.cause)
    for path, lines in excerpts(finding, places(diagnosis.findings)).items():
        rows = [("⋮\n" if line.gap else "") + f"{line.line:>6}  {line.text}" for line in lines]
        yield span(path) + "\n\n" + block("\n".join(rows), "text")
    if finding.affects:
        yield prose(finding.affects)


def _suspects(diagnosis: Diagnosis) -> Iterator[str]:
    if not diagnosis.roots:
        yield "No entry explains this failure. The lines that are most likely to state it:"
        rows = [f"{one.line:>6}  {one.text}" for one in diagnosis.suspects[:10]]
        yield block("\n".join(rows), "text") if rows else "_none found: please paste the lines that you think matter_"


def _chain(diagnosis: Diagnosis) -> Iterator[str]:
    trees = [node for node in chains(diagnosis.findings) if node.finding.severity != "benign"]
    lines = [line for node in trees for line in tree(node)]
    if len(lines) > 1:
        yield "## What it brought about\n\n" + "\n".join(lines[:20])


def _script(script: str) -> Iterator[str]:
    if script:
        yield "## To reproduce\n\nA minimal graph of this failure, not yet run with the versions above:"
        yield f"<details><summary>repro.py</summary>\n\n{block(script, 'python')}\n\n</details>"
    else:
        yield "## To reproduce\n\n_No minimal graph of this failure is known: please add the smallest model._"


def _tried(diagnosis: Diagnosis) -> Iterator[str]:
    """What is known to help, as boxes: the log cannot tell what was tried besides."""
    items = [item for finding in diagnosis.roots[:3] for item in finding.workarounds]
    if items:
        boxes = [
            f"- [ ] {plain(item.title)}" + (f" (from {plain(item.since)})" if item.since else "") for item in items
        ]
        yield "## What was tried\n\nTick what you tried, and say what happened then:\n\n" + "\n".join(boxes)


def _threads(diagnosis: Diagnosis) -> Iterator[str]:
    found = {one.url: one for finding in diagnosis.roots[:3] for one in finding.links if "/issues/" in one.url}
    if found:
        lines = [f"- {link(one.url, one.title)}" + (f" ({one.state})" if one.state else "") for one in found.values()]
        yield "## Likely the same\n\n" + "\n".join(lines[:_THREADS])


def _attached(diagnosis: Diagnosis, files: tuple[str, ...]) -> Iterator[str]:
    if files:
        yield "## Attached\n\n" + "\n".join(f"- {span(name)}" for name in files[:40])
    if diagnosis.collect:
        yield "Named in the log and not at hand; please add:\n\n" + "\n".join(
            f"- [ ] {plain(n)}" for n in diagnosis.collect
        )
