"""Results → a terminal report. Values from logs are escaped: they may hold control characters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from neurontriage.render.drawing import drawn, wrapped
from neurontriage.render.text import printable
from neurontriage.repro.history import Change
from neurontriage.repro.matrix import column

STYLES = {"confirmed": "green", "refuted": "red", "cannot-tell": "yellow", "not-reproduced": "cyan"}
Parts = Iterable[RenderableType]


def draw(document: Mapping[str, Any], changed: Sequence[Change] = ()) -> str:
    """The report of any document that this room publishes."""
    if document["schema"] == "neurontriage.repro-list/1":
        return drawn(_listed(document))
    parts = _everything(document) if "counts" in document else _one(document)
    return drawn([*parts, *_changes(changed)])


def _one(result: Mapping[str, Any]) -> Parts:
    original = result["original"]
    yield from _said("", result["case"], result["title"])
    yield from wrapped(f"backend {result['backend']}, target {result['target']}  {_versions(result['versions'])}", 0)
    yield from wrapped(f"graph: {result['provenance']}", 0)
    yield _link(result["origin"]["source"])
    yield from _said("original: ", original["outcome"], original["reason"] or original["finding"] or "")
    yield from _alternatives(result["alternatives"])
    repeated = result["reason"] == f"{original['outcome']}: {original['reason']}"
    yield from _said("verdict: ", result["verdict"], "" if repeated else result["reason"], STYLES[result["verdict"]])


def _said(name: str, word: str, more: str, style: str = "bold") -> list[Text]:
    """`name: word  more`, as wide as the reader has room."""
    return wrapped(Text.assemble(name, (printable(word), style), f"  {printable(more)}" if more else ""), 0)


def _link(address: str) -> Text:
    """An address on a line of its own, which is never broken."""
    return Text(f"  {printable(address)}", no_wrap=True)


def _everything(summary: Mapping[str, Any]) -> Parts:
    table = Table("case", "original", "trigger", "helps", "does not help", "verdict", box=None, pad_edge=False)
    for result in summary["cases"]:
        names = _names(result["alternatives"])
        trigger = result["original"].get("trigger_in_hlo")
        table.add_row(
            result["case"] if "backend" in summary else f"{result['case']} {column(result)}",
            result["original"]["outcome"],
            _yes(trigger),
            *names,
            Text(result["verdict"], style=STYLES[result["verdict"]]),
        )
    counts = ", ".join(f"{count} {verdict}" for verdict, count in summary["counts"].items())
    yield table
    yield from wrapped(f"{len(summary['cases'])} results with {_where(summary)}: {counts}", 0)


def _where(summary: Mapping[str, Any]) -> str:
    return summary.get("backend") or ", ".join(each["column"] for each in summary["compilers"])


def _changes(changed: Sequence[Change]) -> list[Text]:
    return [Text(f"changed: {change.case}: {change.before} -> {change.after}") for change in changed]


def _listed(listing: Mapping[str, Any]) -> Parts:
    """Two lines a case: what fails, and what is known of it here."""
    for case in listing["cases"]:
        yield from _said("", case["id"], case["title"])
        stacks = _stacks({stack for fix in case["fixes"] for stack in fix["stacks"]})
        held = {"both": "", "xla": "; on torch-xla only", "native": "; on TorchNeuron only"}.get(stacks, "")
        about = f"{case['provenance']}, fails in {case['needs']}, {case['alternatives']} alternatives{held}"
        here = f"; here: {case['cannot_build']}" if case["cannot_build"] else ""
        yield from wrapped(Text(printable(about + here), style="dim"), 4)


def _stacks(found: Collection[str]) -> str:
    return "both" if len(found) > 1 else "".join(found)


def _alternatives(alternatives: Sequence[Mapping[str, Any]]) -> Parts:
    """A table that fits 80 columns, and below it what there is to say about single alternatives."""
    table = Table("alternative", "kind", "outcome", "equal", "error", "trigger", box=None, pad_edge=False)
    remarks: list[Text] = []
    for each in alternatives:
        kind = "other result" if each["semantics_changing"] else each["kind"]
        error = "" if each["max_abs_error"] is None else f"{each['max_abs_error']:.2g}"
        equal, trigger = _yes(each["equivalent"]), _yes(each["trigger_in_hlo"])
        table.add_row(each["name"], kind, each["outcome"], equal, error, trigger)
        stack = _stacks(each["stacks"])
        holds = "" if stack == "both" else f"on the {stack} stack only"
        if remark := "; ".join(filter(None, (each["reason"], each["note"], holds))):
            remarks += wrapped(Text.assemble((f"{each['name']}: ", "bold"), printable(remark)), 2)
        remarks += [_link(each["source"])] if each["source"] else []
    yield table
    yield from remarks


def _names(alternatives: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    helping = [each["name"] for each in alternatives if each["helps"]]
    others = [each["name"] for each in alternatives if not each["helps"] and each["outcome"] != "not-run"]
    return ", ".join(helping), ", ".join(others)


def _versions(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in versions.items())


def _yes(value: object) -> str:
    return "?" if value is None else "yes" if value else "no"
