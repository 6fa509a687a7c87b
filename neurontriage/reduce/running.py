"""What `neurontriage reduce` does: find the module that fails, make the predicate, reduce, write everything down."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from neurontriage.errors import TriageError
from neurontriage.hlo import files
from neurontriage.hlo.module import Module
from neurontriage.knowledge.catalog import load
from neurontriage.model import Diagnosis
from neurontriage.reduce.asking import JOURNAL, Asker, Budget
from neurontriage.reduce.candidate import Original, build, fitting
from neurontriage.reduce.identity import Identity
from neurontriage.reduce.predicate import Check, Command, Compiles, Predicate, Stop, words
from neurontriage.reduce.session import Reduction, size
from neurontriage.reduce.verifying import Verifier

FLAGS_OF_THE_WRAPPER = (
    "--cache_dir",
    "--no_cache",
    "--retry_failed_compilation",
    "--log_level",
    "--compile_workdir",
    "--dump",
)
_LOCAL = ("--output", "-o", "--framework", "--verbose", "--target")
INSTALL = "pip install neuronx-cc==2.* --extra-index-url https://pip.repos.neuron.amazonaws.com"


@dataclass(frozen=True)
class Request:
    """What the user asked for. `like` is an entry's id, `check` a command; `log` the log of the original failure."""

    target: str
    folder: Path
    like: str = ""
    check: str = ""
    log: Path | None = None
    device: str = ""
    flags: tuple[str, ...] = ()
    limit: float = 600.0
    budget: Budget = field(default_factory=Budget)
    shapes: bool = True


@dataclass(frozen=True)
class Outcome:
    """What came of it; `reduced` None: the original does not fail that way, and `reason` says what it does instead."""

    original: Module
    reduced: Module | None
    identity: Identity | None
    command: str
    reason: str = ""
    calls: int = 0
    passes: tuple[str, ...] = ()
    others: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    smaller_before: bool = False
    """Whether the torch graph had been made smaller before it was lowered."""
    interrupted: bool = False
    """Whether a person stopped it."""

    @property
    def smaller(self) -> bool:
        """Whether something smaller that fails the same way was found."""
        less = self.reduced is not None and size(self.reduced) < size(self.original)
        return less or (self.reduced is not None and self.smaller_before)


Explain = Callable[[str], Diagnosis]
Say = Callable[[str], None]


def explainer() -> Explain:
    """What explains the output of a compiler: one catalogue for hundreds of short texts, from any thread."""
    from neurontriage.triage import explain_text

    catalog, lock = load(), threading.Lock()

    def explain(text: str) -> Diagnosis:
        with lock:
            return explain_text(text, "compiler output", catalog)

    return explain


_CALLABLE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


def run(request: Request, explain: Explain, say: Say) -> Outcome:
    """The whole way. Raises TriageError for wrong input."""
    from neurontriage.preflight.targets import Wanted, frontend_of

    frontend_of(Wanted(request.target))  # a wrong path is told before a missing compiler is, and leaves no folder
    try:
        request.folder.mkdir(parents=True, exist_ok=True)
        (request.folder / JOURNAL).touch()
    except OSError as error:
        raise TriageError(
            "cannot-write", f"-o {request.folder}: {error.strerror or error}", "a folder that can be written"
        ) from None
    command = command_of(request, explain)
    if _CALLABLE.fullmatch(request.target) and not Path(request.target).exists():
        return _compiled(request, command, explain, say)
    return _modules(request, command, explain, say)


def _modules(request: Request, command: Command, explain: Explain, say: Say) -> Outcome:
    """The first module that fails is reduced; the largest is asked first."""
    for module in modules(request.target):
        outcome = _one(request, module, command, explain, say)
        if outcome.reduced is not None:
            return outcome
        say(f"{module.name}: {outcome.reason}")
    return outcome


def _compiled(request: Request, command: Command, explain: Explain, say: Say) -> Outcome:
    """torch's own minifier on the graph of torch.compile, then the lowering of what it left."""
    from neurontriage.reduce import compiled, fx

    say("Shrinking the graph of torch.compile.")
    wanted = {"command": command.words, "limit": command.limit, "like": request.like, "calls": request.budget.calls}
    done = compiled.minified(request.target, request.folder, wanted)
    if "reason" in done:
        say(f"Not by torch.compile: {done['reason']}. Trying the whole lowering.")
        return _modules(request, command, explain, say)
    counts = f"{done['before']:,} → {done['after']:,} aten operators in {done['calls']:,} calls"
    text = f"torch.compile graph: {counts} ({fx.CODE})"
    say(text)
    lowered = replace(request, target=str(request.folder / fx.PROTO))
    found = _modules(lowered, command, explain, say)
    before = done["after"] < done["before"]
    return replace(found, passes=(text, *found.passes), smaller_before=before)


def modules(target: str) -> list[Module]:
    """The modules of a file or folder, or the graphs of a script, the largest first."""
    from neurontriage.preflight.targets import Wanted, captured

    found = [graph.module for graph in captured(Wanted(target, frontend=_frontend(target))).graphs]
    whole = sorted((m for m in found if m is not None), key=size, reverse=True)
    if not whole:
        raise TriageError(
            "nothing-to-reduce", f"{target}: no HLO module in it", "an HLO module, a folder or a torch-xla script"
        )
    return whole


