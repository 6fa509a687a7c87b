"""`python -m neurontriage.reduce.fx FOLDER`: shrinks a torch.compile graph with torch's own minifier.

Reads `request.json` from the folder. Each smaller graph is lowered with torch-xla and asked as any other candidate, so
what is left fails the same way. Leaves `fx.hlo_module.pb`, `fx_graph.py` (torch code) and `fx.json` (what was done).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from neurontriage.reduce.asking import Asker, Budget, Spent
from neurontriage.reduce.predicate import Check, Command, Compiles, Predicate, Stop

REQUEST, RESULT, PROTO, CODE = "request.json", "fx.json", "fx.hlo_module.pb", "fx_graph.py"

_HEAD = '''"""The smallest torch.compile graph found that fails the same way when it is lowered; inputs as listed."""

import torch

INPUTS = [
{inputs}]

'''


def main() -> None:
    """One reduction; the outcome is always written, also when nothing fails."""
    folder = Path(sys.argv[1])
    wanted = json.loads((folder / REQUEST).read_text(encoding="utf-8"))
    outcome = _reduced(folder, wanted)
    (folder / RESULT).write_text(json.dumps(outcome), encoding="utf-8")


def _reduced(folder: Path, wanted: dict[str, Any]) -> dict[str, Any]:
    reasons = []
    for gm, inputs in _graphs(wanted["target"]):
        module = _lowered(gm, inputs)
        if module is None:
            reasons.append("a graph that torch-xla cannot lower")
            continue
        predicate, reason = _predicate(wanted, module)
        if predicate is None:
            reasons.append(reason)
            continue
        return _minified(folder, Asker(predicate, folder, Budget(calls=wanted["calls"])), gm, inputs)
    return {"reason": "; ".join(reasons) or "torch.compile handed over no graph"}


def _graphs(name: str) -> list[tuple[Any, list[Any]]]:
    """The aten graphs of a target, forward and backward, each with inputs of its types and shapes."""
    import torch
    from torch._dynamo.backends.common import aot_autograd
    from torch._functorch.aot_autograd import make_boxed_func

    from neurontriage.preflight.child import target as targets

    found: list[tuple[Any, list[Any]]] = []

    def keep(gm: Any, inputs: Sequence[Any]) -> Any:
        found.append((gm, list(inputs)))
        return make_boxed_func(gm.forward)

    function, args, kwargs = targets.example(targets.load(name, ())())
    compiled = torch.compile(function, backend=aot_autograd(fw_compiler=keep, bw_compiler=keep), dynamic=False)
    result = compiled(*args, **kwargs)
    leaves = [t for t in torch.utils._pytree.tree_leaves(result) if isinstance(t, torch.Tensor) and t.requires_grad]
    if leaves:
        torch.autograd.backward([t.sum() for t in leaves])
    # Outside of the compilation: inside it every new tensor is a fake one.
    return [(gm, [_real(one) for one in inputs]) for gm, inputs in found]


def _real(one: Any) -> Any:
    """A tensor of the same type and shape: random numbers, and zeros where they may be indices."""
    import torch

    if not isinstance(one, torch.Tensor):
        return one
    shape = tuple(one.shape)
    return torch.rand(shape).to(one.dtype) if one.is_floating_point() else torch.zeros(shape, dtype=one.dtype)


def _lowered(gm: Any, inputs: Sequence[Any]) -> bytes | None:
    """The HLO of a graph; None where it cannot be lowered, which is no failure of the compiler."""
    import torch
    import torch_xla

    device = torch_xla.device()
    moved = [one.to(device) if isinstance(one, torch.Tensor) else one for one in inputs]
    torch_xla.sync()
    try:
        leaves = torch.utils._pytree.tree_leaves(gm(*moved))
        results = [t for t in leaves if isinstance(t, torch.Tensor) and t.device.type == "xla"]
        flags = torch_xla._XLAC._check_tensor_need_materialization(results) if results else []
        pending = [t for t, needed in zip(results, flags, strict=True) if needed]
        return bytes(torch_xla._XLAC._get_xla_tensors_hlo_proto(pending)) if pending else None
    except (RuntimeError, TypeError, ValueError, AssertionError):
        return None


def _predicate(wanted: dict[str, Any], module: bytes) -> tuple[Predicate | None, str]:
    from neurontriage.reduce.running import explainer

    command = Command(tuple(wanted["command"]), wanted["limit"])
    if not wanted["like"]:
        check = Check(command)
        return (
            (check, "")
            if check(module, Stop()).verdict == "same"
            else (None, "the check does not hold for the original")
        )
    compiles = Compiles(command, explainer(), entry=wanted["like"])
    identity, answer = compiles.first(module)
    if identity is None:
        return None, f"the original does not fail as {wanted['like']}: {answer.verdict}, {answer.said}"
    return Compiles(command, compiles.explain, identity, wanted["like"]), ""


def _minified(folder: Path, asker: Asker, gm: Any, inputs: list[Any]) -> dict[str, Any]:
    from torch._functorch.fx_minifier import minifier

    best = [(gm, inputs)]

    def fails(graph: Any, values: Sequence[Any]) -> bool:
        module = _lowered(graph, values)
        if module is None or asker.answer(module).verdict != "same":
            return False
        if len(graph.graph.nodes) <= len(best[-1][0].graph.nodes):
            best.append((graph, list(values)))
        return True

    before, stopped = _operators(gm), ""
    try:
        minifier(gm, list(inputs), fails, dump_state=lambda *_: None)
    except Spent as spent:
        stopped = str(spent)
    finally:
        asker.close()
    smallest, values = best[-1]
    module = _lowered(smallest, values)
    assert module is not None
    (folder / PROTO).write_bytes(module)
    (folder / CODE).write_text(_code(smallest, values), encoding="utf-8")
    return {"before": before, "after": _operators(smallest), "calls": asker.calls, "stopped": stopped}


def _operators(gm: Any) -> int:
    return sum(node.op == "call_function" for node in gm.graph.nodes)


def _code(gm: Any, values: Sequence[Any]) -> str:
    import torch

    rows = [
        f"    torch.ones({list(one.shape)}, dtype={one.dtype}),\n"
        if isinstance(one, torch.Tensor)
        else f"    {one!r},\n"
        for one in values
    ]
    body = gm.code.strip().replace("def forward(self, ", "def forward(").replace("def forward(self)", "def forward()")
    return str(_HEAD.format(inputs="".join(rows)) + body + "\n")


if __name__ == "__main__":
    main()
