"""A phase of a run that is announced as one whose failures or results do not count: what fails in it failed nothing.

So is what a tool answered, a sandbox printed or somebody said, where a log shows that, and the traceback of what is
tried again, as a calm line above it says: until a line of the log's own.
It ends where whoever announced it speaks again, where something that the announcement names is said to be over, below
as many lines as it announced, or with the block that stands indented below it.
"""

from __future__ import annotations

from dataclasses import dataclass

from neurontriage.expressions import expression
from neurontriage.lines.levels import CALM, LOUD
from neurontriage.lines.words import Sought
from neurontriage.model import Prefix

PHASE = "phase"
"""What stands for the process in what is counted of a phase: it is of everybody."""
PHASE_BEGINS, PHASE_ENDED, PHASE_BROKE, PHASE_NEXT = "phase-begins", "phase-ended", "phase-broke", "phase-next"
"""Kinds of events: such a phase begins; it ended in order; it ended in another way; the next one begins."""
_LONGEST = 400
_SOON = 12  # lines below it in which its block begins
_MORE = 3  # lines in which whoever announces something says more of it
_STEM = 5
_SHOWN = 60  # lines of a text that is shown
_WHAT = (
    r"(?:error|failure|exception|warning|traceback|crashe|fault|result|output|losse|metric|number|value|timing|message"
    r"|command|weight|score|refusal)s|loss"
)
_NOT_COUNTED = (
    r"expected|normal|harmless|ignored|discarded|thrown away|dropped|skipped|tolerated|disregarded|meaningless|void"
    r"|on purpose|intended|not (?:reported|counted|used|kept|real|valid|meaningful|recorded)"
)
_ANNOUNCES = Sought(
    rf"(?i)\b(?:{_WHAT})\b(?: \w+){{0,5}}? (?:are|is|will be|should be|can be|may be|to be|have to be) (?:all )?"
    rf"(?:{_NOT_COUNTED})\b"
    r"|\bignor(?:e|es|ing) [^.;:]{0,40}\b(?:outputs?|results?|loss(?:es)?|metrics|errors|failures|exceptions|timings)"
    r"(?:[ ,.;)][^:=]|\W?$)"
    r"|\b(?:each|every|all|any)\b[^.;]{0,60}\b(?:must|has to|have to|should|(?:is|are) (?:expected )?to|will) (?:all )?"
    r"(?:fail|be (?:refused|rejected)|raise|crash|error out)\b"
    r"|\b(?:that|which|whatever) (?:fails?|raises?|do(?:es)? not \w+|cannot \w+|can't \w+) (?:is|are|will be)"
    r" (?:skipped|left out|dropped|ignored|discarded)\b"
    r"|\bexpect (?:\w+ ){0,2}(?:errors|failures|exceptions|crashes|refusals)\b",
    expression,
)
_VALUES = expression(r"(?i)\b(?:output|result|loss|metric|number|value|timing|weight|score|checkpoint)(?=(?:e?s)?\b)")
_FAILURES = Sought(r"(?i)\b(?:error|failure|exception|warning|traceback|crash|fault|refus|reject|fail|raise)")
# What heads a text that a log shows: the answer of a tool, what a sandbox printed, a part of a conversation.
_SHOWS = Sought(
    r"(?i)^\W{0,20}(?:[\w.-]+:? ){0,3}?(?:observation|tool[ _-]?(?:results?|outputs?|responses?)"
    r"|sandbox (?:stdout|stderr)|rollout|transcript|trajectory)(?: ?[#=:(]? ?\d{1,6}\)?| of \d+"
    r"| [\w-]+=\S{1,30}| of (?:the )?[\w -]{1,30}){0,4}(?::|[ :]*[-=*#]{2,}| [\w-]+=\S{1,20})?\s*$"
    r"|^\s*<\|(?:im_start\|>)?(?:user|assistant|system|tool|human|bot|start_header_id)"
    r"|^>>> (?:/[a-z]{2,12}\s*$|(?-i:[A-Z])[\w'-]* [^()=]{2,300}[.?!]\s*$)",  # somebody asks a model
    expression,
)
# What is tried once more, in a line of whoever does: the traceback below it says of which failure.
_AGAIN = Sought(
    r"(?i)(?:\b|_)(?:up for|requested a|marked for|scheduled for|eligible for)[ _]retry\b"
    r"|\bretry(?:ing)?(?: \d{1,4}/\d{1,4})?(?: will start)?(?:\b.{0,40})? (?:in|after|from now)\b.{0,12}\d"
    r"|\bretry \d{1,4}/\d{1,4} will start\b|\b(?:will|to) be (?:retried|tried again|rescheduled|re-?queued|re-?run)\b",
    expression,
)
_OF_ONE = Sought(r"(?i)\b(?:above|previous|earlier|if)\b")
_NAME = expression(r"\|\|\w+\|\||\[[A-Za-z][\w .-]{0,30}\]|[\w.-]{2,30}(?=: )|[=#*>~-]{2,}(?= )")
_BARS, _HEAD = expression(r"\|\|\w+\|\|"), 80  # and the characters in which they stand
_NEXT = Sought(r"(?i)\bnext (\d{1,3}) (?:lines|messages|errors|warnings|failures)\b")
_OVER = Sought(
    r"(?i)\b(?:ends?|ended|over|finished|done|completed?|stop(?:s|ped)?|passed|resum\w+|restored|is off|was refused as"
    r"|all refused)\b"
)
_BROKE = Sought(
    r"(?i)\b(?:abort\w*|giv\w+ up|gave up|fatal|unexpected\w*|broke\w*|crashed)\b|\b(?:code|status)[ :=]{1,3}[1-9]"
)
_ILL = Sought(r"(?i)\b(?:fail\w*|errors?|cannot|could not|killed|lost)\b")
_WORD = expression(r"[A-Za-z]{4,}")
_ANY = frozenset({"error", "failu", "fail", "faile", "fails", "expec", "ignor", "skipp", "until", "ends", "ended"}) | {
    "below",
    "with",
    "that",
    "this",
    "will",
    "every",
    "must",
}


