"""A JSON document → Result: both public schemas, strict types, faults with a JSON path."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from neurontriage.analysis import document
from neurontriage.analysis.document import Json, json_path, refuse

Item = TypeVar("Item")
Schema = Literal["training", "inference"]
Counts = dict[str, Annotated[int, Field(ge=0)]]
_MOST_FAULTS = 5
_PERCENTAGE = re.compile(r"\s*(\d{1,3}(?:\.\d{1,6})?)\s*%?\s*")


class _Open(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True, strict=True)


class Refusal(_Open):
    """One unsupported aten operator as printed; `call` is `file.py 24` or a whole stack."""

    kind: str
    failureAt: str | None = None
    call: str | None = None
    opGraph: str | None = None


class RefusedHlo(_Open):
    """One HLO instruction that did not compile, and the operator it was lowered from."""

    hlo_instruction: str
    aten_op: str | None = None


class _TrainingSupported(_Open):
    aten: Counts | None = None
    xla: list[str] | None = None


class _TrainingUnsupported(_Open):
    aten: list[Refusal] | None = None
    xla: list[RefusedHlo] | None = None


class _Head(_Open):
    torch_neuronx_version: str | None = None
    neuronx_cc_version: str | None = None
    support_percentage: str | int | float | None = None


class _Training(_Head):
    supported_operators: _TrainingSupported | None = None
    unsupported_operators: _TrainingUnsupported | None = None


class _Inference(_Head):
    supported_operators: Counts | None = None
    unsupported_operators: list[Refusal] | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """A report of either schema in one form; None where the file says nothing, () where it says: none."""

    path: str
    schema: Schema
    versions: Mapping[str, str]
    printed: str | None
    supported: Mapping[str, int] | None
    refused: tuple[Refusal, ...] | None
    supported_hlo: tuple[str, ...] | None = None
    refused_hlo: tuple[RefusedHlo, ...] | None = None
    unknown: tuple[str, ...] = ()

    @property
    def percentage(self) -> float | None:
        """`support_percentage` as a number from 0 to 100; None where it is missing or no percentage."""
        found = _PERCENTAGE.fullmatch(self.printed or "")
        value = float(found[1]) if found else None
        return value if value is not None and value <= 100 else None


def load(path: Path) -> Result:
    """The report in a file; ends with exit code 2 and a JSON path where it is not one."""
    return of_document(str(path), document.read(path))


def of_document(name: str, data: Json) -> Result:
    """The report in a parsed document; `name` is what messages call it."""
    if not isinstance(data, dict):
        refuse(name, f"$: expected an object, found {_found(data)}")
    if not {"supported_operators", "unsupported_operators"} & data.keys():
        keys = ", ".join(repr(key)[:40] for key in list(data)[:6]) or "none"
        refuse(name, f"JSON, but not an analyze report: neither key is there (keys: {keys})")
    try:
        found = _of_training if _is_training(data) else _of_inference
        result = found(name, data)
    except ValidationError as error:
        refuse(name, _faults(error))
    lists = (result.supported, result.refused, result.supported_hlo, result.refused_hlo)
    if all(each is None for each in lists):
        refuse(name, "no list of operators is there, or all are null: the report says nothing", "run analyze again")
    return result


def _is_training(data: dict[str, Any]) -> bool:
    """Training nests both under `aten`/`xla`; inference has a flat object and a list."""
    supported, unsupported = data.get("supported_operators"), data.get("unsupported_operators")
    if isinstance(unsupported, dict):
        return True
    inner = (supported.get("aten"), supported.get("xla")) if isinstance(supported, dict) else ()
    return any(isinstance(value, dict | list) for value in inner)


def _of_training(name: str, data: Json) -> Result:
    model = _Training.model_validate(data)
    supported = model.supported_operators or _TrainingSupported()
    refused = model.unsupported_operators or _TrainingUnsupported()
    return Result(
        **_head(name, model),
        schema="training",
        supported=supported.aten,
        refused=_tuple(refused.aten),
        supported_hlo=_tuple(supported.xla),
        refused_hlo=_tuple(refused.xla),
    )


def _of_inference(name: str, data: Json) -> Result:
    model = _Inference.model_validate(data)
    return Result(
        **_head(name, model),
        schema="inference",
        supported=model.supported_operators,
        refused=_tuple(model.unsupported_operators),
    )


def _tuple(items: list[Item] | None) -> tuple[Item, ...] | None:
    return None if items is None else tuple(items)


def _head(name: str, model: _Head) -> dict[str, Any]:
    versions = {"neuronx-cc": model.neuronx_cc_version, "torch-neuronx": model.torch_neuronx_version}
    printed = model.support_percentage
    return {
        "path": name,
        "versions": {package: version for package, version in versions.items() if version},
        "printed": None if printed is None else str(printed),
        "unknown": tuple(_unknown(model)),
    }


def _unknown(value: object, steps: tuple[str | int, ...] = ()) -> Iterator[str]:
    """JSON paths of the fields that neither schema has."""
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _unknown(item, (*steps, number))
    elif isinstance(value, _Open):
        for key in value.model_extra or {}:
            yield reduce(json_path, (*steps, key), "$")
        for key, one in value:
            if isinstance(one, list | _Open):
                yield from _unknown(one, (*steps, key))


def _faults(error: ValidationError) -> str:
    """Every wrong place with its JSON path, the first few in full."""
    details = error.errors(include_url=False)
    lines = [
        f"{reduce(json_path, detail['loc'], '$')}: {detail['msg'].lower()}, found {_found(detail['input'])}"
        for detail in details[:_MOST_FAULTS]
    ]
    more = len(details) - len(lines)
    return "\n    ".join(["wrong content:", *lines, *([f"… and {more} more"] if more else [])])


def _found(value: Json) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean"}
    if isinstance(value, dict | list):
        return names[type(value)]
    text = repr(value)
    if value is None:
        return "null"
    return f"{names.get(type(value), 'the number')} {text[:60]}{'…' if len(text) > 60 else ''}"
