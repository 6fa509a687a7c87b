"""What `neurontriage repro` does: choose a compiler, run one case or all, compare with an earlier run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from neurontriage import resources
from neurontriage.model import Diagnosis
from neurontriage.repro import history
from neurontriage.repro.backends import Backend, choose
from neurontriage.repro.catalogue import all_cases, find_case
from neurontriage.repro.history import Change
from neurontriage.repro.script import write_script
from neurontriage.repro.session import Explain, Result, Settings, examine
from neurontriage.repro.sweep import Progress, sweep


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked for; `folder` None means the cache folder, `limit` is in seconds."""

    backend: str
    target: str
    folder: Path | None
    limit: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """The document to publish, the results in it, and what changed since the run it is compared with."""

    document: Result
    results: tuple[Result, ...]
    changes: tuple[Change, ...]

    @property
    def confirmed(self) -> bool:
        """Whether every case is confirmed."""
        return all(result["verdict"] == "confirmed" for result in self.results)


def run_one(case_id: str, request: Request, against: Path | None) -> Outcome:
    """Examines one case and leaves its script, HLO, logs and result in the folder."""
    case, backend, settings = find_case(case_id), choose(request.backend), _settings(request)
    result = examine(case, backend, settings)
    write_script(case, result, backend.environment(request.target), settings.folder / case.ID)
    return _compared(result, (result,), against)


def run_all(request: Request, against: Path | None, progress: Progress) -> Outcome:
    """Examines every case; results of an equal earlier run in the same folder are taken over."""
    backend, settings = choose(request.backend), _settings(request)
    document = sweep(list(all_cases().values()), backend, settings, progress)
    results = tuple(document["cases"])
    _write_scripts(results, backend, request.target, settings.folder)
    return _compared(document, results, against)


def _write_scripts(results: tuple[Result, ...], backend: Backend, target: str, folder: Path) -> None:
    for result in results:
        write_script(find_case(result["case"]), result, backend.environment(target), folder / result["case"])


def _compared(document: Result, results: tuple[Result, ...], against: Path | None) -> Outcome:
    if against is None:
        return Outcome(document, results, ())
    before = history.load_results(against)
    changed = tuple(history.changes(before, results))
    news = {
        "changes": [change.published() for change in changed],
        "proposals": history.proposals(before, results),
    }
    return Outcome({**document, **news}, results, changed)


def _settings(request: Request) -> Settings:
    folder = request.folder or resources.cache() / "repro" / request.backend
    folder.mkdir(parents=True, exist_ok=True)
    return Settings(folder, request.target, request.limit, _explainer())


def _explainer() -> Explain:
    from neurontriage.triage import explain_text

    def explain(text: str) -> Diagnosis:
        return explain_text(text, path="repro")

    return explain
