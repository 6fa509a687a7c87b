"""Which claim gives way to which, whatever the ranker says: reports and noise at either end to what is between them.

A launcher's report, an exit status or an echo names no cause where something above it states one; what a program says
while it shuts down follows from what ended it; what a shell command complains of is over when the script goes on.
"""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.claims.claim import Claim
from neurontriage.claims.commands import of_command
from neurontriage.claims.harmless import issued
from neurontriage.claims.interrupt import stops
from neurontriage.expressions import expression
from neurontriage.lines.levels import LOUD
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought
from neurontriage.ranking.causes.detailed import bare, sums_up
from neurontriage.ranking.causes.enclosed import enclosed, inside
from neurontriage.ranking.causes.grounds import grounds
from neurontriage.ranking.causes.itemized import itemized
from neurontriage.ranking.causes.membership import member
from neurontriage.ranking.causes.provided import first_step
from neurontriage.ranking.causes.quoted import heads_exit, passed_on, raised_of_exit
from neurontriage.ranking.causes.relayed import MILD, WORDS, pointed
from neurontriage.ranking.causes.sections import unserved
from neurontriage.ranking.causes.sentence import sentence
from neurontriage.ranking.causes.tried import in_vain
from neurontriage.ranking.causes.unloaded import unloaded
from neurontriage.ranking.causes.why import why
from neurontriage.ranking.edges.exit_of import close, underneath
from neurontriage.ranking.edges.nesting import told_before
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.peers import died, fellows, later, signalled, taken
from neurontriage.ranking.statements import HEADER, WHY, counts_none, record

_CLOSING, _REPORT, _STATEMENT = range(3)
_FAIR = 0.12  # the share of a report's likelihood that a statement above it needs
_FAINT = 0.04  # the share of a stray line's likelihood that a known failure of the stack needs
_STACK = frozenset({"compiler", "runtime", "driver", "collectives", "cache", "framework"})
_REPORTERS = frozenset({"host", "install"})  # who reports how a program ended
_ANYBODY = frozenset({"text", "pjrt", "klog", "absl"})  # families whose form is that of any logger
# What a program does to itself after it has said why.
_ABORT = Sought(r"\bAborted\b|\bSIGABRT\b|[Ss]ignal:? 6\b|exit(?: ?code|ed with)?\W{1,3}(?:-6|134)\b")
_GIT = expression(r"\s*fatal: ")
_NEAR = 40  # lines between the last word of a program and the report of its end
_RIGHT = 8  # the same for what may only go on with what an entry knows
_SOON = 12  # the same for what may be the complaint of a command of a script
# What fails because the process, or its peer, is going away.
_GOING = Sought(
    r"[Bb]roken ?[Pp]ipe|\bEOFError\b|[Bb]ad file descriptor|cannot schedule new futures|without an active exception"
    r"|send disconnect|leaked semaphore|Event loop is closed|rpc error: code = NotFound"
    r"|(?:^|[\s|>\]])(?:[Cc]lean-?up|[Tt]eardown|[Ss]hutdown|atexit|[Oo]n exit)(?: hook| handler)?: "
)


def stated(ranked: Sequence[Claim], scene: Scene) -> Claim:
    """The most likely claim (`ranked`: from the most likely on), or the one that it gives way to."""
    likely, passed = ranked[0], set[int]()
    while id(likely) not in passed:
        passed.add(id(likely))
        found = next((claim for claim in ranked if id(claim) not in passed and _before(claim, likely, scene)), likely)
        likely = first_step(found, likely, ranked, scene.progress)
    return likely


def _before(claim: Claim, likely: Claim, scene: Scene) -> bool:
    """Whether a claim takes precedence over the likely one."""
    if enclosed(likely, claim, scene) or _missed(claim, likely, scene) or member(claim, likely, scene):
        return False
    if itemized(claim, likely, scene) or unloaded(claim, likely) or taken(likely, claim):
        return False
    if passed_on(claim, likely, scene.outputs, scene.briefs) and not unserved(likely, claim, scene):
        return False
    told = _last_word(claim, likely, scene) or enclosed(claim, likely, scene) or pointed(likely, claim)
    if told or _missed(likely, claim, scene) or why(likely, claim, scene):
        return True
    if _aside(claim, scene) or claim.event.evidence.path != likely.event.evidence.path:
        return _grade(likely, scene) == _REPORT and _elsewhere(likely, claim, scene)
    if _again(likely, claim, scene):
        return True
    if _aborts(likely, scene):
        return claim.place < likely.place and _complains(claim)
    return underneath(claim, likely, scene.briefs) or _outweighs(claim, likely, scene)


