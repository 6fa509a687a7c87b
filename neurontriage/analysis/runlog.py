"""The compile log of the same run beside its report: what it says about the operators that are refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from neurontriage.analysis.model import Analysis
from neurontriage.model import Finding

_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Said:
    """A finding of the log and the refused operators that it speaks of."""

    finding: Finding
    operators: tuple[str, ...]


def log_findings(analysis: Analysis) -> tuple[Said, ...]:
    """The findings that are no noise, those about refused operators first; at most ten."""
    if analysis.log is None:
        return ()
    index = _index(analysis)
    told = [Said(f, _named(f, index)) for f in analysis.log.findings if f.severity != "benign"]
    return tuple(sorted(told, key=lambda said: not said.operators)[:_SHOWN])


def _index(analysis: Analysis) -> dict[str, set[str]]:
    """Refused operators by all that names them: their own name, their opcodes, the ids of their reasons."""
    found: dict[str, set[str]] = {}
    for reason in analysis.reasons:
        found.setdefault(reason.id, set()).update(reason.operators)
    for operator in analysis.refused:
        names = {operator.kind.lower(), *(hlo.parsed.opcode for hlo in operator.hlo if hlo.parsed)}
        for name in names:
            found.setdefault(name, set()).add(operator.kind)
    return found


def _named(finding: Finding, index: dict[str, set[str]]) -> tuple[str, ...]:
    words = [finding.id, *(value.lower().replace("__", "::") for value in finding.fields.values())]
    return tuple(sorted({kind for word in words for kind in index.get(word, ())}))


def log_sentence(analysis: Analysis) -> str:
    """How many compilations the log shows and how they ended; empty without a log."""
    if analysis.log is None:
        return ""
    ended = Counter(module.status for module in analysis.log.modules)
    counts = ", ".join(f"{number:,} {status}" for status, number in sorted(ended.items()))
    compiles = f"Compilations: {counts}. " if counts else "The log shows no module compilation. "
    files = ", ".join(source.path for source in analysis.log.inputs)
    errors = sum(finding.severity == "error" for finding in analysis.log.findings)
    return f"{compiles}{f'{errors:,} errors' if errors else 'No error'} recognised in {files}."
