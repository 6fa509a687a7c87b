"""Graphs of torch-xla that were cut at one place → which of them are the same graph with another shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from neurontriage.preflight.capture import Graph, Recompilation

Shape = tuple[int | str, ...]


def recompilations(graphs: Iterable[Graph]) -> Iterator[Recompilation]:
    """One per graph that repeats the operators of an earlier graph of its place with other input shapes."""
    seen: dict[tuple[str, str, frozenset[tuple[str, int]]], list[Graph]] = {}
    for graph in graphs:
        if not graph.module:
            continue
        key = (graph.site, graph.cause, frozenset(Counter(i.opcode for i in graph.module.entry.instructions).items()))
        earlier = seen.setdefault(key, [])
        if all(one.inputs != graph.inputs for one in earlier):
            if earlier:
                yield from _change(earlier[-1], graph)
            earlier.append(graph)


def _change(old: Graph, new: Graph) -> Iterator[Recompilation]:
    """The first input that differs, and its first dimension that does."""
    for (_, before), (_, after) in zip(old.inputs, new.inputs, strict=False):
        if before != after:
            differing = [n for n, (one, other) in enumerate(zip(before, after, strict=False)) if one != other]
            dimension = differing[0] if differing else None
            yield Recompilation(new.function, dimension, (before, after), new.site, "another input shape")
            return
