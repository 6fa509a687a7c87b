"""Many compiler versions, and many hosts: one sweep per compiler, here or on a Ray cluster.

Every host has this package and the compilers under the same paths. A task asks Ray for one CPU, and for one of its
`neuron_cores` where the backend runs on the device; Ray sets NEURON_RT_VISIBLE_CORES for it, so no two share a core.
https://docs.ray.io/en/latest/ray-core/scheduling/accelerators.html
"""

from __future__ import annotations

import dataclasses
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neurontriage.errors import TriageError
from neurontriage.fleet.cluster import cluster
from neurontriage.repro import disk, machine, matrix, placing
from neurontriage.repro.backends import choose, load
from neurontriage.repro.case import Case
from neurontriage.repro.catalogue import find_case
from neurontriage.repro.publish import Result
from neurontriage.repro.session import RESULT
from neurontriage.repro.sweep import Plan, Progress, sweep

if TYPE_CHECKING:
    from neurontriage.repro.running import Request

EXCERPT = 20_000
"""Bytes of a log that travel with its result."""


def sweep_everywhere(cases: Sequence[Case], request: Request, progress: Progress) -> Result:
    """All cases with all compilers, on this host or on a Ray cluster → schema `neurontriage.repro-matrix/1`."""
    from neurontriage import resources

    folder = request.folder or resources.cache() / "repro" / "matrix"
    disk.ready(folder)
    request = dataclasses.replace(request, folder=folder)
    compilers = [checked(path) for path in request.compilers] or [""]
    found = _on_ray(cases, request, compilers, progress) if request.ray else _here(cases, request, compilers, progress)
    document = matrix.matrix(found)
    (folder / matrix.SUMMARY).write_text(json.dumps(document, indent=2) + "\n")
    return document


def checked(path: str) -> str:
    """The executable of a compiler: given itself, or the folder or virtual environment that holds it."""
    for found in (Path(path), Path(path) / "neuronx-cc", Path(path) / "bin" / "neuronx-cc"):
        if found.is_file() and os.access(found, os.X_OK):
            return str(found.resolve())
    raise TriageError("no-such-compiler", f"--compiler {path}: no neuronx-cc there", "its path, or its environment's")


@contextmanager
def compiler_first(path: str) -> Iterator[None]:
    """That compiler is the one on PATH for a while; an empty path changes nothing."""
    before = os.environ.get("PATH", "")
    if path:
        os.environ["PATH"] = os.pathsep.join((str(Path(path).parent), before))
    try:
        yield
    finally:
        os.environ["PATH"] = before


def label(path: str) -> str:
    """A folder name for a compiler: its version and the beginning of its digest."""
    with compiler_first(path):
        known = machine.compiler()
    return f"{known['version'] or 'unknown'}-{(known['digest'] or 'sha256:none')[7:15]}"


def examined(ids: Sequence[str], values: dict[str, Any], path: str, folder: Path) -> list[Result]:
    """A sweep over some cases with one compiler in a folder; runs here, or inside a task on another host."""
    from neurontriage.repro.running import Request, settings_of

    with compiler_first(path):
        request = dataclasses.replace(Request(**values), folder=folder)
        backend = choose(request.backend)
        settings = settings_of(request, backend)
        plan = Plan(request.jobs, placing.allocator(backend, settings.target, request.cores), request.budget)
        return list(sweep([find_case(each) for each in ids], backend, settings, plan)["cases"])


def _here(cases: Sequence[Case], request: Request, compilers: Sequence[str], progress: Progress) -> list[Result]:
    found: list[Result] = []
    for path in compilers:
        results = examined([case.ID for case in cases], _values(request), path, _folder(request) / label(path))
        for result in results:
            found.append(result)
            progress(len(found), len(cases) * len(compilers), result)
    return found


def _on_ray(cases: Sequence[Case], request: Request, compilers: Sequence[str], progress: Progress) -> list[Result]:
    with cluster(request.ray, request.jobs or placing.workers(0, None)) as ray:
        wants = {"neuron_cores": 1} if _on_device(request.backend) else {}
        task = ray.remote(num_cpus=1, max_retries=1, resources=wants)(_task)
        values = {**_values(request), "jobs": 1, "ray": "", "compilers": ()}
        waiting = {task.remote(case.ID, values, path): (case, path) for path in compilers for case in cases}
        return list(_gathered(ray, waiting, request, progress))


def _gathered(ray: Any, waiting: dict[Any, tuple[Case, str]], request: Request, progress: Progress) -> Iterator[Result]:
    total = len(waiting)
    while waiting:
        (ready,), _ = ray.wait(list(waiting), num_returns=1)
        case, path = waiting.pop(ready)
        try:
            result, log, host = ray.get(ready)
        except ray.exceptions.RayError as error:
            result, log, host = _lost(case, request, path, error), "", None
        kept = _folder(request) / f"{(result['compiler'] or {}).get('version') or 'unknown'}" / case.ID
        kept.mkdir(parents=True, exist_ok=True)
        (kept / RESULT).write_text(json.dumps({**result, "host": host}, indent=2) + "\n")
        (kept / "original.log").write_text(log)
        progress(total - len(waiting), total, result)
        yield {**result, "host": host}


def _task(case_id: str, values: dict[str, Any], path: str) -> tuple[Result, str, str]:
    """Runs on any host of the cluster: one case with one compiler → its result, the end of its log, the host."""
    with tempfile.TemporaryDirectory(prefix="neurontriage-repro-") as folder:
        result = examined([case_id], values, path, Path(folder))[0]
        log = Path(result["original"]["log"] or folder)
        text = log.read_text(errors="replace")[-EXCERPT:] if log.is_file() else ""
    return result, text, os.uname().nodename


def _lost(case: Case, request: Request, path: str, error: Exception) -> Result:
    from neurontriage.repro.running import settings_of
    from neurontriage.repro.session import not_run

    with compiler_first(path):
        backend = choose(request.backend)
        reason = f"the task was lost: {' '.join(str(error).split())[:300]}"
        return not_run(case, backend, settings_of(request, backend), reason)


def _on_device(name: str) -> bool:
    """Of a named backend this host need not know more: the others have it."""
    return (choose(name) if name == "auto" else load(name)).ON_DEVICE


def _values(request: Request) -> dict[str, Any]:
    return {field.name: getattr(request, field.name) for field in dataclasses.fields(request)}


def _folder(request: Request) -> Path:
    assert request.folder is not None
    return request.folder
