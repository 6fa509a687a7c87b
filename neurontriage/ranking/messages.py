"""What claims say, folded, so that a quotation of a message is found in other lines."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterator, Mapping, Sequence

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought

Heads = Mapping[str, Sequence[int]]
# By a colon, or set apart by strokes (`--- stderr`, `---- stderr ----`).
_HEADING = Sought(
    r"(?i)^\s*\W{0,3}(?:std_?err(?:_lines)?|standard ?error|(?:command|error) (?:error|output))\W{0,3}"
    r"[:=]\s*(?:[|>]-?)?\s*$"
    r"|^\s*[-=*#_]{2,40} ?(?:\w{3,12} )?(?:std_?err|standard ?error)(?: \w{2,12})? ?[-=*#_]{0,80}\s*$"
)

_FILE = Sought(r"^==> \S.{0,300} <==\s*$")
_SPACE = expression(r"[\W_]+")
_PLAIN = bytes(code if chr(code).isalnum() else ord(" ") for code in range(128)).ljust(256)
CORE = 60
"""Characters of a message that are looked for in others."""


def words_of(text: str) -> str:
    """A text without case, punctuation and runs of blanks."""
    if text.isascii():
        return b" ".join(text.lower().encode().translate(_PLAIN).split()).decode()
    return _SPACE.sub(" ", text.lower()).strip()


class Messages:
    """The messages of claims in their order; each is looked for in one text of all of them."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        told = [(one.event.fields.get("message", "") or one.event.evidence.text).strip() for one in claims]
        self._each = [words_of(text) for text in told]
        self._names = {number for number, text in enumerate(told) if " " not in text}  # of things: no messages
        self._ends = list(itertools.accumulate(len(text) + 1 for text in self._each))
        self._all = "\n".join(self._each)

    def quoting(self, number: int, least: int) -> Iterator[int]:
        """The claims, by number, that hold the message of one, but do not begin with it; of `least` characters."""
        core = self._each[number][:CORE]
        at = self._all.find(core) if len(core) >= least and number not in self._names else -1
        while at >= 0:
            place = bisect.bisect_right(self._ends, at)
            if not self._each[place].startswith(core):
                yield place
            at = self._all.find(core, self._ends[place])


def files(claims: Sequence[Claim]) -> Heads:
    """In which lines of each log the name of a file stands, as `tail` and `head` print it above what is in it."""
    found: dict[str, list[int]] = {}
    for evidence in (one.event.evidence for one in claims if "==> " in one.event.evidence.text):
        if names_file(evidence.text):
            found.setdefault(evidence.path, []).append(evidence.line)
    return found


def names_file(text: str) -> bool:
    """Whether a line only names a file, as `tail` and `head` print it above what is in it."""
    return "==> " in text and _FILE.search(strip(text).payload) is not None


def headings(claims: Sequence[Claim]) -> Heads:
    """In which lines of each log nothing stands but the name of an error output, which follows below."""
    found: dict[str, list[int]] = {}
    for claim in claims:
        text = claim.event.evidence.text
        if ("err" in text or "ERR" in text or "Err" in text) and _HEADING.search(strip(text).payload):
            for place in claim.evidence:
                found.setdefault(place.path, []).append(place.line)
    return found
