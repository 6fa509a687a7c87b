"""What the words of one line say of how things go, in any program: that there is trouble, or that something is done.

Neither decides anything alone: what is weighed, and against what, is said where it is asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.lines.remembered import remembered
from neurontriage.lines.voices import loud
from neurontriage.lines.words import Sought

_LAST = 3
# Words of any trouble, of an end that was not the program's own, and of advice what to do about either.
_ILL = Sought(
    r"(?i)(?<![\w.-])(?:\w*fail\w*|\w*errors?|\w*exceptions?|fatal|abort\w*|cannot|can't|unable|no such|missing|lost"
    r"|(?:could|did|does|is|was|were|are|has|have|do|can)(?: not|n't)|not (?:found|ready|ok)|broken|gone|died?"
    r"|kill(?:ed|ing)|dead|crash\w*|giv\w+ up|gave up|refus\w+|denied|invalid|timed? ?-?out|timeout|incomplete"
    r"|incorrect|wrong|corrupt\w*|differ\w*|mismatch\w*|deviat\w*|roll\w* ?back|regress\w*|unhealthy|nan|unknown"
    r"|stopp?(?:ed|ing)|closing|closed|leaving|shut(?:ting)? ?down|w?exit(?:ed|ing|s|status|code)?|terminat\w+"
    r"|cancel\w*|back-?off|pending|waiting|stuck|hang\w*|core dumped|traceback|unreachable|degraded|too \w+|exceed\w*"
    r"|not (?:yet )?(?:done|finished|completed?|saved|written|stored|uploaded|published|built|created|exported"
    r"|converted|processed|restored|recovered)|nothing (?:was|is|could be) \w+"
    r"|needs?|must|only|check|see|try|view|tip)\b|\b0 ?(?:/|of) ?[1-9]|\bstatus[ :=]+[1-9]|[✗✖❌]",
    expression,
)
_NONE = expression(
    r"(?i)\b(?:0|no|zero|none|without)(?: \w+)? (?:fail\w*|errors?|problems?|wrong|missing|mismatch\w*|lost)\b"
    r"|\b(?:fail\w*|errors?|unreachable|wrong|missing|lost)\W{1,3}0\b(?!\.)"
    r"|\bexit(?:ed)?(?: with)?(?: code| status)?[ =:]+0\b|\bx-?fail\w*|\bexpected(?:ly)? (?:fail\w*|errors?)\b"
)
# What was to be done is done, or measured.
_DONE = Sought(
    r"(?i)\b(?:done|finish(?:ed)?|complete[ds]?|succe\w+|passe[ds]|ok|saved|wrote|written|stored|ready|healthy|best"
    r"|upload(?:ed)?|published|pushed|installed|built|converged|recovered|restored|results?|total|served|created|updated"
    r"|up[- ]to[- ]date|verified|exported|converted|ingested|processed|sync(?:ed)?|accuracy|took|throughput|latency"
    r"|score|tagged|reached|checked|released|deployed|merged)\b|[✓✔]|\b100 ?%",
    expression,
)
_NAME = r"[^\W\d_][\w'/()%-]*"
_NUMBER = r"-?\d[\d.,e+-]*(?:[%\w/]{0,8}|\s[%\w/]{1,3})(?: ?\(\d[\d.,]*\s?%\))?"
_FIGURES = r"\d{1,12}(?:\.\d{1,9})?(?: ?%)?"
_NOTHING = r"(?:\[\s*\]|\{\s*\}|\"\"|''|<?nil>?|none|null|n/a|no(?: [a-z]+){0,2} (?:errors|failures|problems|issues))"
# What only names: a label with a number or with nothing, or what heads a list of the kind.
_NAMES = expression(
    rf"(?i)\W*(?:{_NAME}[ \t]){{0,4}}{_NAME}\s{{0,20}}[:=]\s{{0,20}}(?:{_NUMBER}|{_NOTHING})\W*$"
    rf"|\W*(?:{_NAME} )?(?:(?:errors|failures|exceptions|timeouts)"
    r"|(?:errors?|failures?|exceptions?) (?:report|summary|statistics|counts?|rates?|codes?|types?|classes|budget))\W*$"
    rf"|[-=*#~]{{2,}} (?:{_NAME} ){{0,3}}(?:error|failure|exception)s? [-=*#~]{{2,}}$"
    rf"|(?:\W*{_NAME}: )?(?:(?:{_NAME} ){{1,4}}{_FIGURES}[,;] ){{1,9}}(?:{_NAME} ){{1,4}}{_FIGURES}\W*$"
)
_CELLS, _AMOUNT = expression(r"\s{2,}|\t|\s?[|│]\s?"), expression(_NUMBER + "$")
_WORDS = 3
# A row of a summary: a name and a number, and no more.
_FIGURE = expression(r"\s*[A-Za-z][\w ()/%.-]{2,60}\s*[=:]\s*-?\d[\d.,e+-]*\s?[%\w/]{0,8}\s*$")


@remembered(1024)
def trouble(text: str) -> bool:
    """Whether a line speaks of any trouble, or of what to do about it."""
    return loud(text) or _ILL.search(_NONE.sub(" ", strip(text).payload)) is not None


@remembered(1024)
def done(text: str) -> bool:
    """Whether a line says, without a word of trouble, that something is done, or how it was."""
    return _DONE.search(strip(text).payload) is not None and not trouble(text)


@remembered(1024)
def names(text: str) -> bool:
    """Whether a line only names and counts: a label with a number or with nothing, a heading, a row of short cells.

    >>> names("Shuffle Errors"), names("unexpected: []"), names("fatal    412"), names("fatal: no device")
    (True, True, True, False)
    """
    payload = strip(text).payload.strip()
    cells = [cell for cell in _CELLS.split(payload) if cell.strip("│| ")]
    short = len(cells) > 1 and all(len(cell.split()) <= _WORDS for cell in cells)
    return (short and any(map(_AMOUNT.match, cells))) or _NAMES.match(payload) is not None


def concludes(texts: Sequence[str]) -> bool:
    """Whether a log that ends in these lines says that what was to be done is done, or ends in figures."""
    last = texts[-_LAST:]
    if not last or any(map(trouble, last)):
        return False
    return done(last[-1]) or sum(_FIGURE.match(text) is not None for text in last) > 1
