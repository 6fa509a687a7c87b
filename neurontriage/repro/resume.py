"""Whether a stored result still holds: its mark covers everything that could change it."""

from __future__ import annotations

import hashlib
import inspect
import json
from functools import cache
from pathlib import Path
from typing import Any, cast

from neurontriage import resources
from neurontriage.repro import environment, machine
from neurontriage.repro.backends import Backend
from neurontriage.repro.case import Case
from neurontriage.repro.catalogue import module_of
from neurontriage.repro.publish import Result, telling
from neurontriage.repro.session import RESULT, Settings

MARK = "fingerprint"


def mark(case: Case, backend: Backend, settings: Settings) -> str:
    """A digest of the case, our code, the knowledge, the compiler itself, versions, limits, flags and surroundings."""
    about: list[Any] = [
        case.ID,
        inspect.getsource(module_of(case)),
        _code(),
        _knowledge(),
        environment.versions(),
        machine.compiler(),
        machine.driver(),
        [backend.NAME, settings.target, settings.limit, settings.flags],
        telling(case, backend, settings.target),
    ]
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()


def keep(case: Case, backend: Backend, settings: Settings) -> None:
    """Marks the stored result of a case as made just so."""
    (settings.folder / case.ID / MARK).write_text(mark(case, backend, settings))


def kept(case: Case, backend: Backend, settings: Settings) -> Result | None:
    """The stored result, if everything is as it was."""
    folder = settings.folder / case.ID
    try:
        same = (folder / MARK).read_text() == mark(case, backend, settings)
        return cast(Result, json.loads((folder / RESULT).read_text())) if same else None
    except (OSError, json.JSONDecodeError):
        return None


@cache
def _code() -> str:
    """Our own code that cases share; the cases themselves count one by one."""
    room = Path(__file__).parent
    files = [path for path in sorted(room.rglob("*.py")) if not {"cases", "guard"} & set(path.relative_to(room).parts)]
    return _digest(files)


@cache
def _knowledge() -> str:
    return _digest(sorted(path for path in resources.knowledge().rglob("*.yaml") if path.is_file()))


def _digest(paths: list[Path]) -> str:
    found = hashlib.sha256()
    for path in paths:
        found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()
