"""Finds the case modules by walking `cases/` and looks them up by entry id."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache
from typing import Any

from neurontriage.errors import TriageError
from neurontriage.repro import cases
from neurontriage.repro.case import Case


@cache
def all_cases() -> dict[str, Case]:
    """Every case by entry id, sorted by id; a module that breaks the contract is named."""
    names = sorted(module.name for module in pkgutil.iter_modules(cases.__path__))
    found = [_checked(importlib.import_module(f"{cases.__name__}.{name}"), name) for name in names]
    return {case.ID: case for case in sorted(found, key=lambda case: case.ID)}


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


def listing() -> dict[str, Any]:
    """The published list of cases (schema `neurontriage.repro-list/1`)."""
    rows = [
        {
            "id": case.ID,
            "title": case.TITLE,
            "alternatives": len(case.ALTERNATIVES),
            "needs": case.NEEDS.compiler,
            "targets": list(case.NEEDS.targets),
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
        expected="ID, TITLE, NEEDS, ALTERNATIVES, build(), trigger(hlo)",
    )
