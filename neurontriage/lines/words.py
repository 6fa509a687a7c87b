"""The scanner for where neither Hyperscan nor RE2 can be installed, such as WebAssembly: looks for literals first.

Of every pattern literals are known of which each match holds some, in order. Only in lines with all of them is the
pattern itself tried, with `re`. Lines that differ in numbers only hold the same literals: each kind is looked at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, chain
from typing import Any, NamedTuple, Protocol

from neurontriage.expressions import expression, told
from neurontriage.lines.among import among
from neurontriage.lines.patterns import FLAGS, sre

_AGAIN = 1 << 10
_DIGITS = expression(rb"\d+")
_REMEMBERED, _LONGEST = 20_000, 4 << 10
"""How many kinds of lines are remembered, and how long one may be."""
_FEW, _OFTEN = 3_000, 30
"""Searches for which it does not pay to make an automaton of what is sought, since about ten are made in each text; and
how many of them are often for one that is sought."""
_LEADING_FLAGS = expression(r"(?:\(\?[a-zA-Z]+\))+")

Hit = tuple[int, int]


class Text(Protocol):
    """Anything with the text of a pattern."""

    @property
    def text(self) -> str: ...


def as_re(text: str) -> str:
    """A pattern of RE2 as `re` takes it: one group of flags, without RE2's own."""
    found = _LEADING_FLAGS.match(text)
    if not found:
        return text
    flags = "".join(sorted(set(found.group()) & set("ims")))
    return (f"(?{flags})" if flags else "") + text[found.end() :]


class _Literals(NamedTuple):
    """Of each group every match of a pattern holds one, in order."""

    number: int
    groups: tuple[tuple[bytes, ...], ...]

    def within(self, text: bytes) -> bool:
        """Whether a text holds them, one behind the other."""
        at = 0
        for group in self.groups:
            ends = [place + len(one) for one in group if (place := text.find(one, at)) >= 0]
            if not ends:
                return False
            at = min(ends)
        return True


class _Index:
    """Literals of many patterns → in which lines they stand."""

    def __init__(self) -> None:
        self._words: dict[bytes, dict[bytes, list[_Literals]]] = {}

    def add(self, literals: _Literals) -> None:
        """One pattern, by its longest literals."""
        for literal in max(literals.groups, key=_shortest, default=(b"",)):
            word = max(literal.split() or [b""], key=len)
            self._words.setdefault(word, {}).setdefault(literal, []).append(literals)

    def possible(self, lines: Sequence[bytes]) -> Iterator[tuple[int, int]]:
        """(place of a line, number of a pattern whose literals it holds)."""
        text, words = b"\n".join(lines), b"\n".join(set(chain.from_iterable(map(bytes.split, lines))))
        starts = dict(zip(accumulate((len(line) + 1 for line in lines), initial=0), range(len(lines)), strict=False))
        for word, literals in self._words.items() if lines else ():
            if word in words:  # distinct words are few: a literal whose longest word is in none of them is nowhere
                for literal, owners in literals.items():
                    places = [starts[start] for start in _starts(literal, text)]
                    yield from ((n, one.number) for n in places for one in owners if one.within(lines[n]))


class Words:
    """As every engine: for each pattern the first end in each line, in long lines more."""

    def __init__(self, patterns: Sequence[Text]) -> None:
        self._texts = [pattern.text for pattern in patterns]
        self._found: dict[int, re.Pattern[bytes]] = {}
        self._known: dict[bytes, tuple[int, ...]] = {}
        self._exact, self._folded = _Index(), _Index()
        for number, text in enumerate(self._texts):
            fold = "(?i" in text
            groups = (_masked(group, fold) for group in _groups(sre.parse(as_re(text), FLAGS)))
            (self._folded if fold else self._exact).add(_Literals(number, tuple(filter(None, groups))))

    def scan(self, block: bytes) -> list[Hit]:
        """All (end offset, pattern number), sorted."""
        hits: list[Hit] = []
        start, lines, kinds = 0, block.split(b"\n"), _DIGITS.sub(b"0", block).split(b"\n")
        known = self._learned(kinds)
        for line, kind in zip(lines, kinds, strict=True):
            end = start + len(line)
            for number in known[kind]:
                hits += self._ends(number, block, start, end)
            start = end + 1
        return sorted(hits)

    def _learned(self, kinds: Sequence[bytes]) -> dict[bytes, tuple[int, ...]]:
        """Which patterns may be found in lines of a kind."""
        if len(self._known) > _REMEMBERED:
            self._known.clear()
        fresh = sorted(set(kinds).difference(self._known))
        found: list[set[int]] = [set() for _ in fresh]
        for place, number in self._exact.possible(fresh):
            found[place].add(number)
        for place, number in self._folded.possible([kind.lower() for kind in fresh]):
            found[place].add(number)
        made = {kind: tuple(numbers) for kind, numbers in zip(fresh, found, strict=True)}
        self._known.update((kind, numbers) for kind, numbers in made.items() if len(kind) <= _LONGEST)
        return {**self._known, **made}

    def _ends(self, number: int, block: bytes, start: int, end: int) -> Iterator[Hit]:
        passed = -1
        for found in self._compiled(number).finditer(block, start, end):
            if found.end() > passed:
                passed = found.end() + _AGAIN
                yield found.end(), number

    def _compiled(self, number: int) -> re.Pattern[bytes]:
        return self._found.get(number) or self._found.setdefault(
            number, re.compile(as_re(f"(?m){self._texts[number]}").encode())
        )


