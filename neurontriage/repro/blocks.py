"""Small graphs and graph questions that several cases share."""

from __future__ import annotations

from collections.abc import Callable

from neurontriage.hlo.module import Module, Proto
from neurontriage.hlo.schema import messages
from neurontriage.repro.case import Function
from neurontriage.repro.lazy import _XLAC, Tensor, torch, xla_builder, xla_op_registry

STEPS = 24
LONG_CHAIN = 16


def accumulated_matmuls(data: Tensor, steps: int = STEPS) -> Tensor:
    """Row by row: outer shapes by unsqueeze, a matmul of one number, and a running sum."""
    total = torch.zeros((), dtype=data.dtype, device=data.device)
    for row in range(steps):
        product = torch.matmul(data[row].unsqueeze(0), data[row].unsqueeze(1))
        total = total + torch.sum(product) * 0.5
    return total


def accumulated_squares(data: Tensor, steps: int = STEPS) -> Tensor:
    """The same running sum with each matmul replaced by a sum of squares; still one step per row."""
    total = torch.zeros((), dtype=data.dtype, device=data.device)
    for row in range(steps):
        total = total + torch.sum(data[row] * data[row]) * 0.5
    return total


def summed_squares(data: Tensor, steps: int = STEPS) -> Tensor:
    """The same number without a loop: one multiply and one reduction, summed in float32 whatever comes in."""
    wide = data[:steps].to(torch.float32)
    return (torch.sum(wide * wide) * 0.5).to(data.dtype)


def all_reduced(x: Tensor) -> Tensor:
    """A sum over a group of one rank; torch-xla's public call leaves it out of a graph of one rank."""
    return _XLAC._xla_all_reduce("sum", x, 1.0, [[0]], True)


def no_graph(module: Module) -> bool:
    """No trigger: the failure is raised before any HLO exists."""
    return False


def chain_of_adds(module: Module) -> int:
    """How many additions the entry computation holds."""
    return sum(instruction.opcode == "add" for instruction in module.entry.instructions)


def one_hot(index: Tensor, size: int, dtype: Tensor) -> Tensor:
    """Rows of zeros with a one at `index`, made by comparison: no scatter. An index out of range gives no one."""
    return (index[..., None] == torch.arange(size, device=index.device)).to(dtype)


def halves(x: Tensor, bits: int) -> tuple[Tensor, Tensor]:
    """Low and high part of integers with x = low + high * 2^bits, both of the sign of x.

    By division of the magnitude: torch-xla 2.9 lowers >> to a division that truncates, wrong for negative numbers.
    """
    sign, size = x.sign(), x.abs()
    high = torch.div(size, 2**bits, rounding_mode="trunc")
    return sign * (size - high * 2**bits), sign * high


def doubled_inverse(b: Tensor, a: Tensor) -> Tensor:
    """Solves an upper triangular system with products only: (I - N)^-1 = (I + N)(I + N^2)(I + N^4)..., N nilpotent."""
    a = a.triu()
    identity = torch.eye(a.shape[0], dtype=a.dtype, device=a.device)
    diagonal = (a * identity).sum(1, keepdim=True)
    power = identity - a / diagonal
    found, reach = b / diagonal, 1
    while reach < a.shape[0]:
        found, power, reach = found + power @ found, power @ power, reach * 2
    return found


def substitution(b: Tensor, a: Tensor) -> Tensor:
    """Solves an upper triangular system row by row from the last one."""
    rows: list[Tensor] = []
    for row in reversed(range(a.shape[0])):
        known = a[row : row + 1, row + 1 :] @ torch.cat(rows) if rows else 0.0
        rows.insert(0, (b[row : row + 1] - known) / a[row, row])
    return torch.cat(rows)


def inverse_then_product(b: Tensor, a: Tensor) -> Tensor:
    """What the documentation proposes for a triangular solve."""
    return torch.inverse(a) @ b


def product_and_sum(a: Tensor, b: Tensor) -> Tensor:
    """A matrix product as a broadcast product and a sum: no dot in the graph."""
    return (a[:, :, None] * b[None]).sum(1)


def custom_call(x: Tensor, target: str) -> Tensor:
    """A custom call that takes one tensor and returns one of the same shape and type."""
    from torch_xla.experimental.stablehlo_custom_call import stablehlo_custom_call

    return stablehlo_custom_call([x], target, [list(x.shape)], [x.dtype])


def edited_graph(function: Function, opcode: str, edit: Callable[[Proto], None], x: Tensor) -> Tensor:
    """Runs `function` on `x` with the instructions of one opcode edited in its HLO: for what torch cannot express."""
    context = _XLAC.lowering.LoweringContext("edited")
    context.build([function(x)])
    module = messages()["HloModuleProto"].FromString(context.hlo())
    for instruction in (each for computation in module.computations for each in computation.instructions):
        if instruction.opcode == opcode:
            edit(instruction)
    tensors = [tensor.to(x.device) for _, tensor in sorted(context.parameter_id_tensor_mapping().items())]
    computation = xla_builder.computation_from_module_proto("edited", module.SerializeToString(deterministic=True))
    return _XLAC._xla_user_computation("xla::edited", tensors, computation)[0]


def counted(x: Tensor, size: int) -> Tensor:
    """The numbers 0..size-1 as an iota instruction, as lax.iota gives; torch.arange becomes a constant."""
    return xla_op_registry.register(f"counted_{size}", lambda x: _iota(x, size))(x)


def _iota(x: Tensor, size: int) -> Tensor:
    return xla_builder.Op.iota(x.builder(), xla_builder.mkshape("s32", [size]), 0)


def running_pool(x: Tensor) -> Tensor:
    """The maximum of each two neighbours: a plain reduce-window of size 2."""
    return xla_op_registry.register("running_pool", _pool)(x)


def _pool(x: Tensor) -> Tensor:
    lowest = xla_builder.Op.scalar(x.builder(), float("-inf"), dtype=xla_builder.Type.F32)
    scalar = xla_builder.mkshape("f32", [])
    larger = xla_builder.create_computation("larger", lambda a, b: a.max(b), (scalar, scalar))
    return x.reduce_window(lowest, larger, [2], [1])
