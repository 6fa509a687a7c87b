"""Fixes that are meant for one case of a failure only: first where the line is of that case, else behind the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.lines.linear import compiled

_READ = 4000


def suited(fixes: Sequence[Mapping[str, Any]], claim: Claim) -> list[dict[str, Any]]:
    """The fixes of an entry for a claim: those whose case it is, those for any case, those of other cases."""
    if not any(fix.get("suits") for fix in fixes):
        return [dict(fix) for fix in fixes]
    said = "\n".join((*(one.text[:_READ] for one in claim.evidence), *map(str, claim.fields.values())))
    return sorted(map(dict, fixes), key=lambda fix: _rank(fix.get("suits"), said))


def _rank(suits: str | None, said: str) -> int:
    if suits is None:
        return 1
    return 0 if compiled(suits).search(said) else 2
