"""A Lark grammar as plain data, the same on every run: what `moves`, `terminals` and `automaton` run without Lark.

Lark numbers states as sets happen to be ordered in memory; here they are numbered along their tokens' names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from neurontriage.parse.moves import Table
from neurontriage.parse.starts import blank, first

if TYPE_CHECKING:
    from lark import Lark


def extracted(parser: Lark) -> Table:
    """The tables of a grammar. Raises ValueError for one that says more than they hold."""
    inside: Any = parser.parser
    states, end, rules = _states(inside.parser._parse_table)
    conf = inside.lexer_conf
    patterns = {str(one.name): one.pattern.to_regexp() for one in sorted(conf.terminals, key=lambda one: str(one.name))}
    ignored = sorted(map(str, conf.ignore))
    others = [text for name, text in patterns.items() if name not in ignored]
    lexers, places = _lexers(inside, states)
    return {
        "states": list(states.values()),
        "end": end,
        "rules": [_rule(rule) for rule in rules],
        "below": sorted(map(str, _below_start(parser.rules))),
        "lexers": lexers,
        "places": places,
        "patterns": {name: (text, first(text)) for name, text in patterns.items()},
        "ignored": ignored,
        "dropped": sorted(map(str, _dropped(parser.rules))),
        "blank": blank([patterns[name] for name in ignored], others),
    }


def _rule(rule: Any) -> tuple[str, str, int]:
    return str(rule.origin.name), str(rule.alias or rule.origin.name), len(rule.expansion)


def _states(table: Any) -> tuple[dict[int, dict[str, int]], int, list[Any]]:
    """Lark's number of each state → its actions; the new number of the end; the rules in the order they are met."""
    numbers: dict[int, int] = {}
    waiting = [table.start_states["start"]]
    while waiting:
        state = waiting.pop(0)
        if state not in numbers:
            numbers[state] = len(numbers)
            actions = sorted(table.states[state].items())
            waiting += [target for _, (action, target) in actions if action.name == "Shift"]
    rules: dict[Any, int] = {}

    def number(action: Any, argument: Any) -> int:
        return numbers[argument] if action.name == "Shift" else ~rules.setdefault(argument, len(rules))

    states = {
        state: {str(name): number(*action) for name, action in sorted(table.states[state].items())} for state in numbers
    }
    return states, numbers[table.end_states["start"]], list(rules)


def _lexers(inside: Any, states: Iterable[int]) -> tuple[list[int], list[tuple[list[str], dict[str, dict[str, str]]]]]:
    """For each state the number of its place; of each place what may stand there."""
    lexers = inside.lexer.lexers
    numbers: dict[int, int] = {}
    places = []
    for state in states:
        if id(lexers[state]) not in numbers:
            numbers[id(lexers[state])] = len(numbers)
            scanner, callbacks = lexers[state].scanner, lexers[state].callback
            places.append(([str(one.name) for one in scanner.terminals], dict(_renamed(callbacks))))
    return [numbers[id(lexers[state])] for state in states], places


def _renamed(callbacks: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, str]]]:
    """Terminals of which Lark calls some texts by another name."""
    for name, callback in sorted(callbacks.items()):
        found = callback.scanner.terminals
        if any(one.pattern.flags for one in found):
            raise ValueError(f"{name}: takes words of other terminals in either case")
        yield str(name), {str(one.pattern.value): str(one.name) for one in found}


def _below_start(rules: Iterable[Any]) -> frozenset[str]:
    """The rules that `start` is made of, which stand nowhere else."""
    tops = [rule for rule in rules if rule.origin.name == "start" or rule.origin.name.startswith("__start_")]
    below = {one.name for rule in tops for one in rule.expansion if not one.is_term} - {r.origin.name for r in tops}
    deeper = {one.name for rule in rules if rule not in tops for one in rule.expansion}
    loose = {one.name for rule in tops for one in rule.expansion if one.is_term}
    plain = {rule.origin.name for rule in rules if rule.options.expand1 or rule.origin.name.startswith("_")}
    if wrong := (below & (deeper | plain)) | loose:
        raise ValueError(f"start is to be made of rules of its own that keep their names: {sorted(wrong)}")
    return frozenset(below)


def _dropped(rules: Iterable[Any]) -> frozenset[str]:
    """The terminals that leave no token: anonymous ones, and those whose name starts with an underscore."""
    terminals = {(one.name, one.filter_out) for rule in rules for one in rule.expansion if one.is_term}
    dropped = {name for name, left_out in terminals if left_out}
    if both := dropped & {name for name, left_out in terminals if not left_out}:
        raise ValueError(f"kept in one rule and left out in another: {sorted(both)}")
    return frozenset(dropped)
