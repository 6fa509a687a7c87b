"""A stored parse table in one form: lark numbers states, tokens and rules as sets happen to be ordered in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_SHIFT = 0


def canonical(stored: Mapping[str, Any]) -> dict[str, Any]:
    """The same table with states numbered along their tokens' names, and rules in the order in which they are met."""
    data = stored["data"]
    parser = {**data["parser"], "parser": _states(data["parser"]["parser"])}
    numbers: dict[int, int] = {}
    renumbered = _references({**data, "parser": parser}, numbers)
    memo = {new: stored["memo"][old] for old, new in numbers.items()}
    rest = sorted((old for old in stored["memo"] if old not in numbers), key=lambda old: repr(stored["memo"][old]))
    return {"data": renumbered, "memo": memo | {len(memo) + n: stored["memo"][old] for n, old in enumerate(rest)}}


def _states(table: Mapping[str, Any]) -> dict[str, Any]:
    names: Mapping[int, str] = table["tokens"]
    tokens = {name: number for number, name in enumerate(sorted(names.values()))}
    order: dict[int, int] = {}
    waiting = [state for _, state in sorted(table["start_states"].items())]
    while waiting:
        state = waiting.pop(0)
        if state not in order:
            order[state] = len(order)
            actions = sorted(table["states"][state].items(), key=lambda item: names[item[0]])
            waiting += [target for _, (kind, target) in actions if kind == _SHIFT]

    def moved(actions: Mapping[int, tuple[int, Any]]) -> dict[int, tuple[int, Any]]:
        found = {tokens[names[t]]: (k, order[a] if k == _SHIFT else a) for t, (k, a) in actions.items()}
        return dict(sorted(found.items()))

    return {
        "tokens": dict(enumerate(sorted(names.values()))),
        "states": {order[state]: moved(table["states"][state]) for state in order},
        "start_states": {name: order[state] for name, state in sorted(table["start_states"].items())},
        "end_states": {name: order[state] for name, state in sorted(table["end_states"].items())},
    }


def _references(value: Any, numbers: dict[int, int]) -> Any:
    if isinstance(value, Mapping):
        if set(value) == {"@"}:
            return {"@": numbers.setdefault(value["@"], len(numbers))}
        return {name: _references(one, numbers) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_references(one, numbers) for one in value)
    return value