def _outweighs(claim: Claim, likely: Claim, scene: Scene) -> bool:
    """Whether a claim says more of why something failed than the likely one of the same log."""
    if claim.says == "note" or grounds(claim, likely, scene) or pointed(claim, likely):
        return False
    if _aside(likely, scene) or _nothing(likely):
        less = bare(claim) and not likely.event.said.words.isdisjoint(WHY)  # only that something failed
        near = likely.known and claim.event.evidence.line - likely.last <= _RIGHT
        less = less or (near and (claim.says == "wrap" or (not claim.known and claim.event.said.kind == "statement")))
        below = claim.place > likely.place and not _last_word(likely, claim, scene) and not less
        return (_nothing(likely) or below) and _credible(claim) and _grade(claim, scene) > _CLOSING
    if _slight(likely, claim, scene):
        return claim.score >= likely.score * _FAINT
    grade = _grade(likely, scene)
    if grade == _STATEMENT or claim.place > likely.place or _grade(claim, scene) <= grade:
        return False
    if grade == _CLOSING:
        return _credible(claim)
    loud = likely.says in ("exit", "wrap") and likely.layer == "host" and record(claim)
    return (firm(claim) or _own(claim, scene) or loud) and (stops(likely) or claim.score >= likely.score * _FAIR)


def _aborts(claim: Claim, scene: Scene) -> bool:
    """Whether a claim only says that a process aborted, which it does to itself after it has said why."""
    return _ABORT.search(claim.event.evidence.text) is not None and not particular(claim, scene.briefs)


def _last_word(claim: Claim, report: Claim, scene: Scene) -> bool:
    """Whether a claim is the last that a program said of a failure before whoever ran it reports its end.

    Right above the report that is any complaint, farther up only what the program itself calls an error.
    """
    far = report.event.evidence.line - claim.event.evidence.end_line
    if claim.event.evidence.path != report.event.evidence.path or far <= 0 or not _reports(report, scene):
        return False
    aside = _aside(claim, scene)
    said = died(claim) or (_speaks(claim) and _complains(claim) and (far == 1 or not aside))
    if (close(claim, report) and said) or sentence([report], scene) is claim:
        return True
    return far <= (_SOON if aside else _NEAR) and _error(claim, aside) and not scene.went_on(claim)


def _reports(claim: Claim, scene: Scene) -> bool:
    """Whether a claim only reports that a process ended, or was ended."""
    if particular(claim, scene.briefs):
        return False
    known = claim.entry is not None and claim.layer in _REPORTERS and _grade(claim, scene) != _STATEMENT
    known = (known and "HEADING" not in claim.event.said.words) or heads_exit(claim, scene)  # what it heads says why
    told = claim.says in ("wrap", "echo") and "EXIT" in claim.event.said.words
    return known or told or claim.says == "exit" or stops(claim)


def _speaks(claim: Claim) -> bool:
    """Whether a claim is in words of its own, and reports no other."""
    wraps = claim.says == "wrap" and not claim.event.said.words.isdisjoint(("EXIT", "HEADING", "FRAMED"))
    return claim.says not in ("exit", "echo") and not wraps


def _error(claim: Claim, aside: bool) -> bool:
    """Whether a program itself calls a claim an error; so does git, but no other command of a script."""
    said = claim.event.said
    labelled = said.kind == "labelled" and claim.says != "echo"
    labelled = labelled and (not aside or _GIT.match(strip(claim.event.evidence.text).payload) is not None)
    return (labelled or (said.level in LOUD and said.size > HEADER)) and not said.words & MILD