class Sought:
    """A pattern that is looked for only in texts with a literal of which every match holds one.

    `engine`: what compiles it; by default one in which it takes linear time.
    """

    def __init__(self, text: str, engine: Callable[[str], re.Pattern[str]] | None = None) -> None:
        self._text, self._folds, self._engine = text, "(?i" in text, engine
        self.number = self.asked = 0
        self.possible: Callable[[str], Container[int] | None] = self._not_yet
        _TOGETHER.all.append(self)

    @cached_property
    def _needles(self) -> tuple[str, ...]:
        found = [one.casefold() if self._folds else one for one in told(self._text, needles)]
        return tuple(one for one in dict.fromkeys(found) if not any(short in one for short in found if short != one))

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        from neurontriage.lines.linear import compiled  # which takes its words from here

        return (self._engine or compiled)(self._text)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match, None without one."""
        found = self.possible(text.strip())
        return self._compiled.search(text) if (self.within(text) if found is None else self.number in found) else None

    def match(self, text: str) -> re.Match[str] | None:
        """The match at the start of the text, None without one."""
        found = self.possible(text.strip())
        return self._compiled.match(text) if (self.within(text) if found is None else self.number in found) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """All matches, one behind the other."""
        found = self.possible(text.strip())
        may = self.within(text) if found is None else self.number in found
        return self._compiled.finditer(text) if may else iter(())

    def within(self, text: str) -> bool:
        """Whether a match may stand in a text, however many lines it has."""
        held = text.casefold() if self._folds else text
        return any(map(held.__contains__, self._needles))

    def _not_yet(self, _text: str) -> None:
        """It has to look for itself. `possible` gives the numbers of those that may stand in a text later on."""
        self.asked += 1
        _TOGETHER.asked()

    @property
    def literals(self) -> str:
        """The literals as one pattern, which is looked for in texts with one blank before and behind them."""
        return ("(?i)" if self._folds else "") + "|".join(re.escape(_one_blank(one)) for one in self._needles)


class _Together:
    """All that is sought: which of it may stand in a text is told by one pass of RE2 for the literals of many.

    What is asked often gets an automaton: first what is asked of each line, then what is of claims alone. One of all
    would have many more states, each of which takes longer to make.
    """

    def __init__(self) -> None:
        self.all: list[Sought] = []
        self._left = _FEW

    def asked(self) -> None:
        """One of those without an automaton was asked for."""
        self._left -= 1
        if self._left == 0:
            self._left = _FEW
            often = [one for one in self.all if one.asked >= _OFTEN]
            if often and (possible := among(one.literals for one in often)) is not None:
                for number, one in enumerate(often):
                    one.number, one.possible = number, possible
            for one in self.all:
                one.asked = 0


_TOGETHER = _Together()


def _one_blank(literal: str) -> str:
    """A literal without what is blank at its ends, but for one space where that stands beside its words."""
    words = literal.strip()
    start = literal.find(words)
    before, behind = literal[:start][-1:], literal[start + len(words) :][:1]
    return " " * (before == " ") + words + " " * (behind == " ")


def _starts(literal: bytes, text: bytes) -> Iterator[int]:
    """Where the lines start that hold a literal."""
    at = text.find(literal)
    while at >= 0:
        yield text.rfind(b"\n", 0, at) + 1
        end = text.find(b"\n", at)
        at = text.find(literal, end + 1) if end >= 0 else -1


def needles(text: str) -> tuple[str, ...]:
    """Literals of which every match holds one; ("",) where nothing is known."""
    return max(_groups(sre.parse(as_re(text), FLAGS)), key=_worth, default=("",))


def _shortest(group: Sequence[str | bytes]) -> int:
    return min(map(len, group))


def _worth(group: Sequence[str]) -> tuple[int, int]:
    """Long literals stand in few lines; few are soon looked for."""
    return _shortest(group), -len(group)


def _masked(group: tuple[str, ...], fold: bool) -> tuple[bytes, ...]:
    """Literals as they stand in lines whose numbers are all 0; none where one of them is nothing but digits.

    What stands beside a digit may be one, too: digits at an end are left out.
    """
    plain = [(one.lower() if fold else one).encode().strip(b"0123456789") for one in group]
    return tuple(_DIGITS.sub(b"0", one) for one in plain) if all(plain) else ()


def _groups(tree: Any) -> list[tuple[str, ...]]:
    """In the order of a sequence: of each group every match holds one."""
    found: list[tuple[str, ...]] = []
    run = ""
    for op, argument in [*tree, ("END", None)]:
        name = str(op)
        if name == "LITERAL":
            run += chr(argument)
            continue
        found += [(run,)] if run else []
        run = ""
        if name == "SUBPATTERN":
            found += _groups(argument[-1])
        elif name in _REPEATS and argument[0] > 0:
            found += _groups(argument[2])
        elif name == "BRANCH":
            branches = [max(_groups(branch), key=_worth, default=()) for branch in argument[1]]
            found += [tuple(dict.fromkeys(one for group in branches for one in group))] if all(branches) else []
    return found


_REPEATS = ("MAX_REPEAT", "MIN_REPEAT")
