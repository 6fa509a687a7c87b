"""What one line concludes of a whole run by its form: a count, a judgement, a state, a status.

The words are those of any program or scheduler; what makes a conclusion of them is what stands beside them: a number, a
label, a column.  Whether a line has the last word of its log is not asked here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from neurontriage.claims.bounds import exceeded
from neurontriage.claims.harmless import quoted
from neurontriage.claims.quits import quits
from neurontriage.claims.rows import Row, row
from neurontriage.claims.statuses import status
from neurontriage.expressions import expression
from neurontriage.lines.levels import USUAL, name
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought

_LONGEST = 240
"""Characters of a line that is no more than a conclusion."""
_LEVEL = expression(rf"\s*\[?(?P<level>{USUAL}|[Ww]arning(?=:))(?:\]:?|:| (?=\S))\s*")
# Words with which a line tells of what may be, was before, is looked for or done again.
_NOTHING = Sought(
    r"(?i)\b(?:select|where|grep|awk|when|would|unless|until|filter|query|policy|means?|retr\w+|previous|prior|earlier"
    r"|former|had|will|may|might|could be|example)\b",
    expression,
)

# What is counted, or said of one of several, where it went wrong.
_ILL = (
    r"(?:fail(?:ed|ures?|s|ing)?|error(?:s|ed)?|exceptions?|incomplete|mismatch(?:es|ed)?|corrupt(?:ed)?|unreachable|missing"
    r"|crash(?:ed|es)?|lost|broken|bad|invalid|aborted|rejected|unhealthy|down|regress(?:ed|ions?)|problems?|conflicts?"
    r"|violations?|dead|died|killed|evicted|unprocessed|unmet|unresolved|damaged|wrong|incorrect|unreadable|truncated"
    r"|unfinished|unsuccessful|defective|gave up|red|could not be \w+"
    r"|not (?:ok|passed|done|finished|compiled|exported|converted|written|transferred|processed|uploaded|downloaded"
    r"|copied|built|loaded|verified|deployed|synced|completed|reached|saved|restored)"
    r"|(?:did|do|does) not (?:finish|complete|report|pass|succeed|start|return|respond|converge|arrive|exist))\b"
)
# Words behind a count with which it is none of what went wrong in the end.
_MENDED = (
    r"(?! (?:\w+ ){0,2}(?:fix|ignor|recover|resolv|repair|handl|skipp|toler|correct|retr|expect|allow|budget|rate"
    r"|attempt|threshold|known|fill|replac|then|before|earlier|gateway|request)\w*)"
)
_COUNTED = Sought(
    r"(?i)(?P<before>\b[a-z]+ )?(?<![\w.,:/=-])(?P<number>\d{1,9})(?: ?(?:of|/) ?\d{1,9})?"
    rf"(?P<between>(?: (?!and\b|or\b)[a-z'-]+){{0,2}}?) {_ILL}{_MENDED}",
    expression,
)
_LABELLED = Sought(
    rf"(?i)(?<![\w-])(?P<between>(?:[a-z]+ ){{0,3}}?)(?:num_|n_|total_|count_)?(?P<word>{_ILL})(?:_count|_total)?[\"']?"
    r"\s{0,20}[:=]\s{0,20}[\"']?(?P<number>\d{1,9})\b(?![.,]\d|[%:]|/\d+/)",
    expression,
)
_LISTED = Sought(rf"(?i)(?:^\W*|[,;|\t] ?)(?:[a-z]+ )?{_ILL}[ \t](?P<number>\d{{1,9}})(?=\s*(?:$|[,;|\t]))", expression)
_DENIED = Sought(
    r"(?i)\b(?:without|with no|no) (?:any )?(?:[a-z]+ )?(?:errors?|failures?|problems?|exceptions?|crashes|faults?)"
    r"(?=\W*$|[,;.)])"
    r"|^\W*(?:no|none|nothing)\b[^.;:,]{0,60}? (?:needs?|ha(?:s|ve) to be|(?:is|are|was|were) (?:\w+ )?(?:outdated"
    r"|obsolete|pending|stale|affected|required|needed|out of date))\b[^.;:,]{0,60}\W*$",
    expression,
)
_ANY_ILL = expression(rf"(?i)\b(?:{_ILL}|abort|kill|cannot|can't|could not|unable|denied|refused|not\b)")
_HAVE = Sought(
    r"(?i)\bexpected (?P<all>\d{1,9})\b[^\d\n]{1,40}\b(?:have|has|got|found|saw|received|only|but)"
    r" (?P<here>\d{1,9})\b(?![.,]\d)",
    expression,
)
_MEASURED = frozenset({"error", "exception", "crash", "regression", "problem", "conflict", "violation", "invalid"})
"""Words that label a measurement, or a code, where they stand for one."""
_NO_COUNT = expression(
    r"(?i)\b(?:max\w*|limit\w*|allowed|tolerat\w*|thresholds?|budget|expected|known|after|without|ignor\w+|not?|of|from"
    r"|per|skip|first|if|on|every|corrected)\b"
)
_NONE_OF = Sought(
    r"(?i)(?<![\w./])(?:0 (?:of|/|out of) ?[1-9]\d{0,8} (?:[a-z-]+ ){0,3}?(?:measured|finished|completed?|done"
    r"|passed|succeeded|built|loaded|processed|written|uploaded|downloaded"
    r"|converted|compiled|exported|saved|served)"
    r"|(?P<here>[1-9]\d{0,8}) (?:of|/|out of) ?(?P<all>[1-9]\d{0,8}) (?:(?:[a-z-]+ )?(?:gates|checks|tests|assertions"
    r"|criteria|requirements) (?:passed|met|hold|succeeded|ok)"
    r"|(?:[a-z-]+ ){1,3}?(?:left|remain(?:ed|ing|s)?|alive|gone|came up|answer(?:ed|s)?|showed up)))\b"
    r"(?=\W*(?:$|[;,(]))",
    expression,
)
"""None of so many was done, or not all of them came."""
_QUANTITY = expression(
    r"(?i)(?:found|with|had|has|have|got|are|were|was|is|and|but|only|ran|total|in|there|reported|by|plus|also)? ?$"
)
"""Words in front of a number that counts; behind a name it is the number of one thing."""

# Counts that measure a model, a data set or a service say nothing of the run that took them; unlike those of its parts.
_MEASURES = expression(
    r"(?i)%|\d\.\d+(?![\d.]| ?(?:s|sec\w*|m|min\w*|ms|h)\b)|\bpass@|\beval|(?-i:[a-z]Eval\b)|\bbench"
    r"|\b(?:scores?|accuracy|exact|wer|cer|bleu|rouge|f1|recall|precision|hits?|correct|incorrect|wrong|right|answer\w*"
    r"|questions?|samples?|examples?|words|tokens|characters|sentences|prompts?|problems|flagged|positives?|negatives?"
    r"|candidates?|completions?|substitutions?|insertions?|deletions?|needles?|match(?:es|ed)?|requests?|calls|queries|images|utterances|predictions?"
    r"|doc(?:ument)?s|rows|records|lines|pages|sequences|entries)\b"
)
_SHARE, _WHOLE = 100, expression(r"(?<![\d.,])\d{1,15}(?![\d.,]*\d)")
_PARTS = expression(
    r"(?i)\b(?:shards?|jobs?|ranks?|workers?|nodes?|hosts?|files?|steps?|modules?|graphs?|pods?|replicas?|process(?:es)?"
    r"|containers?|packages?|uploads?|downloads?|checkpoints?|parts?|chunks?|partitions?|targets?|tasks?|stages?|layers?"
    r"|devices?|cores?|tests?|suites?|objects?|tables?|resources?|kernels?|builds?|imports?|variants?|combinations?)\b"
)
# How a run as a whole is judged: by any label, by one that asks for it, and by a line that says nothing else.
_JUDGED = (
    r"(?:fail(?:ed|ure|s|ing)?|errored|not[ _-](?:ok|passed|met|done|finished|complete\w*)|broken|unsuccessful\w*"
    r"|crashed|no[ -]go)"
)
_STATES = (
    r"(?:aborted|error(?:ed|s)?|incomplete|timed?[ _-]?out|out[ _]of[ _]me\w*\+?|(?:node|boot)[ _]fail|deadline(?:[ _]"
    r"exceeded)?|preempted|evicted|killed|lost|impaired|unhealthy|unstable|down|bad|invalid|interrupted|degraded|false"
    r"|terminated[ _]with[ _]errors?|(?:\w{1,30}_)?failed|rollback\w*|\w{0,30}(?:backoff|error|killed))"
)
_WELL = r"(?:ok|pass(?:ed)?|success(?:ful)?|succeeded|completed?|done|healthy|valid|finished|true)"
_ENDS = r"(?=\s*(?:$|[(\[,;.|\"'})!]|- |reason\b|because\b|by\b|(?:in|after|at|on|with) ?\d))"
_IS = r"(?:[\"']?\s{0,20}[:=]\s{0,20}[\"']?| (?:\w{1,20} )?-> )"
_ASKS = (
    r"(?<!last )(?<!expected )(?:\b|(?<=[a-z_]))(?:verdict|results?|status|states?|outcome|conclusion|overall|phase"
    rf"|health|checks?|integrity|readiness|tests?|build|jobs?|run|active){_IS}"
)
_OF_ANYTHING = rf"^[\W_]{{0,6}}(?:[\w.-]{{1,40}}\] )?(?!(?:last|expected|on|if)\b)[\w .'/-]{{1,60}}{_IS}"
_TRUTH = rf"(?<![\w-])(?:success|succeeded|successful|ok|passed){_IS}"
_FAILED = Sought(
    rf"(?i){_OF_ANYTHING}{_JUDGED}{_ENDS}|{_ASKS}(?:{_JUDGED}|{_STATES}){_ENDS}|{_TRUTH}false\b"
    r"|\bmark(?:ed|ing)(?: \w+){0,3} as failed\b|\b(?:in|with) (?:state|phase) failed\b"
    r"|(?:->|=>|→|\b(?:changed|moved|went) (?:\w+ ){0,3}to) (?:failed|error(?:ed)?|aborted|killed|lost)\b"
    r"(?=\W*(?:$|\w+=))",
    expression,
)
_SUCCEEDED = Sought(
    rf"(?i){_OF_ANYTHING}{_WELL}{_ENDS}|{_ASKS}{_WELL}{_ENDS}|{_TRUTH}true\b"
    r"|\bmark(?:ed|ing)(?: \w+){0,3} as success\b|\bin state completed\b",
    expression,
)
_SUBJECT = r"(?:[\w./'\"=-]+:? ){1,6}"
_HEADED = Sought(
    r"\W{0,8}(?:FAIL(?:ED|URE)?|NOT OK|ABORTED|not ok \d{1,6})(?![\w:-])"
    rf"|{_SUBJECT}(?:FAILED|FAILURE|UNSUCCESSFUL)(?: in \d\S{{0,12}})?\W*$",
    expression,
)
_WELL_HEADED = Sought(
    rf"\W{{0,8}}(?:PASS(?:ED)?|OK|SUCCESS|ok \d{{1,6}}|ok\s)(?![\w:-])|{_SUBJECT}SUCCE(?:SSFUL|EDED|SS)\b",
    expression,
)
# Sentences of an end that was none: what a calm line, too, says of its run only; and what it may say of anything.
_GAVE_UP = Sought(
    r"(?i).*\b(?:(?:complet\w+|finish\w*|end(?:ed|s|ing)|exit\w*|stopp\w+|terminat\w+|done|closed|leaving)"
    r"(?: \w+){0,2}? (?:with|due to|because of|after) (?!no\b|0\b|zero\b)(?:\w+ ){0,2}?(?:errors?|failures?|problems?)"
    r"|prematurely|abnormally|(?:giv(?:es|ing)|gave) (?:(?!in\b|no\b)\w+ ){0,3}up"
    r"|can(?:not|'t| not) (?:continue|go on|proceed)"
    r"|could(?: not|n't) (?:finish|complete|continue)"
    r"|(?:did|does)(?: not|n't) (?:finish|complete|succeed|pass|converge)"
    r"|not all \w+ (?:finished|completed|passed|succeeded)|(?:was|were|been) (?:interrupted|abandoned|aborted)"
    r"|no (?:\w+ )?(?:worker|node|rank|host|replica|member|process|device|peer|restart|retry|attempt)s? "
    r"(?:is |are )?(?:left|alive|remain\w*)(?= *[\W_]*$)"
    r"|(?:worker|node|rank|host|replica|member|process|device|peer) \S+ (?:is|was|has|went) "
    r"(?:gone|away|dead|died|lost)"
    r"|nothing (?:was |is )?(?:started|built|written|produced|run|loaded|served|measured|deployed)"
    r"|(?:training|run|jobs?|build|pipeline|task|stage|step|compilation|evaluation|benchmark|tests?|launch|start-?up|export"
    r"|conversion|deployment|installation|experiment|session|program|trial)(?: [\w.'\"#-]{1,40})? (?:(?:has|have) )?"
    r"(?:failed|aborted)(?=\W*$)|abort(?:ing|ed)(?=\W*$)"
    r"|unsuccessful(?:ly)?|there were (?!no\b)(?:\w+ )?(?:errors|failures|failed \w+)"
    r"|aborted (?:by|because|due|after|at)|(?:job|run|training|process|task|pod) was (?:evicted|killed|preempted)"
    rf"|(?:{_ILL}|diverged|nan|refused)(?: \w+){{0,3}}, (?:\w+ )?(?:stopping|leaving|halt(?:ed|ing)|exiting))\b",
    expression,
)
_TOLD = Sought(
    rf"(?i)(?!(?:nothing|none|nobody|never)\b){_SUBJECT}"
    r"(?:(?:(?:has|have) )?failed|(?:was |is )?(?:unsuccessful|incomplete))\b\W*(?:$|, (?:rolled|\w+ing)"
    r"|\()|.*\b(?:abort(?:ing|ed)|abandon(?:ed|ing)|bail(?:ed|ing) out|halted"
    r"|(?:was|were|been) (?:evicted|rejected|killed|preempted|lost))\b"
    r"|.*\b(?:is|are|was|were|went|fell|stays?|remains?|now) in(?:to)? (?:an? |the )?(?:\w+ )?"
    r"(?:abort(?:ed)?|error|fail(?:ed|ure)|fault(?:y|ed)?|hung|stuck|dead|unhealthy|broken|unrecoverable|fatal) state\b"
    r"|.*\b(?:errors?|faults?)(?: \w+)? (?:were |was |have been |has been )?(?:found|detected|raised|reported|seen) "
    r"(?:on|in|by|at) \w",
    expression,
)
_MILD = expression(
    r"(?i)\b(?:if|now|again|instead|using|continuing|fall\w*|ignor\w+|skipp\w+|expected|recovered|none"
    r"|(?<![A-Za-z] )0|0 (?:\w+ ){0,2}\w{3,}s"  # but for the number of a core, a rank, a link
    r"|no (?:errors?|failures?|problems?))\b"
)


_NONE_FAILED = expression(r"(?i)\b[1-9]\d{0,8} [a-z]+,? 0 (?:failed|errors?|failures?|lost|skipped)\W*$")
Form = Literal["row", "count", "status", "judgement", "sentence"]


class Verdict(NamedTuple):
    """What a line concludes. `ill`: that it went wrong; `form`: how it says so; `row`: what that of a table says.

    `calm`: it is information on how one process ended.
    """

    ill: bool
    form: Form
    row: Row | None = None
    calm: bool = False


@lru_cache(maxsize=1024)
def verdict(text: str) -> Verdict | None:
    """What a line concludes of a run; None where it concludes nothing, only warns, or quotes.

    >>> verdict("3 of 12 shards incomplete"), verdict("step 3 loss 2.1")
    (Verdict(ill=True, form='count', row=None, calm=False), None)
    """
    prefix = strip(text)
    head = _LEVEL.match(prefix.payload)
    level, said = (name(head["level"]), prefix.payload[head.end() :]) if head else (prefix.level, prefix.payload)
    said = said.strip()
    if not said or level == "DEBUG" or len(said) > _LONGEST or quoted(prefix.payload):
        return None
    if quits(said):
        return Verdict(ill=True, form="sentence", calm=level == "INFO")
    if level == "WARNING" or of_another(said):
        return None
    if (one := row(said)) is not None:
        return Verdict(one.ill, "row", one)
    if (counted := _tally(said)) is not None:
        return Verdict(counted, "count")
    if (ended := status(said)) is not None:
        return Verdict(ended, "status", calm=level == "INFO")
    if (judged := _judged(said)) is not None:
        return Verdict(judged, "judgement")
    if _denied(said):
        return Verdict(ill=False, form="count")
    told = _GAVE_UP.match(said) or (level != "INFO" and _TOLD.match(said))
    if not told or _MILD.search(said) or _NONE_FAILED.search(said):
        return None
    return Verdict(ill=True, form="sentence", calm=level == "INFO")


def failed(text: str) -> bool:
    """Whether a line reports the status of a process that failed."""
    said = verdict(text)
    return said is not None and said.ill and said.form == "status"


def of_another(text: str) -> bool:
    """Whether a line tells of what may be, was before, is looked for or is done again: of no end of this run."""
    return _NOTHING.search(text) is not None


_MOST = 1 << 20
# What a search counts: trials or candidates, of which some went well.
_SEARCH = Sought(
    r"(?i)\b(?P<all>[1-9]\d{0,5}) (?:trials|candidates|individuals)[,:;(] ?"
    r"|\b(?:trials?|candidates?|pruned|best)\b.*"
    r"\b(?:[1-9]\d{0,5} (?:completed?|ok|passed|finished|succeeded|evaluated)\b"
    r"|n_(?:ok|passed|completed?)[\"']?[:=] ?[1-9])"
)


def _tally(said: str) -> bool | None:
    """Whether anything that a line counts went wrong; None where it counts nothing of the kind."""
    if (over := exceeded(said)) is not None or not any(map(str.isdigit, said)):
        return over
    numbers = list(_numbers(said))
    few = _SHARE * sum(numbers) <= max(map(int, _WHOLE.findall(said)), default=0)
    if any(numbers) and _MEASURES.search(said) and (few or not _PARTS.search(said)):
        return False if few else None
    if any(numbers) and (search := _SEARCH.search(said)) and int(search["all"] or _MOST) > sum(numbers):
        return None  # it lives on what fails
    return any(numbers) if numbers else None


def _numbers(said: str) -> Iterator[int]:
    """How often something went wrong, each time that a line counts it."""
    for found in _COUNTED.finditer(said):
        counts = _QUANTITY.match(found["before"] or "")
        if counts and not _NO_COUNT.search(found["between"]):
            yield int(found["number"])
    for found in _LABELLED.finditer(said):
        if found["word"].lower() not in _MEASURED and not _NO_COUNT.search(found["between"]):
            yield int(found["number"])
    if (both := _HAVE.search(said)) and both["all"] == both["here"]:
        yield 0
    if (none := _NONE_OF.search(said)) and (none["here"] is None or int(none["here"]) < int(none["all"])):
        yield 1
    for found in _LISTED.finditer(said):
        yield int(found["number"])


def _denied(said: str) -> bool:
    """Whether a line says that nothing went wrong, and nothing else that did."""
    found = _DENIED.search(said)
    return found is not None and not _ANY_ILL.search(found.re.sub("", said))


def _judged(said: str) -> bool | None:
    """Whether a run is called a failed one, by a label or by nothing else."""
    if _FAILED.search(said) or _HEADED.match(said):
        return True
    return False if _SUCCEEDED.search(said) or _WELL_HEADED.match(said) else None
