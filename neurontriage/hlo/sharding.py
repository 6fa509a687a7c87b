"""Shardings: OpSharding ↔ `{replicated}`, `{maximal device=1}`, `{devices=[2,1]0,1}`, `{devices=[2,1]<=[2]}`."""

from __future__ import annotations

import re
from typing import Any

from neurontriage.hlo.notations import numbers

Proto = Any

_KINDS = ("replicated", "maximal", "tuple", "other", "manual", "unknown", "unreduced")
_REPLICATED, _MAXIMAL, _TUPLE, _OTHER = 0, 1, 2, 3
_DEVICES = re.compile(
    r"devices=\[(?P<dims>[\d,]+)\](?:<=\[(?P<iota>[\d,]+)\](?:T\((?P<turned>[\d,]+)\))?|(?P<listed>[\d,]+))"
    r"(?P<last> last_tile_dim_replicate)?"
)


def text_of(sharding: Proto) -> str:
    """The printed form; an unknown kind is printed by its number."""
    if sharding.type == _TUPLE:
        return "{" + ",".join(map(text_of, sharding.tuple_shardings)) + "}"
    if sharding.type == _MAXIMAL:
        return f"{{maximal device={sharding.tile_assignment_devices[0] if sharding.tile_assignment_devices else 0}}}"
    if sharding.type != _OTHER:
        return "{" + (_KINDS[sharding.type] if sharding.type < len(_KINDS) else str(sharding.type)) + "}"
    dims = ",".join(map(str, sharding.tile_assignment_dimensions))
    last = " last_tile_dim_replicate" if sharding.replicate_on_last_tile_dim else ""
    return f"{{devices=[{dims}]{_devices(sharding)}{last}}}"


def _devices(sharding: Proto) -> str:
    if not sharding.iota_reshape_dims:
        return ",".join(map(str, sharding.tile_assignment_devices))
    turned = ",".join(map(str, sharding.iota_transpose_perm))
    return f"<=[{','.join(map(str, sharding.iota_reshape_dims))}]" + (f"T({turned})" if turned else "")


def into(sharding: Proto, text: str) -> None:
    """Reads a printed sharding into the message; raises ValueError for a form that it does not know."""
    inner = text.strip()[1:-1].strip()
    if inner.startswith("{"):
        sharding.type = _TUPLE
        for member in re.findall(r"\{[^{}]*\}", inner):
            into(sharding.tuple_shardings.add(), member)
    elif found := _DEVICES.fullmatch(inner):
        sharding.type = _OTHER
        sharding.tile_assignment_dimensions.extend(numbers(found["dims"]))
        sharding.tile_assignment_devices.extend(numbers(found["listed"] or ""))
        sharding.iota_reshape_dims.extend(numbers(found["iota"] or ""))
        sharding.iota_transpose_perm.extend(numbers(found["turned"] or ""))
        sharding.replicate_on_last_tile_dim = bool(found["last"])
    elif inner.startswith("maximal"):
        sharding.type = _MAXIMAL
        sharding.tile_assignment_dimensions.append(1)
        sharding.tile_assignment_devices.extend(numbers(inner))
    else:
        sharding.type = _KINDS.index(inner)
        sharding.SetInParent()
