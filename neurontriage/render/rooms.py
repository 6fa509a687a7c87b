"""How much of each part of the one-screen answer is drawn, from all that one wants to read to the least."""

from __future__ import annotations

from typing import NamedTuple


class Room(NamedTuple):
    """How many lines each part may take; `fix` counts those of the first fix, `others` the texts of further ones."""

    message: int = 6
    proofs: int = 3
    why: int = 3
    fix: int = 12
    others: int = 4
    roots: int = 4
    links: int = 2
    look: bool = True
    blank: bool = True


ROOMS = (
    Room(),
    Room(proofs=2, fix=9, others=3, links=1, roots=3),
    Room(proofs=2, fix=8, others=2, links=1, roots=3),
    Room(proofs=2, fix=7, others=2, links=1, roots=2),
    Room(proofs=2, fix=6, others=1, links=1, roots=2),
    Room(proofs=2, fix=6, others=1, links=1, roots=2, blank=False),
    Room(proofs=2, why=2, fix=5, others=1, links=1, roots=1, blank=False),
    Room(proofs=1, why=2, fix=5, others=1, links=1, roots=1, blank=False),
    Room(message=5, proofs=1, why=2, fix=4, others=1, links=1, roots=1, blank=False),
    Room(message=4, proofs=1, why=2, fix=4, others=1, links=1, roots=1, blank=False),
    Room(proofs=2, why=2, fix=5, others=1, links=0, roots=1, blank=False),
    Room(message=5, proofs=2, why=2, fix=5, others=1, links=0, roots=1, blank=False),
    Room(message=5, proofs=2, why=2, fix=4, others=1, links=0, roots=1, blank=False),
    Room(message=5, proofs=2, why=2, fix=4, others=1, links=0, roots=1, look=False, blank=False),
    Room(message=4, proofs=2, why=2, fix=4, others=1, links=0, roots=1, look=False, blank=False),
    Room(message=4, proofs=2, why=2, fix=4, others=0, links=0, roots=1, look=False, blank=False),
    Room(message=4, proofs=1, why=2, fix=4, others=0, links=0, roots=1, look=False, blank=False),
    Room(message=5, proofs=1, why=1, fix=3, others=0, links=0, roots=1, look=False, blank=False),
    Room(message=3, proofs=1, why=1, fix=3, others=0, links=0, roots=0, look=False, blank=False),
)
"""Tried in this order until the answer fits. A cause in one line says little, so that it is shortened last."""
