"""Reading in which one bad file never loses the rest: what can be read is read, and what cannot is noted by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from neurontriage.errors import TriageError
from neurontriage.read.inputs import Input, find, logs


def gathered(paths: Iterable[str]) -> tuple[list[Input], dict[str, TriageError]]:
    """The inputs that the paths mean, each once, and by path why some mean none.

    Raises the first of these errors where no path means anything.
    """
    found: dict[str, Input] = {}
    faults: dict[str, TriageError] = {}
    for path in paths:
        try:
            for one in find([path]):
                found.setdefault(one.name, one)
        except TriageError as error:
            faults[path] = error
    if faults and not found:
        raise next(iter(faults.values()))
    return list(found.values()), faults


def spared(one: Input) -> Iterator[tuple[str, Iterator[bytes]]]:
    """As `inputs.logs`, but a fault ends only the log that has it, and goes to `one.faults`."""
    found = logs(one)
    while True:
        try:
            name, content = next(found)
        except StopIteration:
            return
        except TriageError as error:
            one.faults.setdefault(one.name, error)
            return
        yield name, to_its_fault(name, content, one)


def to_its_fault(name: str, content: Iterable[bytes], one: Input) -> Iterator[bytes]:
    """The blocks of a log up to the one that cannot be read; why goes to `one.faults`."""
    lines = 0
    try:
        for block in content:
            lines += block.count(b"\n")
            yield block
            del block  # it is no longer held while the next one is read
    except TriageError as error:
        cut = f"{error.message}; cut off after line {lines:,}; what stands above was read" if lines else error.message
        one.faults[name] = replace(error, message=cut)
