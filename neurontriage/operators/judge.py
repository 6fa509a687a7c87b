"""An instruction, a target, an SDK and compiler flags → what will become of it, and what says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from neurontriage.hlo.instruction import Instruction
from neurontriage.knowledge.versions import below
from neurontriage.operators.limits import met, said, since
from neurontriage.operators.table import Limit, known_good, table

Outcome = Literal["unsupported", "fails-from", "loses-precision", "falls-back", "unknown", "supported"]
WORST: tuple[Outcome, ...] = ("unsupported", "fails-from", "loses-precision", "falls-back", "unknown", "supported")
"""Outcomes, the worst first."""


@dataclass(frozen=True)
class Setting:
    """What is compiled for: target, SDK release, flags of neuronx-cc."""

    target: str
    sdk: str
    flags: tuple[str, ...] = ()

    def flag(self, name: str) -> str | None:
        """The value of a flag, given as `--name=value` or `--name value`; empty for one without; None when absent."""
        for number, flag in enumerate(self.flags):
            key, _, value = flag.partition("=")
            if key == name:
                follows = self.flags[number + 1 : number + 2]
                return value or next((f for f in follows if not f.startswith("-")), "")
        return None

    @cached_property
    def downcasts(self) -> frozenset[str] | None:
        """Operations that may lose precision silently; None: all of them."""
        value = self.flag(table().downcast.flag)
        if value is None:
            return None if self.permissive else frozenset()
        return None if value == "all" else frozenset(value.split(",")) - {"none"}

    @property
    def permissive(self) -> bool:
        """Whether integers are by default computed in floating point without a word."""
        release, last = self.sdk.split(".")[:2], table().downcast.permissive_until
        return not below(last, ".".join(release))


@dataclass(frozen=True, slots=True)
class Judgement:
    """What becomes of one instruction: the outcome, the entry that says so, what was seen, from which SDK on."""

    outcome: Outcome
    entry: str | None = None
    seen: str = ""
    from_sdk: str | None = None


def judge(instruction: Instruction, setting: Setting) -> Judgement:
    """The worst that the table says; without a word in it `unknown`, never `unsupported`."""
    found = [_judged(limit, instruction, setting) for limit in met(instruction, setting.target)]
    return worst([*(one for one in found if one is not None), _by_default(instruction)])


def worst(found: Sequence[Judgement]) -> Judgement:
    """The worst of several; the first of equals."""
    return min(found, key=lambda one: WORST.index(one.outcome))


def _by_default(i: Instruction) -> Judgement:
    if i.opcode == "custom-call":
        known = i.call in table().custom_calls
        return Judgement("supported" if known else "unknown")
    return Judgement("supported" if i.opcode in known_good() else "unknown")


def _judged(limit: Limit, i: Instruction, setting: Setting) -> Judgement | None:
    """None where the limit does not hold for this SDK and these flags."""
    seen = said(limit, i, setting.target)
    if limit.unless_flag and setting.flag(limit.unless_flag) is not None:
        return Judgement("loses-precision", limit.entry, seen)
    lifted = dict(since(limit, i))
    if lifted and not below(setting.sdk, lifted["sdk"]):
        return None
    if limit.downcast:
        return _downcast(limit, i, setting, seen)
    if limit.checked_since and below(setting.sdk, limit.checked_since):
        return Judgement("fails-from", limit.entry, seen, f"SDK {limit.checked_since}")
    return Judgement("unsupported", limit.entry, seen)


def _downcast(limit: Limit, i: Instruction, setting: Setting, seen: str) -> Judgement:
    native = table().targets[setting.target].native_int64 and setting.flag("--native-int64") == "enabled"
    if native and limit.dtype & {"s64", "u64"} and not {"s32", "u32"} & set(i.dtypes):
        return Judgement("unknown", limit.entry, seen)
    allowed = setting.downcasts
    if allowed is not None and limit.downcast not in allowed:
        return Judgement("unsupported", limit.entry, seen)
    if setting.flag(table().downcast.flag) is not None:
        return Judgement("loses-precision", limit.entry, seen)
    return Judgement("fails-from", limit.entry, seen, table().downcast.then)
