"""Fits the ranker: which claim is the root cause, and whether anything failed at all.

    python eval/fit.py CORPUS [--write] [--folds 5]

Every failing log is used three times: with all entries, with its own switched off (see score.py), and with no entry for
its root line at all, so that a line that nothing knows is no lesser suspect; the composed samples of
the repository join with a small weight, so that what they promise stays.  *Root*: conditional logit over the claims of
a log.  *Alarm*: logistic, the accepted claims of failing logs against every claim of logs in which nothing failed.
Both with an L2 penalty; an origin counts at most MOST_OF_ONE times.  Cross-validation leaves out whole origins, because
logs of one issue or repository share their wording.  Needs NumPy and SciPy.
`--write` stores neurontriage/ranking/weights.json.
"""

from __future__ import annotations

import argparse
import collections
import itertools
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import score
from scipy.optimize import minimize

from neurontriage.claims.match import entries_in
from neurontriage.claims.reading import Reading
from neurontriage.ranking.decide import may_alarm
from neurontriage.ranking.features import Scene, whole
from neurontriage.ranking.ranker import WEIGHTS, shares

ROOT_L2, ALARM_L2, THRESHOLD = 3.0, 0.7, 0.0
# What stands beside a claim says which one is the root, not whether anything failed.
ROOT_ONLY = ("before:", "next:", "heading", "below heading")
LEAST_SEEN, MOST_OF_ONE = 8, 10
SAMPLE, CHAIN, BARE = 0.8, 0.2, 0.4
HEALTHY, HARMLESS, MILD = 5.0, 1.0, 0.7
BINS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0)
REPOSITORY = Path(__file__).parent.parent
Matrix = np.ndarray[Any, np.dtype[np.float64]]


@dataclass
class Of:
    """What a log is, where it comes from, how much it counts, and whether anything failed in it."""

    kind: str
    origin: str
    weight: float
    failed: bool


@dataclass
class Log:
    """One log as the ranker sees it. `right`: the claims that may be the root; `mute`: those that never alarm."""

    of: Of
    claims: list[dict[str, float]]
    right: list[int]
    whole: dict[str, float]
    mute: list[int]


def jobs(corpus: Path) -> Iterator[tuple[str, str, str]]:
    """(kind, name, corpus) of every log to learn from."""
    for path in sorted((corpus / "records").glob("*.yaml")):
        yield from ((kind, path.stem, str(corpus)) for kind in ("plain", "ablated", "bare"))
    for path in sorted((corpus / "healthy").glob("*.log")):
        yield "healthy", str(path), ""
    for path in sorted((REPOSITORY / "samples" / "benign").glob("*.log")):
        yield "harmless", str(path), ""
    for path in sorted((REPOSITORY / "samples").rglob("*.expect")):
        yield "sample", str(path), ""


def read(job: tuple[str, str, str]) -> Log | None:
    """One log → its claims as features."""
    kind, name, corpus = job
    if kind in ("plain", "ablated", "bare"):
        return _record(kind, name, Path(corpus))
    path = Path(name)
    text = path.with_suffix(".log").read_bytes().decode("utf-8", "replace")
    if kind == "sample":
        said = [line.split() for line in path.read_text().splitlines() if line.strip() and line[0] != "#"]
        roots = {int(line[0]) for line in said if line[2:3] == ["root"]}
        weight = CHAIN if path.parent.name == "chains" else SAMPLE
        return _log(Of(kind, path.parent.name + path.stem[:5], weight, True), text, roots) if roots else None
    return _log(Of(kind, path.stem[:30], HEALTHY if kind == "healthy" else HARMLESS, False), text, set())


def _record(kind: str, name: str, corpus: Path) -> Log | None:
    record = score.record(corpus, name)
    failed = record.get("severity", "error") == "error"
    accepted = [str(a).strip() for a in (record["key_line"], *(record.get("key_alternatives") or []))]
    known = score.catalog()
    if kind != "plain":
        known = known.without(score.own_entries(record))
    if kind == "bare":
        known = known.without(known.off | {entry for line in accepted for entry in entries_in(line, known)})
    lines = record["log"].replace("\r\n", "\n").split("\n")
    keys = {n for n, line in enumerate(lines, 1) if any(a in line for a in accepted)}
    source = score.judge(str(corpus.parent / "tools" / "score_corpus.py")).origin(record)
    weight = (1.0 if failed else MILD) * (BARE if kind == "bare" else 1.0)
    return _log(Of(kind, source, weight, failed), record["log"], keys if failed else set(), known)


