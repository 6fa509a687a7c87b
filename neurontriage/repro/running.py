"""What `neurontriage repro` does: choose a compiler, run one case or many, compare with an earlier run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from neurontriage import resources
from neurontriage.model import Diagnosis
from neurontriage.repro import disk, fleet, history, placing
from neurontriage.repro.backends import Backend, choose
from neurontriage.repro.catalogue import find_case, select
from neurontriage.repro.history import Change
from neurontriage.repro.publish import Result
from neurontriage.repro.script import write_script
from neurontriage.repro.session import Explain, Settings, examine
from neurontriage.repro.sweep import Plan, Progress, sweep


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked for. `folder` None means the cache folder, `target` empty this host's; times in seconds."""

    backend: str
    target: str = ""
    folder: Path | None = None
    limit: float = 900.0
    flags: tuple[str, ...] = ()
    jobs: int = 0
    cores: str = ""
    budget: float | None = None
    only: str = ""
    layer: str = ""
    shard: str = ""
    ray: str = ""
    compilers: tuple[str, ...] = ()


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
    with disk.written(_folder(request)):
        return _one(case_id, request, against)


def _one(case_id: str, request: Request, against: Path | None) -> Outcome:
    case, before = find_case(case_id), _before(against)
    disk.ready(_folder(request))
    backend = choose(request.backend)
    settings = settings_of(request, backend)
    result = examine(case, backend, settings)
    write_script(case, result, settings.folder / case.ID)
    return _compared(result, (result,), before)


def run_all(request: Request, against: Path | None, progress: Progress) -> Outcome:
    """Examines the chosen cases; results of an equal earlier run in the same folder are taken over."""
    with disk.written(_folder(request)):
        return _all(request, against, progress)


def _all(request: Request, against: Path | None, progress: Progress) -> Outcome:
    cases = select(request.only, request.layer, request.shard)
    if request.ray or request.compilers:
        document = fleet.sweep_everywhere(cases, request, progress)
        return Outcome(document, tuple(document["cases"]), ())
    before = _before(against)
    disk.ready(_folder(request))
    backend = choose(request.backend)
    settings = settings_of(request, backend)
    plan = Plan(request.jobs, placing.allocator(backend, settings.target, request.cores), request.budget)
    document = sweep(cases, backend, settings, plan, progress)
    results = tuple(document["cases"])
    for result in results:
        write_script(find_case(result["case"]), result, settings.folder / result["case"])
    return _compared(document, results, before)


def _before(against: Path | None) -> dict[str, Result] | None:
    """Read before anything is written: the folder may be the same."""
    return None if against is None else history.load_results(against)


def _compared(document: Result, results: tuple[Result, ...], before: dict[str, Result] | None) -> Outcome:
    if before is None:
        return Outcome(document, results, ())
    changed = tuple(history.changes(before, results))
    news = {
        "changes": [change.published() for change in changed],
        "proposals": history.proposals(before, results),
    }
    return Outcome({**document, **news}, results, changed)


def settings_of(request: Request, backend: Backend) -> Settings:
    """The settings of a request for one backend; makes its folder."""
    folder = _folder(request)
    disk.ready(folder)
    target = placing.right_target(request.target, backend)
    return Settings(folder, target, request.limit, explainer(), request.flags, max(1, request.jobs))


def _folder(request: Request) -> Path:
    return request.folder or resources.cache() / "repro" / request.backend


def explainer() -> Explain:
    """The log explainer for texts of this room."""
    from neurontriage.triage import explain_text

    def explain(text: str) -> Diagnosis:
        return explain_text(text, path="repro")

    return explain
