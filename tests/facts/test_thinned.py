"""A fact never depends on how many like lines stand between: what is only counted is understood as if it were read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from neurontriage import triage
from neurontriage.facts.hlo_modules import Modules
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines import flood, stacks, templates
from neurontriage.model import Diagnosis, Event, Evidence

ENDLESS = 10**9
LIMITS = [
    *((templates, name) for name in ("READ", "READ_WORDS", "READ_MARKS", "MOST_MARKS", "MOST_WORDINGS")),
    *((flood, name) for name in ("READ", "MOST_WORDINGS")),
    (stacks, "READ"),
]
CACHE = "/var/tmp/neuron-compile-cache/neuronxcc-2.21.18209.0+043b1bf7"
LINES = {
    "call": "{head}INFO ||NEURON_CC_WRAPPER||: Call compiler with cmd: neuronx-cc compile --framework=XLA "
    "/tmp/w/model.{module}.hlo_module.pb --output /tmp/w/model.{module}.neff --target=trn1",
    "pass": "Compiler status PASS",
    "error": "Compiler status ERROR",
    "passed": "{head}[INFO]: Compilation Successfully Completed for model.{module}.hlo_module.pb",
    "failed": "{head}ERROR ||NEURON_CC_WRAPPER||: Compilation failed for /w/{module}.hlo_module.pb after 0 retries.",
    "cached": "{head}INFO ||NEURON_CACHE||: Using a cached neff at {cache}/{module}/model.neff",
    "waiting": "{head}INFO ||NEURON_CACHE||: Another process must be compiling {cache}/{module}/model.hlo.pb, "
    "been waiting for: 1.0 minutes",
}
KINDS = {kind: {"pass": "status_pass", "error": "status_error"}.get(kind, kind) for kind in LINES}
STEPS = st.lists(st.tuples(st.sampled_from(sorted(LINES)), st.integers(0, 3)), min_size=1, max_size=20)


def line(kind: str, module: int, second: int) -> str:
    """One line of the compile wrapper; a module is a number, and nothing but digits tells two apart."""
    name = f"MODULE_{10**18 + module * 7919}+e30acd3a"
    head = f"2026-03-01 1{second // 3600 % 10}:{second // 60 % 60:02d}:{second % 60:02d}.000123:  1320  "
    return LINES[kind].format(head=head, module=name, cache=CACHE)


def compiled(many: int, *ends: str, hangs: bool = False) -> str:
    """Modules that are compiled one after the other; the last one may never end."""
    kinds = [(kind, module) for module in range(many) for kind in ("call", *ends)]
    kinds = kinds[: -len(ends)] if hangs else kinds
    return "".join(f"{line(kind, module, 2 * place)}\n" for place, (kind, module) in enumerate(kinds))


def explained(text: str, catalog: Catalog) -> Diagnosis:
    return triage.explain_text(text, "x", catalog)


def statuses(text: str, catalog: Catalog) -> Counter[str]:
    return Counter(module.status for module in explained(text, catalog).modules)


@contextmanager
def thorough(catalog: Catalog) -> Iterator[Catalog]:
    """A catalogue by which every line is read."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name in LIMITS:
            patch.setattr(module, name, ENDLESS)
        yield replace(catalog, sorts=replace(catalog.sorts))


@pytest.mark.parametrize("many", [3, 12, 300])
@pytest.mark.parametrize("ends", [("pass",), ("passed",), ("pass", "passed")], ids="-".join)
def test_every_module_has_passed(many: int, ends: tuple[str, ...], catalog: Catalog) -> None:
    assert statuses(compiled(many, *ends), catalog) == {"passed": many}
    assert statuses(compiled(many, *ends, hangs=True), catalog) == {"passed": many - 1, "running": 1}
    assert explained(compiled(many, *ends, hangs=True), catalog).verdict == "unknown"


