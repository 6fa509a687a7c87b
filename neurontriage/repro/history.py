"""`--against`: what changed since an earlier run, and what a knowledge entry could learn from it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from neurontriage.errors import TriageError
from neurontriage.repro.publish import Result
from neurontriage.repro.session import RESULT

COMPILER = "neuronx-cc"


@dataclass(frozen=True, slots=True)
class Change:
    """One case whose failing graph or verdict came out otherwise than before."""

    case: str
    before: str
    after: str
    versions_before: Mapping[str, str]
    versions_after: Mapping[str, str]

    def published(self) -> dict[str, Any]:
        """One change as `repro --against` prints it in JSON."""
        versions = {"before": dict(self.versions_before), "after": dict(self.versions_after)}
        return {"case": self.case, "before": self.before, "after": self.after, "versions": versions}


def load_results(folder: Path) -> dict[str, Result]:
    """The results of an earlier run by case; a folder without any is refused."""
    found = [_read(path) for path in sorted(folder.glob(f"*/{RESULT}"))]
    if not found:
        raise TriageError(
            reference="no-earlier-run",
            message=f"{folder} holds no results of an earlier run",
            expected=f"a folder that `neurontriage repro -o DIR` wrote, with CASE/{RESULT} in it",
        )
    return {result["case"]: result for result in found}


def changes(before: Mapping[str, Result], after: Sequence[Result]) -> list[Change]:
    """The cases of both runs whose outcome or verdict differs."""
    pairs = [(before[result["case"]], result) for result in after if result["case"] in before]
    return [
        Change(new["case"], _state(old), _state(new), old["versions"], new["versions"])
        for old, new in pairs
        if _state(old) != _state(new)
    ]


def proposals(before: Mapping[str, Result], after: Sequence[Result]) -> list[dict[str, str]]:
    """`affected` and `fixed` versions to propose to a knowledge entry; nothing is written into one."""
    proposed = []
    for new in after:
        old = before.get(new["case"])
        versions = [compiler_version(result) if result else None for result in (old, new)]
        fixed = old and _outcome(old) == "reproduced" and _outcome(new) == "passed"
        if fixed and versions[0] and versions[1]:
            proposed.append({"case": new["case"], "affected": str(versions[0]), "fixed": str(versions[1])})
    return proposed


def compiler_version(result: Result) -> str | None:
    """What the compiler itself said, else what its package says."""
    said = (result.get("compiler") or {}).get("version") or result["versions"].get(COMPILER)
    return str(said) if said else None


def _state(result: Result) -> str:
    return f"{_outcome(result)}, {result['verdict']}"


def _outcome(result: Result) -> str:
    return str(result["original"]["outcome"])


def _read(path: Path) -> Result:
    try:
        result = json.loads(path.read_text())
        if result["schema"] == "neurontriage.repro/1" and _outcome(result):
            return dict(result)
    except (OSError, json.JSONDecodeError, KeyError, TypeError):
        pass
    raise TriageError(
        reference="bad-repro-result",
        message=f"{path} is not a result of `neurontriage repro`",
        expected="schema neurontriage.repro/1",
        hint="remove the file or choose another folder",
    )
