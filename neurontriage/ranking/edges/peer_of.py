"""Peers of a rank that failed: they lose their connection to it, or wait for it until a timeout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.lines.levels import LOUD
from neurontriage.ranking.fallen import fallen
from neurontriage.ranking.features import particular
from neurontriage.ranking.graph import Edge
from neurontriage.ranking.peers import before, died, fellows, outnumbers, waits

_FELL = "its launcher reports first that another process was killed, crashed or left with a status of its own"


def edges(claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> Iterator[Edge]:
    """From a statement of a failure to losses of a connection and timeouts of collectives in other processes."""
    waiting = [claim for claim in claims if waits(claim, briefs)]
    known = set(map(id, waiting))
    stated = [claim for claim in claims if id(claim) not in known and _fails(claim)]
    reports = [claim for claim in fallen(claims) if id(claim) not in known] if waiting else []
    for effect in waiting:
        yield from (Edge(report, effect, "peer_of", _FELL) for report in reports)
        for cause in stated:
            if before(cause, effect):
                yield Edge(cause, effect, "peer_of", "it lost its peer, or waited for it, after this failure")
    alone = [claim for claim in stated if len(claim.speakers) == 1 and (died(claim) or claim.entry is not None)]
    several = [claim for claim in stated if len(claim.speakers) > 1 and not particular(claim, briefs)]
    for effect in several if alone else ():
        for cause in alone:
            if fellows(cause.event, effect.event) and outnumbers(effect, cause):
                yield Edge(cause, effect, "peer_of", "several others say the same, and only one process says this")


def _fails(claim: Claim) -> bool:
    """Whether a claim states how a process failed of itself: it raises, is a signal, or an error in whatever words."""
    if claim.says in ("raise", "signal") or died(claim):
        return True
    said = claim.event.said
    own = claim.says == "state" or (claim.says == "wrap" and "EXIT" not in said.words)
    return own and (claim.entry is not None or said.level in LOUD)
