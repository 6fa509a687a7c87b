"""Results → a terminal report. Values from logs are escaped: they may hold markup."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from neurontriage.repro.history import Change
from neurontriage.repro.matrix import column

WIDEST = 110
"""Columns at most: longer lines are hard to read."""
STYLES = {"confirmed": "green", "refuted": "red", "cannot-tell": "yellow", "not-reproduced": "cyan"}


def draw(document: Mapping[str, Any], changed: Sequence[Change] = ()) -> RenderableType:
    """The report of any document that this room publishes."""
    if document["schema"] == "neurontriage.repro-list/1":
        return _listed(document)
    return _everything(document, changed) if "counts" in document else Group(_one(document), *_changes(changed))


def _one(result: Mapping[str, Any]) -> RenderableType:
    original = result["original"]
    lines = [
        f"[bold]{escape(result['case'])}[/]  {escape(result['title'])}",
        f"backend {result['backend']}, target {result['target']}  {escape(_versions(result['versions']))}",
        f"graph: {result['provenance']}  {escape(result['origin']['source'])}",
        f"original: [bold]{original['outcome']}[/]  {escape(original['reason'] or original['finding'] or '')}",
    ]
    verdict = f"verdict: [{STYLES[result['verdict']]}]{result['verdict']}[/]  {escape(result['reason'])}"
    return Group(*lines, _alternatives(result["alternatives"]), verdict)


def _everything(summary: Mapping[str, Any], changed: Sequence[Change]) -> RenderableType:
    table = Table("case", "original", "trigger", "helps", "does not help", "verdict", box=None, pad_edge=False)
    for result in summary["cases"]:
        names = _names(result["alternatives"])
        style = STYLES[result["verdict"]]
        trigger = result["original"].get("trigger_in_hlo")
        table.add_row(
            result["case"] if "backend" in summary else f"{result['case']} {column(result)}",
            result["original"]["outcome"],
            _yes(trigger),
            *names,
            f"[{style}]{result['verdict']}[/]",
        )
    counts = ", ".join(f"{count} {verdict}" for verdict, count in summary["counts"].items())
    footer = f"{len(summary['cases'])} results with {_where(summary)}: {counts}"
    return Group(table, footer, *_changes(changed))


def _where(summary: Mapping[str, Any]) -> str:
    return summary.get("backend") or ", ".join(each["column"] for each in summary["compilers"])


def _changes(changed: Sequence[Change]) -> list[str]:
    return [f"changed: {change.case}: {change.before} -> {change.after}" for change in changed]


def _listed(listing: Mapping[str, Any]) -> RenderableType:
    """Two lines a case: what fails, and what is known of it here."""
    lines: list[RenderableType] = []
    for case in listing["cases"]:
        lines.append(Text.assemble((case["id"], "bold"), f"  {case['title']}"))
        stacks = _stacks({stack for fix in case["fixes"] for stack in fix["stacks"]})
        held = {"both": "", "xla": "; on torch-xla only", "native": "; on TorchNeuron only"}.get(stacks, "")
        about = f"{case['provenance']}, fails in {case['needs']}, {case['alternatives']} alternatives{held}"
        here = f"; here: {case['cannot_build']}" if case["cannot_build"] else ""
        lines.append(Padding(Text(about + here, style="dim"), (0, 0, 0, 4)))
    return Group(*lines)


def _stacks(found: Collection[str]) -> str:
    return "both" if len(found) > 1 else "".join(found)


def show(renderable: RenderableType) -> None:
    """Prints to stdout; colours only on a terminal, and never with NO_COLOR."""
    console = Console(highlight=False)
    console.width = min(shutil.get_terminal_size((80, 24)).columns, WIDEST)
    console.print(renderable)


def _alternatives(alternatives: Sequence[Mapping[str, Any]]) -> Group:
    """A table that fits 80 columns, and below it what there is to say about single alternatives."""
    table = Table("alternative", "kind", "outcome", "equal", "error", "trigger", box=None, pad_edge=False)
    remarks: list[RenderableType] = []
    for each in alternatives:
        kind = "other result" if each["semantics_changing"] else each["kind"]
        error = "" if each["max_abs_error"] is None else f"{each['max_abs_error']:.2g}"
        equal, trigger = _yes(each["equivalent"]), _yes(each["trigger_in_hlo"])
        table.add_row(each["name"], kind, each["outcome"], equal, error, trigger)
        stack = _stacks(each["stacks"])
        holds = "" if stack == "both" else f"on the {stack} stack only"
        remark = "; ".join(filter(None, (each["reason"], each["note"], holds, each["source"])))
        if remark:
            remarks.append(Text.assemble((f"  {each['name']}: ", "bold"), remark))
    return Group(table, *remarks)


def _names(alternatives: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    helping = [each["name"] for each in alternatives if each["helps"]]
    others = [each["name"] for each in alternatives if not each["helps"] and each["outcome"] != "not-run"]
    return ", ".join(helping), ", ".join(others)


def _versions(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in versions.items())


def _yes(value: object) -> str:
    return "?" if value is None else "yes" if value else "no"
