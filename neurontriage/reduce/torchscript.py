"""A reduced module → a torch script that lowers to it where torch can express it, else one that loads the proto."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

from neurontriage.hlo import files
from neurontriage.hlo.dtypes import NAMES, TORCH
from neurontriage.hlo.literals import values
from neurontriage.hlo.module import Module

Proto = Any

_TYPES = {hlo: name for name, hlo in reversed(TORCH.items())}
_UNARY = {
    "abs": "abs", "negate": "neg", "exponential": "exp", "log": "log", "tanh": "tanh", "rsqrt": "rsqrt", "sqrt": "sqrt",
    "sine": "sin", "cosine": "cos", "logistic": "sigmoid", "sign": "sign", "floor": "floor", "ceil": "ceil",
    "log-plus-one": "log1p", "exponential-minus-one": "expm1", "erf": "erf", "not": "logical_not",
}  # fmt: skip
_BINARY = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "and": "&", "or": "|"}
_PAIRS = {"maximum": "maximum", "minimum": "minimum", "power": "pow", "atan2": "atan2"}
_REDUCERS = {"add": "sum", "maximum": "amax", "minimum": "amin"}
_DIRECTIONS = {"EQ": "==", "NE": "!=", "LT": "<", "LE": "<=", "GT": ">", "GE": ">="}


class NotExpressible(Exception):
    """An operator for which torch has no single expression that lowers to it; the text is its opcode."""


def torch_script(module: Module) -> str:
    """The script; it needs torch and torch-xla only."""
    try:
        body = "".join(f"    {line}\n" for line in _lines(module))
    except NotExpressible as missing:
        return _loading(module, str(missing))
    return _HEAD.format(inputs=_inputs(module), names=", ".join(_name(p) for p in module.parameters), body=body)


_HEAD = '''"""Lowers to the reduced module. PJRT_DEVICE chooses: NEURON where torch-neuronx is, CPU elsewhere."""

import torch
import torch_xla

device = torch_xla.device()
inputs = [
{inputs}]


def step({names}):
{body}

results = step(*(x.to(device) for x in inputs))
print(torch_xla._XLAC._get_xla_tensors_hlo(list(results)))
torch_xla.sync(wait=True)
print([x.cpu() for x in results])
'''


def _inputs(module: Module) -> str:
    return "".join(f"    {_input(p)},\n" for p in module.parameters)


def _input(parameter: Proto) -> str:
    dtype = _TYPES.get(NAMES.get(parameter.shape.element_type, ""))
    if dtype is None:
        raise NotExpressible(f"a parameter of type {NAMES.get(parameter.shape.element_type)}")
    return f"torch.ones({_dims(parameter.shape)}, dtype=torch.{dtype})"


def _dims(shape: Proto) -> str:
    return str(list(shape.dimensions))


def _name(i: Proto) -> str:
    return "v_" + "".join(c if c.isalnum() else "_" for c in i.name)


def _lines(module: Module) -> Iterator[str]:
    for i in module.entry.instructions:
        if i.opcode == "parameter":
            continue
        if i.opcode == "tuple" and i.id == module.entry.root_id:
            yield f"return [{', '.join(_name(o) for o in module.operands(i))}]"
            return
        yield f"{_name(i)} = {_expression(module, i)}"
    yield f"return [{_name(module.by_id[module.entry.root_id])}]"


def _expression(module: Module, i: Proto) -> str:
    names = [_name(operand) for operand in module.operands(i)]
    if i.opcode in _UNARY:
        return f"torch.{_UNARY[i.opcode]}({names[0]})"
    if i.opcode in _BINARY:
        return f"{names[0]} {_BINARY[i.opcode]} {names[1]}"
    if i.opcode in _PAIRS:
        return f"torch.{_PAIRS[i.opcode]}({names[0]}, {names[1]})"
    found = _SPECIAL.get(i.opcode)
    if found is None:
        raise NotExpressible(i.opcode)
    return str(found(module, i, names))


def _constant(module: Module, i: Proto, names: list[str]) -> str:
    found = values(i.literal)
    dtype = _TYPES.get(NAMES.get(i.shape.element_type, ""))
    if found is None or dtype is None or len(found) > 1_000:
        raise NotExpressible("a large constant")
    numbers = repr(list(found)).replace("inf", "float('inf')").replace("nan", "float('nan')")
    return f"torch.tensor({numbers}, dtype=torch.{dtype}, device=device).reshape({_dims(i.shape)})"


def _dot(module: Module, i: Proto, names: list[str]) -> str:
    numbers, letters = i.dot_dimension_numbers, iter("abcdefghijklmnopqrstuvwxyz")
    left, right = ([""] * len(o.shape.dimensions) for o in module.operands(i))
    shared = [
        (numbers.lhs_batch_dimensions, numbers.rhs_batch_dimensions),
        (numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions),
    ]
    for one, other in ((a, b) for lhs, rhs in shared for a, b in zip(lhs, rhs, strict=True)):
        left[one] = right[other] = next(letters)
    result = "".join(left[n] for n in numbers.lhs_batch_dimensions)
    for side in (left, right):
        for place, letter in enumerate(side):
            side[place] = letter or next(letters)
            result += "" if letter else side[place]
    return f"torch.einsum('{''.join(left)},{''.join(right)}->{result}', {names[0]}, {names[1]})"


def _broadcast(module: Module, i: Proto, names: list[str]) -> str:
    sizes = [1] * len(i.shape.dimensions)
    for place, size in zip(i.dimensions, module.operands(i)[0].shape.dimensions, strict=True):
        sizes[place] = size
    return f"{names[0]}.reshape({sizes}).expand({_dims(i.shape)})"


def _reduce(module: Module, i: Proto, names: list[str]) -> str:
    called = module.called(i)[0]
    how = _REDUCERS.get(module.by_id[called.root_id].opcode)
    if how is None or len(names) != 2:
        raise NotExpressible("reduce")
    return f"torch.{how}({names[0]}, dim={list(i.dimensions)})"


def _slice(module: Module, i: Proto, names: list[str]) -> str:
    return f"{names[0]}[{', '.join(f'{s.start}:{s.limit}:{s.stride}' for s in i.slice_dimensions)}]"


def _convert(module: Module, i: Proto, names: list[str]) -> str:
    dtype = _TYPES.get(NAMES.get(i.shape.element_type, ""))
    if dtype is None:
        raise NotExpressible("convert")
    return f"{names[0]}.to(torch.{dtype})"


_SPECIAL: dict[str, Any] = {
    "constant": _constant,
    "dot": _dot,
    "broadcast": _broadcast,
    "reduce": _reduce,
    "slice": _slice,
    "convert": _convert,
    "reshape": lambda m, i, names: f"{names[0]}.reshape({_dims(i.shape)})",
    "transpose": lambda m, i, names: f"{names[0]}.permute({list(i.dimensions)})",
    "reverse": lambda m, i, names: f"torch.flip({names[0]}, {list(i.dimensions)})",
    "concatenate": lambda m, i, names: f"torch.cat([{', '.join(names)}], dim={i.dimensions[0]})",
    "select": lambda m, i, names: f"torch.where({', '.join(names)})",
    "compare": lambda m, i, names: f"{names[0]} {_DIRECTIONS[i.comparison_direction]} {names[1]}",
}


def _loading(module: Module, missing: str) -> str:
    text = base64.b64encode(files.dump(module)).decode()
    chunks = "\n".join(f'    "{text[n : n + 100]}"' for n in range(0, len(text), 100))
    return _LOADED.format(missing=missing, chunks=chunks, inputs=_inputs_or_nothing(module))


def _inputs_or_nothing(module: Module) -> str:
    try:
        return _inputs(module)
    except NotExpressible:
        return ""


_LOADED = '''"""Runs the reduced module itself: {missing} has no torch expression that is sure to lower to it."""

import base64

import torch
import torch_xla
from torch_xla.core import xla_builder

MODULE = base64.b64decode(
{chunks}
)
device = torch_xla.device()
inputs = [
{inputs}]
computation = xla_builder.computation_from_module_proto("reduced", MODULE)
print(torch_xla._XLAC._xla_computation_text(computation))
results = torch_xla._XLAC._xla_user_computation("xla::reduced", [x.to(device) for x in inputs], computation)
torch_xla.sync(wait=True)
print([x.cpu() for x in results])
'''
