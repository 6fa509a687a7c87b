"""What a reader must know about one report: what is missing in it, what contradicts."""

from __future__ import annotations

from collections.abc import Iterator

from neurontriage.analysis.model import Share
from neurontriage.analysis.result import Result

_SHOWN = 5


def notes_on(result: Result, share: Share, unparsed: int) -> tuple[str, ...]:
    """Sentences, the weightier ones first; () for a complete and consistent report."""
    return (*_percentage(result, share), *_lists(result), *_detail(result, unparsed))


def _percentage(result: Result, share: Share) -> Iterator[str]:
    if result.printed is None:
        yield "The report gives no support_percentage."
    elif share.value is None:
        yield f"The report's support_percentage, {result.printed!r}, is not a percentage from 0 to 100."
    elif share.recomputed is not None and not share.agrees:
        yield (
            f"The report says {share.value:.2f} %, but its own lists give {share.recomputed:.2f} % "
            f"({share.passed:,} of {share.total:,} {share.unit})."
        )
    if share.value == 100 and (result.refused or result.refused_hlo):
        yield "The report says 100 %, yet it lists unsupported operators."
    if share.value is not None and share.value < 100 and not (result.refused or result.refused_hlo):
        yield f"The report says {share.value:.2f} %, yet it lists no unsupported operator."


def _lists(result: Result) -> Iterator[str]:
    if result.supported is None:
        yield "The report has no list of supported operators; it was probably cut or written by another tool."
    if result.refused is None:
        yield "The report has no list of unsupported operators, so nothing can be said about what is refused."
    if result.supported == {} and result.refused == ():
        yield "Both operator lists are empty: analyze saw no operator. Does the script reach the device?"


def _detail(result: Result, unparsed: int) -> Iterator[str]:
    if unparsed:
        yield f"{unparsed:,} HLO instructions have a form that was not understood; they are shown as printed."
    kinds = {refusal.kind for refusal in result.refused or ()}
    orphans = sorted({hlo.aten_op or "no operator" for hlo in result.refused_hlo or ()} - kinds)
    if orphans and result.refused is not None:
        yield f"HLO instructions of operators that the aten list does not name are refused: {_some(orphans)}."
    if result.unknown:
        yield f"Fields that neither documented schema has, kept but not interpreted: {_some(result.unknown)}."


def _some(items: list[str] | tuple[str, ...]) -> str:
    more = len(items) - _SHOWN
    return ", ".join(items[:_SHOWN]) + (f" and {more:,} more" if more > 0 else "")