def _slight(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim is stray or vague beside one that an entry knows of the stack, or that is firm.

    So is what the program itself calls a warning, below what was raised, or between an error and its repetition.
    """
    warning = likely.event.said.level == "WARNING" and claim.place < likely.place and claim.says == "raise"
    last = max(claim.last, scene.again.get(id(claim), 0))
    if warning and (firm(claim) or (last > likely.last and _complains(claim))):
        return True
    if _mild(likely, claim) and not particular(likely, scene.briefs):
        return claim.score >= likely.score * _FAINT
    if _stack(claim, scene) and not _stack(likely, scene) and _loose(likely, claim, scene):
        return True
    vague = _vague(likely) and not inside(likely, scene.claims) and not sums_up(claim, likely)
    return vague and _grade(claim, scene) == _STATEMENT and (firm(claim) or claim.entry is not None)


def _mild(likely: Claim, claim: Claim) -> bool:
    """Whether the runtime only warns, and below it calls something else an error."""
    mild, loud = likely.event.said.level == "WARNING", claim.event.said.level in LOUD
    return mild and loud and likely.event.family == claim.event.family == "nrt" and claim.place > likely.place


def _missed(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim only misses a process that ended in this one."""
    if claim.handled or not scene.waiting.misses(likely, claim):
        return False
    own = id(claim) in scene.waiting.reports or died(claim) or _fails(claim, scene)
    return own or (fellows(claim.event, likely.event) and _leaves(claim, scene))


def _elsewhere(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether a claim of another log states a failure, and not after the likely one."""
    other = claim.event.evidence.path != likely.event.evidence.path and not claim.handled and not later(claim, likely)
    return other and (_fails(claim, scene) or (_leaves(claim, scene) and _reports(likely, scene)))


def _leaves(claim: Claim, scene: Scene) -> bool:
    """Whether a program records an error as why it gives up, and does not go on, or is ended by a signal."""
    return signalled(claim) or (claim.says == "wrap" and record(claim) and not scene.went_on(claim))


def _fails(claim: Claim, scene: Scene) -> bool:
    """Whether a claim states a failure in a form of its own, or as an error, after which its program did not go on."""
    if _aside(claim, scene) or _grade(claim, scene) != _STATEMENT:
        return False
    return claim.entry is not None or firm(claim) or (record(claim) and not scene.went_on(claim))


def _again(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim tells once more what this one told, or ends what was tried in vain."""
    told = told_before(claim, likely) and not particular(likely, scene.briefs)
    return told or in_vain(claim, likely, scene.briefs)


def _grade(claim: Claim, scene: Scene) -> int:
    """How much a claim says of why something failed."""
    said = claim.event.said
    taken_down = stops(claim) and not person(claim)
    if raised_of_exit(claim, scene) or heads_exit(claim, scene):
        return _REPORT
    if taken_down or "THREAD" in said.words or _GOING.search(claim.event.evidence.text):
        return _CLOSING
    if (_own(claim, scene) and not stops(claim)) or claim.says in ("raise", "state", "signal"):
        return _STATEMENT
    return _REPORT


def _stack(claim: Claim, scene: Scene) -> bool:
    """Whether an entry knows a claim as one failure of the Neuron stack."""
    return particular(claim, scene.briefs) and claim.layer in _STACK and "CALM" not in claim.event.said.words


def _loose(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether no entry knows the likely claim in particular: any program may print it, or the driver failed before."""
    below = claim.layer == "driver" and claim.place < likely.place and likely.entry is None
    return not particular(likely, scene.briefs) and (below or likely.event.family in ("text", "plain"))


def _vague(claim: Claim) -> bool:
    """Whether a line only lacks, expects or calls odd something, without a level or a form of its own."""
    said = claim.event.said
    plain = claim.entry is None and claim.event.family == "text" and said.kind == "statement" and not said.level
    return plain and said.words.isdisjoint(WORDS - {"MISSING", "INVALID"})


def _own(claim: Claim, scene: Scene) -> bool:
    """Whether an entry says that a claim is more than a report."""
    brief = scene.briefs[claim.id] if claim.entry is not None else {"role": ""}
    return brief["role"] == "root" or (brief["role"] == "symptom" and not brief["general"])


def _credible(claim: Claim) -> bool:
    """Whether a claim may be why a process ended: an entry knows it, or it has the form of a failure."""
    if _nothing(claim):
        return False
    framed = "FRAMED" in claim.event.said.words
    return claim.entry is not None or framed or firm(claim) or claim.event.said.level in LOUD or claim.says == "raise"


def _complains(claim: Claim) -> bool:
    """Whether a claim says, however mildly, that something is wrong."""
    said = claim.event.said
    if _nothing(claim) or said.words & {"CALM", "UNHIT"} or said.level in ("INFO", "DEBUG"):
        return False
    return firm(claim) or (not said.words.isdisjoint(WORDS) and (said.size > 1 or said.words != {"FAILED"}))


def _nothing(claim: Claim) -> bool:
    """Whether a line that no entry knows only quotes a failure, or counts none."""
    return claim.entry is None and counts_none(claim)


def _aside(claim: Claim, scene: Scene) -> bool:
    """Whether a program only warns, or a command of a script complains of what no entry knows in particular."""
    if warns(claim):
        return True
    plain = claim.event.family in ("text", "plain", "errno") and not particular(claim, scene.briefs)
    plain = plain and "SIGNALLED" not in claim.event.said.words
    return plain and of_command(claim.event.evidence.text)


def warns(claim: Claim) -> bool:
    """Whether a claim is a warning of Python's or Perl's, and nothing else: whatever it says, the program went on."""
    events = [claim.event, *(one.event for one in claim.kept)]
    plain = all(one.said.kind == "warned" or (one.family, one.kind) == ("plain", "error") for one in events)
    return plain and issued(claim.event.evidence.text)


def firm(claim: Claim) -> bool:
    """Whether a claim states a failure in a form that nothing else has."""
    words = claim.event.said.words
    own = bool(words & {"FRAMED", "LABEL", "DIAGNOSTIC", "LOCATED"}) or claim.event.family not in _ANYBODY
    return "SIGNALLED" in words or (own and claim.says == "raise" and "CALM" not in words)


def person(claim: Claim) -> bool:
    """Whether a claim reports that a person stopped the run, not that a launcher took it down."""
    return stops(claim) and claim.says != "exit"


def unprompted(errors: Sequence[Claim], scene: Scene) -> None:
    """No person stopped what a launcher takes down because a task of it had failed: that stop is an exit, too."""
    failed = [c for c in errors if not stops(c) and ("EXIT" in c.event.said.words or firm(c) or _own(c, scene))]
    failed += [c for c in errors if record(c) and not (c.handled or stops(c) or scene.went_on(c))]
    for claim in filter(stops, errors):
        if not all(later(one, claim) for one in failed):
            claim.says = "exit"
