"""`--all`: every case by workers side by side; each result is kept at once, so that a stopped run goes on."""

from __future__ import annotations

import dataclasses
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from neurontriage.errors import TriageError
from neurontriage.model import Diagnosis
from neurontriage.repro import environment, machine, resume
from neurontriage.repro.backends import Backend
from neurontriage.repro.case import Case
from neurontriage.repro.cores import Allocator
from neurontriage.repro.placing import leased, workers
from neurontriage.repro.publish import Result
from neurontriage.repro.session import Explain, Settings, examine_with, not_run, surroundings
from neurontriage.repro.worker_process import Worker

SCHEMA = "neurontriage.repro-all/1"
SUMMARY = "all.json"
Progress = Callable[[int, int, Result], None]
Started = Callable[[dict[str, str], Path], Worker]


@dataclass(frozen=True, slots=True)
class Plan:
    """How a sweep runs: workers side by side (0: as memory allows), their cores, and seconds until no case starts."""

    jobs: int = 0
    cores: Allocator | None = None
    budget: float | None = None
    start: Started = Worker


class Queue:
    """The waiting cases by the environment they need; a worker keeps to one while there are any for it."""

    def __init__(self, cases: Sequence[Case], backend: Backend, target: str, budget: float | None) -> None:
        self._lock, self._until = threading.Lock(), time.monotonic() + budget if budget is not None else None
        self._groups: dict[str, list[Case]] = {}
        for case in cases:
            self._groups.setdefault(_key(surroundings(case, backend, target)), []).append(case)

    def take(self, surrounding: str | None) -> Case | None:
        """The next case, of this surrounding if there is one; None when all are taken or time is up."""
        with self._lock:
            if self._until is not None and time.monotonic() > self._until:
                return None
            waiting = {key: group for key, group in self._groups.items() if group}
            if not waiting:
                return None
            chosen = surrounding if surrounding in waiting else max(waiting, key=lambda key: len(waiting[key]))
            return waiting[str(chosen)].pop(0)

    def close(self) -> None:
        """Nothing is given out any more."""
        self._until = 0.0

    def rest(self) -> list[Case]:
        """The cases that no worker has taken."""
        return [case for group in self._groups.values() for case in group]


def sweep(
    cases: Sequence[Case], backend: Backend, settings: Settings, plan: Plan, progress: Progress = lambda *_: None
) -> Result:
    """Examines all cases, or takes the result of an equal earlier attempt in the same folder."""
    count = workers(plan.jobs, plan.cores)
    settings = dataclasses.replace(settings, explain=one_at_a_time(settings.explain), at_once=plan.jobs or count)
    results: dict[str, Result] = {}

    def found(result: Result) -> None:
        results[result["case"]] = result
        progress(len(results), len(cases), result)

    for case in cases:
        if (known := resume.kept(case, backend, settings)) is not None:
            found(known)
    queue = Queue([case for case in cases if case.ID not in results], backend, settings.target, plan.budget)
    _work(queue, count, _Slot(queue, backend, settings, plan, threading.Lock(), found))
    for case in queue.rest():
        found(not_run(case, backend, settings, "the time budget of the run was used up"))
    summary = summarise([results[case.ID] for case in cases], backend.NAME, settings.target)
    (settings.folder / SUMMARY).write_text(json.dumps(summary, indent=2) + "\n")
    return summary


@dataclass(frozen=True, slots=True)
class _Slot:
    """One place for a worker: takes cases until none is left; a worker that dies costs the case it had."""

    queue: Queue
    backend: Backend
    settings: Settings
    plan: Plan
    lock: threading.Lock
    found: Callable[[Result], None]

    def serve(self, number: int) -> None:
        """Until the queue is empty."""
        with leased(self.backend, self.settings.target, self.plan.cores) as core:
            worker: Worker | None = None
            surrounding: str | None = None
            try:
                while (case := self.queue.take(surrounding)) is not None:
                    worker = self._ready(worker, case, core, number)
                    surrounding = _key(surroundings(case, self.backend, self.settings.target))
                    result = self._examined(worker, case)
                    with self.lock:
                        self.found(result)
            finally:
                if worker is not None:
                    worker.close()

    def _ready(self, worker: Worker | None, case: Case, core: dict[str, str], number: int) -> Worker:
        wanted = surroundings(case, self.backend, self.settings.target) | core
        if worker is not None and worker.alive and worker.environment == wanted:
            return worker
        if worker is not None:
            worker.close()
        return self.plan.start(wanted, self.settings.folder / f"worker-{number}.log")

    def _examined(self, worker: Worker, case: Case) -> Result:
        try:
            result = examine_with(worker, case, self.backend, self.settings)
        except TriageError as error:
            return not_run(case, self.backend, self.settings, str(error))
        if result["original"]["outcome"] != "not-run" or result["original"]["log"]:
            resume.keep(case, self.backend, self.settings)
        return result


def _work(queue: Queue, count: int, slot: _Slot) -> None:
    with ThreadPoolExecutor(count) as pool:
        pending = [pool.submit(slot.serve, number) for number in range(count)]
        try:
            for done in as_completed(pending):
                done.result()
        except BaseException:
            queue.close()  # the cases under way end and are kept; no new one starts
            raise


def summarise(results: Sequence[Result], backend: str, target: str) -> Result:
    """All results in one document (schema `neurontriage.repro-all/1`)."""
    return {
        "schema": SCHEMA,
        "backend": backend,
        "target": target,
        "versions": environment.versions(),
        "compiler": machine.compiler(),
        "counts": dict(sorted(Counter(result["verdict"] for result in results).items())),
        "cases": list(results),
    }


def one_at_a_time(explain: Explain) -> Explain:
    """The explainer's scanner is not made for several threads at once."""
    lock = threading.Lock()

    def guarded(text: str) -> Diagnosis:
        with lock:
            return explain(text)

    return guarded


def _key(surrounding: dict[str, str]) -> str:
    return json.dumps(surrounding, sort_keys=True)
