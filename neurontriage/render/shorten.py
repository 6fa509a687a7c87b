"""Advice made shorter without losing its warning: cut at the end of sentences only, and every cut is marked."""

from __future__ import annotations

import re

from neurontriage.model import Workaround

MARK = " …"
_SENTENCE = r"(?<=[.!?])\s+(?=[A-Z`(0-9\u3040-\u9fff\uac00-\ud7a3])|(?<=[。．])"
_CAUTION = (
    r"(?i)\b(?:wrong|inaccura\w+|accuracy|precision|numerics?|los[ets]\w*|slow\w*|costs?|risk\w*|unsafe|danger\w*|corrupt\w*"
    r"|careful|beware|never|must not|do not|don't|does not|not for|not with|only (?:for|when|if|where|with|on|a|from)"
    r"|unless|inferred|unverified|deprecated|removed|hides?|masks?|later|overwrit\w+|delet\w+|reboot\w*|restart\w*"
    r"|downtime|other (?:jobs|users))\b"
)
_BRACKETS = {"(": ")", "[": "]", "{": "}", "`": "`"}
_LEAST_WORDS = 4
SHORT = 140
_TELLING = 50


def heading(title: str) -> str:
    """A title as it reads without a log: what a log fills in becomes an ellipsis, or goes with its brackets."""
    return re.sub(r"\{\w+\}", "…", re.sub(r"(?<!\s)\s*\((?:[,;:/ ]*\{\w+\})+\)", "", title))


def sentences(text: str) -> list[str]:
    """The sentences of a text in one line each; a full stop inside brackets or code ends none."""
    found: list[str] = []
    for part in re.split(_SENTENCE, " ".join(text.split())):
        if found and not balanced(found[-1]):
            found[-1] += " " + part
        elif part:
            found.append(part)
    return found


def balanced(text: str) -> bool:
    """Whether every bracket and backtick that is opened is closed."""
    if text.count("`") % 2:
        return False
    plain = re.sub(r"`[^`]*`", "", text)
    return all(plain.count(opened) <= plain.count(closed) for opened, closed in _BRACKETS.items() if opened != "`")


def shortened(text: str, most: int) -> str:
    """The first sentences that fit `most` characters, or the words that fit where that says more; a cut is marked."""
    whole = " ".join(text.split())
    if len(whole) <= most:
        return whole
    kept = ""
    for sentence in sentences(whole):
        longer = f"{kept} {sentence}".strip()
        if len(longer) + len(MARK) > most:
            break
        kept = longer
    enough = len(kept.split()) >= _LEAST_WORDS and len(kept) > most // 2
    return (kept if enough else _words(whole, most)) + MARK


def _words(text: str, most: int) -> str:
    """Whole words that fit, ending outside of brackets and code where that leaves enough."""
    cut = text[: max(most - len(MARK), 1)]
    words = cut.rsplit(" ", 1)[0] if len(cut) < len(text) else cut
    cut = words if len(words) > len(cut) // 2 else cut  # a path may be longer than all that stands before it
    outside = cut
    while not balanced(outside) and " " in outside:
        outside = outside.rsplit(" ", 1)[0]
    chosen = outside if len(outside.split()) >= _LEAST_WORDS else cut
    return chosen.rstrip(" ,;:")


def cautions(detail: str) -> list[str]:
    """The sentences of a piece of advice that warn: what it costs, where it does not hold, what is only inferred."""
    return [sentence for sentence in sentences(detail) if re.search(_CAUTION, sentence)]


def brief(fix: Workaround) -> str:
    """A workaround in one short text: its title and what its author found short enough, else whatever warns.

    It may be longer than `SHORT` where the warning is: no fix stands without it.
    """
    if fix.short:
        return fix.short if fix.short.startswith(fix.title) else f"{fix.title}: {fix.short}"
    detail = " ".join(fix.detail.split())
    if len(fix.title) + len(detail) + 2 <= SHORT:
        return f"{fix.title}: {detail}" if detail else fix.title
    warned = " ".join(cautions(detail))
    if not warned:
        return fix.title + MARK
    start = "" if detail.startswith(warned) else _beginning(detail, SHORT - len(fix.title) - len(warned) - 2)
    return f"{fix.title}: {start}{warned}" + ("" if detail.endswith(warned) else MARK)


def _beginning(detail: str, room: int) -> str:
    """As many words as there is room for before a warning, where that is enough to tell something."""
    words = shortened(detail, room) if room >= _TELLING else ""
    return f"{words} " if words else "… "
