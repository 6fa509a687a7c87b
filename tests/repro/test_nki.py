"""The NKI kernels, run by stand-ins of both generations of NKI that do what the documentation says of each call."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from neurontriage.repro import attempt, environment, kernels
from neurontriage.repro.backends import Job, load
from neurontriage.repro.case import CannotBuild
from neurontriage.repro.catalogue import all_cases, find_case, listing
from neurontriage.repro.lazy import torch

NKI_CASES = [case.ID for case in all_cases().values() if case.NEEDS.nki]


def made(name: str, **members: Any) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(members)
    return module


def empty(shape: Any, dtype: Any = None, buffer: str = "") -> Any:
    """NaN everywhere, as memory that nobody has written; without `buffer` this is no call of the documentation."""
    assert buffer in ("sbuf", "shared_hbm")
    return torch.full(tuple(shape), float("nan"), dtype=dtype)


def copied(dst: Any, src: Any) -> None:
    dst.copy_(src)


def activated(dst: Any, op: Any, data: Any) -> None:
    dst.copy_(op(data))


@pytest.fixture
def nki(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Both generations at hand; the list says which one took a kernel."""
    taken: list[str] = []
    for name in (kernels.NEW, kernels.OLD):
        monkeypatch.setitem(sys.modules, name, made(name, jit=lambda kernel, name=name: taken.append(name) or kernel))
    silu = torch.nn.functional.silu
    new = {"ndarray": empty, "sbuf": "sbuf", "shared_hbm": "shared_hbm", "silu": silu}
    old = {**new, "load": torch.clone, "store": lambda dst, value: dst.copy_(value), "add": torch.add}
    old |= {"affine_range": range, "sequential_range": range}
    old |= {"zeros": lambda shape, dtype, buffer: torch.zeros(tuple(shape), dtype=dtype)}
    parent = made("neuronxcc", nki=sys.modules[kernels.OLD])
    monkeypatch.setitem(sys.modules, "neuronxcc", parent)
    vars(sys.modules[kernels.OLD])["language"] = made("neuronxcc.nki.language", **old)
    vars(sys.modules[kernels.NEW]).update(language=made("nki.language", **new), isa=made("nki.isa"))
    monkeypatch.setitem(sys.modules, "nki.language", made("nki.language", **new))
    monkeypatch.setitem(sys.modules, "nki.isa", made("nki.isa", dma_copy=copied, activation=activated))
    vars(sys.modules[kernels.NEW])["isa"] = sys.modules["nki.isa"]
    monkeypatch.setitem(sys.modules, "neuronxcc.nki.language", vars(sys.modules[kernels.OLD])["language"])
    return taken


@pytest.mark.xla
def test_the_newer_nki_is_taken_where_both_are(nki: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    x = torch.randn(4, 8)
    assert torch.equal(kernels.silu(x), torch.nn.functional.silu(x))
    monkeypatch.setitem(sys.modules, kernels.NEW, None)
    assert torch.equal(kernels.silu(x), torch.nn.functional.silu(x))
    assert nki == [kernels.NEW, kernels.OLD]


@pytest.mark.xla
@pytest.mark.parametrize("case_id", NKI_CASES)
def test_kernels_compute_what_their_cases_say(case_id: str, nki: list[str]) -> None:
    case = find_case(case_id)
    example = case.build()
    expected = example.reference(*example.inputs) if example.reference else None
    tried = [example.function, *(each.function for each in case.ALTERNATIVES)]
    for function in tried:
        torch.testing.assert_close(function(*example.inputs), expected)
    assert nki


def test_without_nki_the_reason_is_said_in_the_list_and_by_the_kernel() -> None:
    rows = {row["id"]: row for row in listing()["cases"]}
    assert {case for case, row in rows.items() if row["cannot_build"]} == set(NKI_CASES)
    assert "neuronxcc.nki is not installed" in rows["TEN404-NeuronInstComb"]["cannot_build"]
    assert environment.nki_missing(("json",)) == environment.nki_missing(()) == ""
    with pytest.raises(CannotBuild, match="not installed"):
        kernels.silu(None)


@pytest.mark.xla
def test_an_attempt_without_nki_ends_before_it_lowers(tmp_path: Path, xla: None) -> None:
    case, job = find_case("TEN404-OptimizeNKIKernels"), Job(tmp_path, "trn1", (), 60.0)
    attempt.attempt(case, attempt.ORIGINAL, load("xla-cpu"), job)
    record = (tmp_path / attempt.RECORD).read_text()
    assert '"stage": "not-built"' in record
    assert "cannot be built" in record
