"""knowledge/operators.yaml → the table of documented limits and supported operators."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict

from neurontriage import resources

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FILE = "operators.yaml"


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Target(_Strict):
    """An instance family; `hbm_gib` is the device memory of one NeuronCore, None where it is not documented."""

    hbm_gib: float | None
    native_int64: bool


class Lifted(_Strict):
    """From which versions on a limit no longer holds, for which element types and opcodes."""

    dtype: frozenset[str]
    opcode: frozenset[str]
    since: dict[str, str]


class Limit(_Strict):
    """One documented limit: all conditions given must hold. The meaning of each is in the file."""

    entry: str
    seen: str
    opcode: frozenset[str] = frozenset()
    dtype: frozenset[str] = frozenset()
    first: frozenset[str] = frozenset()
    first_not: frozenset[str] = frozenset()
    window: tuple[str, ...] = ()
    operands_above: int | None = None
    attribute_not: dict[str, str] = {}
    call: frozenset[str] = frozenset()
    call_not_known: bool = False
    combiner: frozenset[str] = frozenset()
    beyond: str = ""
    dynamic: bool = False
    value_from: int | None = None
    target: frozenset[str] = frozenset()
    unless_flag: str = ""
    downcast: str = ""
    checked_since: str = ""
    lifted: Lifted | None = None


class Downcast(_Strict):
    """The flag that decides about integers computed in floating point, and when its default changes."""

    flag: str
    since: str
    permissive_until: str
    then: str


class Name(_Strict):
    """An operator whose name alone tells the reason; `pattern` must match the whole name."""

    pattern: str
    entry: str


class Table(_Strict):
    """knowledge/operators.yaml as values: targets, limits, what `downcast` means, supported opcodes."""

    targets: dict[str, Target]
    limits: tuple[Limit, ...]
    downcast: Downcast
    supported: dict[str, str]
    supported_elsewhere: frozenset[str]
    custom_calls: frozenset[str]
    partitioner_calls: frozenset[str]
    lowerings: dict[str, tuple[str, ...]]
    aten: dict[str, tuple[str, ...]]
    names: tuple[Name, ...]

    @property
    def known_good(self) -> frozenset[str]:
        """HLO opcodes that are documented to compile."""
        return self.supported_elsewhere | frozenset(self.supported.values())


@lru_cache(maxsize=1)
def table() -> Table:
    """The shipped table, read once. Raises pydantic.ValidationError where the file does not keep the schema."""
    return Table.model_validate(yaml.load((resources.knowledge() / FILE).read_text(encoding="utf-8"), Loader=LOADER))


@lru_cache(maxsize=1)
def known_good() -> frozenset[str]:
    """HLO opcodes that are documented to compile."""
    return table().known_good


@lru_cache(maxsize=1)
def lowering_of() -> dict[str, str]:
    """aten name without namespace → the custom call that Neuron lowers it to."""
    return {name: call for call, names in table().lowerings.items() for name in names}


@lru_cache(maxsize=1)
def opcode_of() -> dict[str, str]:
    """aten name without namespace → the HLO opcode that decides about it."""
    return {name: opcode for opcode, names in table().aten.items() for name in names}
