"""How logs end: whether something went well near their end, or the whole program says that it did."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from neurontriage.expressions import expression
from neurontriage.facts.prompts import MOST_TYPED, Typed
from neurontriage.lines.cut import NEAR
from neurontriage.lines.digits import by_form
from neurontriage.lines.levels import LOUD
from neurontriage.lines.outlook import concludes
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought
from neurontriage.model import Event, Prefix, Source

_WELL = frozenset({"SUCCESS", "ENDED"})
_ILL = frozenset({"FAILED", "EXCEPTION", "INABILITY", "INVALID"})
_COMPILED = frozenset({"passed", "cached", "status_pass"})
_TRAINED = r"(?i)\btraining (?:job )?(?:completed|finished)\b|\bend(?: of)? training\b"
# What a program, or what runs it, says once, when all is done.
_WHOLE = Sought(
    _TRAINED + r"|\bapplication shutdown complete\b"
    r"|\bjob (?:completed|succeeded|finished)\b|\bfinished server process\b"
    r"|\bmax_(?:steps|epochs|iters)\b.{0,12}\breached\b"
    r"|\bserver (?:(?:has |was )?(?:shut ?down|stopped|exited)) (?:gracefully|cleanly|successfully)\b"
)
# What says that all was done that was to do, and of no other unit: a status stands alone.
_DONE = Sought(
    _TRAINED + r"|\bTotal failed compilations: 0\b"
    r"|\bjob (?:completed|succeeded|finished(?: successfully)?\W*$)|[\"']train_runtime[\"']: \d"
    r"|\ball (?:\d+ )?(?:epochs?|steps|jobs|tasks|stages) (?:are )?(?:done|completed|finished)\b"
    r"|^(?:process |command |job )?(?:finished with |exited with |ended with )?exit ?(?:code|status)?[ :=]{1,3}0\W*$"
)
_BUT = Sought(r"(?i)\b(?:fail\w*|error\w*|cancel\w*|abort\w*|status|code)\b")
# What only whoever started the rest says, when that went well as a whole.
_SURE = Sought(
    r"(?i)\bworker group successfully finished\b|\bjob completed with conclusion: success\b|^job succeeded\W*$"
    r"|\bCOMPLETED\W{1,3}(?:ExitCode\W)?0:0\b|^\+\+\+ exited with 0 \+\+\+|^congratulations :\)"
)
# Slurm's own step of a job ends well whatever the job does.
_EXTERN = expression(r"\d+(?:_\d+)?\.ext")
# What a container or a compiler ended with, as its own name or process stands there.
_LEFT = expression(r"(?P<name>[\w.-]{1,80}-\d{1,5}) exited with code 0\W*$")
_COMPILED_WELL = expression(
    r".{0,40}\bINFO (?P<name>\d{1,9}) (?:\(\w+\) )?\[root\]: Subcommand returned with exitcode=0\b"
)
# Of a program that tries all that it has to do again, whatever level it gives what it says (rclone).
_RETRIED = Sought(r"^(?:Attempt|Try) \d{1,3}/\d{1,3} succeeded\W*$")
_MAYBE = Sought(
    r"(?i)training|train_runtime|exit|job|worker group|conclusion|compilations|succeeded|all \w|completed"
    r"|congratulations"
)
_TRACE, _TRACED_END = "+ ", expression(r"\+ exit 0\W*$")
# A script that looks at a status other than 0 knows that its command failed, whatever its own status then is.
_TRACED_ILL = expression(r"\+ (?:\w+ [\"'\w ]{0,40})?\b(?i:rc|ret|code|status|\w+_(?:rc|code|status))[=:][\"']?[1-9]")
# What speaks for a whole compilation, as the components that print it call themselves.
_PART = expression(r"\[[A-Z]\w+\]: ")  # one of many that make a whole
_OWN = Sought(r"\[root\]|\|\|")


Process = tuple[str, int | None, str | None]
"""A log, and what its lines say of who prints them: rank, and process and container or host."""
EVERYTHING, SCRIPT, REFUSED, LEFT = "*", "+", "!", "="
"""The process of a launcher or runner, whose own good end says that all it started may be passed over; and of a script,
whose end says so of what its commands complained of, but of no program that died; where it saw last that one failed;
what stands before the name of a process that is known to have ended with 0.
"""

_MOST_LOGS = 200


class End(NamedTuple):
    """What a log says of its end: the last `line` at which something went well, whether it is the word of the `whole`
    program, and whether the text breaks off in its last line (`open`)."""

    line: int = -NEAR
    whole: bool = False
    open: bool = False


@dataclass(eq=False, repr=False)
class Endings:
    """The ends of the logs of an incident, or of a part of it. `done`: where a process said last that all was done.

    `traced`: where a shell's trace shows the last command before its exit; `last`, `heads`: the last lines of each log,
    and the first bytes, of the first _MOST_LOGS of them; `typed`: the commands at a prompt of each log.
    """

    ends: MutableMapping[str, End] = field(default_factory=dict)
    done: dict[Process, int] = field(default_factory=dict)
    traced: dict[str, int] = field(default_factory=dict)
    last: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    heads: dict[str, bytes] = field(default_factory=dict)
    typed: dict[str, list[Typed]] = field(default_factory=dict)

    def read(self, event: Event) -> None:
        """Note what goes well; a line of the last few may say it in words that are no sign elsewhere."""
        if event.said.level not in LOUD or "succeeded" in event.evidence.text[-20:]:
            path, line, _, text, *_ = event.evidence
            self._did(path, line, text)
            self._trace(path, line, text)
        whole = "UNHIT" in event.said.words and _of_all(event.evidence.text)
        if whole or well(event):
            self.seen(event.evidence.path, event.evidence.end_line, whole or _of_all(event.evidence.text))

    def told(self, path: str, tail: Sequence[tuple[int, str]]) -> None:
        """Note what the last lines of a log (number, text) say of the whole program, whatever else is known below."""
        lines = self.last[path] = list(tail)
        together = "\n".join(text for _, text in lines)
        whole, done, traced = _WHOLE.within(together), _MAYBE.within(together), _TRACE in together
        for number, text in lines:
            if traced:
                self._trace(path, number, text)
            if whole and _WHOLE.search(text):
                self.seen(path, number, whole=True)
            if done:
                self._did(path, number, text)

    def _trace(self, path: str, line: int, text: str) -> None:
        if _TRACE not in text:
            return
        command = strip(text).payload
        if command.startswith(_TRACE) and not command.startswith("+ exit"):
            self.traced[path] = max(line, self.traced.get(path, 0))
            if _TRACED_ILL.match(command):
                self.done[path, None, REFUSED] = line

    def _did(self, path: str, line: int, text: str) -> None:
        """Note a line that says that all was done."""
        if _may_be(text):
            prefix = strip(text)
            said = _DONE.search(payload := prefix.payload.strip())
            if left := _LEFT.match(payload) or _COMPILED_WELL.match(payload):
                self.done[path, prefix.rank, LEFT + left["name"]] = line
            elif (_SURE.search(payload) and not _EXTERN.match(payload)) or _RETRIED.match(payload):
                self.done[path, None, EVERYTHING] = line
            elif _TRACED_END.match(payload):
                self.done[path, None, SCRIPT] = self.traced.get(path, 0)
            elif said is not None and not _BUT.search(payload[said.end() :]):
                self.done[path, prefix.rank, _named(prefix)] = line

    def seen(self, path: str, line: int, whole: bool = False) -> None:
        """Something went well at a line."""
        before = self.ends.get(path, End())
        self.ends[path] = End(max(line, before.line), whole or before.whole, before.open)

    def broken_off(self, path: str) -> None:
        """The text of a log ends without the end of its last line."""
        self.ends[path] = self.ends.get(path, End())._replace(open=True)

    def move(self, path: str, lines: int) -> None:
        """Count the lines of a log from further above."""
        if path in self.ends:
            self.ends[path] = self.ends[path]._replace(line=self.ends[path].line + lines)
        self.done = {one: line + lines * (one[0] == path) for one, line in self.done.items()}
        self.traced = {one: line + lines * (one == path) for one, line in self.traced.items()}
        self.last[path] = [(line + lines, text) for line, text in self.last.get(path, ())]
        if path in self.typed:
            self.typed[path] = [one._replace(line=one.line + lines) for one in self.typed[path]]

    def take(self, later: Endings) -> None:
        """Take in the ends of the part of the incident that comes next."""
        for path, end in later.ends.items():
            self.seen(path, end.line, end.whole)
            self.ends[path] = self.ends[path]._replace(open=end.open)
        for path, last in later.last.items():
            if path in self.last or len(self.last) < _MOST_LOGS:
                self.last[path] = [*self.last.get(path, ()), *last][-NEAR:]
                self.heads[path] = max(self.heads.get(path, b""), later.heads.get(path, b""), key=len)
        for path, typed in later.typed.items():
            self.typed[path] = [*self.typed.get(path, ()), *typed][:MOST_TYPED]
        self.done |= later.done
        self.traced |= later.traced

    def well(self, sources: Iterable[Source]) -> bool:
        """Whether a log ends well: the whole program says so, or something near its end, and it is not cut there."""
        return any(self._well(self.ends.get(one.path, End()), one) for one in sources)

    def _well(self, end: End, source: Source) -> bool:
        """Whether one log does; so does one whose last lines say that what was to be done is done."""
        cut = end.open and end.line < source.lines
        near = end.whole or source.lines - end.line < NEAR
        last = [text for _, text in self.last.get(source.path, ())]
        part = bool(last) and _PART.search(last[-1]) is not None and not _OWN.search(last[-1])
        return not cut and (near or (concludes(last) and not part))


def process_of(event: Event) -> Process:
    """The process that printed a line, as far as the line says which."""
    host, process = event.host, event.process  # asked of every claim, again and again
    return event.evidence.path, event.evidence.rank, f"{host} {process}" if host and process else process or host


def _named(prefix: Prefix) -> str | None:
    """The same of a line that is no event."""
    host, process = prefix.host, prefix.process
    return f"{host} {process}" if host and process else process or host


def well(event: Event) -> bool:
    """Whether a line says that something went well."""
    if event.family == "neuron_cc_wrapper" and event.kind in _COMPILED:
        return True
    words = event.said.words
    if words.isdisjoint(_WELL) or words & _ILL or event.said.level in LOUD:
        return False
    # Else it is one pass of many of a compiler.
    return "COMPONENT" not in words or _OWN.search(event.evidence.text) is not None


@by_form(1024)
def _may_be(text: str) -> bool:
    """Whether a line may say that all was done."""
    return _MAYBE.search(text) is not None


@by_form(1024)
def _of_all(text: str) -> bool:
    """Whether a line speaks for the whole program."""
    return _WHOLE.search(text) is not None