def _frontend(target: str) -> str:
    return "xla" if target.endswith(".py") or (":" in target and not Path(target).exists()) else "auto"


def command_of(request: Request, explain: Explain) -> Command:
    """The user's command, or neuronx-cc with target and flags of the original's log."""
    if request.check:
        try:
            given = words(request.check)
        except ValueError as error:
            raise TriageError(
                "wrong-check", f"--check {request.check}: {error}", "a command with {} for the module"
            ) from None
        if not given or shutil.which(given[0]) is None:
            raise TriageError(
                "wrong-check", f"--check: {given[0] if given else 'empty'} is no command", "a command to run"
            )
        return Command(_absolute(given), request.limit)
    compiler = shutil.which("neuronx-cc")
    if compiler is None:
        raise TriageError(
            "no-compiler", "neuronx-cc is not installed here", "the compiler, or --check 'COMMAND {}'", INSTALL
        )
    device, flags = settings(request, explain)
    options = ["--framework", "XLA", "{}", "--target", device, "--output", "graph.neff", "--verbose", "info"]
    return Command((compiler, "compile", *options, *flags), request.limit)


def _absolute(given: tuple[str, ...]) -> tuple[str, ...]:
    """Each compilation has a working folder of its own, so what stands here is named in full."""
    program = str(Path(shutil.which(given[0]) or given[0]).absolute())
    return program, *(str(Path(word).absolute()) if Path(word).exists() else word for word in given[1:])


def settings(request: Request, explain: Explain) -> tuple[str, tuple[str, ...]]:
    """Target and flags of neuronx-cc: those given, else those that the original's log prints."""
    device, flags = request.device, request.flags
    if request.log is not None:
        try:
            text = request.log.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise TriageError("no-log", f"{request.log}: {error.strerror or error}", "the log of the failure") from None
        device = device or explain(text).environment.get("target", "")
        flags = flags or _printed_flags(text)
    return device or "trn1", flags


def _printed_flags(text: str) -> tuple[str, ...]:
    """The flags of the last compiler command in a log, without files, target and what only the wrapper reads."""
    lines = [line for line in text.splitlines() if "neuronx-cc" in line and "compile" in line and "--framework" in line]
    if not lines:
        return ()
    line = lines[-1][lines[-1].index("neuronx-cc") :].replace("', '", " ").replace("'", " ").replace("]", " ")
    found, skip = [], False
    for word in line.split():
        name = word.partition("=")[0]
        if skip:
            skip = word.startswith("-")
        elif name in (*_LOCAL, *FLAGS_OF_THE_WRAPPER):
            skip = "=" not in word
        elif word.startswith("-"):
            found.append(word)
    return tuple(found)


def _one(request: Request, module: Module, command: Command, explain: Explain, say: Say) -> Outcome:
    original = Original(fitting(module))
    whole = build(original, frozenset(original.order))
    predicate, identity, fault = _predicate(request, command, explain, files.dump(whole))
    line = " ".join(command.words)
    if predicate is None:
        return Outcome(whole, None, identity, line, fault)
    say(f"The original fails: {identity or 'the command says so'}.")
    asker = Asker(predicate, request.folder, request.budget, f"{line}\n{identity}")
    try:
        return replace(_reduced(request, whole, asker, identity, say), command=line)
    finally:
        asker.close()


def _predicate(
    request: Request, command: Command, explain: Explain, original: bytes
) -> tuple[Predicate | None, Identity | None, str]:
    """How candidates are judged, after a first look at the original; without a predicate, why there is none."""
    if not request.like:
        check = Check(command)
        answer = check(original, Stop())
        if answer.verdict == "same":
            return check, None, ""
        return None, None, f"--check says that the original does not fail: {answer.said}, 0 says that it does"
    first = Compiles(command, explain, entry=request.like)
    identity, answer = first.first(original)
    if identity is None:
        return None, None, f"the original does not fail as {request.like}: {answer.verdict}, {answer.said}"
    return Compiles(command, explain, identity, request.like), identity, ""


def _reduced(request: Request, whole: Module, asker: Asker, identity: Identity | None, say: Say) -> Outcome:
    about_size = identity is not None and identity.about_size
    missing = Verifier.missing()
    verifier = None if missing else Verifier()
    notes = []
    if about_size:
        notes.append("A failure of size or memory: shapes are left as they are.")
    elif missing:
        notes.append(f"Shapes are left as they are: verifying smaller ones was not run, {missing}.")
    interrupted = False
    work = Reduction(whole, asker, verifier, request.shapes and not about_size, say)
    try:
        found = work.run()
    except KeyboardInterrupt:
        found, work.stopped, interrupted = work.module, "interrupted", True
    finally:
        if verifier is not None:
            verifier.close()
    if not work.fails:
        reason = "the original does not fail that way a second time"
        return Outcome(whole, None, identity, "", reason, asker.calls)
    if work.stopped:
        notes.append(f"Ended early: {work.stopped}. The same command goes on from here.")
    done = Outcome(whole, found, identity, "", "", asker.calls, work.done, dict(asker.others), tuple(notes))
    return replace(done, interrupted=interrupted)
