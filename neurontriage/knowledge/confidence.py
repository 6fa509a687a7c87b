"""How sure an answer is, from evidence alone: the pattern, the sources, the context.  `status` has no part in it.

The weights were set with published logs, each explained without the entries that cite its own thread; the table of
what was promised against what held is in docs/confidence.md.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterable
from typing import NamedTuple

from neurontriage.knowledge.plain import plain
from neurontriage.knowledge.schema import Entry, SourceText
from neurontriage.knowledge.statuses import written_out
from neurontriage.lines.patterns import weight

_CODE = re.compile(r"[A-Z]{2,}_?[A-Z]*\d{3}|NRT_|NCC_|NERR_|\w+\\?\.(?:py|cc|cpp|c)\b|\w{3,}_\w{3,}")
_REPOSITORY = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?")
_ENOUGH_LITERALS = 60
_ENOUGH_SOURCES = 3
_BASE = 0.6
_PER_LITERAL = 0.0025
_CODED = 0.06
_PER_SOURCE = 0.05
_CONTEXT = {True: 0.05, False: -0.25, None: 0.0}
_MOST = {"particular": 0.97, "class": 0.75, "plain": 0.5}


class Evidence(NamedTuple):
    """What speaks for an answer.

    `literals`: characters that every match of the pattern holds.  `coded`: the pattern demands a printed code, a file
    or a function, not prose alone.  `sources`: independent places that print the message.  `context`: whether the
    stack or the findings that the entry asks for were seen; None when it asks for none.  `general`: an answer for a
    class.  `plain`: any program may print it.
    """

    literals: int
    coded: bool
    sources: int
    context: bool | None = None
    general: bool = False
    plain: bool = False


def confidence(evidence: Evidence) -> float:
    """How sure an answer is, 0 to 1, two decimals; rises with every kind of evidence, and falls with none."""
    found = _BASE + _PER_LITERAL * min(evidence.literals, _ENOUGH_LITERALS) + _CODED * evidence.coded
    found += _PER_SOURCE * min(evidence.sources, _ENOUGH_SOURCES) + _CONTEXT[evidence.context]
    without = evidence.plain and evidence.context is not True
    kind = "plain" if without else "class" if evidence.general else "particular"
    return round(max(0.1, min(found, _MOST[kind])), 2)


def evidence(entry: Entry, context: bool | None = None) -> Evidence:
    """The evidence for an entry by its middle alternative; a condition on fields counts as a code does."""
    patterns = [text for match in entry.match if (text := written_out(match))]
    literals = int(statistics.median(map(weight, patterns))) if patterns else _ENOUGH_LITERALS // 2
    return Evidence(
        literals=literals,
        coded=any(match.fields for match in entry.match) or any(map(_CODE.search, patterns)),
        sources=independent(entry.sources),
        context=context,
        general=entry.general,
        plain=bool(patterns) and all(map(plain, patterns)),
    )


def independent(sources: Iterable[SourceText]) -> int:
    """How many repositories and threads print the message.

    Several files of one repository are one, and so is a thread that names the repository itself and no issue in it.
    """
    return len({source.repo or _place(source.thread or "") for source in sources})


def _place(thread: str) -> str:
    bare = _REPOSITORY.fullmatch(thread)
    return bare[1] if bare else thread
