"""Lists what torch.compile hands to a backend: aten graphs, breaks, recompilations. Compiles nothing."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from neurontriage.hlo.dtypes import TORCH
from neurontriage.preflight.child import target as targets
from neurontriage.preflight.child.events import Recorder, here, library, said, site, site_in
from neurontriage.preflight.child.inventory import Holdings

_RECOMPILED = re.compile(r"Recompiling function (?P<function>\S+) in (?P<site>\S+)")
_SIZE = re.compile(
    r"tensor '?(?P<tensor>.+?)'? size mismatch at index (?P<dim>\d+)\. expected (?P<old>\d+), actual (?P<new>\d+)"
)


class Lister:
    """A torch.compile backend that writes down each graph and runs it as it is."""

    def __init__(self, recorder: Recorder) -> None:
        from torch._dynamo.backends.common import aot_autograd

        self._recorder = recorder
        self._inner = aot_autograd(fw_compiler=self._compiler("forward"), bw_compiler=self._compiler("backward"))
        self._identity = "0/0"
        self._holdings = Holdings(recorder)
        self.graphs = 0

    def __call__(self, gm: Any, inputs: Sequence[Any]) -> Any:
        import torch

        self._identity = str(torch._guards.CompileContext.current_compile_id() or "0/0")
        reason = getattr(gm, "compile_subgraph_reason", None)
        if reason is not None and reason.graph_break:
            own = [f for f in reason.user_stack if not library(f.filename)]
            place = site(own[-1].filename, own[-1].lineno) if own else ""
            self._recorder.note("break", reason=said(str(reason.reason)), site=place)
        return self._inner(gm, inputs)

    def _compiler(self, direction: str) -> Callable[[Any, Sequence[Any]], Any]:
        def compiler(gm: Any, inputs: Sequence[Any]) -> Any:
            from torch._functorch.aot_autograd import make_boxed_func

            self.graphs += 1
            write_graph(self._recorder, gm, f"{self._identity} {direction}")
            self._holdings.look()
            return make_boxed_func(gm.forward)

        return compiler


def write_graph(recorder: Recorder, gm: Any, identity: str) -> None:
    """One aten graph: inputs, operators with types, shapes and places, counted, and the peak of its live bytes."""
    nodes = list(gm.graph.nodes)
    found: Counter[tuple[Any, ...]] = Counter()
    for node in nodes:
        if node.op == "call_function" and hasattr(node.target, "_schema"):
            found[_row(node)] += 1
    recorder.note(
        "graph",
        id=identity,
        inputs=[one for node in nodes if node.op == "placeholder" for one in _shapes(node.meta.get("val"))],
        operators=[
            {
                "name": name,
                "in": _listed(ins),
                "out": _listed(outs),
                "site": place,
                "options": dict(options),
                "count": n,
            }
            for (name, ins, outs, place, options), n in found.items()
        ],
        instructions=sum(found.values()),
        peak_bytes=_peak(nodes),
    )


def _row(node: Any) -> tuple[Any, ...]:
    operands = [shape for argument in node.all_input_nodes for shape in _shapes(argument.meta.get("val"))]
    name = str(node.target).rsplit(".", 1)[0]
    options = (("sorted", False),) if _unsorted(node) else ()
    return name, _frozen(operands), _frozen(_shapes(node.meta.get("val"))), _site(node), options


def _unsorted(node: Any) -> bool:
    """torch.topk(sorted=False), which Neuron lowers to a full sort."""
    if not str(node.target).startswith("aten.topk"):
        return False
    return node.kwargs.get("sorted") is False or (len(node.args) > 4 and node.args[4] is False)


def _site(node: Any) -> str:
    return site_in(node.meta.get("stack_trace") or "")


def _shapes(value: Any) -> list[list[Any]]:
    """[dtype, dimensions] of every tensor in a value; a dimension that is not fixed is its symbol."""
    import torch

    leaves = torch.utils._pytree.tree_leaves(value)
    return [
        [
            TORCH.get(str(t.dtype).removeprefix("torch."), str(t.dtype)),
            [d if isinstance(d, int) else str(d) for d in t.shape],
        ]
        for t in leaves
        if isinstance(t, torch.Tensor)
    ]


def _frozen(shapes: list[list[Any]]) -> tuple[Any, ...]:
    return tuple((dtype, tuple(dims)) for dtype, dims in shapes)


def _listed(shapes: tuple[Any, ...]) -> list[list[Any]]:
    return [[dtype, list(dims)] for dtype, dims in shapes]


def _peak(nodes: list[Any]) -> int:
    """The largest sum of values that are alive at one node, in the order of the graph, inputs left out."""
    last = {argument: number for number, node in enumerate(nodes) for argument in node.all_input_nodes}
    alive = peak = 0
    leaving: dict[int, int] = {}
    for number, node in enumerate(nodes):
        if node.op == "call_function":
            size = _bytes(node.meta.get("val"))
            alive, peak = alive + size, max(peak, alive + size)
            leaving[last.get(node, number)] = leaving.get(last.get(node, number), 0) + size
        alive -= leaving.pop(number, 0)
    return peak


def _bytes(value: Any) -> int:
    import torch

    leaves = [t for t in torch.utils._pytree.tree_leaves(value) if isinstance(t, torch.Tensor)]
    return sum(int(t.numel()) * t.element_size() for t in leaves if all(isinstance(d, int) for d in t.shape))


class _Recompilations(logging.Handler):
    """Reads what dynamo logs when a guard fails."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self._recorder = recorder

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        found = _RECOMPILED.search(message)
        if not found:
            return
        file, _, line = found["site"].rpartition(":")
        reasons = [text.strip("- ").strip() for text in message.splitlines()[2:] if text.strip()]
        size = _SIZE.search(message)
        change = (
            {"tensor": size["tensor"], "dimension": int(size["dim"]), "old": int(size["old"]), "new": int(size["new"])}
            if size
            else {}
        )
        own = line.isdigit() and not library(file)
        place = site(file, int(line)) if own else here()[0]
        self._recorder.note("recompile", function=found["function"], site=place, reasons=reasons[:3], **change)


