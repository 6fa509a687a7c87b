"""What lines beside a failure say of it: it was expected, was handled, or belongs to tests that pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from neurontriage.claims.claim import Claim
from neurontriage.claims.endings import Process, process_of
from neurontriage.claims.harmless import asked
from neurontriage.claims.phases import PHASE, PHASE_BEGINS, PHASE_BROKE, PHASE_ENDED, PHASE_NEXT, values
from neurontriage.claims.remedies import goes_on
from neurontriage.claims.steps import OWN_KILL, STEP, STEP_ENDED, Steps, ended, killed, kills
from neurontriage.claims.tries import Tries, Try
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.model import Event

HANDLED, ANSWERED, EXPECTED, GAVE_UP = "handled", "answered", "expected", "gave-up"
"""Kinds of events: the failure directly above was handled, whichever process says so if a request was answered; the
exception directly below was expected; what was tried again is not tried any more."""
BEGIN, PASS, FAIL, PASSED, FAILED = "tests-begin", "tests-pass", "tests-fail", "tests-passed", "tests-failed"
"""Kinds of events: tests begin, the latest one passed or failed, all of the session passed or some failed."""
SOON = 12
"""Lines within which a program gives up what it tried again."""
_WELL, _OVER = frozenset({PASS, PASSED}), frozenset({PASSED, FAILED})
Key = tuple[str, ...]
_GOES_ON = frozenset({"INDENTED", "UNHIT"})

_MARKS = {
    PASSED: r"(?:=+ )?(?:\d+ (?:(?:subtests )?passed|skipped|deselected|xfailed|xpassed|warnings?|reruns?),? )+"
    r"in \d[^=]*=*$"
    r"|OK(?: \([^()]*\))?$|ok\s+\S+\s+(?:\d[\d.]*s|\(cached\))|test result: ok\.|\d{3}% tests passed\b"
    r"|\s{0,8}\d{1,6} passing \(\d[\w.]{0,8}\)$"  # Mocha
    r"|BUILD SUCCESSFUL in \d|All tests successful\.$|\[ +PASSED +\] \d+ tests?\.",
    FAILED: r"(?:=+ )?(?:\d+ \w+,? ){0,6}[1-9]\d* (?:failed|errors?),? [^=]{0,120}\bin \d[^=]*=*$"
    r"|FAILED \(|FAIL\s+\S+\s+\d|test result: FAILED|\d{1,2}% tests passed,"
    # What is said of a test that fails stands below it in TAP.
    r"|\[ +FAILED +\] \d+ tests?,|BUILD FAILED in \d|\s{0,12}not ok \d{1,6}\b(?!.*# ?(?i:todo|skip))",
    PASS: r"(?:PASSED|SKIPPED|XFAIL|XPASS)\b[^:=]{0,80}\[ *\d+%\]|\S+\.py::\S+ (?:PASSED|SKIPPED|XFAIL|XPASS)\b"
    r"|\s{0,12}(?:not )?ok \d{1,6}\b|ok\s*$|\s*--- (?:PASS|SKIP): |test .{1,200} \.\.\. (?:ok|ignored)\b"
    r"|\w[\w.$]{0,100} > \S.{0,100} (?:PASSED|SKIPPED)$|\[ {7}OK \] \w|\[ {2}SKIPPED \] \w",
    FAIL: r"(?:FAIL|ERROR)\s*$|(?:FAILED|ERROR)\s+\[ *\d+%\]|\S+\.py::\S+ (?:FAILED|ERROR)\b|\s*--- FAIL: "
    r"|\[ +FAILED +\] [A-Za-z]|test .{1,200} \.\.\. FAIL(?:ED)?$|\w[\w.$]{0,100} > \S.{0,100} FAILED$",
    BEGIN: r"=+ test session starts =+|\w[\w.$]{0,100} > \S.{0,100} STANDARD_(?:ERROR|OUT)$"
    r"|\S+\.py::\S+\s*$|=== RUN\s+\w|\[ RUN +\] \w|running \d+ tests?$|Test project /"
    r"|test_\w+ \([\w.]+\)(?: \.\.\.|$)|test \S+(?: - should panic)? \.\.\.(?: |$)",
}
_NAME = expression(r"[a-z][\w.-]{1,30}: ")
_MARK = expression("|".join(f"(?P<{kind[6:]}>{text})" for kind, text in _MARKS.items()))


_PHASES = {PHASE_BEGINS: BEGIN, PHASE_ENDED: PASSED, PHASE_BROKE: FAILED, PHASE_NEXT: PASS}
_ASIDES = frozenset({EXPECTED, HANDLED, ANSWERED, GAVE_UP, STEP_ENDED, OWN_KILL, *_PHASES, *_MARKS})


def mark_of(payload: str) -> str:
    """What a line says of a session of tests (pytest, unittest, go, cargo, ctest, GoogleTest); "" if nothing."""
    found = _MARK.match(payload[:400])
    return f"tests-{found.lastgroup}" if found else ""


@dataclass(eq=False, repr=False)
class Sessions:
    """The failures of each process since its tests began, or went on after the latest result.

    `continues`: its log began in an earlier part, whose tests may still run: what comes before the `first` mark of a
    process is counted as its `head`. Keys are those of claims.
    """

    continues: bool = False
    head: dict[Process, Counter[Key]] = field(default_factory=dict)
    first: dict[Process, str] = field(default_factory=dict)
    since: dict[Process, Counter[Key]] = field(default_factory=dict)

    def count(self, process: Process, key: Key) -> None:
        """A failure of a claim."""
        if _is_step(process) and (not self.continues or process in self.first):
            self.since.setdefault(process, Counter())
        if process in self.since:
            self.since[process][key] += 1
        elif self.continues and process not in self.first:
            self.head.setdefault(process, Counter())[key] += 1

    def mark(self, process: Process, kind: str) -> Mapping[Key, int]:
        """What tests say; gives the failures, by claim, that are none since their tests passed."""
        self.first.setdefault(process, kind)
        counted = self.since.pop(process, Counter())
        if kind not in _OVER:
            self.since[process] = Counter()
        return counted if kind in _WELL else {}

    def take(self, later: Sessions, names: Mapping[Key, Key]) -> Counter[Key]:
        """Take in those of the part that comes next; gives what its first marks say of failures before them.

        `names`: how the claims of the later part are called here.
        """
        passed: Counter[Key] = Counter()
        for process in {*later.head, *later.first, *later.since}:
            head = _named(later.head.get(process, Counter()), names)
            if _is_step(process) and (not self.continues or process in self.first):
                self.since.setdefault(process, Counter())
            if process in self.since:
                self.since[process] += head
            elif self.continues and process not in self.first:
                self.head[process] = self.head.get(process, Counter()) + head
            if process not in later.first:
                if process in later.since:
                    self.since[process] = self.since.get(process, Counter()) + _named(later.since[process], names)
                continue
            passed.update(self.mark(process, later.first[process]))
            self.since.pop(process, None)
            if process in later.since:
                self.since[process] = _named(later.since[process], names)
        return passed


def _is_step(process: Process) -> bool:
    """Whether it is a unit of work, which begins where it is first seen."""
    return process[2] is not None and process[2].startswith(STEP)


def _named(counted: Counter[Key], names: Mapping[Key, Key]) -> Counter[Key]:
    return Counter({names[key]: number for key, number in counted.items() if key in names})


class Heard:
    """Tells the claims of `found` what is said of them beside their lines."""

    def __init__(self, found: Mapping[Key, Claim], sessions: Sessions) -> None:
        self.handles: dict[str, Claim | None] = {}  # by the template of the line that said so
        self._found, self._sessions = found, sessions
        self._latest: dict[Process, tuple[Claim, int, str]] = {}
        self._beside: dict[Process, list[Claim]] = {}  # those right above the latest, of the same program
        self._expected: set[Process] = set()
        self._tries: dict[Process, Tries] = {}
        self._newest: dict[str, tuple[Claim, int, str]] = {}
        self._killed: dict[str, set[str]] = {}
        self._steps: dict[Process, Steps] = {}
        self._again: dict[Process, tuple[Claim, int]] = {}
        self._values: dict[str, frozenset[str]] = {}  # by log: of what alone its phase does not count

    def aside(self, event: Event) -> bool:
        """Whether a line only says something of the failures beside it; that is noted."""
        process = process_of(event)
        if event.kind == EXPECTED:
            self._expected.add(process)
        elif event.kind in (HANDLED, ANSWERED):
            self._put_up(process, event)
        elif event.kind == GAVE_UP:
            again = self._again.pop(process, None)
            if again is not None and event.evidence.line <= again[1] + SOON:
                again[0].tried = again[1]
        elif event.kind == OWN_KILL:
            self._killed.setdefault(event.evidence.path, set()).update(kills(event.evidence.text))
        elif event.kind == STEP_ENDED:
            self.passed(self._sessions.mark((process[0], None, ended(event.evidence.text)), PASSED))
        elif event.kind in _PHASES:
            self._phase(process[0], event)
        elif event.kind in _MARKS:
            self.passed(self._sessions.mark(process, event.kind))
        return event.kind in _ASIDES

    def _put_up(self, process: Process, event: Event) -> None:
        """A line says that what stands right above it was handled, or a request was answered."""
        own = event.kind == HANDLED
        latest = self._latest.get(process) if own else self._newest.get(event.evidence.path)
        if latest is not None and latest[1] >= event.evidence.line - 1:
            for claim in (latest[0], *(self._beside.get(process, ()) if own else ())):
                self._handle(claim, event)
            self._again[process] = latest[0], event.evidence.line

    def _handle(self, claim: Claim, event: Event) -> None:
        """A line says that a claim directly above it was handled; lines like it that are only counted say so, too."""
        claim.handled += 1
        claim.answered += event.kind == ANSWERED
        known = self.handles.setdefault(event.template, claim)
        if known is not claim:
            self.handles[event.template] = None

    def failure(self, claim: Claim, key: Key, event: Event) -> None:
        """Remember the failure that the next line may speak of; one that was announced as expected is handled."""
        process = process_of(event)
        self._tried(claim, process, event)
        if asked(event.evidence.text):
            claim.handled += 1
            claim.answered += 1
        own = self._killed.get(event.evidence.path)
        if own and killed(event.evidence.text) in own:
            claim.handled += 1
        elif event.said.kind == "exception" and process in self._expected:
            self._expected.remove(process)
            claim.handled += 1
        elif claim.severity == "error":
            if "CONTINUATION" not in event.said.words:
                self._remember(process, claim, event)
            self._sessions.count(process, key)
            if (phase := (process[0], None, PHASE)) in self._sessions.since and self._of_phase(event):
                self._sessions.count(phase, key)
            if (steps := self._steps.get(process)) is None:
                steps = self._steps[process] = Steps()
            if unit := steps.of(event):
                self._sessions.count((process[0], None, unit), key)

    def _remember(self, process: Process, claim: Claim, event: Event) -> None:
        """Keep the latest failure, and beside it those that the same program told of right above it."""
        path, line, end, text, *_ = event.evidence
        latest = self._latest.get(process)
        goes_on = event.said.words >= _GOES_ON  # with what the line above says
        if latest is not None and latest[1] == line - 1 and (goes_on or _of_one(latest[2], text)):
            self._beside.setdefault(process, []).append(latest[0])
        elif process in self._beside:
            del self._beside[process]
        self._latest[process] = self._newest[path] = claim, end, text

    def _phase(self, path: str, event: Event) -> None:
        """A phase begins or ends whose failures, or what alone it names, do not count."""
        if event.kind == PHASE_BEGINS:
            self._values[path] = values(event.evidence.text)
        self.passed(self._sessions.mark((path, None, PHASE), _PHASES[event.kind]))

    def _of_phase(self, event: Event) -> bool:
        """Whether a phase whose results do not count covers a failure: what stops it in another way does count."""
        only = self._values.get(event.evidence.path)
        return not only or any(word in event.evidence.text.lower() for word in only)

    def counted(self, event: Event) -> Try | None:
        """The try to which a line of its process belongs."""
        if (tries := self._tries.get(process := process_of(event))) is None:
            tries = self._tries[process] = Tries()
        return tries.of(event)

    def _tried(self, claim: Claim, process: Process, event: Event) -> None:
        """What is tried again is handled, but for the last try."""
        one = self.counted(event)
        if one is not None and one.last:
            claim.tried = event.evidence.line
        elif one is not None:
            claim.handled += 1
        if goes_on(event.evidence.text):
            self._again[process] = claim, event.evidence.line

    def passed(self, counted: Mapping[Key, int]) -> None:
        """So many lines of these claims belong to tests that passed."""
        for key, number in counted.items():
            if key in self._found:
                self._found[key].handled += number


def _of_one(above: str, text: str) -> bool:
    """Whether the same program calls itself by its name in front of what both lines say."""
    found = _NAME.match(strip(text).payload)
    return found is not None and strip(above).payload.startswith(found[0])
