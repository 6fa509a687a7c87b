"""The sentences that every format of the analyze report shares."""

from __future__ import annotations

from neurontriage.analysis.model import Analysis, Change, Comparison, Operator, Reason, Since
from neurontriage.render.pages import plural

_BOTH = 3
_NAMED = 6
INVISIBLE = (
    "Operators that ran on the CPU because torch-xla does not lower them (torch.fft, nonzero, …) never reach analyze: "
    "`neurontriage preflight` names them with their lines."
)
XLA_TRAINING_ENDED = (
    "XLA-based torch-neuronx, and with it analyze, was last released with SDK 2.31.1 (2026-08-12); "
    "SDK 2.32.0 no longer contains it."
)


def headline(analysis: Analysis) -> str:
    """The verdict in one sentence; where a log of the same run says worse, that comes first."""
    if analysis.log_failed and analysis.log is not None:
        first = next(iter(analysis.log.roots), None) or next(f for f in analysis.log.findings if f.severity == "error")
        if analysis.verdict == "supported":
            share = f"{percent(analysis.share.best)} of it" if analysis.share.best is not None else "Every operator"
            return f"{share} is supported, but the compile failed: {first.title} ({first.id})"
        return f"The compile failed: {first.title} ({first.id}). {_support(analysis)}"
    return _support(analysis)


def _support(analysis: Analysis) -> str:
    refused, total = len(analysis.refused), len(analysis.operators)
    if analysis.verdict == "supported":
        return "Every operator compiles."
    if analysis.verdict == "unknown":
        return "The report does not say what compiles."
    if refused == total and analysis.verdict == "unsupported":
        return "The only operator does not compile." if total == 1 else f"None of the {total:,} operators compiles."
    if refused == total > 1:
        return f"All {total:,} operators have uses that do not compile."
    verb = "has a use that does" if refused == 1 else "have uses that do"
    return f"{refused:,} of {plural(total, 'operator')} {verb} not compile."


def percent(value: float | None) -> str:
    """Two decimals as analyze prints them; a share below 100 is never rounded up to it."""
    if value is None:
        return "unknown"
    return f"{min(value, 99.99) if value < 100 else value:.2f} %"


def share(analysis: Analysis) -> str:
    """What the percentage counts, and whether the lists of the report confirm it."""
    found, training = analysis.share, analysis.result.schema == "training"
    counts = (
        "It counts HLO instructions, not aten operators: one operator is lowered to several instructions."
        if training
        else "It counts the operator calls of the traced model."
    )
    if found.recomputed is None:
        more = " Recomputing it needs a report written with --analyze-verbosity 1." if training else ""
        return counts + more
    same = "the same as printed" if found.agrees else f"the report prints {found.printed or 'none'}"
    return f"{counts} Recomputed: {found.passed:,} of {found.total:,} = {percent(found.recomputed)}, {same}."


def _twofold(operator: Operator) -> str:
    """Why one operator can be supported and unsupported at once."""
    return (
        f"{operator.kind} is supported and unsupported at once: the compiler judges each configuration "
        "(element types, shapes, attributes), not the operator as such."
    )


def both(analysis: Analysis, reason: Reason) -> list[str]:
    """The sentence for the first few operators of a reason that are supported and unsupported at once."""
    kinds = set(reason.operators)
    found = [o for o in analysis.operators if o.support == "partly" and o.kind in kinds]
    return [_twofold(operator) for operator in found[:_BOTH]]


def ended(analysis: Analysis) -> tuple[str, ...]:
    """What is out of support: what the table of releases says of these versions, else that analyze itself is."""
    return analysis.ended or (XLA_TRAINING_ENDED,)


def compared(found: Comparison) -> list[str]:
    """What must be known before the changes are read: operators gone and new, another model, another verbosity."""
    said = []
    if not found.same_model:
        said.append("The two reports share few operators: are they of the same model?")
    if found.coarse:
        said.append(
            "One report lists instructions (verbosity 1), the other only call sites: call sites are compared, and the "
            "percentages count different things."
        )
    for names, word in ((found.gone, "Gone"), (found.new, "New")):
        if names:
            more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
            said.append(f"{word}: {plural(len(names), 'operator')} ({', '.join(names[:_NAMED])}{more}).")
    return said


def since(found: Since) -> str:
    """From which release on the refused opcodes are announced, and for which they are not."""
    versions = dict(found.versions)
    release = f"neuronx-cc {versions['neuronx-cc']} (SDK {versions['sdk']})"
    text = f"{release} announces {', '.join(found.opcodes)} on complex64"
    return text + (f", but does not name {', '.join(found.others)}." if found.others else ".")


def basis(reason: Reason) -> str:
    """What the reason was read from; empty where nothing was."""
    words = {
        "instruction": "the refused HLO instructions",
        "graph": "the element types in the operator graph",
        "name": "the operator's name",
    }
    return " and ".join(words[name] for name in reason.basis)


def change(found: Change, coarse: bool) -> str:
    """`was: unsupported, now: supported` with what is refused; `coarse`: counted in uses, which both reports have."""
    return f"{_standing(found.before, coarse)} → {_standing(found.after, coarse)}"


def _standing(operator: Operator | None, coarse: bool) -> str:
    if operator is None:
        return "not in the report"
    if not operator.refused:
        return operator.support
    uses = coarse or not operator.hlo
    counted = plural(operator.refused_uses, "use") if uses else plural(operator.lowered, "HLO instruction")
    return f"{operator.support} ({counted} refused)"


def not_shown(analysis: Analysis) -> str:
    """What no report of this kind can show; empty where it can."""
    return INVISIBLE if analysis.result.schema == "training" else ""


def instructions(analysis: Analysis) -> bool:
    """Whether the report lists refused instructions: then uses and instructions are two numbers."""
    return any(operator.hlo for operator in analysis.operators)
