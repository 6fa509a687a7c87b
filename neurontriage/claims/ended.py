"""Where a log begins to report its end: with the status of a process, or as launchers do.

What stands right above may say why, without a word that speaks of a failure.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from neurontriage.claims.statuses import status
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought

ABOVE = 2
"""So many lines above the report are read."""
# A launcher, a shell or a build tool says that what it ran has failed.
_REPORTS = Sought(
    r"\bChildFailedError\b|\btorch/distributed/elastic/|\belastic/multiprocessing/api\.py"
    r"|\b(?:srun|slurmstepd): error: |: \*\*\* \[|\bELIFECYCLE\b|\bFailed with result\b"
    r"|\breturned (?:a )?non-?zero\b|\bCalledProcessError\b"
    r"|\b(?:mpirun|mpiexec|prterun|PRTE) (?:has exited|noticed|detected)|\bactor died\b|\bworker (?:process )?died\b"
)


def above_end(ends: Sequence[tuple[int, str]], unread: Container[int]) -> list[tuple[int, str]]:
    """The lines right above the report of an end that were not read. `ends`: the last lines of a log, with numbers.

    >>> above_end([(7, "step 1"), (8, "shard 3 has no index"), (9, "exit status 1")], {7, 8})
    [(7, 'step 1'), (8, 'shard 3 has no index')]
    """
    # A report is read for its words.
    told = (place for place, (line, text) in enumerate(ends) if line not in unread and _reports(text))
    first = next(told, 0)
    return [one for one in ends[max(first - ABOVE, 0) : first] if one[0] in unread]


def _reports(text: str) -> bool:
    return _REPORTS.search(text) is not None or status(strip(text).payload) is True
