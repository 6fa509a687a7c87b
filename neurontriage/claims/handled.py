"""What a program says right above or below a failure so that it is none: it was expected, caught, or is tried again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from neurontriage.claims.phases import Phase, announces, shows, tried_again
from neurontriage.claims.remedies import OPTIONAL, goes_on, remedied
from neurontriage.claims.sessions import ANSWERED, EXPECTED, GAVE_UP, HANDLED, SOON, mark_of
from neurontriage.claims.steps import OWN_KILL, STEP_ENDED, ended, kills
from neurontriage.claims.tries import OWN, gives_up
from neurontriage.expressions import expression
from neurontriage.lines.attempts import attempt
from neurontriage.lines.digits import by_form, form, unfolded
from neurontriage.lines.levels import CALM, LOUD
from neurontriage.lines.remembered import remembered
from neurontriage.lines.stacks import LIBRARY
from neurontriage.lines.words import Sought
from neurontriage.model import Event, Line, Prefix, Said

_HANDLES = Sought(
    r"(?i)\b(?:caught \w*(?:error|exception|timeout)\w*\b[,;.]"
    r"|(?:handled|swallowed|suppressed|ignored|tolerated|skipp(?:ed|ing))\W*$"
    r"|(?:exception|error|failure|traceback|crash) (?:is |was )?as (?:tagged|expected|intended|planned|announced)\b"
    r"|(?:will )?(?:re-?try(?:ing)?|re-?attempt(?:ing)?|try(?:ing)? again|reconnect(?:ing)?)\b"
    r"|re-?queue?ing\b|re-?(?:start|spawn)ing (?:trial|task|actor|worker)\b|sleep(?:ing)? \d|back(?:ing)?[ -]?off"
    r"|next attempt|(?:falling|fall) back\b"
    r"|(?:going|carrying) on\b"
    r"|using (?:the |an? |its )?(?:local|cached|previous|last|existing|built-?in|bundled|default|old|stale|fallback) "
    r"(?:copy|copies|cache|value|values|version|file|one|settings?|index|mirror)\b"
    r"|(?:us|try|tak)ing [^.;\n]{1,60}\binstead\b|continu(?:e|ing) (?:without|with|anyway))"
    r"|\((?:ignored|harmless|non-?fatal|not fatal)\b[^()\n]{0,40}\)\W*$"
    r"|, (?:[\w-]+ ){1,4}(?:is |are |stays? )?(?:off|disabled|switched off|turned off)\W*$"
    r"|\b(?:logging|tracking|telemetry|reporting|uploads?|uploading) (?:is |was )?disabled\W*$"
    r"|^\.*ignoring\W*$|^(?:\[[\w .-]{1,30}\]:? )?\W{0,3}skipp(?:ed|ing)\b"
    r"|\bset to .?offline\b|^\+ (?:true|:)\W*$"
    r"|^trying \S+\W*$"
    r"|^Connecting to \S.{0,200} connected\.\W*$|^\* Connected to \S"  # wget, curl: the next address
)
# A client repeats why, and says that it tries again (curl); a search, that it may go on; make.
_AGAIN = Sought(
    r"\b[Ww]ill retry in \d|\d (?:allowed|permitted|tolerated) (?:failures|errors|tries)\b"
    r"|\((?:ignored|harmless|non-?fatal|not fatal)\b[^()\n]{0,40}\)\W*$"
)
# What is tried again, whatever level it is told at; what may be missing.
_RETRIES = expression(r"(?:\S{1,60}: )?Retrying\b")
_OPTIONAL = Sought(rf"(?i){OPTIONAL}")
# A server answers that the request is at fault: it serves on, whatever it said of that request.
_ANSWERS = Sought(r".*\bHTTP/[\d.]+[\"']? 4\d\d\b|\W{0,3}(?:GET|POST|PUT|PATCH|DELETE) /\S{0,200} 4\d\d\b", expression)
# The reader is asked to do it, or the program only caught it to leave.
_ASKS = Sought(
    r"(?i)\b(?:please|you (?:can|could|may|might|should|must))\b"
    r"|\bcaught \w*(?:error|exception|timeout)\w*\b[,;.] ?(?:now )?"
    r"(?:enter|exit|abort|stop|re-?rais|shut|terminat|quit)"
)
_EXPECTS = Sought(
    r"^--- Logging error ---$"  # Python's logging, which goes on without what it could not write
    r"|(?i:\b(?:(?:expected|intended|intentional|deliberate|simulated|injected)|(?:sample|example) of an?) (?:\w+ )?"
    r"(?:exception|error|traceback|failure|crash|abort|fault)s?\b[^\n:]{0,30}:?\W*$)"
)
# What stands indented below it is a message of a commit, or an example of a document.
_BLOCK = expression(r"commit [0-9a-f]{4,40}\b(?: \(.*\))?\s*$|[A-Z][\w ,'-]*[\w )]::\s*$")
# The header of a record whose text stands below it (.NET).
_HEADER = expression(r"[\w.]{2,100}\[\d{1,6}\]\s*$")
_OF_COMMIT = expression(r"(?:Author|Commit|AuthorDate|CommitDate|Date|Merge|Tag(?:ger)?): ")
# The outermost frame of a program, not of a module that a library tries to import.
_MAIN, _LIBRARY = expression(r'\s*File "[^"]*", line \d+, in (?:<module>|_run_module_as_main)\s*$'), expression(LIBRARY)
_PROCESS = expression(r"(?:[A-Z]{4,8} +)?[\w.@-]{1,40}\[\d{1,10}\](?=:? )")
_CALM, _FINE = frozenset({"DEBUG", "INFO"}), frozenset({"DEBUG"})


@dataclass(eq=False, repr=False)
class Asides:
    """The lines of one process, as far as they may say something of a failure beside them.

    `own`: the level that its program gave the latest line, `over`: and the one above it.
    `failed`: the last line that may belong to a failure; `again`: the last that says that something is tried again;
    `phase`: what it announced whose failures do not count.
    """

    text: str = ""
    level: str = ""
    over: str = ""
    own: str = ""
    told: bool = False
    fine: bool = False
    block: bool = False
    failed: int = 0
    again: int = -SOON
    phase: Phase = field(default_factory=Phase)

    def frames(self, prefix: Prefix) -> bool:
        """Whether the next line stands in the text of a commit or of a document: it tells of no failure of this run."""
        text = prefix.payload
        if text[:1].isspace():
            return self.block and not prefix.level
        if text:
            self.block = _begins_block(text) or (self.block and _OF_COMMIT.match(text) is not None)
        return False

    def read(self, event: Event, line: Line, prefix: Prefix, opens: bool) -> Event | None:
        """The event that a line makes for its neighbour. `opens`: a traceback or an exception begins with it."""
        said = _remarks(form(event.evidence.text), form(prefix.payload))
        own = not opens and bool(event.said.words & OWN) and not _AGAIN.search(prefix.payload)
        found = said.mark if own else self._says(said.mark, line.number, prefix, opens)
        if not found and not opens and self._below(line.number) and self._tells(prefix.payload, remedied):
            found = HANDLED
        if not opens and " 4" in prefix.payload and _ANSWERS.match(prefix.payload):
            found = ANSWERED
        elif not opens and said.ends:
            found = STEP_ENDED
        elif said.again and prefix.level not in LOUD and prefix.payload.rstrip().endswith(":"):
            found = EXPECTED
        elif said.kills:
            found = OWN_KILL
        if found == HANDLED or said.goes_on:
            self.again = line.number
        elif "SUCCESS" in event.said.words and not own:
            self.again = -SOON  # whatever is given up below is something else
        if not opens and (not found or said.announces):
            shows = said.shows or (said.again and prefix.level in CALM)
            if self.phase.line or shows or said.announces:
                found = self.phase.read(line.number, prefix, shows, said.announces) or found
        self.goes_by(event, line, prefix, opens)
        return event._replace(family="follow", kind=found, hits=(), said=Said()) if found else None

    def goes_by(self, event: Event, line: Line, prefix: Prefix, opens: bool) -> None:
        """Be told of the line that was read last; by itself of one that says nothing of its neighbours."""
        telling = bool(line.hits) or opens
        self.fine = (opens and self.level in _FINE) or (
            self.fine and not prefix.level and not self._dies(prefix.payload)
        )
        self.told = telling or (self.told and (not prefix.level or _HEADER.match(prefix.payload) is not None))
        self.text, self.level = prefix.payload, prefix.level or ""
        self.over, self.own = self.own, event.fields.get("level", "")

    def _says(self, mark: str, number: int, prefix: Prefix, opens: bool) -> str:
        if opens:
            again = tried_again(self.text) and (self.level not in LOUD or _RETRIES.match(self.text) is not None)
            return EXPECTED if again or _EXPECTS.search(self.text) or _OPTIONAL.search(self.text) else ""
        if self.fine and prefix.level in _CALM:
            return HANDLED
        if mark:
            return mark
        if number <= self.again + SOON and gives_up(prefix.payload):
            return GAVE_UP
        return HANDLED if self._below(number) and self._tells(prefix.payload, handles) else ""

    def _dies(self, frame: str) -> bool:
        """Whether the traceback that begins with this frame is that of a whole program: no logger printed it."""
        return self.text.startswith("Traceback") and _MAIN.match(frame) is not None and not _LIBRARY.search(frame)

    def _below(self, number: int) -> bool:
        """Whether a line stands right below one that may tell of a failure."""
        return self.told and number <= self.failed + 1

    def _tells(self, payload: str, how: Callable[[str], bool]) -> bool:
        """Whether a line says so of the one above it, and no other process printed that one."""
        if not how(payload):
            return False
        one, other = _PROCESS.match(self.text), _PROCESS.match(payload)
        return one is None or other is None or one[0] == other[0]


class _Remarks(NamedTuple):
    """What the words of a line alone say of those beside it. `mark`: of a session of tests; `ends`: a unit of work
    ended; `shows`, `announces`: of a phase; `again`: it is tried again.
    """

    mark: str
    ends: bool
    kills: bool
    goes_on: bool
    shows: bool
    announces: bool
    again: bool


@remembered(1024)
def _remarks(whole: bytes, behind: bytes) -> _Remarks:
    """Of most lines nothing; logs repeat themselves, so that forms are asked once. `behind`: of the payload."""
    text, payload = unfolded(whole), unfolded(behind)
    phase = shows(payload), announces(payload), tried_again(payload)
    return _Remarks(mark_of(payload), ended(text) != "", bool(kills(text)), goes_on(text), *phase)


def _begins_block(text: str) -> bool:
    return ("::" in text or text.startswith("commit ")) and _BLOCK.match(text) is not None


@by_form(1024)
def handles(payload: str) -> bool:
    """Whether a line says that what stands above it was handled, or is tried again."""
    if gives_up(payload) or _ASKS.search(payload):
        return False
    return _HANDLES.search(payload) is not None or attempt(payload) is not None


def framed(event: Event) -> Event:
    """The event of a line that is text in a frame: what it holds is counted, whatever its form."""
    said = event.said._replace(kind="", words=event.said.words | {"QUOTATION"})
    return event._replace(family="text", kind="text", said=said)
