"""A row of a table of jobs, pods or resources: of which thing, and whether that is ill."""

from __future__ import annotations

from typing import NamedTuple

from neurontriage.expressions import expression
from neurontriage.lines.words import Sought

# A row of jobs or pods: a state, beside it a status, a reason, or how many containers are ready.
_SLURM = Sought(
    r"(?:^|.*[\s|])(?P<state>FAILED|TIMEOUT|OUT_OF_ME\w*\+?|NODE_FAIL|BOOT_FAIL|DEADLINE|COMPLETED)[\s|]+\d{1,3}:\d"
    r"|.*\((?P<why>NonZeroExitCode|TimeLimit|OutOfMemory|NodeFail)\)",
    expression,
)
_POD = expression(
    r"\S+\s+\d{1,4}/\d{1,4}\s+(?:Init:)?(?P<state>[A-Z]\w{3,40})\s+\d{1,5}\b"
    r"|\S+\s+(?P<job>Failed|Complete)\s+(?:\d{1,4}/\d{1,4}\s+)?\d"
)
# The number of a job and its name; what a controller puts behind the name of a pod that takes the place of another.
_JOB = expression(r"\d[\w.+\[\]-]*[\s|]+(?!(?:[A-Z]+_)*[A-Z]+\+?[\s|]+\d{1,3}:\d)([\w./-]+)[\s|]")
_HASH = expression(r"-[bcdfghjklmnpqrstvwxz2456789]{5}$")
_POD_ILL = expression(r"\w*(?:Error|BackOff|Killed|Evicted|Failed|Unknown|Lost|Exceeded|CannotRun)")
_CELLS = expression(r"\s{2,}|\t|\s?\|\s?")
_CELL_ILL = expression(r"(?:FAILED|EXIT|LOST|[A-Z]{1,30}_FAILED|(?:[A-Z]{1,30}_)?ROLLBACK_\w+|Failed|\(failure\))$")
_CELL_WELL = expression(r"(?:(?i:completed?|succeeded)|DONE|SUCCESS|(?!DELETE)[A-Z]{1,30}_COMPLETE|\(success\))$")
_FEW, _EVENTS = 3, frozenset({"Normal", "Warning"})  # of Kubernetes, whose reason may be `Failed`


class Row(NamedTuple):
    """What a row says of a thing. `name`: what the one that takes its place is called, too; "" where that is not told.
    `job`: whether it is of a whole job, not of a step or a task of it.

    A pod is another thing in each of its states; the tasks of an array of jobs are one.
    """

    ill: bool
    thing: str
    name: str = ""
    job: bool = False


def row(said: str) -> Row | None:
    """What a text says of a thing as the row of a table; None where it is none, or says nothing of how it is."""
    first = said.split(None, 1)[0]
    thing = first.partition(".")[0].partition("|")[0]
    if found := _SLURM.match(said):
        job, _, task = thing.partition("_")
        named = _JOB.match(said)
        of, name = job if job.isdigit() and task else thing, named[1] if named else ""
        return Row(found["state"] != "COMPLETED", of, name, job=first.isdigit())
    if found := _POD.match(said):
        state = found["state"] or found["job"]
        ill = _POD_ILL.match(state) is not None
        pod = Row(ill, f"{thing} {state}", _HASH.sub("", first))
        return pod if ill or state.startswith("Complete") else None
    cells = _CELLS.split(said)
    if len(cells) < _FEW or not _EVENTS.isdisjoint(cells[:_FEW]) or all(map(str.isdigit, cells[2::2])):
        return None
    for cell in cells[1:]:
        if _CELL_ILL.match(cell) or _CELL_WELL.match(cell):
            return Row(_CELL_ILL.match(cell) is not None, thing)
    return None


def replaced(one: Row, other: Row) -> bool:
    """Whether what is well stands for what is ill: another one of the same name, or any where names are not told.

    So does a job that was put back into the queue, and has a row for each of its runs.
    """
    if one.thing == other.thing:
        return bool(one.job and other.job)
    return not (one.name and other.name) or one.name == other.name