def test_the_named_end_below_a_status_gives_the_time(catalog: Catalog) -> None:
    told = explained(compiled(40, "pass", "passed"), catalog).compiles
    assert told is not None and (told.compiled, told.seconds, told.longest_seconds) == (40, 160, 4)


def test_of_modules_side_by_side_as_many_run_as_have_not_ended(catalog: Catalog) -> None:
    calls = "".join(f"{line('call', one, one)}\n" for one in range(20))
    assert statuses(calls + "Compiler status PASS\n" * 17, catalog) == {"passed": 17, "running": 3}


def test_a_cached_module_is_one_however_often_it_is_used(catalog: Catalog) -> None:
    text = "".join(f"{line('cached', one % 25, one)}\n" for one in range(4000))
    assert statuses(text, catalog) == {"cached": 25}


def test_who_waits_too_long_is_seen_behind_many_that_wait(catalog: Catalog) -> None:
    """That a shared cache is slow shows in the last of a thousand lines."""
    waits = "".join(f"{line('waiting', 0, one)}\n" for one in range(1000))
    text = f"{line('call', 0, 0)}\n{waits}{line('passed', 0, 1001)}\n{line('waiting', 0, 1300)}\n"
    assert "PERF-SlowCache" in {one.id for one in explained(text, catalog).findings}


def facts(text: str, catalog: Catalog) -> tuple[object, ...]:
    """What a log prints about itself."""
    found = explained(text, catalog)
    return found.modules, found.compiles, dict(found.environment), found.runs


@example([("cached", 0), ("call", 1), ("failed", 1), ("cached", 0)], 6)
@given(STEPS, st.integers(1, 14))
@settings(deadline=None, max_examples=40)
def test_what_is_counted_is_understood_as_what_is_read(
    catalog: Catalog, steps: list[tuple[str, int]], many: int
) -> None:
    """The same things happen to ever other modules."""
    told = [(kind, round * 4 + module) for round in range(many) for kind, module in steps]
    text = "".join(f"{line(kind, module, place)}\n" for place, (kind, module) in enumerate(told))
    with thorough(catalog) as patient:
        expected = facts(text, patient)
    assert facts(text, catalog) == expected


@given(st.lists(st.tuples(st.sampled_from(sorted(LINES)), st.integers(0, 3)), max_size=14), st.integers(0, 14))
def test_modules_are_followed_from_slice_to_slice(steps: list[tuple[str, int]], cut: int) -> None:
    """Parts of a log that are put together say what the whole says."""
    whole, first, second = Modules(), Modules(), Modules()
    for place, (kind, module) in enumerate(steps):
        event = Event("neuron_cc_wrapper", KINDS[kind], {"module": f"MODULE_{module}"}, Evidence("x", place, place, ""))
        for part in (whole, first if place < cut else second):
            part.read(event)
    first.take(second)
    assert first.found() == whole.found()


def test_of_too_many_modules_the_first_are_followed(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("neurontriage.facts.hlo_modules._MOST_MODULES", 3)
    found = explained(compiled(5, "passed"), catalog)
    assert [one.status for one in found.modules] == ["passed"] * 3
    assert "4 more lines tell of modules beyond those that are followed" in found.notes


@pytest.mark.parametrize("folded", [0, 1, 5])
def test_what_became_of_modules_is_known_without_their_steps(folded: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("neurontriage.facts.hlo_modules._FOLDED", folded)
    told = [("call", 1), ("failed", 1), ("call", 2), ("pass", 2), ("call", 1), ("passed", 1), ("call", 3), ("error", 3)]
    whole, mine = Modules(), Modules()
    for place, (kind, module) in enumerate(told):
        kind = {"pass": "status_pass", "error": "status_error"}.get(kind, kind)
        event = Event("neuron_cc_wrapper", kind, {"module": f"MODULE_{module}"}, Evidence("x", place, place, ""))
        later = Modules()
        later.read(event)
        mine.take(later)
        whole.read(event)
        assert (mine.found(), mine.tried()) == (whole.found(), whole.tried())
