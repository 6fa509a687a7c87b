"""The compile log of the same run beside its report: what it says about the operators that are refused."""

from __future__ import annotations

from collections import Counter

from neurontriage.analysis.model import Analysis
from neurontriage.model import Finding

_SHOWN = 10


def log_findings(analysis: Analysis) -> tuple[Finding, ...]:
    """The findings that are no noise, those of refused operators first; at most ten."""
    found = analysis.log.findings if analysis.log else ()
    told = [finding for finding in found if finding.severity != "benign"]
    return tuple(sorted(told, key=lambda finding: not named(finding, analysis)))[:_SHOWN]


def named(finding: Finding, analysis: Analysis) -> tuple[str, ...]:
    """Refused operators that a finding speaks of: by its id, or by an operator or opcode in its fields."""
    words = {value.lower().replace("__", "::") for value in finding.fields.values()}
    kinds = {kind for reason in analysis.reasons if reason.id == finding.id for kind in reason.operators}
    for operator in analysis.refused:
        opcodes = {hlo.parsed.opcode for hlo in operator.hlo if hlo.parsed}
        if words & {operator.kind.lower(), *opcodes}:
            kinds.add(operator.kind)
    return tuple(sorted(kinds))


def log_sentence(analysis: Analysis) -> str:
    """How many compilations the log shows and how they ended; empty without a log."""
    if analysis.log is None:
        return ""
    ended = Counter(module.status for module in analysis.log.modules)
    counts = ", ".join(f"{ended[status]:,} {status}" for status in ("passed", "failed", "cached") if ended[status])
    compiles = f"Compilations: {counts}. " if counts else "The log shows no module compilation. "
    files = ", ".join(source.path for source in analysis.log.inputs)
    errors = sum(finding.severity == "error" for finding in analysis.log.findings)
    return (
        f"{compiles}{errors:,} errors recognised in {files}."
        if errors
        else f"{compiles}No error recognised in {files}."
    )
