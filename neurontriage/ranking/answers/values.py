"""Values of a log as a title shows them: with what a pattern cut off, and without the signs around them."""

from __future__ import annotations

from collections.abc import Mapping

from neurontriage.expressions import expression

_SENTENCE = expression(r"[.!?](?= +[A-Z\x60'\x22(])")
_TELLS = expression(
    r"(?i)\b(?:but|got|found|received|only|while|not|exceeds?|available|should|must|expected|instead|needs?|requires?"
    r"|sets?|failed|error|status|because|due to)\b.{0,50}(?:[\d'\x22\x60/]|--\w|\b(?:true|false|none)\b)"
)
_QUOTES, _ESCAPES = '"`', ("\\n", "\\r", "\\t")
_OPEN, _CLOSE = "([{", ")]}"
_WORDS = expression(r"[\w/]| \w")
_WORD = 20  # characters of a word that is left out rather than cut
_LEAST, _MOST = 20, 360  # characters of a value that is long enough to be one that a pattern cut, and of the whole one


def shown(fields: Mapping[str, str], text: str) -> dict[str, str]:
    """The fields as a title shows them. `text`: the line that they are taken of."""
    return {name: trimmed(_whole(value, text)) if isinstance(value, str) else value for name, value in fields.items()}


def _whole(value: str, text: str) -> str:
    """A value that a pattern cut: with what follows, where its last word goes on in the line, since numbers often stand
    there; without what it has of a second sentence, where that goes on.
    """
    start = text.find(value) if len(value) >= _LEAST and " " in value else -1
    end = start + len(value)
    if start < 0 or end >= len(text) or not (_inside(value[-1]) and _WORDS.match(text, end)):
        return value
    if _LEAST <= len(first := _SENTENCE.split(value, maxsplit=1)[0]) < len(value):
        return first
    return text[start : start + _MOST] if _inside(text[end]) else value


def _inside(sign: str) -> bool:
    return sign.isalnum() or sign in "_/"


def trimmed(value: str) -> str:
    """A value without a sign at either end that belongs to what stands around it."""
    value = value.strip().lstrip(":,; ")
    while value:
        last = value[-1]
        odd = last in _QUOTES and value.count(last) % 2
        unopened = last in _CLOSE and sum(map(value.count, _CLOSE)) > sum(map(value.count, _OPEN))
        if value.endswith(_ESCAPES):
            value = value[:-2].rstrip()
        elif odd or unopened:
            value = value[:-1].rstrip()
        else:
            break
    return value


def both_ends(text: str, most: int) -> str:
    """A long sentence without its middle, where its end says what is wrong: with values, and what became of them."""
    sentence = _SENTENCE.split(text, maxsplit=1)[0]
    if not most < len(sentence) <= 3 * most:
        return text
    start, end = sentence[: most // 2 - 4], sentence[-(most // 2) :]
    head, tail = start.rpartition(" ")[0], end.partition(" ")[2]
    head = head if len(start) - len(head) <= _WORD else start
    tail = tail if len(end) - len(tail) <= _WORD else end
    return f"{head} … {tail}" if head and _TELLS.search(tail) else text