def _log(of: Of, text: str, keys: set[int], known: Any = None) -> Log:
    reading = Reading(known or score.catalog())
    reading.read("log", score.in_blocks(text))
    scene = Scene(reading.claims(), reading.catalog.briefs, reading.courses)
    errors = [claim for claim in scene.claims if claim.severity == "error"]
    right = [place for place, claim in enumerate(errors) if _holds(claim, keys)]
    mute = [place for place, claim in enumerate(errors) if not may_alarm(claim, scene)]
    [course] = scene.courses.values()
    return Log(of, [scene.features(claim) for claim in errors], right, whole(scene, course), mute)


def _holds(claim: Any, keys: set[int]) -> bool:
    """Whether one of the first three pieces of evidence is, or holds, an accepted line (as the corpus is scored)."""
    return any(e.line <= key <= min(e.end_line, e.line + 12) for e in claim.evidence[:3] for key in keys)


def root_weights(logs: Sequence[Log], names: Sequence[str], counts: collections.Counter[str]) -> Matrix:
    """Conditional logit: in each failing log some right claim against all its claims."""
    used = [log for log in logs if log.of.failed and log.right and len(log.claims) > 1]
    matrix = np.vstack([_matrix(log.claims, names) for log in used])
    sizes = [len(log.claims) for log in used]
    start = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    owner = np.repeat(np.arange(len(used)), sizes)
    right = np.zeros(len(matrix), bool)
    right[[s + place for s, log in zip(start, used, strict=True) for place in log.right]] = True
    weight = np.array([log.of.weight * min(1.0, MOST_OF_ONE / counts[log.of.origin]) for log in used])

    def loss(theta: Matrix) -> tuple[float, Matrix]:
        raw = matrix @ theta
        power = np.exp(raw - np.maximum.reduceat(raw, start)[owner])
        total, good = np.add.reduceat(power, start), np.add.reduceat(np.where(right, power, 0), start)
        cost = (weight * (np.log(total) - np.log(good + 1e-300))).sum() + ROOT_L2 * (theta @ theta)
        slope = power / total[owner] - np.where(right, power, 0) / np.maximum(good, 1e-300)[owner]
        return cost, matrix.T @ (slope * weight[owner]) + 2 * ROOT_L2 * theta

    return minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 400}).x


def alarm_weights(logs: Sequence[Log], names: Sequence[str], counts: collections.Counter[str]) -> Matrix:
    """Logistic: right claims of failing logs against all claims of the others, each log with about the same weight."""
    rows, target, weight = [], [], []
    for log in logs:
        places = log.right if log.of.failed else range(len(log.claims))
        one = log.of.weight * (0.5 * min(1.0, MOST_OF_ONE / counts[log.of.origin]) if log.of.failed else 1.0)
        each = one / len(log.right) if log.of.failed and log.right else one * min(1.0, 3.0 / max(len(log.claims), 1))
        for place in places:
            rows.append({**log.claims[place], **log.whole})
            target.append(float(log.of.failed))
            weight.append(each)
    matrix, wanted, weights = _matrix(rows, names), np.array(target), np.array(weight)

    def loss(theta: Matrix) -> tuple[float, Matrix]:
        share = 1 / (1 + np.exp(-np.clip(matrix @ theta, -30, 30)))
        cost = -(weights * (wanted * np.log(share + 1e-12) + (1 - wanted) * np.log(1 - share + 1e-12))).sum()
        return cost + ALARM_L2 * (theta @ theta), matrix.T @ (weights * (share - wanted)) + 2 * ALARM_L2 * theta

    return minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 400}).x


def _matrix(rows: Sequence[dict[str, float]], names: Sequence[str]) -> Matrix:
    place = {name: number for number, name in enumerate(names)}
    matrix = np.zeros((len(rows), len(names)))
    for row, features in enumerate(rows):
        for name, value in features.items():
            if name in place:
                matrix[row, place[name]] = value
    return matrix


def _names(logs: Sequence[Log]) -> tuple[list[str], list[str]]:
    """The features that occur often enough to be weighed: for the root, and with those of whole logs for the alarm."""
    seen = collections.Counter(name for log in logs for claim in log.claims for name in claim)
    root = sorted(name for name, count in seen.items() if count >= LEAST_SEEN)
    alarm = [name for name in root if not name.startswith(ROOT_ONLY)]
    return root, alarm + sorted({name for log in logs for name in log.whole})


