"""The two blocks of code that an entry shows compute the same: both are run on the CPU; pairs.yaml has the inputs."""

from __future__ import annotations

import ast
import itertools
import os
import re
import textwrap
from pathlib import Path
from typing import Any

import pytest
import yaml
from shipped import ENTRIES

from neurontriage.knowledge.schema import WorkaroundText

pytestmark = pytest.mark.xla
os.environ.setdefault("PJRT_DEVICE", "CPU")


@pytest.fixture(scope="module", autouse=True)
def device() -> None:
    """Autograd starts a thread for each device that is known by then, and never another one: XLA's has to be."""
    import torch_xla

    torch_xla.device()


KNOWN = yaml.safe_load((Path(__file__).parent / "pairs.yaml").read_text())
SIGNS = ("mixed", "negative", "zero")
_TORCH = re.compile(r"\btorch\b|\bF\.|\bnn\.")


def tree(text: str) -> ast.Module | None:
    """A block as Python; None where it is something else, or only a part of a statement."""
    try:
        return ast.parse(textwrap.dedent(text))
    except SyntaxError:
        return None


def shown() -> dict[str, WorkaroundText]:
    """All pairs of blocks, by `ID | title of the step`."""
    return {
        f"{entry.id} | {one.title}": one
        for entry in ENTRIES.values()
        for one in entry.workarounds
        if one.before and one.after and tree(one.before) and tree(one.after)
    }


PAIRS = shown()
TORCH = {name for name, one in PAIRS.items() if _TORCH.search(f"{one.before}{one.after}")}


def test_every_pair_with_torch_code_is_run_or_says_why_not() -> None:
    missing = TORCH - KNOWN["run"].keys() - KNOWN["listed"].keys()
    assert not missing, "give inputs to the pair in pairs.yaml, or list it with a reason"
    assert (KNOWN["run"].keys() | KNOWN["listed"].keys()) <= PAIRS.keys()
    assert not KNOWN["run"].keys() & KNOWN["listed"].keys()
    assert set(KNOWN["listed"].values()) <= KNOWN["not-run"].keys()


def inputs(case: dict[str, Any]) -> list[tuple[list[int], str, str]]:
    return list(itertools.product(case["sizes"], case.get("dtypes", ["float32", "float64"]), SIGNS))


@pytest.mark.parametrize("name", KNOWN["run"])
def test_inputs_differ_in_shape_and_sign(name: str) -> None:
    case = KNOWN["run"][name]
    assert len({tuple(size) for size in case["sizes"]}) >= 3
    assert len(inputs(case)) >= 9


@pytest.mark.parametrize("name", KNOWN["run"])
def test_both_blocks_compute_the_same(name: str) -> None:
    import torch

    case, pair = KNOWN["run"][name], PAIRS[name]
    for seed, (sizes, dtype, sign) in enumerate(inputs(case)):
        torch.manual_seed(seed)
        given = namespace(sizes, getattr(torch, dtype), sign)
        exec(case["given"], given)
        before = computed(pair.before or "", given, case.get("reference", case["result"]))
        after = computed(pair.after or "", given, case["result"])
        for one, other in zip(before, after, strict=True):
            compared(one, other, case, f"{name}: {sizes} {dtype} {sign}")


def namespace(sizes: list[int], dtype: Any, sign: str) -> dict[str, Any]:
    """What the code of one run may name."""
    import jax.numpy as jnp
    import torch
    from jax import lax

    def numbers(*shape: int) -> Any:
        found = signed(torch.randint(-9, 10, shape), sign)
        return (found.abs() if dtype in (torch.uint8, torch.bool) else found).to(dtype)

    def real(*shape: int) -> Any:
        return signed(torch.randn(*shape), sign).to(dtype if dtype.is_floating_point else torch.float32)

    def indices(count: int, below: int) -> Any:
        return torch.randint(0, below, (count,))

    own = {"sizes": sizes, "dtype": dtype, "numbers": numbers, "real": real, "indices": indices}
    return {"torch": torch, "F": torch.nn.functional, "nn": torch.nn, "jnp": jnp, "lax": lax, **own}


def signed(values: Any, sign: str) -> Any:
    return {"mixed": values, "negative": -values.abs(), "zero": values * 0}[sign]


def computed(block: str, given: dict[str, Any], results: list[str]) -> list[Any]:
    """Runs a block on copies of its inputs and reads what it made; `it` is the value of its last expression."""
    import torch

    scope = {name: value.clone() if torch.is_tensor(value) else value for name, value in given.items()}
    code = tree(block)
    assert code is not None
    if isinstance(code.body[-1], ast.Expr):
        code.body[-1] = ast.copy_location(ast.Assign([ast.Name("it", ast.Store())], code.body[-1].value), code.body[-1])
    exec(compile(ast.fix_missing_locations(code), "block", "exec"), scope)
    return [eval(each, scope) for each in results]


def compared(one: Any, other: Any, case: dict[str, Any], where: str) -> None:
    import numpy
    import torch

    one, other = (each if torch.is_tensor(each) else torch.as_tensor(numpy.array(each)) for each in (one, other))
    assert one.shape == other.shape, where
    assert (one.dtype == other.dtype) or "to" in case, f"{where}: {one.dtype} became {other.dtype}"
    near = case.get("closely", 0)
    torch.testing.assert_close(one.double(), other.double(), rtol=near, atol=near, msg=lambda text: f"{where}\n{text}")
