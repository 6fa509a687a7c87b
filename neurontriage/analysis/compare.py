"""Two analyses → Comparison: what got better and what got worse, operator by operator."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from neurontriage.analysis.model import Analysis, Change, Comparison, Operator

_RANK = {"unsupported": 0, "partly": 1, "supported": 2}


def compared(now: Analysis, old: Analysis) -> Analysis:
    """The newer analysis with its comparison to the older one."""
    before = {operator.kind: operator for operator in old.operators}
    after = {operator.kind: operator for operator in now.operators}
    coarse = _detailed(old) != _detailed(now)
    changes = [Change(kind, before.get(kind), after.get(kind)) for kind in sorted({*before, *after})]
    comparison = Comparison(
        path=old.result.path,
        before=old.share,
        better=tuple(change for change in changes if _step(change, coarse) > 0),
        worse=tuple(change for change in changes if _step(change, coarse) < 0),
        versions=_versions(old, now),
        gone=tuple(sorted(before.keys() - after.keys())),
        new=tuple(sorted(after.keys() - before.keys())),
        same_model=_alike(before.keys(), after.keys()),
        coarse=coarse,
    )
    return replace(now, comparison=comparison)


def _detailed(analysis: Analysis) -> bool:
    return analysis.result.refused_hlo is not None


def _alike(before: Set[str], after: Set[str]) -> bool:
    """Two reports of one model share most of their operators."""
    return not before or not after or len(before & after) * 2 >= min(len(before), len(after))


def _step(change: Change, coarse: bool) -> int:
    """Above 0 for better; an operator that is not in a report refuses nothing there."""
    before, after = _standing(change.before, coarse), _standing(change.after, coarse)
    return (after > before) - (after < before)


def _standing(operator: Operator | None, coarse: bool) -> tuple[int, int]:
    """How good it is; call sites are counted where only one of the reports lists the refused instructions."""
    if operator is None:
        return _RANK["supported"], 0
    return _RANK[operator.support], -(operator.called if coarse else operator.refused)


def _versions(old: Analysis, now: Analysis) -> tuple[tuple[str, str, str], ...]:
    was, is_ = old.result.versions, now.result.versions
    packages = sorted({*was, *is_})
    rows = [(package, was.get(package, "not given"), is_.get(package, "not given")) for package in packages]
    return tuple(row for row in rows if row[1] != row[2])
