"""What a program only supposes: the causes that a failure of that kind often has, or examples of them.

Who lists them does not know which of them it was: none of them is an event, and no reason is stated by their words.
One that stands alone is what the program takes for the cause.
"""

from __future__ import annotations

from collections.abc import Iterator

from neurontriage.expressions import expression
from neurontriage.lines.remembered import remembered
from neurontriage.lines.words import Sought

_BY = r"(?:caused by|due to|because(?: of)?|(?:the|a) (?:result|consequence|sign|symptom) of)"
_OFTEN = r"(?:usually|often|typically|commonly|generally|probably|likely|possibly|maybe|perhaps|mostly|sometimes)"
# A list follows, up to the end of the text; or one guess, up to the end of its sentence.
_SUPPOSES = Sought(
    r"(?i)\b(?P<list>(?:likely|possible|potential|probable|common|typical|usual|frequent|several|various|many|other)"
    r" (?:[a-z]+ )?(?:causes|reasons|explanations)\b)"
    rf"|\b(?:could|may|might|can) (?:also |either )?(?:be|have been) {_BY}"
    rf"|\b(?:may|might|could) have\b|\b{_OFTEN} (?:is |are |was )?{_BY}|\bis {_OFTEN} {_BY}"
    r"|\b(?:this|that|it|which) (?:usually |often |likely |probably )?(?:may|might|could) (?:mean|indicate)\b"
    r"|\b(?:likely|possible|probable|common|usual) (?:cause|reason)\b"
)
_SEVERAL = expression(r"(?i)\bor\b|\(\d\)|;")
_ENDS = expression(r"[.!?](?: +(?=[A-Z])|\s*$)|\n")


@remembered(1024)
def supposed(text: str) -> tuple[tuple[int, int], ...]:
    """Where a text only supposes causes: behind the words that say so."""
    return tuple(_spans(text))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for found in _SUPPOSES.finditer(text):
        if found.start() >= at:
            end = None if found["list"] else _ENDS.search(text, found.end())
            at = end.start() if end else len(text)
            rest = text[found.end() : at]
            if found["list"] or _SEVERAL.search(rest) or not rest.strip(" :,"):
                yield found.end(), at


def certain(text: str) -> str:
    """A text without the causes that it only supposes."""
    at, kept = 0, ""
    for start, end in supposed(text):
        kept, at = kept + text[at:start], end
    return kept + text[at:] if at else text


def heads_list(text: str) -> bool:
    """Whether a list of causes that are only supposed stands below a line."""
    return text.rstrip().endswith((":", ",")) and bool(supposed(text))
