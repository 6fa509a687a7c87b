"""Two analyses → Comparison: what got better and what got worse, operator by operator."""

from __future__ import annotations

from dataclasses import replace

from neurontriage.analysis.model import Analysis, Change, Comparison, Operator

_RANK = {"unsupported": 0, "partly": 1, "supported": 2}


def compared(now: Analysis, old: Analysis) -> Analysis:
    """The newer analysis with its comparison to the older one."""
    before = {operator.kind: operator for operator in old.operators}
    after = {operator.kind: operator for operator in now.operators}
    changes = [Change(kind, before.get(kind), after.get(kind)) for kind in sorted({*before, *after})]
    comparison = Comparison(
        path=old.result.path,
        before=old.share,
        better=tuple(change for change in changes if _step(change) > 0),
        worse=tuple(change for change in changes if _step(change) < 0),
        versions=_versions(old, now),
    )
    return replace(now, comparison=comparison)


def _step(change: Change) -> int:
    """Above 0 for better; an operator that is not in a report refuses nothing there."""
    before, after = _standing(change.before), _standing(change.after)
    return (after > before) - (after < before)


def _standing(operator: Operator | None) -> tuple[int, int]:
    return (_RANK[operator.support], -operator.refused) if operator else (_RANK["supported"], 0)


def _versions(old: Analysis, now: Analysis) -> tuple[tuple[str, str, str], ...]:
    was, is_ = old.result.versions, now.result.versions
    packages = sorted({*was, *is_})
    rows = [(package, was.get(package, "not given"), is_.get(package, "not given")) for package in packages]
    return tuple(row for row in rows if row[1] != row[2])
