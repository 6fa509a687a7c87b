"""Applies the rules to texts and to whole values; what it once took for a secret goes everywhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache, partial
from operator import is_
from typing import Any, TypeVar, cast

from neurontriage.render.redaction.blocks import APART, fragments
from neurontriage.render.redaction.named import NAMED
from neurontriage.render.redaction.people import HOSTS, PEOPLE
from neurontriage.render.redaction.rule import Rule
from neurontriage.render.redaction.tokens import TOKENS

Value = TypeVar("Value")
_LEAST = 8
_TOGETHER = 256  # texts that are searched for words at a time
_RUN = re.compile(r"[\w+/=.%~-]{8,}")
_PLAIN_WORD = re.compile(r"[A-Za-z]?[a-z._/-]+|[A-Z_]+|[0-9.]+")

_TEXTLESS = frozenset({int, float, bool, type(None)})


class Redactor:
    """Takes secrets out of one document. The same secret has the same placeholder wherever it stands.

    `counts` says how many of each kind were taken out. Placeholders are numbered in the order of appearance, so the
    same document gives the same bytes; nothing of a secret, not even its length or a hash, is in them.
    """

    def __init__(self, strict: bool = False) -> None:
        self.counts: Counter[str] = Counter()
        self._rules = (*TOKENS, *NAMED, *PEOPLE, *(HOSTS if strict else ()))
        self._here: Sequence[tuple[Rule, Sequence[str]]] = ()
        self._shown: dict[str, str] = {}
        self._numbers: Counter[str] = Counter()
        self._everywhere: re.Pattern[str] | None = None
        self._all = ""
        self._alone: dict[str, str] = {}
        self._clear: set[str] = set()
        self._read: dict[int, tuple[Any, Any]] = {}

    def text(self, text: str) -> str:
        """A text, of any number of lines, without its secrets."""
        self._learn([text])
        return self._clean(text)

    def value(self, value: Value) -> Value:
        """The same value without the secrets in any of its texts; the strings of a tuple are read as lines of one text."""
        texts: list[str] = []
        _gather(value, texts)
        clean = self._learn(texts)
        return value if clean else cast(Value, self._value(value))

    def _learn(self, texts: Sequence[str]) -> bool:
        """Find the secrets of texts; whether they hold none, neither of their own nor of those known before."""
        words = _found_in(texts, {word for rule in self._rules for word in rule.words})
        here = ((rule, [word for word in rule.words if word in words]) for rule in self._rules)
        self._here = [(rule, words) for rule, words in here if words or not rule.words]
        self._alone = {secret: self._placeholder("key-line", secret) for secret in fragments(*texts)}
        secret = [line for text in texts for line in text.split("\n") if not self._is_clear(line)]
        specific = sorted((one for one in self._shown if _specific(one)), key=lambda one: (-len(one), one))
        self._everywhere = re.compile("|".join(map(re.escape, specific))) if specific else None
        self._all = "\n".join(specific)
        return not (secret or self._alone or specific)

    def _is_clear(self, line: str) -> bool:
        """Whether a line holds no secret by itself; those that do not are looked at once."""
        if line not in self._clear and self._ruled(line) == line:
            self._clear.add(line)
        return line in self._clear

    def _clean(self, text: str) -> str:
        return "\n".join(self._line(line) for line in text.split("\n"))

    def _line(self, line: str) -> str:
        if line.strip() in self._alone:
            return line.replace(line.strip(), self._counted(line.strip()))
        cleaned = line if line in self._clear else self._ruled(line, self.counts)
        if self._everywhere is None:
            return cleaned
        cleaned = self._everywhere.sub(lambda found: self._counted(found[0]), cleaned)
        return _RUN.sub(lambda found: self._piece(found[0]), cleaned)

    def _ruled(self, line: str, counts: Counter[str] | None = None) -> str:
        lowered = line.lower()
        for rule, words in self._here:
            if not rule.words or any(word in lowered for word in words):
                line = rule.pattern.sub(partial(self._replaced, rule, counts), line)
        return line

    def _replaced(self, rule: Rule, counts: Counter[str] | None, found: re.Match[str]) -> str:
        start, end = rule.span(found)
        secret = found.string[start:end].rstrip(",;)]}\\") or found.string[start:end]
        if not rule.accept(secret):
            return found[0]
        if counts is not None:
            counts[rule.kind] += 1
        offset = start - found.start()
        return found[0][:offset] + self._placeholder(rule.kind, secret) + found[0][offset + len(secret) :]

    def _placeholder(self, kind: str, secret: str) -> str:
        if secret not in self._shown:
            self._numbers[kind] += 1
            self._shown[secret] = f"<{kind}-{self._numbers[kind]}>"
        return self._shown[secret]

    def _counted(self, secret: str) -> str:
        shown = self._shown[secret]
        self.counts[shown[1:].rpartition("-")[0]] += 1
        return shown

    def _piece(self, run: str) -> str:
        """A run of characters that is a piece of a known secret, cut off or captured by a pattern, goes as well."""
        if run in self._all and not _PLAIN_WORD.fullmatch(run):
            return self._counted(next(one for one in self._shown if run in one))
        return run

    def _value(self, value: Any) -> Any:
        if type(value) in _TEXTLESS:
            return value
        if isinstance(value, str):
            return self._clean(value)
        if isinstance(value, tuple | list):
            parts = [self._value(one) for one in value]
            if all(map(is_, parts, value)):
                return value
            return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
        if isinstance(value, Mapping):
            found = {self._value(name): self._member(name, one) for name, one in value.items()}
            return value if found == value else found
        if is_dataclass(value) and not isinstance(value, type):
            return self._record(value)
        return value

    def _record(self, value: Any) -> Any:
        """A value that stands in several places is read once, and stays one value."""
        if id(value) not in self._read:
            given = {name: self._value(getattr(value, name)) for name in _given(cast(Hashable, type(value)))}
            same = all(getattr(value, name) is one for name, one in given.items())
            self._read[id(value)] = (value, value if same else replace(value, **given))
        return self._read[id(value)][1]

    def _member(self, name: Any, value: Any) -> Any:
        """A named value is read with its name, as a line of a log would be."""
        if not isinstance(value, str) or not isinstance(name, str):
            return self._value(value)
        head = f"{name}="
        cleaned = self._clean(head + value)
        return cleaned.removeprefix(head) if cleaned.startswith(head) else self._clean(value)


def _specific(secret: str) -> bool:
    """Whether a secret may be replaced wherever it stands: not when it is short or a plain word."""
    return len(secret) >= _LEAST and not _PLAIN_WORD.fullmatch(secret) and not secret.startswith(("<", "-----"))


@lru_cache(maxsize=256)
def _given(kind: Hashable) -> tuple[str, ...]:
    """The fields that a dataclass is made of."""
    return tuple(one.name for one in fields(cast(Any, kind)) if one.init)


@lru_cache(maxsize=256)
def _all(kind: Hashable) -> tuple[str, ...]:
    return tuple(one.name for one in fields(cast(Any, kind)))


def _found_in(texts: Sequence[str], words: Set[str]) -> set[str]:
    """The words that stand in any text, in whatever letters. Some texts are put together at a time, as all would be
    as long as the answer."""
    found: set[str] = set()
    for start in range(0, len(texts), _TOGETHER):
        lowered = "\n".join(texts[start : start + _TOGETHER]).lower()
        found.update(word for word in words - found if word in lowered)
    return found


def _gather(value: Any, texts: list[str]) -> None:
    """All texts of a value, in its order; named ones with their names."""
    if type(value) in _TEXTLESS:
        return
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, tuple | list):
        apart = [APART] if hasattr(value, "_fields") else []
        for one in value:
            _gather(one, texts)
            texts += apart
    elif isinstance(value, Mapping):
        for name, one in value.items():
            if isinstance(one, str):
                texts.append(f"{name}={one}")
            else:
                _gather((name, one), texts)
    elif is_dataclass(value) and not isinstance(value, type):
        for name in _all(cast(Hashable, type(value))):
            _gather(getattr(value, name), texts)
            texts.append(APART)
