"""Case × compiler version: the results of several sweeps as one document, as JUnit and as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from jinja2 import Environment, PackageLoader, select_autoescape

from neurontriage.repro.publish import Result

SCHEMA, SUMMARY = "neurontriage.repro-matrix/1", "matrix.json"
CONTROL = {number: " " for number in range(32) if chr(number) not in "\t\n\r"}
"""Characters that XML cannot hold."""


def matrix(results: Sequence[Result]) -> Result:
    """All results with the compilers that made them, oldest version first (schema `neurontriage.repro-matrix/1`)."""
    compilers = {column(result): result["compiler"] for result in results}
    return {
        "schema": SCHEMA,
        "compilers": [{"column": name, **(compilers[name] or {})} for name in sorted(compilers, key=_order)],
        "counts": dict(sorted(Counter(result["verdict"] for result in results).items())),
        "cases": list(results),
    }


def column(result: Mapping[str, Any]) -> str:
    """What names the compiler of a result: its version, its package's, or the backend that has none."""
    known = result.get("compiler") or {}
    version = known.get("version") or result.get("versions", {}).get("neuronx-cc")
    if result["backend"] == "xla-cpu" or not version:
        return str(result["backend"])
    return str(version)


def junit(document: Mapping[str, Any]) -> str:
    """One test suite per compiler, one test case per case: refuted fails, what was not told is skipped."""
    results = _results(document)
    suites = ElementTree.Element("testsuites", name="neurontriage repro")
    for name in sorted({column(result) for result in results}, key=_order):
        _suite(suites, name, [result for result in results if column(result) == name])
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True)


def page(document: Mapping[str, Any]) -> str:
    """One self-contained page: a row per case, a column per compiler, the reasons below."""
    results = _results(document)
    columns = sorted({column(result) for result in results}, key=_order)
    cells = {(result["case"], column(result)): result for result in results}
    rows = sorted({result["case"]: result for result in results}.items())
    pages = Environment(loader=PackageLoader("neurontriage.repro"), autoescape=select_autoescape(["html"]))
    pages.globals["counts"] = Counter(result["verdict"] for result in results)
    return pages.get_template("matrix.html").render(columns=columns, rows=rows, cells=cells)


def measured(document: Mapping[str, Any]) -> dict[str, Any]:
    """The verdicts as a table for the site: {title, about, columns, rows}, a row per case, a column per compiler."""
    results = _results(document)
    columns = sorted({column(result) for result in results}, key=_order)
    cells = {(result["case"], column(result)): result["verdict"] for result in results}
    cases = sorted({(one["case"], one["title"], one["provenance"], _equal(results, one["case"])) for one in results})
    told = Counter(result["verdict"] for result in results)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(told.items()))
    return {
        "title": "Repro",
        "about": f"Minimal graphs of known failures with their fixes, by compiler: {counts}. {_ABOUT}",
        "columns": ["case", "what fails", "graph", "fixes with equal numbers", *columns],
        "rows": [[*case, *(cells.get((case[0], name), "not run") for name in columns)] for case in cases],
    }


def _equal(results: Sequence[Mapping[str, Any]], case: str) -> str:
    """How many fixes compute the same, of those whose numbers were compared."""
    compared = {
        each["name"]: each.get("equivalent") for one in results if one["case"] == case for each in one["alternatives"]
    }
    known = [equal for equal in compared.values() if equal is not None]
    return f"{sum(known)} of {len(known)}" if known else "not compared"


_ABOUT = (
    "xla-cpu lowers the graphs and compares the numbers of the fixes on the CPU; what only neuronx-cc can show it "
    "cannot tell. Nothing here was compiled by neuronx-cc unless a column says its version."
)


def _results(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return list(document.get("cases", [document]))


def _suite(parent: ElementTree.Element, name: str, results: Sequence[Mapping[str, Any]]) -> None:
    verdicts = Counter(result["verdict"] for result in results)
    skipped = verdicts["cannot-tell"] + verdicts["not-reproduced"]
    numbers = {"tests": len(results), "failures": verdicts["refuted"], "skipped": skipped}
    told = {"name": _clean(name), **{key: str(value) for key, value in numbers.items()}}
    suite = ElementTree.SubElement(parent, "testsuite", told)
    for result in sorted(results, key=lambda result: str(result["case"])):
        seconds = sum(each["seconds"] or 0.0 for each in (result["original"], *result["alternatives"]))
        where = {"classname": f"repro.{result['backend']}", "name": result["case"], "time": f"{seconds:.3f}"}
        case = ElementTree.SubElement(suite, "testcase", {key: _clean(value) for key, value in where.items()})
        said = {"message": _clean(f"{result['verdict']}: {result['reason']}")}
        if result["verdict"] == "refuted":
            ElementTree.SubElement(case, "failure", said)
        elif result["verdict"] != "confirmed":
            ElementTree.SubElement(case, "skipped", said)


def _clean(text: str) -> str:
    return text.translate(CONTROL).encode("utf-8", "replace").decode()


def _order(name: str) -> tuple[list[int], str]:
    """By version numbers, then by name."""
    digits = "".join(char if char.isdigit() or char == "." else " " for char in name).split()
    return [int(part) for part in (digits[0].split(".") if digits else []) if part.isdigit()], name
