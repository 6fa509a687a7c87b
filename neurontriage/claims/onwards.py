"""What a line says of the one above it: whether a message goes on in it, what it names, that it only repeats it."""

from __future__ import annotations

from collections.abc import Set

from neurontriage.claims.prose import written
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip

# What goes on below: a line that ends so. What does not go on: a path, an item, what a program says it does next.
_OPEN = expression(r"(?:[:,;(\[{=+|/-]|\b(?:and|or|of|to|the|in|is|with|following|below))\s*$")
_NEXT = expression(
    r"\s*(?:/[\w.@+-]+(?:/[\w.@+-]*)*\s*$|\* \w|(?!(?i:missing|using|existing|expecting|following|according))"
    r"(?i:[a-z]{3,12}ing) (?:up|down|off|on|out|the|all|a|an|for|job|run|[a-z]{3,12})\b[^:=]{0,60}$)"
)
_LONGEST_SUBJECT = 80
_ARROW = expression(r"[\s|]*\^[~^-]* +[^\W\d_]")  # a compiler points at the source above and says what is wrong with it
# Who speaks, in front of what is said; and what reports on tests, below the last traceback of one.
_SPEAKER = expression(r"([a-z][\w./-]{1,30}(?:\[\d{1,8}\])?): (?=\S)")
_REPORTS = expression(
    r"Ran \d{1,9} tests? in \d|(?:FAILED|OK) \(\w|\d{1,9} (?:tests? |passed|failed)"
    r"|\S[^\n]{0,80} \.\.\. ?(?:ok|done|passed|skipped|FAIL\w*|ERROR)\W*$|\[[A-Z]{4,8}/[\w-]{1,40}\] "
)


def told(above: str, payload: str, voices: Set[str]) -> bool:
    """Whether a line is complete, and the one below it (`payload`) says what is done next, or stands for itself.

    `voices`: who spoke before in the same stream.
    """
    if unfinished(above):
        return False
    if (speaks := speaker(payload)) and speaks in voices:
        return True
    says_next = _NEXT.match(payload) is not None and not _NEXT.match(above)
    return says_next or _REPORTS.match(payload) is not None or written(payload) or _logged(payload)


def _logged(payload: str) -> bool:
    """Whether an indented line is the record of a logger: whoever pasted it indented all."""
    return payload[:1].isspace() and strip(payload.lstrip()).level is not None


def alone(payload: str) -> bool:
    """Whether an exception was raised without words: Python puts a colon behind the name of one that has some below."""
    name = payload.strip()
    return name[-1:] != ":" and " " not in name


def unfinished(payload: str) -> bool:
    """Whether a line ends as one does that goes on below."""
    return _OPEN.search(payload) is not None


def speaker(payload: str) -> str:
    """Who speaks in a line, by the name in front of what is said; "" where it names nobody."""
    found = _SPEAKER.match(payload)
    return found[1] if found else ""


def echoed(above: str, payload: str) -> bool:
    """Whether a script says in these words that it ends, as its trace shows in the line above: no program said so."""
    said = payload.strip()
    return above.startswith("+ echo ") and said != "" and said in above


def subject(above: str, payload: str) -> str:
    """What the line above names: under the same head (`I-7-1: Matmul` above `I-7-1: failed`), or above an arrow."""
    if "^" in payload and _ARROW.match(payload):
        return above.strip()[:_LONGEST_SUBJECT]
    if ": " not in payload:
        return ""
    head, colon, rest = above.strip().partition(": ")
    same = colon and payload.strip().startswith(f"{head}: ") and " " not in head
    return rest if same and rest.isidentifier() else ""
