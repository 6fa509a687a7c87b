"""Something is in use: a line that says by whom, with the number of the process, belongs to that failure.

A driver, a package manager, `ss`, `lsof` or `fuser` names the process; the program that wants the device, port, lock or
module only says that it cannot have it.
"""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.claims.claim import MOST_EVIDENCE, Claim
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought

_NEAR, _BESIDE = 40, 3  # lines from the one to the other; where they need not name the same
_BUSY = Sought(
    r"(?i)\b(?:in use|busy|locked|(?:get|acquire|obtain)(?:ing)? (?:\w+ ){0,3}lock"
    r"|already (?:open(?:ed)?|bound|locked|taken|held|running|listening|allocated)|(?:held|used|owned) by)\b"
)
_HOLDS = Sought(
    r"(?i)\b(?:held|holds?|holding|open(?:ed)?|us(?:ed|es|ers?|ing)|in use|own(?:s|ed|er)?|lock(?:s|ed)|taken|claimed"
    r"|occup\w+|attached|bound|listen\w*|already)\b"
)
_SHARED = Sought(r"(?i)\bmemory (?:is )?in use\b")
_GONE = Sought(r"(?i)\b(?:exit\w*|kill\w*|died|dead|start(?:ed|ing)|spawn\w*|fail\w*|gone|terminat\w*)\b")
_PID = expression(
    r"(?i)\b(?:pid|process)(?: id)?[ :=#]{1,3}(?P<pid>[1-9]\d{1,6})\b(?: ?[(\[](?P<name>[a-z][\w./ -]{0,60})[)\]])?"
)
_NAMED = expression(r"(?i)[(\x22](?P<name>[a-z][\w./-]{0,60})\x22,pid=(?P<pid>[1-9]\d{1,6})\b")
# A row of lsof, a line of fuser.
_ROW = expression(
    r"(?P<name>[A-Za-z][\w.-]{0,30}) +(?P<pid>[1-9]\d{1,6}) +[\w-]+ +(?:cwd|mem|txt|\d+[rwu]W?) +[A-Z][A-Za-z0-9]+ "
    r"|/\S+: +(?:[a-z][\w-]* +)?(?P<pid_>[1-9]\d{1,6})\b(?: +\S*[Ff]\S* +(?P<name_>\S+))?"
)
# A number, a path, a name with a number behind it: `2`, `/run/x.lock`, `nd2`.
_THING = expression(r"(?<![\w.])(?:[a-z]{0,12}\d{1,6}|/[\w./-]{4,})(?![\w.])")


def tell(root: Claim, claims: Sequence[Claim]) -> None:
    """The field `holder` of a root that says that something is in use, and the line that names who holds it."""
    at = root.event.evidence
    if not _BUSY.search(at.text) or _SHARED.search(at.text):
        return
    if own := holder(at.text):
        root.fields.setdefault("holder", own)
        return
    near = (c for c in claims if c.event.evidence.path == at.path and 0 < abs(c.event.evidence.line - at.line) <= _NEAR)
    for claim in sorted(near, key=lambda c: abs(c.event.evidence.line - at.line)):
        line = claim.event.evidence
        if (found := holder(line.text)) and (abs(line.line - at.line) <= _BESIDE or _same(line.text, at.text)):
            root.fields.setdefault("holder", found)
            if len(root.evidence) < MOST_EVIDENCE and line not in root.evidence:
                root.evidence = [*root.evidence, line]
            return


def holder(text: str) -> str:
    """The process that a line says to hold something, its number and its name; empty where it names none.

    >>> holder("E: lock /run/x. It is held by process 912 (apt-get)"), holder("worker process 912 exited, lock held")
    ('912 (apt-get)', '')
    """
    said = strip(text).payload
    found = _NAMED.search(said) or _ROW.match(said)
    if found is None and _HOLDS.search(said) and not _GONE.search(said):
        found = _PID.search(said)
    if found is None:
        return ""
    values = {name.rstrip("_"): value for name, value in found.groupdict().items() if value}
    return values["pid"] + (f" ({values['name']})" if "name" in values else "")


def _same(one: str, other: str) -> bool:
    """Whether two lines name the same thing or number: a port, a device, a lock."""
    return not set(_THING.findall(one)).isdisjoint(_THING.findall(other))
