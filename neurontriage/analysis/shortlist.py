"""A long analysis → what a page or a screen shows of it: counts stay, of the lists only their beginning is kept.

So that what is taken out of texts, escaped and drawn is what is shown; `--format json` has everything.
"""

from __future__ import annotations

from dataclasses import replace

from neurontriage.analysis.model import Analysis, Hlo, Operator, Reason

LISTED = 400
"""So many places and instructions of each reason, and source files, are shown."""
ROWS = 20_000
"""So many operators are shown."""
SUPPORTED = 2_000
"""So many instructions that compile are shown."""
_PER_OPERATOR = 3
_EXAMPLES = 10


def shortlisted(analysis: Analysis) -> Analysis:
    """The same analysis with shorter lists."""
    result = analysis.result
    passed = result.supported_hlo
    return replace(
        analysis,
        result=replace(result, supported_hlo=passed and passed[:SUPPORTED]),
        operators=tuple(map(_operator, analysis.operators[:ROWS])) + tuple(map(_counted, analysis.operators[ROWS:])),
        reasons=tuple(map(_reason, analysis.reasons)),
        sources=analysis.sources[:LISTED],
        unparsed=analysis.unparsed[:_EXAMPLES],
    )


def _reason(reason: Reason) -> Reason:
    return replace(reason, places=reason.places[:LISTED], hlo=reason.hlo[:LISTED])


def _counted(operator: Operator) -> Operator:
    """An operator that has no row of its own."""
    return replace(operator, places=(), hlo=())


def _operator(operator: Operator) -> Operator:
    """Its first places, and of its instructions one of each opcode."""
    opcodes: dict[str, Hlo] = {}
    for hlo in operator.hlo:
        opcodes.setdefault(hlo.parsed.opcode if hlo.parsed else "", hlo)
    return replace(operator, places=operator.places[:_PER_OPERATOR], hlo=tuple(opcodes.values()))
