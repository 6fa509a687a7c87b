"""Lines of PT_XLA_DEBUG, TORCH_LOGS=recompiles and the torch-xla metrics → what compiles again and again, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from neurontriage.expressions import expression
from neurontriage.model import Event, Evidence, Recompilation

FAMILY = "xla_debug"
STORM = 5
"""Graphs from one place: a training step has one to three (first step, later steps, the last batch)."""
SIZES = 3
"""Sizes of one dimension: two are a last batch that is smaller, three are a dimension that varies."""
FETCHES = 3
_MOST_PLACES, MOST_EVIDENCE = 1000, 10
_SIZE = expression(r"tensor '(?P<tensor>.{1,80}?)' size mismatch at index (?P<dimension>\d+)\. "
                   r"expected (?P<was>\d+), actual (?P<now>\d+)")  # fmt: skip
_LIBRARY = expression(r"/(?:site|dist)-packages/|/torch_xla/|<frozen ")
_READING = "aten::_local_scalar_dense"
_FETCH = "access tensor value"
_STEP = expression(r"sync|mark_step|step end|StepTrace|torch_xla\.compile|dynamo is executing")


@dataclass(eq=False, repr=False)
class Place:
    """What is compiled at one place of the program: a function, or the frame that ended a graph."""

    name: str
    graphs: set[str] = field(default_factory=set)
    count: int = 0
    sizes: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    evidence: list[Evidence] = field(default_factory=list)

    def seen(self, evidence: Evidence) -> None:
        """Count one more time, and keep the line if there is room."""
        self.count += 1
        if len(self.evidence) < MOST_EVIDENCE:
            self.evidence.append(evidence)

    def take(self, later: Place) -> None:
        """Take in what a later part of the incident says of it."""
        self.graphs |= later.graphs
        self.count += later.count
        for what, sizes in later.sizes.items():
            self.sizes.setdefault(what, set()).update(sizes)
        self.evidence = [*self.evidence, *later.evidence][:MOST_EVIDENCE]

    @property
    def shape(self) -> tuple[str, str, tuple[int, ...]] | None:
        """Tensor, dimension and sizes of what changes most; None where no shape changes."""
        most = max(self.sizes.items(), key=lambda item: (len(item[1]), item[0]), default=None)
        return (*most[0], tuple(sorted(most[1]))) if most else None


@dataclass(eq=False, repr=False)
class _Block:
    """The analysis that a process is printing: its lines come one by one."""

    what: str = ""
    cause: str = ""
    graph: str = ""
    evidence: Evidence | None = None


@dataclass(eq=False, repr=False)
class Recompiles:
    """Follows the debug output of every process of an incident; what it keeps is bounded."""

    functions: dict[str, Place] = field(default_factory=dict)
    compiled: dict[str, Place] = field(default_factory=dict)
    fetched: dict[str, Place] = field(default_factory=dict)
    fallbacks: dict[str, Place] = field(default_factory=dict)
    steps: int = 0
    marked: int = 0
    _blocks: dict[tuple[str, int | None], _Block] = field(default_factory=dict)
    _function: dict[tuple[str, int | None], str] = field(default_factory=dict)
    _counter: dict[tuple[str, int | None], tuple[str, Evidence]] = field(default_factory=dict)

    def read(self, event: Event, counted: bool = True) -> None:
        """Take up one line; all other families are ignored. Not `counted`: it stands before what is read here."""
        if event.family != FAMILY:
            return
        if not counted:
            self._before().read(event)
            return
        actor = (event.evidence.path, event.evidence.rank)
        if event.kind in ("cause", "graph", "frame"):
            self._analysis(event, actor)
        elif event.kind in ("recompiled", "guard"):
            self._dynamo(event, actor)
        elif event.kind in ("counter", "value"):
            self._metric(event, actor)

    def _before(self) -> Recompiles:
        """What takes lines that count elsewhere: it follows each process as this does, and for this."""
        return Recompiles(_blocks=self._blocks, _function=self._function, _counter=self._counter)

    def _analysis(self, event: Event, actor: tuple[str, int | None]) -> None:
        block, fields = self._blocks.setdefault(actor, _Block()), event.fields
        if event.kind == "cause":
            self._blocks[actor] = _Block(fields["what"], fields["cause"], evidence=event.evidence)
            fetches = _FETCH in fields["cause"]
            self.steps += fields["what"] == "Execution" and not fetches and bool(_STEP.search(fields["cause"]))
        elif event.kind == "graph":
            block.graph = fields["hash"]
        elif block.evidence and not _LIBRARY.search(fields["frame"]):
            self._frame(fields["frame"], block)
            self._blocks[actor] = _Block()  # the frames above it belong to the same graph

    def _frame(self, frame: str, block: _Block) -> None:
        assert block.evidence
        if block.what == "Compilation":
            place = _place(self.compiled, frame)
            place.graphs.add(block.graph)
            place.seen(block.evidence)
        elif _FETCH in block.cause:
            _place(self.fetched, frame).seen(block.evidence)

    def _dynamo(self, event: Event, actor: tuple[str, int | None]) -> None:
        if event.kind == "recompiled":
            name = self._function[actor] = f"{event.fields['function']} ({event.fields['site']})"
            _place(self.functions, name).seen(event.evidence)
        elif (name := self._function.get(actor, "")) and (found := _SIZE.search(event.fields["guard"])):
            known = _place(self.functions, name)
            sizes = known.sizes.setdefault((found["tensor"], found["dimension"]), set())
            sizes |= {int(found["was"]), int(found["now"])}

    def _metric(self, event: Event, actor: tuple[str, int | None]) -> None:
        """A counter and the value on the next line; the last report of a process holds all earlier ones."""
        if event.kind == "counter":
            self._counter[actor] = (event.fields["name"], event.evidence)
        elif (last := self._counter.pop(actor, None)) and last[1].line == event.evidence.line - 1:
            name, evidence, value = *last, int(event.fields["number"])
            if name == "MarkStep":
                self.marked = max(self.marked, value)
            elif name.startswith("aten::"):
                place = _place(self.fallbacks, name)
                place.count, place.evidence = max(place.count, value), [evidence]

    def take(self, later: Recompiles) -> None:
        """Take in what a later part of the incident says; a process is followed through one part only."""
        for mine, theirs in (
            (self.functions, later.functions),
            (self.compiled, later.compiled),
            (self.fetched, later.fetched),
        ):
            for name, place in theirs.items():
                _place(mine, name).take(place)
        for name, place in later.fallbacks.items():
            known = _place(self.fallbacks, name)
            known.count, known.evidence = max(known.count, place.count), place.evidence
        self.steps += later.steps
        self.marked = max(self.marked, later.marked)

    def move(self, moved: Callable[[Evidence], Evidence]) -> None:
        """Give every line its place in the incident."""
        for places in (self.functions, self.compiled, self.fetched, self.fallbacks):
            for place in places.values():
                place.evidence = [moved(one) for one in place.evidence]

    def found(self) -> tuple[Recompilation, ...]:
        """Everything that was compiled more than once at one place, the most often first."""
        places = [(place, place.count + 1) for place in self.functions.values()]
        places += [(place, len(place.graphs)) for place in self.compiled.values() if len(place.graphs) > 1]
        listed = [_recompilation(place, graphs) for place, graphs in places]
        return tuple(sorted(listed, key=lambda one: (-one.graphs, one.place)))

    def signs(self) -> Iterator[Event]:
        """Events of kinds that entries explain, one for each line that proves it."""
        for place in self.functions.values():
            shape = place.shape
            if shape and len(shape[2]) >= SIZES:
                fields = {"tensor": shape[0], "dimension": shape[1], "sizes": ", ".join(map(str, shape[2]))}
                yield from _events("shapes", place, {**fields, "count": str(len(shape[2]))})
            elif place.count + 1 >= STORM:
                yield from _events("storm", place, {"count": str(place.count + 1)})
        for place in self.compiled.values():
            if len(place.graphs) >= STORM:
                yield from _events("storm", place, {"count": str(len(place.graphs))})
        yield from self._slow_steps()

    def _slow_steps(self) -> Iterator[Event]:
        """What happens in at least every second step."""
        for place in self.fetched.values():
            if place.count >= FETCHES and 2 * place.count >= self.steps:
                yield from _events("fetches", place, {"count": str(place.count), "steps": str(self.steps)})
        for place in self.fallbacks.values():
            if self.marked >= FETCHES and 2 * place.count >= self.marked:
                fields = {"count": str(place.count), "steps": str(self.marked), "operator": place.name}
                if place.name != _READING:
                    yield from _events("fallbacks", place, fields)
                elif not self.fetched:  # else its frames say more
                    yield from _events("fetches", place, fields)


def _place(places: dict[str, Place], name: str) -> Place:
    """The place of this name; when there are too many, the rest share one."""
    if name not in places and len(places) >= _MOST_PLACES:
        name = "other places"
    return places.setdefault(name, Place(name))


def _recompilation(place: Place, graphs: int) -> Recompilation:
    tensor, dimension, sizes = place.shape or ("", "", ())
    return Recompilation(place.name, graphs, tensor or None, int(dimension) if dimension else None, sizes)


def _events(kind: str, place: Place, fields: dict[str, str]) -> Iterator[Event]:
    for evidence in place.evidence:
        yield Event(FAMILY, kind, {"place": place.name, **fields}, evidence)
