"""Finds the case modules by walking `cases/` and looks them up by entry id."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import sys
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import yaml

from neurontriage import resources
from neurontriage.errors import TriageError
from neurontriage.repro import cases, environment
from neurontriage.repro.case import BOTH, Alternative, Case, GraphCase, Stack
from neurontriage.repro.sources import needs_xla

ON_XLA = frozenset({"torch-neuronx", "torch-xla"})
"""Values of an entry's `stack` that mean torch-xla."""
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def all_cases() -> dict[str, Case]:
    """Every case by entry id, sorted by id; a module that breaks the contract is named."""
    names = sorted(module.name for module in pkgutil.iter_modules(cases.__path__))
    modules = {name: importlib.import_module(f"{cases.__name__}.{name}") for name in names}
    found = [_checked(each, name) for name, module in modules.items() for each in getattr(module, "CASES", (module,))]
    return {case.ID: case for case in sorted(found, key=lambda case: case.ID)}


def module_of(case: Case) -> ModuleType:
    """The module that a case is, or stands in."""
    return sys.modules[case.function.__module__] if isinstance(case, GraphCase) else cast(ModuleType, case)


def find_case(case_id: str) -> Case:
    """The case of an entry id (any letter case); an unknown id names the nearest ones."""
    known = {key.lower(): case for key, case in all_cases().items()}
    case = known.get(case_id.lower())
    if case is not None:
        return case
    nearest = difflib.get_close_matches(case_id.lower(), known, n=3, cutoff=0.5)
    hint = "nearest: " + ", ".join(known[name].ID for name in nearest) if nearest else ""
    raise TriageError(
        reference="unknown-repro-case",
        message=f"no reproduction case for {case_id!r}",
        expected="the id of an entry with a case",
        hint=hint or "neurontriage repro --list",
    )


@cache
def uses_xla(case_id: str) -> bool:
    """Whether the failing graph of a case is written with torch-xla, and so only for stacks that have it."""
    case = all_cases()[case_id]
    start = case.function.__name__ if isinstance(case, GraphCase) else "build"
    return case.NEEDS.compiler == "xla-cpu" or needs_xla(module_of(case).__name__, start)


def stacks_of(case: Case, alternative: Alternative) -> tuple[Stack, ...]:
    """For which stacks a fix holds: where it can be written, and where the entry says that the failure was seen."""
    said = entry_stack(case)
    seen = BOTH if not said or "torchneuron" in said or said.isdisjoint(ON_XLA) else ("xla",)
    return tuple(stack for stack in alternative.stacks if stack in seen and stack in written_for(case, alternative))


def written_for(case: Case, alternative: Alternative) -> tuple[Stack, ...]:
    """The stacks that have what an alternative is written with."""
    return ("xla",) if needs_xla(module_of(case).__name__, alternative.function.__name__) else BOTH


def entry_stack(case: Case) -> frozenset[str]:
    """The `stack` of the case's knowledge entry: whose logs the failure is known from; empty where it does not say."""
    found = _entries().get(case.NEEDS.entry or case.ID)
    return frozenset((yaml.load(found.read_text(), _LOADER).get("stack") or ()) if found else ())


def select(only: str, layer: str, shard: str) -> list[Case]:
    """Cases whose id fits one of the comma-separated patterns, of one layer, and every n-th of them for `i/n`.

    Raises TriageError where nothing is left, or where a shard is none.
    """
    patterns = [pattern.strip().lower() for pattern in only.split(",") if pattern.strip()] or ["*"]
    chosen = [case for case in all_cases().values() if any(fnmatch(case.ID.lower(), each) for each in patterns)]
    layers = _layers() if layer else {}
    chosen = [case for case in chosen if not layer or layers.get(case.NEEDS.entry or case.ID) == layer]
    chosen = _sharded(chosen, shard)
    if chosen:
        return chosen
    given = " ".join(
        f"{option} {value}"
        for option, value in zip(("--only", "--layer", "--shard"), (only, layer, shard), strict=True)
        if value
    )
    raise TriageError(
        "no-such-cases",
        f"no case left by {given}",
        "patterns of ids such as 'NCC-EVRF0*', layers: " + ", ".join(sorted(set(_layers().values()))),
        "neurontriage repro --list",
    )


def _sharded(cases: list[Case], shard: str) -> list[Case]:
    if not shard:
        return cases
    number, _, count = shard.partition("/")
    if not (number.isdigit() and count.isdigit() and 1 <= int(number) <= int(count)):
        raise TriageError("wrong-shard", f"--shard {shard}: no such part", "i/n with 1 <= i <= n, such as 2/8")
    return cases[int(number) - 1 :: int(count)]


@cache
def _layers() -> dict[str, str]:
    """The layer of every entry: the folder that its file is in."""
    return {entry: path.parent.name for entry, path in _entries().items()}


@cache
def _entries() -> dict[str, Path]:
    return {path.stem: path for path in resources.knowledge().glob("*/*.yaml")}


def listing() -> dict[str, Any]:
    """The published list of cases (schema `neurontriage.repro-list/1`)."""
    rows = [
        {
            "id": case.ID,
            "title": case.TITLE,
            "alternatives": len(case.ALTERNATIVES),
            "needs": case.NEEDS.compiler,
            "provenance": case.ORIGIN.kind,
            "source": case.ORIGIN.source,
            "targets": list(case.NEEDS.targets),
            "cannot_build": environment.nki_missing(case.NEEDS.nki),
            "stack": sorted(entry_stack(case)),
            "fixes": [
                {
                    "name": each.name,
                    "kind": each.kind,
                    "flags": list(each.flags),
                    "stacks": list(stacks_of(case, each)),
                    "inferred": each.inferred,
                }
                for each in case.ALTERNATIVES
            ],
        }
        for case in all_cases().values()
    ]
    return {"schema": "neurontriage.repro-list/1", "cases": rows}


def _checked(module: object, name: str) -> Case:
    if isinstance(module, Case):
        return module
    missing = sorted(member for member in Case.__annotations__ if not hasattr(module, member))
    raise TriageError(
        reference="broken-repro-case",
        message=f"neurontriage/repro/cases/{name}.py is not a case (missing: {', '.join(missing) or 'functions'})",
        expected="ID, TITLE, NEEDS, ORIGIN, ALTERNATIVES, build(), trigger(module), or CASES",
    )
