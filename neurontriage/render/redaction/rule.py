"""What a rule is: a pattern, the words without which it cannot match, and a test of what it found."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

Accept = Callable[[str], bool]


class Rule(NamedTuple):
    """`pattern` has a group `secret` (or is one as a whole); `words`: lower-case, one of them is in every match.

    `accept` refuses what only looks like a secret. Patterns have no upper length, and none repeats within a repeat.
    """

    kind: str
    pattern: re.Pattern[str]
    words: tuple[str, ...]
    accept: Accept

    def span(self, found: re.Match[str]) -> tuple[int, int]:
        """Where the secret stands in the text."""
        for name in ("quoted", "secret"):
            if name in self.pattern.groupindex and found[name] is not None:
                return found.span(name)
        return found.span()


def rule(kind: str, pattern: str, words: str, accept: Accept | None = None) -> Rule:
    """A rule from its text; `words` are separated by blanks."""
    return Rule(kind, re.compile(pattern, re.MULTILINE), tuple(words.split()), accept or real)


_SHOWN = re.compile(r"^(?:[<{(\[*]|\$[\w{(]|%[({s]|&lt;|\.\.\.|…|[xX]{3,}$|[-*•_.]+$|/dev/)")
_CODE = re.compile(r"^[A-Za-z_]\w*(?:[.(\[].*|)$", re.DOTALL)
_OF_CODE = re.compile(
    r"(?i)^(?:self|args|config|cfg|os|env|environ|getenv|getpass|get_\w+|settings|kwargs|str|opt)[.(\[]"
)
_NAMES = re.compile(r"(?i)^[a-z_]*(?:token|password|passwd|secret|key|credentials?|auth)s?[),\]]*$")
_WORDS = frozenset(
    """
    a about absent accepted access all an and any are as at auth authentication authorization available bad be been
    bool bytes can cannot could default denied did disabled does empty enabled error expected expired fail failed fails
    false float for found from given got has hash have here if ignored in incorrect int invalid is it key length loaded
    may mismatch missing must n/a na name nil no none not null of ok on only optional or out path please provided read
    rejected removed required revoked secret set should size skipped so str string success the to token true type
    undefined unknown unset unsupported use used user using valid value was were when wrong yes your
    """.split()
)


def real(text: str) -> bool:
    """Whether a value is one, not a word of a sentence, a variable, a piece of code or a placeholder."""
    bare = text.strip("\"'`,;.)")
    if len(bare) < 3 or _SHOWN.match(bare) or bare.lower() in _WORDS:
        return False
    if _NAMES.match(bare) or _OF_CODE.match(bare):
        return False
    return not (_CODE.match(bare) and ("(" in bare or "[" in bare) and "=" not in bare)


def random_looking(text: str) -> bool:
    """Whether a value has what generated ones have: 8 characters or more, letters and digits."""
    letters = any(one.isalpha() for one in text)
    return real(text) and len(text) >= 8 and letters and any(one.isdigit() for one in text)


_LOWER_RUN = re.compile(r"[a-z]{9}|(.)\1{15}")
_TRANSITION = re.compile(r"(?<=[a-z])[A-Z0-9+/]|(?<=[A-Z])[a-z0-9+/]|(?<=[0-9])[A-Za-z+/]")


def scrambled(text: str) -> bool:
    """Whether a long run is base64 of something random: all three kinds of characters, changing often, no word in it."""
    kinds = (str.isupper, str.islower, str.isdigit)
    if not all(any(kind(one) for one in text) for kind in kinds) or _LOWER_RUN.search(text):
        return False
    return len(_TRANSITION.findall(text)) >= len(text) * 0.22 and text.count("/") <= 1 + len(text) // 12
