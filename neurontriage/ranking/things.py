"""The things that a line names: what is no word of a language."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip

# A path, what is quoted, a name with a digit, point, line or slash in it.
_THING = expression(
    r"'([\w./:@+-]{3,})'|\"([\w./:@+-]{3,})\"|`([\w./:@+-]{3,})`"
    r"|(?<![\w.])((?:[\w.@+-]*[A-Za-z])?/[\w./@+-]*[\w+-]|[A-Za-z][\w+-]*(?:[._:-][\w+]+)+|[A-Za-z]+\d[\w-]*)"
)
_NO_THING = expression(r"python\d|[A-Z]\w*(?:Error|Exception)$|\w+\.py$|[\w.]+\.[A-Z]\w*(?:Error|Exception)$")


def things(claim: Claim) -> frozenset[str]:
    """The things that a claim names; of a path also its last part."""
    text = strip(claim.event.evidence.text).payload
    found = {next(filter(None, one)).strip(".:-/") for one in _THING.findall(text)}
    found |= {one.rpartition("/")[2] for one in found}
    return frozenset(one for one in found if len(one) > 2 and not _NO_THING.match(one))
