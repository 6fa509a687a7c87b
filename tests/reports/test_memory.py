"""What fills the device memory: three printed forms give the same kind of stacks."""

from __future__ import annotations

from dataclasses import replace

from diagnoses import FAILED, FULL, ROOT, USE

from neurontriage.model import Evidence, Workaround
from neurontriage.render.memory import advised, memory, shown, size

GB = 1 << 30


def of(evidence: Evidence):
    return memory(replace(FAILED, findings=(replace(FULL, evidence=(evidence,)),)))


def test_the_table_of_the_runtime() -> None:
    found = memory(replace(FAILED, findings=(FULL,)))
    assert found is not None
    assert [core.name for core in found.cores] == ["NC 4", "NC 5"]
    assert [part.kind for part in found.cores[0].parts] == ["Tensors", "Model Code", "Model Constants"]
    assert found.cores[0].parts[0].bytes == 20 * GB
    assert str(found) == "NC 4: 20.1 GB (Tensors 20.0 GB); NC 5: 96.1 MB (Model Code 96.0 MB)"
    assert found.kinds[0] == "Tensors"


def test_the_list_of_older_runtimes() -> None:
    items = [
        "    * total: 15.972GB",
        "    * model code: 482.430MB",
        "    * tensors: 13.170GB",
        "    * dma rings: 1.471GB",
    ]
    found = of(Evidence("a.log", 2, 2, USE, context=tuple(enumerate(["x", USE, *items], 1))))
    assert found is not None
    assert [(core.name, [part.kind for part in core.parts]) for core in found.cores] == [
        ("NC 4", ["tensors", "dma rings", "model code"])
    ]


def test_the_sentence_of_the_compiler() -> None:
    text = (
        "[ERROR] [NCC_EOOM001] Maximum peak HBM usage of 22.19GB (at instruction I-1) exceeds HBM limit of 16.00GB for "
        "Trn1. This consists of 7.63GB I/O tensors, 13.57GB intermediate tensors, and 1017.98MB internal (scratchpad) "
        "allocations"
    )
    found = of(Evidence("a.log", 2, 2, text))
    assert found is not None
    assert found.limit == 16 * GB
    assert [round(part.bytes / GB, 2) for part in found.cores[0].parts] == [13.57, 7.63, 0.99]
    assert max(part.x + part.width for part in found.cores[0].parts) <= 1000.1


def test_what_says_nothing_of_memory_draws_nothing() -> None:
    assert memory(replace(FAILED, findings=(ROOT,))) is None
    assert of(Evidence("a.log", 2, 2, USE)) is None
    assert of(Evidence("a.log", 2, 2, USE, context=((3, "\\_NC x | 1GB |"), (4, "|||")))) is None


def test_sizes() -> None:
    assert size("20.094GB") == 20.094 * GB
    assert size("n/a") == size("") == 0
    assert shown(96.285 * (1 << 20)) == "96.3 MB"
    assert shown(12) == "12.0 B"


def test_what_helps_against_the_largest_use_comes_first() -> None:
    pages = Workaround("Enlarge the pages", "env", fills=("scratchpad",))
    larger = Workaround("Take a larger instance", "resource")
    shard = Workaround("Hold less per core", "config", fills=("constants", "tensors"))
    told = replace(FAILED, findings=(replace(FULL, workarounds=(pages, larger, shard)),))
    assert advised(told).findings[0].workarounds == (shard, larger, pages)
    unknown = replace(FAILED, findings=(replace(FULL, workarounds=(pages, larger)),))
    assert advised(unknown) == unknown, "nothing listed helps against tensors"
    silent = replace(FAILED, findings=(replace(ROOT, workarounds=(pages, shard)),))
    assert advised(silent) == silent


def test_a_list_that_was_cut_off_below_its_total_tells_no_largest_use() -> None:
    cut = Evidence("a.log", 2, 2, USE, context=((1, "x"), (2, USE), (3, "    * total: 15.972GB")))
    told = replace(FAILED, findings=(replace(FULL, evidence=(cut,)),))
    found = memory(told)
    assert found is None or not found.cores[0].parts
    assert advised(told) == told
