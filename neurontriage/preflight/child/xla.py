"""Runs an unmodified torch-xla script on the CPU client: writes down the graph of each sync and what left the device.

Dry (the default): nothing is compiled or executed; a value that the script reads is zero, as in the graph extraction of
neuron_parallel_compile. A step that needs real values (shapes that depend on data) ends the dry run: NEEDS_VALUES.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence
from typing import Any

from neurontriage.preflight.child import target as targets
from neurontriage.preflight.child.events import Recorder, here, site_in
from neurontriage.preflight.child.inventory import Holdings

NEEDS_VALUES = 86
"""Exit status of a dry run that cannot go on without real values."""
_READ = "aten::_local_scalar_dense"


class Session:
    """The patched torch-xla of one child process."""

    def __init__(self, recorder: Recorder, dry: bool) -> None:
        import torch
        import torch_xla

        _XLAC = torch_xla._XLAC

        self.recorder, self.dry, self.torch, self.xlac = recorder, dry, torch, _XLAC
        self.device = str(torch_xla.device())
        self._marker, self._multi = _XLAC._xla_step_marker, _XLAC._xla_sync_multi
        self._to_cpu = _XLAC._xla_get_cpu_tensors
        self._holdings = Holdings(recorder)
        _XLAC._xla_step_marker, _XLAC._xla_sync_multi = self._sync, self._sync_multi
        _XLAC._xla_get_cpu_tensors = self._get_cpu_tensors

    def _live(self) -> list[Any]:
        """Every tensor alive with work pending, gradients that only C++ holds included."""
        tensor = self.torch.Tensor
        alive = [t for t in gc.get_objects() if issubclass(type(t), tensor) and t.device.type == "xla"]
        grads = [t.grad for t in alive if t.is_leaf and t.requires_grad and t.grad is not None]
        return self._pending(list({id(t): t for t in alive + grads}.values()))

    def _pending(self, tensors: list[Any]) -> list[Any]:
        if not tensors:
            return []
        flags = self.xlac._check_tensor_need_materialization(tensors)
        return [tensor for tensor, pending in zip(tensors, flags, strict=True) if pending]

    def capture(self, tensors: list[Any], cause: str) -> None:
        """Writes down the graph that these tensors wait for."""
        pending = self._pending(tensors)
        if pending:
            place, function = here()
            data = self.xlac._get_xla_tensors_hlo_proto(pending)
            self.recorder.graph(data, cause=cause, site=place, function=function)
            self._holdings.look()

    def _sync(self, *args: Any, **kwargs: Any) -> Any:
        self.capture(self._live(), "sync")
        if self.dry:
            return self.xlac._clear_pending_irs(self.device)
        return self._marker(*args, **kwargs)

    def _sync_multi(self, tensors: Sequence[Any], *args: Any, **kwargs: Any) -> Any:
        self.capture(list(tensors), "sync")
        return None if self.dry else self._multi(tensors, *args, **kwargs)

    def _get_cpu_tensors(self, tensors: Sequence[Any]) -> Any:
        self.capture(list(tensors), "read")
        if not self.dry:
            return self._to_cpu(tensors)
        return [self.torch.zeros(t.shape, dtype=t.dtype) for t in tensors]


def watching(session: Session) -> Any:
    """Sees every operator: names those that leave the device, and answers reads of a dry run."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class Watching(TorchDispatchMode):  # type: ignore[misc]
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return _operator(session, func, args, kwargs or {})

    return Watching()


def _operator(session: Session, func: Any, args: Any, kwargs: Any) -> Any:
    tensors = [t for t in _leaves(session, (args, kwargs)) if t.device.type == "xla"]
    name = func._schema.name
    if not tensors:
        return func(*args, **kwargs)
    if name == "aten::sort":
        session.recorder.note("unsorted", site=here()[0])
    if name == "aten::topk" and (kwargs.get("sorted") is False or (len(args) > 4 and args[4] is False)):
        session.recorder.note("unsorted", site=here()[0])
    if name == _READ or _leaves_for_cpu(func, kwargs):
        return _read(session, func, args, kwargs)
    if _no_lowering(session, func.name()):
        _fallback(session, name, tensors)
        session.capture(tensors, "fallback")
        return _stand_in(session, func, args, kwargs) if session.dry else func(*args, **kwargs)
    before = len(session.xlac._get_executed_fallback_ops())
    result = func(*args, **kwargs)
    if len(session.xlac._get_executed_fallback_ops()) > before:
        _fallback(session, name, tensors)
    return result


