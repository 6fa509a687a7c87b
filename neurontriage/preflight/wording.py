"""The sentences that the formats of a preflight share."""

from __future__ import annotations

from dataclasses import fields

from neurontriage.model import Workaround
from neurontriage.preflight.capture import Recompilation
from neurontriage.preflight.model import Agreement, Memory, Preflight, Row
from neurontriage.render.pages import plural

OUTCOMES = {
    "unsupported": "unsupported",
    "fails-from": "will fail later",
    "loses-precision": "silently loses precision",
    "falls-back": "falls back to CPU",
    "unknown": "unknown",
    "supported": "supported",
}
_GIB = 1024**3


def outcome(row: Row) -> str:
    """The outcome in words, with the SDK from which on it fails."""
    if row.outcome == "fails-from":
        return f"silently inexact or wrong, will fail from {row.from_sdk}"
    return OUTCOMES[row.outcome]


def percent(found: Preflight) -> str:
    """Two decimals; a share below 100 is never rounded up to it."""
    if found.percent is None:
        return "nothing decidable"
    return f"{min(found.percent, 99.99) if found.percent < 100 else 100:.2f} %"


def basis(found: Preflight) -> str:
    """What the percentage counts, and what it leaves out."""
    counts = {name: sum(row.count for row in found.rows if row.outcome == name) for name in OUTCOMES}
    parts = [f"{counts[name]:,} {OUTCOMES[name]}" for name in OUTCOMES if counts[name]]
    sdk = found.sdk if found.sdk_given else f"{found.sdk} (assumed)"
    frontends = {
        "dynamo": "torch.compile graphs",
        "xla": "torch-xla on the CPU",
        "hlo": "HLO modules",
        "stablehlo": "StableHLO",
    }
    graphs = plural(len(found.graphs), "graph")
    return (
        f"For {found.target}, SDK {sdk}, seen through {frontends[found.frontend]} in {graphs}. "
        f"Uses: {', '.join(parts) or 'none'}. The share counts distinct instructions that are decided by a document."
    )


def memory(found: Memory) -> str:
    """One sentence about the memory of a core."""
    if not found.parts:
        return "Nothing is known about the memory that it needs."
    parts = ", ".join(f"{name} {size(value)}" for name, value in found.parts.items())
    needs = f"About {size(found.needed)} on one core: {parts}."
    if found.available is None:
        return f"{needs} The memory of a {found.target} core is not documented here."
    verdict = "fits" if found.fits else "does NOT fit"
    return f"{needs} It {verdict} into the {size(found.available)} of a {found.target} core."


def accuracy(answer: Agreement) -> str:
    """What was compared with the compiler at hand, and how many differ; the differences are listed beside it."""
    if answer.not_run:
        return f"not run: {answer.not_run}"
    what = f"{plural(answer.checked, 'opcode')} looked up in its list, {plural(answer.graphs, 'graph')} compiled"
    count = plural(len(answer.disagree), "disagreement") if answer.disagree else "no disagreement"
    return f"{what}: {count}"


def size(value: int) -> str:
    """Bytes in the unit that suits them."""
    for unit, scale in (("GiB", _GIB), ("MiB", 1024**2), ("KiB", 1024)):
        if value >= scale:
            return f"{value / scale:.1f} {unit}"
    return f"{value} B"


def fixes(row: Row) -> list[Workaround]:
    """The workarounds of the row's entry, as every drawing takes them."""
    known = {field.name for field in fields(Workaround)}
    return [Workaround(**{key: value for key, value in one.items() if key in known}) for one in row.workarounds]


def function(one: Recompilation) -> str:
    """What is compiled again; what torch.compile calls the rest of a function after a break is told by its function."""
    name = one.function.removeprefix("torch_dynamo_resume_in_")
    if name == one.function:
        return {"<module>": "the script", "": "a graph"}.get(name, name)
    return f"{name.rpartition('_at_')[0]}, after its break,"


def shapes(one: tuple[tuple[int | str, ...], ...]) -> str:
    """`[8, 127] → [8, 128]`."""
    return " → ".join(str(list(shape)).replace("'", "") for shape in one)
