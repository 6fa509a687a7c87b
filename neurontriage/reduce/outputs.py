"""What a reduction leaves in its folder: module as proto and text, a script, the user's lines, log, issue text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from neurontriage.hlo import files
from neurontriage.hlo.module import UNCOUNTED, Module
from neurontriage.hlo.printing import module_text
from neurontriage.preflight.modules import place_of
from neurontriage.reduce.running import Outcome, Request
from neurontriage.reduce.session import size
from neurontriage.reduce.torchscript import torch_script

PROTO, TEXT, SCRIPT, SOURCES, LOG, ISSUE = (
    "reduced.hlo_module.pb",
    "reduced.hlo.txt",
    "reduced.py",
    "sources.txt",
    "reduce.log",
    "issue.md",
)
_LONGEST_TEXT = 20_000


def write(outcome: Outcome, request: Request) -> list[Path]:
    """Writes everything; the paths in the order in which one reads them."""
    folder, module = request.folder, outcome.reduced
    if module is None:
        return []
    sources = list(source_lines(module, outcome.original))
    texts = {
        ISSUE: issue(outcome, sources, request),
        TEXT: module_text(module),
        SCRIPT: torch_script(module),
        SOURCES: "".join(f"{line}\n" for line in sources),
        LOG: log(outcome),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / PROTO).write_bytes(files.dump(module))
    return [folder / name for name in (ISSUE, PROTO, *list(texts)[1:])]


def source_lines(module: Module, original: Module) -> Iterator[str]:
    """`name  opcode  model.py:41` of every operator that is left; metadata may be gone, names are not."""
    before = {i.name: i for i in original.entry.instructions}
    for i in module.entry.instructions:
        if i.opcode not in UNCOUNTED:
            place = place_of(original, before[i.name]) if i.name in before else ""
            yield f"{i.name}  {i.opcode}  {place or 'no line known'}"


def log(outcome: Outcome) -> str:
    """What was done, pass by pass."""
    lines = [
        f"command: {outcome.command}",
        f"failure: {outcome.identity or 'exit status 0 of --check'}",
        *outcome.passes,
    ]
    lines += [f"note: {note}" for note in outcome.notes]
    lines += [f"other failure, {count} times: {said}" for said, count in outcome.others.items()]
    return "\n".join([*lines, f"calls: {outcome.calls}"]) + "\n"


def issue(outcome: Outcome, sources: list[str], request: Request) -> str:
    """Markdown ready to be pasted into an issue."""
    module = outcome.reduced
    assert module is not None
    text = module_text(module)
    short = text if len(text) <= _LONGEST_TEXT else f"(long; see the attached {TEXT})\n"
    entry = outcome.identity.entry if outcome.identity else "the check"
    message = outcome.identity.text if outcome.identity else f"`{outcome.command}` ends with exit status 0"
    return "\n".join(
        [
            f"### {size(module)} HLO instructions fail to compile like {entry}",
            "",
            f"Reduced from {size(outcome.original):,} operators in {outcome.calls:,} compilations.",
            "",
            "```",
            message,
            "```",
            "",
            "Command (the module is attached):",
            "",
            "```",
            outcome.command.replace("{}", PROTO),
            "```",
            "",
            "```",
            short.rstrip(),
            "```",
            "",
            "Lines in the model:",
            "",
            *(f"- `{line}`" for line in sources),
            "",
            *(f"Note: {note}" for note in outcome.notes),
            "",
        ]
    )