def _leaves(session: Session, value: Any) -> list[Any]:
    found = session.torch.utils._pytree.tree_leaves(value)
    return [leaf for leaf in found if isinstance(leaf, session.torch.Tensor)]


def _leaves_for_cpu(func: Any, kwargs: Any) -> bool:
    return func._schema.name == "aten::_to_copy" and str(kwargs.get("device", "")).startswith("cpu")


def _no_lowering(session: Session, name: str) -> bool:
    """Whether torch-xla has neither a kernel nor a decomposition: its CPU fallback takes the operator."""
    if name.startswith("prim::"):
        return False  # questions about a tensor, such as its device, which no kernel answers
    has = session.torch._C._dispatch_has_kernel_for_dispatch_key
    keys = ("XLA", "CompositeImplicitAutograd", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional")
    return not any(has(name, key) for key in keys)


def _fallback(session: Session, name: str, tensors: list[Any]) -> None:
    node = session.torch._C._current_autograd_node()
    forward = site_in(node.metadata.get("traceback_", ())) if node is not None else ""
    dtypes = [str(t.dtype).removeprefix("torch.") for t in tensors]
    session.recorder.note(
        "fallback", operator=name, site=forward or here()[0], backward=node is not None, dtypes=dtypes
    )


def _read(session: Session, func: Any, args: Any, kwargs: Any) -> Any:
    session.capture([args[0]], "read")
    if not session.dry:
        return func(*args, **kwargs)
    if func._schema.name == _READ:
        kind = args[0].dtype
        return False if kind is session.torch.bool else 0.0 if kind.is_floating_point else 0
    dtype = kwargs.get("dtype") or args[0].dtype
    return session.torch.zeros(args[0].shape, dtype=dtype)


def _stand_in(session: Session, func: Any, args: Any, kwargs: Any) -> Any:
    """What a fallback would give back, without values: the shapes come from the operator's meta kernel."""
    torch = session.torch
    tree = torch.utils._pytree

    def meta(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return torch.empty_strided(value.size(), value.stride(), dtype=value.dtype, device="meta")
        return torch.device("meta") if isinstance(value, torch.device) else value

    try:
        result = func(*tree.tree_map(meta, args), **tree.tree_map(meta, kwargs))
    except (RuntimeError, NotImplementedError) as error:
        session.recorder.note("needs-values", operator=func._schema.name, site=here()[0], text=str(error)[:300])
        os._exit(NEEDS_VALUES)
    return tree.tree_map(lambda value: _placeholder(session, value), result)


def _placeholder(session: Session, value: Any) -> Any:
    """A tensor on the device that holds nothing: a parameter of the next graph, as the result of a fallback is."""
    if not isinstance(value, session.torch.Tensor):
        return value
    from torch_xla.core import xla_builder

    return xla_builder.create_placeholder_tensor(tuple(value.shape), value.dtype)


def run(recorder: Recorder, name: str, arguments: Sequence[str], dry: bool) -> None:
    """Runs a script, or what `module:name` builds, under the watch."""
    session = Session(recorder, dry)
    session.torch.autograd.set_detect_anomaly(True, check_nan=False)
    with watching(session):
        try:
            if ":" in name and not name.endswith(".py"):
                _call(session, name, arguments)
            else:
                targets.run_script(name, arguments)
        finally:
            session.capture(session._live(), "end")


def _call(session: Session, name: str, arguments: Sequence[str]) -> None:
    function, args, kwargs = targets.example(targets.load(name, arguments)())
    torch, tree = session.torch, session.torch.utils._pytree
    if isinstance(function, torch.nn.Module):
        function = function.to(session.device)
    args, kwargs = tree.tree_map(lambda v: v.to(session.device) if isinstance(v, torch.Tensor) else v, (args, kwargs))
    session._sync()
    result = function(*args, **kwargs)
    session.capture(_leaves(session, result), "end")
