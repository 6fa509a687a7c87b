"""Who has the last word: a count, judgement, state or status at the end of a log that says how its run went.

Where work goes on below it, or a better word stands there, it is not the last."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from neurontriage.claims.bounds import exceeded
from neurontriage.claims.claim import Claim
from neurontriage.claims.rows import replaced
from neurontriage.claims.sessions import BEGIN, PASSED, mark_of
from neurontriage.claims.statuses import status_asked
from neurontriage.claims.steps import chosen
from neurontriage.claims.verdicts import Form, Verdict, verdict
from neurontriage.expressions import expression
from neurontriage.lines.levels import CALM, LOUD
from neurontriage.lines.outlook import names
from neurontriage.lines.prefix import strip
from neurontriage.lines.voices import kind, loud
from neurontriage.lines.words import Sought
from neurontriage.model import Course
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import above, beginning
from neurontriage.ranking.statements import reasoned
from neurontriage.ranking.survived.accounts import accounts, bad, counting, recap, scored, settled, traced
from neurontriage.ranking.survived.closing import CLOSING
from neurontriage.ranking.survived.steps_below import rises
from neurontriage.ranking.survived.torn_down import takes_down

_OFTEN = 3
"""Lines of one wording that are said of a unit each time, not of the whole."""
_LONGEST = 240
_EXCERPT = 10
"""Lines of what may be only an excerpt of a log."""
_FAILS = frozenset({"FAILED", "INABILITY", "REFUSED", "LIMIT", "REASON"})
_MILD = frozenset({"SUCCESS", "ENDED", "PROGRESS", "ZERO", "CALM", "QUOTATION", "WARNING", "COMPONENT", "ADVICE"})
_REFUSES = frozenset({"INVALID", "ADVICE"})
_BESIDE = 4
_LAST = 12
"""Lines, at most, that stand below the word of a runner on all that it ran."""
_DONE = (
    r"(?:pass(?:ed)?|complete[d]?|succeeded|successful(?:ly)?|success|done|finished|ok|solved|recovered|healthy|ready"
    r"|converted|processed|exported|measured|downloaded|uploaded|resolved|imported|migrated|verified|published|rendered"
    r"|handled|delivered|trained|evaluated|compiled)"
)
# All of what was counted went well: so many of so many, all of them, and of what was counted none failed.
_ALL = expression(
    rf"(?i)(?<![\w./])(?P<here>[1-9]\d{{0,8}})(?: out)? ?(?:/|of) ?(?P<all>\d{{1,9}}) "
    rf"(?:[a-z-]+(?:: \d{{1,9}})? ){{0,3}}{_DONE}\b"
    rf"|\b{_DONE}: (?P<some>[1-9]\d{{0,8}}) (?:of|/) (?P<any>\d{{1,9}})\b"
    rf"|\b(?P<every>all) (?:\d{{1,9}} )?(?:[a-z-]+ ){{0,3}}(?:(?:have|are|were) )?{_DONE}\b"
    r"|\b(?P<ran>tests?(?: run| suites)?):? .{0,60}\b[1-9]\d* (?:passed, [1-9]\d* total|total)\W*$"
    r"|\b(?P<run>tests run): [1-9]\d*, failures: 0, errors: 0\b"
)
# What is brought away below a run: its logs, its artifacts.
_BROUGHT = Sought(
    r"(?i)\b(?:logs?|artifacts?|reports?|metrics|traces|dumps?)\b[^.;\n]{0,40}\b(?:upload|sav|cop|sync|transfer|publish|export"
    r"|archiv)(?:ed|ied|red)\b"
)
_APART = expression(
    r"(?i)[,;(] ?(?:and )?(\d{1,9}) (?:\w+ )?(?:skipped|left out|ignored|filtered|excluded|not applicable)\b"
)
_COUNTS = Sought(
    r"(?i)\b[1-9]\d* (?:ok|passed|succeeded|added|tests?|installed|changed|total)\b"
    r"|\b(?:ok|pass(?:ed)?|succeeded|success(?:es)?)[:= \t]{1,20}[1-9]"
)
# What runs others says of the whole: what was built, rolled out, applied, searched for.
_RUNS = Sought(
    r"(?i)\b(?:build|deployment|release|roll-?out|apply|upgrade|installation|provisioning|experiment|suite|pipeline"
    r"|workflow|playbook|session|job|dag|chaos result|drill|stack)s?\b(?:[^.;\n]|\.\w){0,60}?"
    r"(?:\b|_)(?:succe(?:eded|ss|ssful|ssfully)|completed?|finished|passed|rolled out"
    r"|(?:has|have) been (?:upgraded|installed|deployed|updated|applied|created)"
    r"|(?:verdict|result)\W{1,2}pass(?:ed)?)\b"
    r"|^(?:overall |final )?(?:verdict|result|conclusion|outcome)\W{1,3}"
    r"(?:pass(?:ed)?|ok|equivalent|acceptable|healthy)\W*$"
    r"|\bfinal (?:status|state)\W{1,3}(?:succeeded|success|completed)\b"
    r"|\b(?:build|bundle|image|package) (?:folder |directory )?is ready to be \w+\b"
    r"|\bsuccessfully rolled out\b|\bsuccessfully \w+ed and \w+ed\b|^STATUS: deployed\b"
    r"|\bDocumentation built in \d|[✓✔] built in \d"
    r"|\bswitched from (?:state )?RUNNING to FINISHED\b|\bfound first bad commit\b|\bis the first bad commit\b"
    r"|^Regression in \S+\W*$|^(?:Setting up|Processing triggers for) \S+ \([^)]{1,80}\) \.\.\.$",
    expression,
)
_BUT = Sought(r"(?i)\b(?:fail\w*|error\w*|cancel\w*|abort\w*|un\w+ful|incomplete|partial\w*|not|but|if|when)\b")
# What failed, and the number of why, where others count: `gdr_unmap failed: 4`, `Invalid value for NAME: 4`.
_STATED = Sought(
    r"(?i)\b(?:failed|fails|rejected|refused|exceeded): -?[1-9]"
    r"|\b(?:errors?|failures?|invalid|wrong|bad|illegal|unsupported|unknown|unexpected) (?:\w+ )?"
    r"(?:in|while|during|for|of|from|to|value|number)\b.*[:=] ?-?[1-9]\d*\W*$"
)
# What a call returned, with which no process ended.
_RETURNED = Sought(r"(?i)[.,;] (?:rc|ret|return code)[:=] ?-?\d{1,3}(?:, err|$)")


def concluded(errors: Sequence[Claim], scene: Scene) -> list[Claim]:
    """The claims that have the last word of their log, and say that the run failed: they report an end."""
    found = [claim for claim in errors if _reports(claim, scene) and _ill(claim, scene)]
    for claim in found:
        reports = form_of(claim, scene) != "sentence" and not (reasoned(claim) or _calls(claim))
        if reports and (claim.says in ("state", "note") or claim.event.said.kind == "statement"):
            claim.says = "exit"
    return found


def _calls(claim: Claim) -> bool:
    """Whether a claim says what could not be done, and what that call returned: no process ended with it."""
    words = claim.event.said.words
    return words & {"INABILITY", "EXIT"} == {"INABILITY"} or _RETURNED.search(claim.event.evidence.text) is not None


def form_of(claim: Claim, scene: Scene) -> Form:
    """How a claim that has the last word of its log says so."""
    found = verdict(claim.event.evidence.text) or _asked(claim, scene.course(claim))
    return found.form if found is not None else "sentence"


def good(claim: Claim, course: Course) -> bool:
    """Whether a claim that no entry knows says, when it says it last, that all went well, or only names and counts."""
    text = _text(claim, course)
    if claim.entry is not None or claim.event.said.level in LOUD:
        return False
    said = verdict(text)
    if said is not None:
        return not said.ill
    return names(text) and claim.event.said.words.isdisjoint(("EXPECTED", "INABILITY")) and not _STATED.search(text)


def _text(claim: Claim, course: Course) -> str:
    """The last of the lines that state a claim, which may differ from the first in its digits."""
    if claim.count == 1 or not course.ends or (last := claim.last) < course.ends[0][0]:
        return claim.event.evidence.text
    return dict(course.ends).get(last, claim.event.evidence.text).strip()


def overruled(loud: Sequence[Claim], scene: Scene) -> list[Claim]:
    """The claims of logs at whose end whoever ran all says that it went well, where none of the claims stands below."""
    found: list[Claim] = []
    for path in {claim.event.evidence.path for claim in loud}:
        own, course = [claim for claim in loud if claim.event.evidence.path == path], scene.courses[path]
        word = all_well(course.ends)
        if word and not any(one.latest > word or (one.latest == word and not _unsaid(one)) for one in own):
            found += [claim for claim in own if not _before(claim.latest, word, course)]
        elif settled(own, course.ends):
            found += own
    return found


def _unsaid(claim: Claim) -> bool:
    """Whether nobody but the words of a claim says that it is a failure."""
    return claim.entry is None and claim.event.said.level not in LOUD


def _before(last: int, word: int, course: Course) -> bool:
    """Whether the tests that then have the last word only began below a line."""
    known = [*enumerate(beginning(course.head)[1], 1), *course.ends]
    marks = [(line, mark) for line, text in known if line < word and (mark := mark_of(text))]
    return min(marks, default=(0, ""))[0] > last and any(mark == BEGIN for _, mark in marks)


@lru_cache(maxsize=16)
def all_well(ends: tuple[tuple[int, str], ...]) -> int:
    """The line in which a runner has the last word, and says that all went well; 0 where none says so."""
    for place, (line, text) in reversed([*enumerate(ends)]):
        if _well(text, " ".join(one for _, one in ends[max(0, place - _BESIDE) : place + _BESIDE])):
            later = [one for _, one in ends[place + 1 :] if not takes_down(one)]
            above = [one for _, one in ends[max(0, place - _LAST) : place] if not traced(one)]
            told = map(verdict, counting(text, above))
            ill = any(map(bad, later)) or any(one is not None and one.ill for one in told)
            return 0 if ill or len(later) > _LAST else line
    return 0


def accounted(ends: tuple[tuple[int, str], ...]) -> bool:
    """Whether a log ends in the word of a runner that all went well, which knows of what failed before."""
    word = all_well(ends)
    return word > 0 and accounts(strip(dict(ends)[word]).payload.strip())


def _well(text: str, beside: str) -> bool:
    """Whether a line says of all that was run that it went well. `beside`: the rows around it, if it is one of many."""
    payload = strip(text).payload.strip()
    if len(payload) > _LONGEST or not (form := _praises(payload, beside)):
        return False
    said = verdict(text)  # asked last: most lines praise nothing
    if loud(text) or (said is not None and said.ill):
        return False
    return form == "sentence" or (said is not None and said.form == "count")


def _praises(payload: str, beside: str) -> Form | None:
    """How a line may say that all went well; by a count, if it is one of what went wrong, too."""
    if (well := recap(payload)) is not None:
        return "sentence" if well else None
    if mark_of(payload) == PASSED or chosen(payload) or scored(payload) or exceeded(payload) is False:
        return "sentence"
    if _BROUGHT.search(payload):
        return None  # whatever became of the run
    if found := _ALL.search(payload):
        here, whole = int(found["here"] or found["some"] or 0), int(found["all"] or found["any"] or 0)
        return "sentence" if here == whole or (here and here + _left_out(payload, found.end()) == whole) else None
    if _RUNS.search(payload):
        return None if _BUT.search(payload) else "sentence"
    return "count" if _COUNTS.search(beside if names(payload) else payload) else None


def _left_out(said: str, at: int) -> int:
    """How many of what is counted were left out on purpose, as is said behind the count."""
    found = _APART.search(said, at)
    return int(found[1]) if found else 0


def breaks_off(claim: Claim, scene: Scene) -> bool:
    """Whether a claim states a failure in plain words, and what was done above it is not done any more below."""
    said, course = claim.event.said, scene.course(claim)
    if refuses(claim, course):
        return True
    plain = not said.words & _MILD and said.level not in CALM and claim.says not in ("note", "exit", "echo")
    states = said.words & _FAILS or said.level in LOUD or said.kind == "labelled"
    if not plain or not states or course.lines <= _EXCERPT or claim.count >= _OFTEN:
        return False
    path = claim.event.evidence.path
    if max(marks.get(path, 0) for marks in (scene.success, scene.ended, scene.progress)) > claim.last:
        return False
    below = _below(claim, course)
    return below is not None and len(below) <= CLOSING and not _praised(below) and stops(claim, course, below)


def refuses(claim: Claim, course: Course) -> bool:
    """Whether a log ends in a warning that a value is none, which asks for another and names nothing that is used."""
    said = claim.event.said
    asks = said.words >= _REFUSES and not said.words & (_MILD - {"ADVICE"}) and said.level == "WARNING"
    return asks and claim.entry is None and claim.count < _OFTEN and claim.last >= course.lines


def stops(claim: Claim, course: Course, below: Sequence[str]) -> bool:
    """Whether nothing of the kind that is said above a claim is said below it."""
    before = {kind(text) for text in above(claim, course.head)}
    before |= {kind(text) for line, text in course.ends if line < claim.event.evidence.line}
    before.discard(())  # rules
    return bool(before) and before.isdisjoint(map(kind, below))


def _reports(claim: Claim, scene: Scene) -> bool:
    """Whether a claim may be a report: no entry knows it, or only as one."""
    whole = scene.course(claim).lines > _EXCERPT
    return claim.entry is None or (claim.says == "exit" and whole) or scene.briefs[claim.entry]["role"] == "wrapper"


def _ill(claim: Claim, scene: Scene) -> bool:
    """Whether a claim is the last word on its run, and a bad one."""
    course, last = scene.course(claim), claim.last
    if not course.ends or last < course.ends[0][0] or claim.event.said.words & {"QUOTATION", "FRAMED"}:
        return False
    text = next((text for line, text in course.ends if line == last), claim.event.evidence.text)
    said = verdict(text.strip()) or _asked(claim, course)
    below = _below(claim, course)
    if said is None or not said.ill or below is None or _undone(said, below):
        return False
    if "TEARDOWN" in claim.event.said.words and scene.success.get(claim.event.evidence.path, 0) > last:
        return False
    if said.row:
        return True
    if said.calm and below:
        return False
    short = claim.count < _OFTEN and len(below) <= CLOSING and not rises(below)
    return short and (not below or stops(claim, course, below))


def _below(claim: Claim, course: Course) -> list[str] | None:
    """The last lines of a log that stand below a claim; None where it is not among them."""
    last = claim.last
    below = [text for line, text in course.ends if line > last]
    return below if len(below) < len(course.ends) else None


def _asked(claim: Claim, course: Course) -> Verdict | None:
    """What a status says that a person, or a script, had the shell print."""
    number = claim.event.evidence.text.strip()
    if not number.isdigit():
        return None
    before = [text for line, text in course.ends if line < claim.event.evidence.line]
    if not before or not status_asked(before[-1].strip()):
        return None
    return verdict(f"exit status {number}")


def _undone(said: Verdict, below: Sequence[str]) -> bool:
    """Whether a better word stands below: but for a row, which only that undoes which takes the place of its thing."""
    better = [one for text in below if (one := verdict(text)) is not None and not one.ill]
    return any(said.row is None or one.row is None or replaced(one.row, said.row) for one in better)


def _praised(below: Sequence[str]) -> bool:
    return any(one is not None and not one.ill for one in map(verdict, below))
