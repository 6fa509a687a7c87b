"""A sentence whose last clause says that its program ends here: `expected 4 rows but got 5 - stopping here`.

That it ends is no failure: what stands in front must be a complaint, unless giving up is one by itself. Whoever is
done, idle, asked to end or has seen no progress for long ends, too.
"""

from __future__ import annotations

from neurontriage.expressions import expression
from neurontriage.facts.beyond import beyond
from neurontriage.lines.words import Sought

_GIVES_UP = (
    r"giving up|gave up|abort(?:ing|ed)?|bailing out|quitting|no point in \w+ing(?: on)?"
    r"|refus(?:ing|es) to \w+|(?:can ?not|can't|could not|won't|will not) (?:continue|go on|proceed|start|run)"
)
_STOPS = r"stopp(?:ing|ed)|exiting|exit|leaving|terminating|terminated|halt(?:ing|ed)?"
_END = expression(
    r"(?i)(?P<why>.{8,200}?)\s{0,3}(?:[,;.:(]|--?>?|=>|[—–…]|\.\.\.)\s{0,3}(?:(?:so|and|we are|i am|program is) )?"
    rf"(?:(?P<hard>{_GIVES_UP})|(?P<soft>{_STOPS}))(?: (?:here|now|early|at once|the (?:run|job|program|script)))?"
    r"\W{0,8}(?:$|(?:use|try|set|pass|run|see|check|please|give|fix|delete|remove|rename)\b)"
)
# How something is that should not be so.
_ODD = Sought(
    r"(?i)\b(?:not|no|none|nothing|neither|nor|never|cannot|can't|\w+n't|only|missing|without|but|mismatch\w*|expected|instead"
    r"|twice|duplicate|differ\w*|overlap\w*|invalid|unknown|unsupported|bad|wrong|broken|corrupt\w*|fail\w*|exceed\w*|lost"
    r"|denied|refused|too \w+|over|below|above|less than|more than|belongs?|another|diverged|nan|stale|torn|odd)\b",
    expression,
)
# Who ends as it should: what was to be done is done, it was asked to, or there is nothing for it to do.
_DUE = Sought(
    r"(?i)\b(?:done|finish\w*|complet\w*|reached|converged|succe\w+|idle|signal|sig[a-z]{3,5}|received|request\w*"
    r"|asked|interrupt\w*|improv\w*|patience|early|no more|no new|no (?:work|jobs?|tasks?|updates?|changes?)"
    r"|nothing (?:new|left|more|to do|changed)|max\w*|deadline|time is up|schedul\w*|maintenance|drain\w*|drill|user"
    r"|operator|dry[- ]?run|up[- ]to[- ]date|already (?:running|done|there|exists?|processed|current|taken)|empty"
    r"|leader|standby|parent|if|unless|when|until|before)\b",
    expression,
)


def quits(said: str) -> bool:
    """Whether a line ends in the word that its program gives up, or stops for what it complains of.

    >>> quits("expected 4 rows but got 5 - stopping here"), quits("2 ranks claim index 7, giving up")
    (True, True)
    >>> quits("no improvement for 5 epochs, stopping"), quits("all rows are written, exiting")
    (False, False)
    """
    found = _END.match(said)
    if found is None or _DUE.search(found["why"]):
        return False
    return found["hard"] is not None or _ODD.search(found["why"]) is not None or beyond(found["why"])