def judged(logs: Sequence[Log], folds: int) -> Iterator[tuple[Log, Matrix, bool]]:
    """Each log with the scores of its claims and whether one is loud, by weights that never saw its origin."""
    root, alarm = _names(logs)
    counts = collections.Counter(log.of.origin for log in logs)
    order = sorted(counts, key=lambda name: hash_of(name))
    fold = {name: place % folds for place, name in enumerate(order)}
    for number in range(folds):
        train = [log for log in logs if fold[log.of.origin] != number]
        w_root, w_alarm = root_weights(train, root, counts), alarm_weights(train, alarm, counts)
        for log in (log for log in logs if fold[log.of.origin] == number):
            loud = _matrix([{**c, **log.whole} for c in log.claims], alarm) @ w_alarm > THRESHOLD
            loud[log.mute] = False
            yield log, _matrix(log.claims, root) @ w_root, bool(loud.any())


def tested(found: Sequence[tuple[Log, Matrix, bool]]) -> dict[str, float]:
    """Figures in percent of what `judged` gives."""
    right: dict[str, list[bool]] = collections.defaultdict(list)
    for log, scores, loud in found:
        best = int(np.argmax(scores)) if len(scores) else None
        name = log.of.kind if log.of.failed or log.of.kind in ("healthy", "harmless") else f"{log.of.kind} mild"
        right[f"{name}, alarm right"].append(loud == log.of.failed)
        if log.of.failed:
            right[f"{name}, root first"].append(best in log.right)
            right[f"{name}, root first and alarm"].append(best in log.right and loud)
            right[f"{name}, among three"].append(bool(set(np.argsort(-scores)[:3]) & set(log.right)))
    return {name: round(100 * float(np.mean(values)), 1) for name, values in sorted(right.items())}


def calibration(found: Sequence[tuple[Log, Matrix, bool]]) -> dict[str, Any]:
    """The share of the first claim (what an unknown answer carries as confidence) against how often it is the root."""
    pairs = [
        (max(shares(list(scores))), int(np.argmax(scores)) in log.right)
        for log, scores, _ in found
        if log.of.kind in ("plain", "ablated") and log.of.failed and len(scores)
    ]
    rows, squares = [], [(share - right) ** 2 for share, right in pairs]
    for low, high in itertools.pairwise(BINS):
        inside = [(share, right) for share, right in pairs if low < share <= high]
        if inside:
            said, held = (float(np.mean([pair[n] for pair in inside])) for n in (0, 1))
            rows.append([f"{low:.1f} to {high:.1f}", str(len(inside)), f"{said:.2f}", f"{held:.2f}"])
    about = (
        "How much clearer the first line is than the other candidates of its log, against how often it is the root: "
        f"labelled logs, each judged by weights that never saw its source. Brier score {float(np.mean(squares)):.3f}."
    )
    return {"title": "Calibration", "about": about, "columns": ["share", "answers", "promised", "held"], "rows": rows}


def hash_of(name: str) -> int:
    """A number for a name, the same in every process, that scatters neighbours."""
    value = 0
    for letter in name:
        value = (value * 131 + ord(letter)) % 1_000_003
    return value


def fitted(logs: Sequence[Log]) -> dict[str, Any]:
    """The weights from all logs, as they ship."""
    root, alarm = _names(logs)
    counts = collections.Counter(log.of.origin for log in logs)
    pairs = {"root": (root, root_weights(logs, root, counts)), "alarm": (alarm, alarm_weights(logs, alarm, counts))}
    weights = {
        kind: {name: round(float(value), 2) for name, value in zip(names, found, strict=True) if abs(value) >= 0.01}
        for kind, (names, found) in pairs.items()
    }
    return {**weights, "threshold": THRESHOLD}


def main() -> None:
    """Read, cross-validate, print; with --write store the weights of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--table", type=Path, help="write the calibration of the margin for the site (docs/measured)")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    score.catalog()
    with ProcessPoolExecutor(args.jobs) as pool:
        logs = [log for log in pool.map(read, jobs(args.corpus), chunksize=16) if log is not None]
    found = list(judged(logs, args.folds)) if args.folds > 1 else []
    for name, value in tested(found).items():
        print(f"{name:40s} {value}")
    if args.table:
        args.table.write_text(json.dumps(calibration(found), indent=1) + "\n", encoding="utf-8")
    if args.write:
        WEIGHTS.write_text(json.dumps(fitted(logs), indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
