"""Two results → what differs: counts exactly, times by their intervals; what was measured differently is said first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from neurontriage.errors import TriageError
from neurontriage.measure.document import SCHEMA

_COUNTS = ("graphs", "compiles", "executions", "synchronisations", "instructions", "fallbacks")
_SETTINGS = ("backend", "batch", "iterations", "exclude_first_trial", "enable_device_reinit", "module", "seed")


def load(path: Path) -> dict[str, Any]:
    """An earlier result. TriageError naming the file when it is none."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise _refusal(path, error.strerror or str(error)) from None
    except ValueError as error:
        raise _refusal(path, f"not JSON: {error}") from None
    if not isinstance(found, dict) or found.get("schema") != SCHEMA or not isinstance(found.get("patterns"), list):
        raise _refusal(path, "not a result of `neurontriage measure`")
    return found


def _refusal(path: Path, problem: str) -> TriageError:
    expected = f"JSON of schema {SCHEMA}"
    return TriageError("not-a-result", f"{path}: {problem}", expected, "neurontriage measure -o result.json")


def compared(old: Mapping[str, Any], new: Mapping[str, Any], path: str) -> dict[str, Any]:
    """What `--compare` adds to the document; `ratio`: the new median by the old one."""
    before = {(row["graph"], row["pattern"]): row for row in old["patterns"]}
    after = {(row["graph"], row["pattern"]): row for row in new["patterns"]}
    return {
        "path": path,
        "differences": [list(each) for each in _differences(old, new)],
        "rows": [
            _row(before[key], after[key]) for key in after if key in before and _measured(before[key], after[key])
        ],
        "missing": sorted("/".join(key) for key in before.keys() ^ after.keys()),
    }


def _measured(*rows: Mapping[str, Any]) -> bool:
    return all(row.get("counts") and row.get("cached_run") for row in rows)


def _differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterable[tuple[str, Any, Any]]:
    """Settings, versions and hosts that are not the same: times cannot be blamed on the code alone."""
    pairs = [(name, old["configuration"].get(name), new["configuration"].get(name)) for name in _SETTINGS]
    was, now = old["environment"], new["environment"]
    packages = sorted({*was.get("versions", {}), *now.get("versions", {})})
    pairs += [(name, was.get("versions", {}).get(name), now.get("versions", {}).get(name)) for name in packages]
    pairs.append(("host", was.get("host"), now.get("host")))
    return [pair for pair in pairs if pair[1] != pair[2]]


def _row(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    was, now = before["counts"], after["counts"]
    counts = [[name, was.get(name), now.get(name)] for name in _COUNTS if was.get(name) != now.get(name)]
    one, other = before["cached_run"], after["cached_run"]
    ratio = other["median"] / one["median"] if one["median"] else None
    key = {"graph": after["graph"], "pattern": after["pattern"]}
    return {**key, "counts": counts, "ratio": ratio, "verdict": _verdict(one, other)}


def _verdict(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    if None in (one["low"], other["low"]):
        return "cannot tell"
    if other["low"] > one["high"]:
        return "slower"
    return "faster" if other["high"] < one["low"] else "cannot tell"