@dataclass(eq=False, repr=False)
class Phase:
    """The phase that a process announced last. `name`: how it calls itself; `line`: where, 0 where none is open.

    `until`: its last line, where that is announced; `block`: its lines stand indented.
    """

    name: str = ""
    line: int = 0
    words: frozenset[str] = frozenset()
    shown: bool = False
    until: int = 0
    block: bool = False

    def read(self, number: int, prefix: Prefix, shows: bool, announces: bool) -> str:
        """What a line says of a phase, as a kind of event; "" if nothing. `shows`, `announces`: what its words say."""
        text = prefix.payload[:_LONGEST]
        if shows and prefix.level not in LOUD:
            again = self.shown and number <= self.line + _SHOWN
            self.shown, self.line = True, number
            return PHASE_NEXT if again else PHASE_BEGINS
        if self.shown and (prefix.level or prefix.time):
            broke = prefix.level in LOUD or number > self.line + _SHOWN
            self.shown, self.line = False, 0
            return PHASE_BROKE if broke else PHASE_ENDED
        left = self.line > 0 and not self.shown and self._left(number, text)
        if prefix.level not in LOUD and announces:
            self.name, self.line = _named(text), number
            self.words, self.block, most = _stems(text), False, _NEXT.search(text)
            self.until = number + int(most[1]) if most else 0
            return PHASE_NEXT if left else PHASE_BEGINS
        if left:
            self.line = 0
            return PHASE_ENDED
        if self.line and not self.shown and prefix.level in CALM and self.line < number <= self.line + _SOON:
            return self._ended(number, prefix, text) or PHASE_NEXT  # whoever announced it goes on calmly
        return self._ended(number, prefix, text) if self.line and not self.shown else ""

    def _left(self, number: int, text: str) -> bool:
        """Whether a line stands below all that was announced."""
        if text[:1].isspace():
            self.block = self.block or number <= self.line + _SOON
            return False
        return (self.block and bool(text)) or 0 < self.until < number

    def _ended(self, number: int, prefix: Prefix, text: str) -> str:
        own = bool(self.name) and (text.lstrip().startswith(self.name) or _named(text) == self.name)
        may = own or not (self.name.startswith("||") or self.words.isdisjoint(_stems(text)))
        over = may and _OVER.search(text) is not None
        if not over and not (own and number > self.line + _MORE):
            return ""
        self.line = 0
        broke = prefix.level in LOUD or _BROKE.search(text) or (_ILL.search(text) and not over)
        return PHASE_BROKE if broke else PHASE_ENDED


def _named(text: str) -> str:
    """How whoever speaks is named in front of what is said, which the compiler's wrapper does behind its time."""
    found = _NAME.match(text.lstrip()) or _BARS.search(text[:_HEAD])
    return found[0] if found else ""


def shows(text: str) -> bool:
    """Whether a line heads a text that a log only shows."""
    return _SHOWS.search(text[:_LONGEST]) is not None


def tried_again(text: str) -> bool:
    """Whether a line says that what it tells of is tried again: the traceback below it says of what."""
    return _AGAIN.search(text[:_LONGEST]) is not None


def announces(text: str) -> bool:
    """Whether a line says of what comes that its failures or results do not count."""
    text = text[:_LONGEST]
    return _ANNOUNCES.search(text) is not None and not _OF_ONE.search(text)


def values(text: str) -> frozenset[str]:
    """What an announcement says does not count, where that is only what comes out; none where failures do not count.

    >>> sorted(values("trial run, ignore its outputs, i.e. loss")), sorted(values("errors are normal here"))
    (['loss', 'output'], [])
    """
    found = frozenset(word.lower() for word in _VALUES.findall(text[:_LONGEST]))
    return frozenset() if _FAILURES.search(text[:_LONGEST]) else found


def _stems(text: str) -> frozenset[str]:
    """The words of a text, in whatever form."""
    return frozenset(word[:_STEM].lower() for word in _WORD.findall(text)) - _ANY
