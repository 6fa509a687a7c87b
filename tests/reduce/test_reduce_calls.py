"""A failure of one operator is found in few calls, however many workers there are, and is minimal."""

from __future__ import annotations

from pathlib import Path

import pytest

from neurontriage.hlo import files
from neurontriage.hlo.module import Module
from neurontriage.reduce.asking import Asker, Budget
from neurontriage.reduce.predicate import Answer, Stop
from neurontriage.reduce.session import Reduction

SAMPLE = Path(__file__).parents[2] / "samples" / "hlo" / "conv-step.hlo_module.pb"


def opcodes(module: Module) -> set[str]:
    return {i.opcode for i in module.entry.instructions} - {"parameter", "tuple"}


def reduced(folder: Path, needed: set[str], workers: int) -> tuple[set[str], int]:
    """What is left, and the calls that it took."""

    def predicate(data: bytes, _: Stop) -> Answer:
        return Answer("same" if needed <= opcodes(files.parse("candidate", data).module) else "passes")

    asker = Asker(predicate, folder, Budget(workers=workers))
    found = Reduction(files.load(SAMPLE).module, asker, None, False, lambda _: None).run()
    asker.close()
    return opcodes(found), asker.calls


@pytest.mark.parametrize("workers", [1, 2, 4, 8, 16])
def test_calls_are_bounded_for_any_number_of_workers(tmp_path: Path, workers: int) -> None:
    found, calls = reduced(tmp_path, {"rng-bit-generator"}, workers)
    assert found == {"rng-bit-generator"}
    assert calls <= 30


def test_with_several_workers_one_of_each_opcode_is_tried(tmp_path: Path) -> None:
    """Two operators that stand far from each other: the first of each does, which spares the search for both places."""
    found, calls = reduced(tmp_path, {"rng-bit-generator", "dot"}, 8)
    assert found == {"rng-bit-generator", "dot"}
    assert calls <= 40
