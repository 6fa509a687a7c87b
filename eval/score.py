"""The yardstick: how well `explain` finds root causes, with all entries and with a log's own entries switched off.

    python eval/score.py CORPUS [--layer plain|ablated|both] [--show miss] [--json OUT] [--need ablated.localized=90] …

*plain* is what a user gets.  *ablated* stands for logs that nobody has seen: for each record the particular entries
(not general, no wrapper, symptom or benign ones) that match its root line or link its thread are switched off.
`--without payload,families,record`: with these grammars switched off, which shows how much of the judgement is theirs.
The judgement of one answer is that of `score_corpus.py`, which comes with the corpus (`--judge`).
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import itertools
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import yaml

from neurontriage import triage
from neurontriage.errors import TriageError
from neurontriage.knowledge.catalog import Catalog, load
from neurontriage.read.inputs import blocks
from neurontriage.reports.json import document

Row = dict[str, Any]
MEANS = {
    "localized": "the first error names the line that states the root cause",
    "nearby": "or one of the next two errors or suspects does",
    "identified": "it names the printed code and the subject",
    "advised": "it gives every advice that the thread gives",
    "solved": "all three, and an entry explains it",
    "chained": "what only followed is not called a root",
    "capped": "localized, where one origin counts for at most five logs",
    "silent": "no error was found in a log that failed",
    "answered": "an entry or a class answer explains the first error",
    "precision": "of those, the ones on the right line with the right subject",
    "recognised": "a harmless message or a warning was seen as such",
    "quiet": "and raised no alarm",
    "healthy": "whole logs of healthy runs without an alarm",
}
FAILED = ("localized", "nearby", "identified", "advised", "solved", "chained")
MOST_OF_ONE_ORIGIN = 5
BINS = (0.0, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 1.0)


def record(corpus: Path, name: str) -> Row:
    """One label with its log as text."""
    found: Row = yaml.load((corpus / "records" / f"{name}.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    if "log_file" in found:
        found["log"] = (corpus / found["log_file"]).read_bytes().decode("utf-8", "replace")
    return found


def in_blocks(text: str) -> Iterator[bytes]:
    """A log in memory, as the reader gives files; nothing where it is refused as binary."""
    try:
        yield from blocks(cast(Any, io.BytesIO(text.encode("utf-8", "replace"))), "log")
    except TriageError:
        return


@lru_cache(maxsize=1)
def catalog() -> Catalog:
    """The shipped knowledge, once in each worker."""
    return load()


@lru_cache(maxsize=1)
def judge(path: str) -> Any:
    """The scorer of the corpus as a module."""
    spec = importlib.util.spec_from_file_location("score_corpus", path)
    assert spec and spec.loader, path
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def own_entries(label: Row) -> frozenset[str]:
    """The particular entries that know this very failure: by its root line, or by a link to its thread."""
    from neurontriage.claims.match import entries_in

    known = catalog()
    lines = [str(line) for line in (label["key_line"], *(label.get("key_alternatives") or []))]
    thread = str(label.get("source", "")).split("#issuecomment")[0].split(" ")[0]
    found = {entry for line in lines for entry in entries_in(line, known)}
    if "/issues/" in thread or "/pull/" in thread:
        found |= {e for e in known.briefs if any(thread == x["url"] for x in known.article(e).get("links", ()))}
    return frozenset(entry for entry in found if particular(known.briefs[entry]))


def particular(brief: Any) -> bool:
    """Whether an entry claims one particular root cause."""
    return not brief["general"] and brief["role"] == "root" and brief["severity"] != "benign"


def answer(label: Row, ablated: bool) -> Row:
    """What `explain --format json` says of a record's log."""
    known = catalog().without(own_entries(label)) if ablated else catalog()
    try:
        return document(triage.explain_text(label["log"], "log", known))
    except TriageError as error:
        return {"findings": [], "suspects": [], "refused": str(error)}


