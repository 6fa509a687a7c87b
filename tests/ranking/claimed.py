"""Claims and entries for tests, made of a few words each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.model import Event, Evidence, Said
from neurontriage.ranking.graph import Edge, EdgeRule


def claim(name: str, line: int, says: str = "raise", **more: Any) -> Claim:
    """A claim of line `line`. `entry=True`: an entry of this name explains it; what else is given goes to its parts."""
    evidence = Evidence(more.get("path", "a.log"), line, line, more.get("text", name), rank=more.get("rank"))
    said = Said(
        more.get("kind", ""),
        words=frozenset(more.get("words", ())),
        fields=more.get("typed", {}),
        level=more.get("level", ""),
        size=more.get("size", 0),
    )
    parts = {key: more[key] for key in ("host", "process", "chain") if key in more}
    event = Event(more.get("family", "plain"), "x", more.get("told", {}), evidence, said=said, **parts)
    return Claim(
        name,
        name if more.get("entry") else None,
        more.get("layer", "compiler"),
        "error",
        says,  # type: ignore[arg-type]
        event,
        more.get("place", (0.0, line)),
        fields=more.get("fields", {}),
        lasts={evidence.path: line},
        evidence=[evidence],
        chains=more.get("chains", (event.chain,) if event.chain[0] else ()),
        score=more.get("score", 0.0),
    )


def brief(role: str = "root", explains: Sequence[str] = (), **more: Any) -> dict[str, Any]:
    """What ranking asks of an entry."""
    return {
        "role": role,
        "explains": list(explains),
        "general": False,
        "fallback": False,
        "halts": False,
        "informs": False,
        "layer": "compiler",
        **more,
    }


def seen(rule: EdgeRule, claims: Sequence[Claim], briefs: dict[str, dict[str, Any]] | None = None) -> set[str]:
    """The edges of one rule as `cause>effect`."""
    return {arrow(edge) for edge in rule.edges(claims, briefs or {})}


def arrow(edge: Edge) -> str:
    return f"{edge.cause.id}>{edge.effect.id}"
