"""The four ways to apply a module several times, as programs that say what one run claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from neurontriage.measure import graphs
from neurontriage.measure.device import Connection, Cut, Program, Step
from neurontriage.measure.plan import Key, Plan

Compiled = Callable[[Any], Any]


def programs(keys: Iterable[Key], plan: Plan, connection: Connection) -> list[Program]:
    """The programs of these combinations, their weights on the device."""
    import torch

    placed: dict[str, tuple[Any, Any, dict[str, int]]] = {}
    for graph, _ in keys:
        if graph not in placed:
            torch.manual_seed(plan.seed)
            module = graphs.build(graph).eval().requires_grad_(False)
            inputs = torch.randn(plan.batch, graphs.WIDTHS[graph])
            placed[graph] = connection.place(module), connection.place(inputs), graphs.size(module)
    return [_program((graph, pattern), placed[graph], plan.iterations, connection) for graph, pattern in keys]


def _program(key: Key, placed: tuple[Any, Any, dict[str, int]], times: int, connection: Connection) -> Program:
    module, inputs, size = placed
    graph, pattern = key
    facts: dict[str, Any] = dict(size)
    if pattern == "dependent":
        # with gradients the first iteration keeps more and is a second graph: the run itself says how many there are
        return Program(graph, pattern, dependent(connection.compiled(module), inputs, times), times, None, facts)
    if pattern == "scan":
        facts["scan"] = "native" if connection.scan else "manual"
    body = connection.compiled(_body(pattern, module, inputs, times, connection.scan))
    return Program(graph, pattern, once(body, inputs), 1, 1, facts)


def _body(pattern: str, module: Any, inputs: Any, times: int, scan: Callable[..., Any] | None) -> Compiled:
    if pattern == "natural":
        return natural(module, times)
    if pattern == "vmap":
        return vmap(module, times)
    return native_scan(module, inputs, times, scan) if scan else manual_scan(module, times)


def once(body: Compiled, inputs: Any) -> Step:
    """One graph, one synchronisation at its end."""

    def step(cut: Cut) -> Any:
        outputs = body(inputs)
        cut(list(outputs) if isinstance(outputs, tuple) else [outputs])
        return outputs

    return step


def dependent(module: Any, inputs: Any, times: int) -> Step:
    """A loop that synchronises in every iteration, as one does that looks at its intermediate results."""

    def step(cut: Cut) -> Any:
        x = inputs.clone()
        for _ in range(times):
            x = module(x)
            cut([x])
        return x

    return step


def natural(module: Any, times: int) -> Compiled:
    """A loop with one synchronisation at its end: one graph with `times` copies of the module."""

    def body(inputs: Any) -> Any:
        x = inputs.clone()
        for _ in range(times):
            x = module(x)
        return x

    return body


def vmap(module: Any, times: int) -> Compiled:
    """The module over a new leading dimension of `times` copies of the input."""
    import torch

    def one(x: Any) -> Any:
        return module(x)  # a function: torch.compile cannot trace vmap of a module itself

    def body(inputs: Any) -> Any:
        return torch.func.vmap(one, in_dims=0)(inputs.unsqueeze(0).repeat(times, 1, 1))

    return body


def manual_scan(module: Any, times: int) -> Compiled:
    """A carried state through `times` steps, all states kept: written out, so the graph grows with `times`."""
    import torch

    def body(inputs: Any) -> Any:
        carry, seen = inputs.clone(), []
        for _ in range(times):
            seen.append(carry)
            carry = module(carry)
        return carry, torch.stack(seen)

    return body


def native_scan(module: Any, inputs: Any, times: int, scan: Callable[..., Any]) -> Compiled:
    """The same with one While loop in the graph. The weights travel in the carry: scan must not close over them."""
    import torch

    weights = dict(module.named_parameters()) | dict(module.named_buffers())
    places = torch.zeros(times, 1, device=inputs.device)

    def one(carry: Any, _: Any) -> tuple[Any, Any]:
        state, held = carry
        after = torch.func.functional_call(module, held, (state,))
        return (after, {name: each.clone() for name, each in held.items()}), state.clone()

    def body(start: Any) -> Any:
        (carry, _), seen = scan(one, (start.clone(), weights), places)
        return carry, seen

    return body
