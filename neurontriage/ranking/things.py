"""The things that a line names: what is no word of a language."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip

_QUOTED = expression(r"'([\w./:@+-]{3,200})'|\"([\w./:@+-]{3,200})\"|`([\w./:@+-]{3,200})`")
_TOKEN = expression(r"[\w./:@+-]{3,200}")
# A path, a name with a digit, point, line or slash in it, an address of the network or of a bus.
_NAMED = expression(
    r"[\w.@+-]{0,80}/|[A-Za-z][\w+]{0,80}(?:[.:-]|::)[\w+]|[A-Za-z]{1,20}\d|[A-Za-z]{1,40}_\w"
    r"|\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{4}:[\da-f]{2}:[\da-f]{2}\.\d"
)
_NO_THING = expression(
    r"python\d|[A-Z]\w{0,80}(?:Error|Exception)$|.{1,200}\.py$|.{1,200}\.[A-Z]\w{0,80}(?:Error|Exception)$"
)


def things(claim: Claim) -> frozenset[str]:
    """The things that a claim names; of a path also its last part."""
    return names(claim.event.evidence.text)


@lru_cache(maxsize=1024)
def names(text: str) -> frozenset[str]:
    """The things that a text names; of a path also its last part."""
    found = {one.strip(".:-/") for one in _names(strip(text).payload)}
    found |= {one.rpartition("/")[2] for one in found}
    return frozenset(one for one in found if len(one) > 2 and not _NO_THING.match(one))


def _names(text: str) -> Iterator[str]:
    for quoted in _QUOTED.findall(text):
        yield from filter(None, quoted)
    yield from (one for one in _TOKEN.findall(text) if _NAMED.match(one))