def judged(name: str, label: Row, ablated: bool, judge_path: str) -> Row:
    """One record's row: what was right, and what the answer was."""
    said = answer(label, ablated)
    row = judge(judge_path).judge(label, said)
    errors = [f for f in said["findings"] if f["severity"] == "error"]
    first = errors[0]["evidence"][0]["line"] if errors and errors[0]["evidence"] else None
    row |= {"name": name, "severity": label.get("severity", "error"), "silent": not errors, "line": first}
    row["confidence"] = errors[0]["confidence"] if errors and errors[0]["known"] else None
    return {**row, "source": judge(judge_path).origin(label), "layer": label.get("layer")}


def _one(job: tuple[str, str, str, bool, str]) -> Row:
    corpus, name, kind, ablated, judge_path = job
    if kind == "healthy":
        text = (Path(corpus) / "healthy" / name).read_bytes().decode("utf-8", "replace")
        findings = document(triage.explain_text(text, name, catalog()))["findings"]
        bad = [f["id"] for f in findings if f["severity"] == "error"]
        return {"name": name, "severity": "healthy", "healthy": not bad, "top": bad[:3]}
    return judged(name, record(Path(corpus), name), ablated, judge_path)


def rows(corpus: Path, ablated: bool, judge_path: Path, jobs: int) -> list[Row]:
    """All records judged; healthy logs too where nothing is switched off."""
    catalog()
    work = [(p.stem, "record") for p in sorted((corpus / "records").glob("*.yaml"))]
    if not ablated:
        work += [(p.name, "healthy") for p in sorted((corpus / "healthy").glob("*.log"))]
    with ProcessPoolExecutor(jobs) as pool:
        given = [(str(corpus), name, kind, ablated, str(judge_path)) for name, kind in work]
        return list(pool.map(_one, given, chunksize=8))


def share(found: Sequence[Row], name: str) -> float:
    """Percent of the rows in which `name` holds."""
    return round(100 * sum(bool(row.get(name)) for row in found) / len(found), 1) if found else 0.0


def capped(found: Sequence[Row], name: str) -> float:
    """The same, but a source counts at most MOST_OF_ONE_ORIGIN records."""
    count: dict[str, int] = {}
    for row in found:
        count[row["source"]] = count.get(row["source"], 0) + 1
    weight = [min(1.0, MOST_OF_ONE_ORIGIN / count[row["source"]]) for row in found]
    right = sum(w for w, row in zip(weight, found, strict=True) if row.get(name))
    return round(100 * right / sum(weight), 1) if found else 0.0


def totals(found: Sequence[Row]) -> dict[str, float]:
    """Every figure of one layer."""
    failed = [row for row in found if row["severity"] == "error"]
    mild = [row for row in found if row["severity"] in ("warning", "benign")]
    healthy = [row for row in found if row["severity"] == "healthy"]
    answered = [row for row in failed if row["answered"]]
    figures = {name: share(failed, name) for name in FAILED}
    figures |= {"capped": capped(failed, "localized"), "silent": share(failed, "silent")}
    figures |= {"answered": share(failed, "answered"), "precision": share(answered, "identified")}
    figures |= {name: share(mild, name) for name in ("recognised", "quiet")}
    return figures | ({"healthy": share(healthy, "healthy")} if healthy else {})


def missed(found: Iterable[Row]) -> Iterator[Row]:
    """The rows that are not wholly right."""
    for row in found:
        if not (row.get("solved") or row.get("quiet") or row.get("healthy")):
            yield row


def switch_off(grammars: Iterable[str]) -> None:
    """Let grammars find nothing: what a line says (payload), the families' own, what spans lines (record).

    The headers in front of a line are still taken off. Raises SystemExit for an unknown name.
    """
    from neurontriage.claims import record as records
    from neurontriage.parse import family, payload

    off = {
        "payload": lambda: setattr(payload.Payload, "read", lambda self, text: payload.NOTHING),
        "families": lambda: setattr(family.Family, "parse", lambda self, text: None),
        "record": lambda: setattr(records, "kind_of", lambda event, said, below: "NONE"),
    }
    for name in grammars:
        off.get(name, lambda name=name: sys.exit(f"--without {name}: expected {', '.join(off)}"))()


