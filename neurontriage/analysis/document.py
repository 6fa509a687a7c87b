"""A file → a JSON document that is safe to work with: no NaN, no lone surrogates, no key given twice."""

from __future__ import annotations

import json
import math
from functools import reduce
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from neurontriage.errors import TriageError

Json: TypeAlias = Any

LARGEST = 256 * 1024 * 1024
EXPECTED = (
    "the result.json of `neuron_parallel_compile --command analyze` or of `torch_neuronx.analyze()`: "
    "an object with `supported_operators` and `unsupported_operators`"
)
_NESTING = 50
OTHERS = "give the result.json, not an archive of it; for an HLO module (.pb, HloModule text) `neurontriage preflight`"


def refuse(name: str, message: str, hint: str = "") -> NoReturn:
    """Ends with exit code 2: which file, what is wrong with it, what was expected, what to do."""
    raise TriageError("not-a-result-json", f"{name}: {message}", EXPECTED, hint)


def read(path: Path) -> Json:
    """The document in a file; a folder stands for the result.json that analyze wrote into it."""
    name = str(path)
    found = next((p for p in _places(path) if p.is_file() or p.is_fifo()), None)
    if found is None:
        what = "this folder holds no result.json" if path.is_dir() else "no such file"
        refuse(name, what, "analyze prints the path in its last line: `Model analysis completed. Report - …`")
    try:
        with found.open("rb") as stream:
            data = stream.read(LARGEST + 1)
    except OSError as error:
        refuse(name, f"cannot be read: {error.strerror or error}")
    if len(data) > LARGEST:
        refuse(name, f"larger than {LARGEST // 1024**2} MiB")
    return parse(name, data)


def _places(path: Path) -> list[Path]:
    return [path, path / "result.json", path / "model_analysis_result" / "result.json"]


def parse(name: str, data: bytes) -> Json:
    """The document in bytes; `name` is what messages call it."""
    if not data.strip():
        refuse(name, "the file is empty", "run analyze again and look at the end of its log")
    try:
        return _clean(name, json.loads(data, object_pairs_hook=lambda pairs: _once(name, pairs)))
    except json.JSONDecodeError as error:
        _refuse_text(name, error)
    except UnicodeDecodeError as error:
        refuse(name, f"not text: byte {error.start} is not UTF-8", OTHERS)
    except RecursionError:
        refuse(name, f"nested deeper than {_NESTING} levels")
    except ValueError as error:
        refuse(name, f"not JSON: {error}")


def _refuse_text(name: str, error: json.JSONDecodeError) -> NoReturn:
    place = f"line {error.lineno} column {error.colno}"
    if not error.doc[error.pos :].strip() or error.msg.startswith("Unterminated"):
        refuse(name, f"truncated: the JSON ends in the middle ({place})", "run analyze again, or copy it again")
    hint = "for a log use `neurontriage explain`, for an HLO module `neurontriage preflight`"
    refuse(name, f"not JSON at {place}: {error.msg}", hint)


def _once(name: str, pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for key, value in pairs:
        if key in found:
            refuse(name, f"the key {key!r} stands twice in one object")
        found[key] = value
    return found


def _clean(name: str, value: Json, steps: tuple[str | int, ...] = ()) -> Json:
    """The same document with lone surrogates replaced; refuses numbers that JSON does not have."""
    if len(steps) > _NESTING:
        raise RecursionError
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float) and not math.isfinite(value):
        refuse(name, f"{reduce(json_path, steps, '$')}: {value} is not a number in JSON")
    if isinstance(value, dict):
        return {_text(key): _clean(name, one, (*steps, key)) for key, one in value.items()}
    if isinstance(value, list):
        return [_clean(name, one, (*steps, number)) for number, one in enumerate(value)]
    return value


def _text(text: str) -> str:
    return text if text.isprintable() else text.encode("utf-8", "replace").decode("utf-8")


def json_path(parent: str, step: str | int) -> str:
    """`$.a` and a key or a 0-based index give `$.a.b`, `$.a['b c']` or `$.a[3]`."""
    if isinstance(step, int):
        return f"{parent}[{step}]"
    return f"{parent}.{step}" if step.isidentifier() else f"{parent}[{step!r}]"
