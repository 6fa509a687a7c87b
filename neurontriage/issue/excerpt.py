"""Logs → what of them goes into a bundle: whole when they are short, else the start, the proof and the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from neurontriage.model import Diagnosis
from neurontriage.read.inputs import Input, logs

WHOLE = 4 << 20
"""Bytes: a longer log is cut."""
TOTAL = 48 << 20
"""Bytes of all logs together; those with evidence come first."""
_HEAD, _TAIL, _AROUND = 2_000, 8_000, 200
_LONGEST = 8_000


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One log as it is bundled: `left_out` counts the lines that are not in `text`."""

    path: str
    text: str
    left_out: int


def excerpts(inputs: Iterable[Input], diagnosis: Diagnosis) -> Iterator[Excerpt]:
    """Every log of the inputs that can be read again, the ones with evidence first, within TOTAL bytes."""
    proof = _proof(diagnosis)
    order = sorted(_sources(inputs, diagnosis), key=lambda one: not any(path in proof for path in one[1]))
    room = TOTAL
    for one, _ in order:
        for path, blocks in logs(one):
            text = _cut(path, blocks, proof.get(path, set()))
            if len(text.text) > room:
                text = Excerpt(path, "", text.left_out + text.text.count("\n"))
            room -= len(text.text)
            yield text


def _sources(inputs: Iterable[Input], diagnosis: Diagnosis) -> list[tuple[Input, list[str]]]:
    """Inputs that are files, with the names of the logs in them."""
    names = [source.path for source in diagnosis.inputs]
    files = [one for one in inputs if one.path is not None and one.path.is_file()]
    return [(one, [name for name in names if name == one.name or name.startswith(one.name)]) for one in files]


def _proof(diagnosis: Diagnosis) -> dict[str, set[int]]:
    lines: dict[str, set[int]] = {}
    for finding in diagnosis.findings:
        for one in finding.evidence if finding.severity != "benign" else ():
            lines.setdefault(one.path, set()).update(range(one.line - _AROUND, one.end_line + _AROUND + 1))
    return lines


def _cut(path: str, blocks: Iterable[bytes], proof: set[int]) -> Excerpt:
    """The first and last lines and those around the evidence, with a mark where lines are missing."""
    kept: dict[int, str] = {}
    tail: dict[int, str] = {}
    number = size = 0
    for number, line in enumerate(_lines(blocks), 1):
        size += len(line)
        if size <= WHOLE or number <= _HEAD or number in proof:
            kept[number] = line
        else:
            tail[number] = line
            if len(tail) > _TAIL:
                tail.pop(next(iter(tail)))
    if size > WHOLE:
        kept = {n: line for n, line in kept.items() if n <= _HEAD or n in proof}
    kept |= {n: line for n, line in tail.items() if n > number - _TAIL}
    return Excerpt(path, "\n".join(_marked(kept, number)) + "\n", number - len(kept))


def _marked(kept: dict[int, str], last: int) -> Iterator[str]:
    before = 0
    for number in [*sorted(kept), last + 1]:
        if number > before + 1:
            yield f"[… {number - before - 1} lines left out …]"
        if number in kept:
            yield kept[number]
        before = number


def _lines(blocks: Iterable[bytes]) -> Iterator[str]:
    for block in blocks:
        ended = block.removesuffix(b"\n")
        yield from (raw[:_LONGEST].decode("utf-8", "replace").rstrip("\r") for raw in ended.split(b"\n"))