def table(scored: Row) -> Row:
    """The figures of all layers as the site shows them."""
    about = (
        "Percent of labelled real logs. plain: as a user gets it; the weights of the ranker were fitted on these logs. "
        "ablated: with each log's own entries switched off, which stands for logs that nobody has seen."
    )
    names = list(dict.fromkeys(name for layer in scored.values() for name in layer["total"]))
    cells = [
        [name, *(str(one["total"].get(name, "–")) for one in scored.values()), MEANS.get(name, "")] for name in names
    ]
    return {"title": "Accuracy", "about": about, "columns": ["", *scored, "means"], "rows": cells}


def confidence(found: Sequence[Row]) -> Row:
    """What entries promised against what held, as docs/confidence.md shows it."""
    right = [
        (row["confidence"], bool(row["localized"] and row["advised"]))
        for row in found
        if row["severity"] == "error" and row["confidence"] is not None
    ]
    lines = []
    for low, high in itertools.pairwise(BINS):
        inside = [pair for pair in right if low < pair[0] <= high]
        if inside:
            said, held = (sum(pair[n] for pair in inside) / len(inside) for n in (0, 1))
            lines.append([f"{low:.2f} to {high:.2f}", f"{len(inside):,}", f"{said:.2f}", f"{held:.2f}"])
    brier = sum((said - held) ** 2 for said, held in right) / (len(right) or 1)
    about = (
        "The confidence of answers by entries against how often the line is the root cause and the advice the "
        f"right one: labelled logs, each without its own entries. {len(right):,} answers, Brier score {brier:.3f}."
    )
    columns = ["confidence", "answers", "promised", "held"]
    return {"title": "Confidence of entries", "about": about, "columns": columns, "rows": lines}


def write(path: Path, data: Row) -> None:
    """A table as the site reads it."""
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def main() -> None:
    """Read the options, score, print, and exit 1 below a --need."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--judge", type=Path)
    parser.add_argument("--layer", choices=["plain", "ablated", "both"], default="both")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", choices=["none", "miss", "all"], default="none")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--table", type=Path, help="of both layers: accuracy.json; calibration-entries.json beside it")
    parser.add_argument("--without", default="", metavar="GRAMMARS", help="payload, families, record; with commas")
    parser.add_argument("--need", action="append", default=[], metavar="LAYER.METRIC=PERCENT")
    args = parser.parse_args()
    judge_path = args.judge or args.corpus.parent / "tools" / "score_corpus.py"
    switch_off(filter(None, args.without.split(",")))
    scored = {}
    for layer in ["plain", "ablated"] if args.layer == "both" else [args.layer]:
        found = rows(args.corpus, layer == "ablated", judge_path, args.jobs)
        scored[layer] = {"total": totals(found), "rows": found}
        for row in found if args.show == "all" else missed(found) if args.show == "miss" else ():
            print(json.dumps(row))
        print(f"{layer}: " + " ".join(f"{name}={value}" for name, value in scored[layer]["total"].items()))
    if args.table and len(scored) == 2:
        write(args.table, table(scored))
        write(args.table.with_name("calibration-entries.json"), confidence(scored["ablated"]["rows"]))
        print("take it over into the docs: NEURONTRIAGE_GOLDEN=write pytest tests/test_readme.py")
    if args.json:
        args.json.write_text(json.dumps(scored, indent=1))
    needs = [need.replace("=", ".").split(".", 2) for need in args.need]
    short = [f"{a}.{b}={c}" for a, b, c in needs if scored[a]["total"][b] < float(c)]
    if short:
        sys.exit("below: " + ", ".join(short))


if __name__ == "__main__":
    main()
