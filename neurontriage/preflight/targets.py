"""TARGET of the command line → which frontend, and what it captures."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path

from neurontriage.errors import TriageError
from neurontriage.hlo import files
from neurontriage.preflight import stablehlo
from neurontriage.preflight.capture import Capture
from neurontriage.preflight.modules import graph_of
from neurontriage.preflight.running import OVER, Job, capture

FRONTENDS = ("auto", "dynamo", "xla", "hlo", "stablehlo")
EXPECTED = "a script.py, module:callable, a .pt2, an HLO module, a folder of them, or StableHLO (.mlir, jax.export)"
_CALLABLE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be checked, as the command line says it; `limit` in seconds."""

    target: str
    arguments: tuple[str, ...] = ()
    frontend: str = "auto"
    meta: bool = False
    limit: float = 600.0


def frontend_of(wanted: Wanted) -> str:
    """The frontend that was asked for, or the one that the target is made for. Raises TriageError for no target."""
    if wanted.frontend != "auto":
        return wanted.frontend
    path = Path(wanted.target)
    if _CALLABLE.fullmatch(wanted.target) and not path.exists():
        return "dynamo"
    if not wanted.target or not path.exists():
        raise TriageError("no-target", f"{wanted.target or 'an empty name'}: no such file", EXPECTED)
    if path.is_dir():
        return "hlo"
    by_suffix = {".pt2": "dynamo", ".py": _of_script(path), **dict.fromkeys(stablehlo.SUFFIXES, "stablehlo")}
    suffix = next((one for one in reversed(path.suffixes) if one not in files.PACKED), "")
    return by_suffix.get(suffix) or _of_content(path)


def _of_content(path: Path) -> str:
    """A file of any name is an HLO module, unless it begins as StableHLO does."""
    try:
        with path.open("rb") as file:
            return "stablehlo" if stablehlo.holds(file.read(1 << 20)) else "hlo"
    except OSError as error:
        raise TriageError("no-target", f"{path}: cannot be read: {error.strerror}", EXPECTED) from None


def _of_script(path: Path) -> str:
    """A script that names torch_xla runs on torch-xla; others through torch.compile."""
    if path.suffix != ".py":
        return ""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise TriageError("no-target", f"{path}: cannot be read: {error.strerror}", EXPECTED) from None
    return "xla" if re.search(r"\btorch_xla\b", text) else "dynamo"


def captured(wanted: Wanted) -> Capture:
    """Everything that the target shows. Raises TriageError where the target cannot be used at all."""
    frontend = frontend_of(wanted)
    if wanted.arguments and (frontend in ("hlo", "stablehlo") or wanted.target.endswith(".pt2")):
        given = " ".join(wanted.arguments)
        raise TriageError(
            "needless-arguments", f"-- {given}: {wanted.target} takes no arguments", "a script or callable"
        )
    if frontend == "hlo":
        return from_modules(Path(wanted.target))
    if frontend == "stablehlo":
        return stablehlo.from_mlir(Path(wanted.target))
    _needs(frontend)
    mode = "meta" if wanted.meta else "real"
    found = capture(Job(frontend, wanted.target, wanted.arguments, mode, wanted.limit))
    if found.graphs or found.fallbacks:
        return found
    if found.ended:
        raise TriageError("target-failed", f"{wanted.target}: {found.ended}", *_right(wanted.target, found.ended))
    raise TriageError("nothing-captured", f"{wanted.target}: it ran to its end, but {_NOTHING[frontend]}", EXPECTED)


def _right(target: str, ended: str) -> tuple[str, str]:
    """What would have been right where a target shows nothing, and what to do."""
    if target.endswith(".pt2"):
        return "what torch.export.save writes, of this version of torch", "export it again, or give the script"
    hint = "raise --limit" if ended == OVER else "run it without preflight first"
    return "a target that runs on the CPU of this machine", hint


_NOTHING = {
    "dynamo": "called neither torch.compile nor a torch module, so there is no graph",
    "xla": "computed nothing on an XLA device, so there is no graph",
}


def _needs(frontend: str) -> None:
    wanted = ("torch", "torch_xla") if frontend == "xla" else ("torch",)
    missing = [name for name in wanted if importlib.util.find_spec(name) is None]
    if missing:
        raise TriageError(
            "extra-missing",
            f"{' and '.join(missing)} not installed",
            "torch, and torch-xla for scripts that use it",
            "pip install 'neurontriage[xla]'",
        )


def from_modules(path: Path) -> Capture:
    """One module, or all in a folder; a file that is none is named in the notes and the others go on."""
    found = Capture("hlo", "HLO")
    wanted = list(files.walk(path)) if path.is_dir() else [path]
    if not wanted:
        files.refuse(str(path), "no HLO module in this folder", f"files that end in {', '.join(files.SUFFIXES)}")
    graphs, notes = [], []
    for one in wanted:
        try:
            read = files.load(one)
        except TriageError as error:
            if not path.is_dir():
                raise
            notes.append(f"{error.message} (left out)")
            continue
        name = str(one.relative_to(path)) if path.is_dir() else read.module.name or one.name
        graphs.append(graph_of(read.module, name))
        notes += [f"{one.name}: {count} x {key} not understood" for key, count in read.lost.items()]
    if not graphs:
        files.refuse(str(path), f"none of {len(wanted)} files is an HLO module")
    return Capture(found.frontend, found.lowering, tuple(graphs), notes=tuple(notes))