def watch(recorder: Recorder) -> None:
    """Static shapes, as Neuron compiles them; failed guards are written down, not printed."""
    import torch
    import torch._dynamo

    torch._dynamo.config.automatic_dynamic_shapes = False
    torch._dynamo.config.assume_static_by_default = True
    torch._logging.set_logs(recompiles=True)
    logger = logging.getLogger("torch._dynamo.guards.__recompiles")
    logger.addHandler(_Recompilations(recorder))
    logger.propagate = False


def listed(recorder: Recorder, lister: Lister) -> Callable[..., Any]:
    """From now on torch.compile means the lister, whatever backend the user's code names."""
    import torch

    watch(recorder)
    compile_ = torch.compile

    def listing(model: Any = None, **options: Any) -> Any:
        options = {k: v for k, v in options.items() if k == "fullgraph"}
        if model is None:
            return lambda f: compile_(f, backend=lister, dynamic=False, **options)
        return compile_(model, backend=lister, dynamic=False, **options)

    torch.compile = listing
    torch.nn.Module.compile = lambda self, *_, **__: setattr(self, "_compiled_call_impl", listing(self._call_impl))
    _look_after_each_step(Holdings(recorder))
    return listing


def _look_after_each_step(holdings: Holdings) -> None:
    """The state of an optimizer is there after its first step, long after the graphs."""
    from torch.optim.optimizer import register_optimizer_step_post_hook

    register_optimizer_step_post_hook(lambda *_: holdings.look())


def run_target(recorder: Recorder, name: str, arguments: Sequence[str], meta: bool) -> None:
    """Compiles what `module:name` builds; with `meta` everything is built without memory."""
    import torch

    compile_, lister = torch.compile, Lister(recorder)
    listed(recorder, lister)
    build = targets.load(name, arguments)
    with torch.device("meta" if meta else "cpu"):
        function, args, kwargs = targets.example(build())
    if not args and not kwargs and not isinstance(function, torch.nn.Module):
        function()
    if not lister.graphs:
        compiled = compile_(function, backend=lister, dynamic=False)
        _backward(function, compiled(*args, **kwargs))
    Holdings(recorder).look()


def _backward(function: Any, result: Any) -> None:
    """A module in training mode is asked for its gradients too."""
    import torch

    if not (isinstance(function, torch.nn.Module) and function.training):
        return
    leaves = [t for t in torch.utils._pytree.tree_leaves(result) if isinstance(t, torch.Tensor)]
    sums = [t.sum() for t in leaves if t.requires_grad and t.is_floating_point()]
    if sums:
        total: Any = sums[0]
        for one in sums[1:]:
            total = total + one
        total.backward()


def run_script(recorder: Recorder, path: str, arguments: Sequence[str]) -> None:
    """Runs a script; its torch.compile gets the lister. One that never compiles has each outermost module compiled."""

    listing = listed(recorder, Lister(recorder))
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    if not re.search(r"\bcompile\(|@torch\.compile|neuron_backend", text):
        _compile_outermost(listing)
    targets.run_script(path, arguments)


def _compile_outermost(compile_: Callable[..., Any]) -> None:
    import torch

    original = torch.nn.Module.__call__
    compiled: dict[int, Any] = {}
    depth = [0]

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if depth[0] or torch.compiler.is_compiling():
            return original(self, *args, **kwargs)
        depth[0] += 1
        try:
            found = compiled.get(id(self)) or compiled.setdefault(id(self), compile_(self))
            return original(found, *args, **kwargs)
        finally:
            depth[0] -= 1

    torch.nn.Module.__call__ = call


def run_export(recorder: Recorder, path: str) -> None:
    """The graph of a `.pt2` file of torch.export, decomposed to core aten operators."""
    import torch

    program = torch.export.load(path)
    for name, size in getattr(program, "range_constraints", {}).items():
        recorder.note("dynamic", symbol=str(name), bounds=f"{size.lower} to {size.upper}")
    write_graph(recorder, program.run_decompositions().graph_module, "exported")
    weights = list(program.state_dict.values())
    held = sum(t.numel() * t.element_size() for t in weights)
    recorder.note("inventory", parameters=sum(t.numel() for t in weights), weights=held, gradients=0, trainable=0)
