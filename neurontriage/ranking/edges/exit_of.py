"""A process that failed ends: exit statuses, signals, wrappers and echoes after a failure report that end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.ranking.causes.admitted import turned_away, unknown
from neurontriage.ranking.causes.beneath import gave_way, of_kernel
from neurontriage.ranking.causes.bounded import broke, gives_up, mute, oversteps
from neurontriage.ranking.causes.detailed import details, indented
from neurontriage.ranking.causes.headed import heads, of_head
from neurontriage.ranking.causes.named import blames, same
from neurontriage.ranking.causes.provided import absent, provided
from neurontriage.ranking.causes.relayed import carrier, carries, of_layer_below, pointed, points
from neurontriage.ranking.causes.sole import complained
from neurontriage.ranking.causes.spoiled import harmed, unread
from neurontriage.ranking.causes.stumbled import empty, stumbled
from neurontriage.ranking.causes.tried import in_vain, wears, wore_out
from neurontriage.ranking.causes.unloaded import deviceless, unloaded
from neurontriage.ranking.features import particular
from neurontriage.ranking.graph import Edge, states

_ENDS = {
    "exit": "the process that failed there ended with this exit status",
    "signal": "the process that failed there was ended by this signal",
    "wrap": "it only reports that something below it failed, after this",
    "echo": "it only repeats that something failed, after this",
    "symptom": "it is what such a failure leads to, and stands after it",
}
_BELOW = "the layer below says right above it what failed there"
_MOST, _WINDOW = 400, 40  # claims that are compared, and lines between two of them
_NEAR = 6  # lines between a report and what it is about
_WORDS = frozenset({"INABILITY", "LIMIT", "MISSING", "REFUSED", "INVALID", "FAILED", "REASON", "ASSERTION"})
_EMPTY = "it crashed on what it could not have, as it complained above"
_LACKS = "a step above failed that was to bring what is missing here"
_SOLE = "it names no reason; the only complaint above it does"
_BOUND = "it names no reason; a value above it is not what it may be"
_SPOILED = "it cannot read what did not come, or was not written, as it should be"
_UP = "it says that the reason stands above it"
_VAIN = "it stands below the last of several tries, and names no other reason"
_SIGNAL = "its status is that of a process that a signal ended, as the line above says"
# 128 and the number of the signal, as shells say it, or the number below zero.
_OF_SIGNAL = expression(
    r"(?i)\b(?:error|code|status|exit(?:ed with|code)?|returned)\W{1,4}(?:13[0-9]|14[0-3]|-(?:[4-9]|1[0-5]))\b"
)


def _of_signal(effect: Claim) -> bool:
    """Whether a claim only reports the status of a process that a signal ended."""
    return effect.says in _ENDS and _OF_SIGNAL.search(effect.event.evidence.text) is not None


def _signalled(effect: Claim, cause: Claim) -> bool:
    """Whether a claim says of a signal above a report that it ended a process."""
    return cause.says in ("state", "signal") and "SIGNALLED" in cause.event.said.words and close(cause, effect)


# Effects of one sort, when they follow from a claim, and why.
_PAIRS: tuple[tuple[Callable[[Claim], bool], Callable[[Claim, Claim], bool], str], ...] = (
    (empty, stumbled, _EMPTY),
    (absent, provided, _LACKS),
    (deviceless, unloaded, _LACKS),
    (points, pointed, _UP),
    (_of_signal, _signalled, _ENDS["exit"]),
)
# Of claims of one sort, what follows from them not far from them, and why.
_NEARBY: tuple[tuple[Callable[[Claim], bool], Callable[[Claim, Claim], bool], str], ...] = (
    (of_kernel, gave_way, "the kernel says above it what failed under it"),
    (unknown, turned_away, "a login, or what proves one, was refused above"),
)
_REPORTING = frozenset({"runtime", "collectives"})  # what works on the driver
_DEVICE = expression(r"(?i)\bnd ?(\d{1,3})\b")
_SAME = "it fails at the thing of which the line above says what is wrong"
_STEP = "it only names the step that failed, and what that said stands below it"
_ONLY = "it says only that something failed; the indented line beside it says why"


def edges(claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> Iterator[Edge]:
    """From every statement of a failure to the ends reported after it in the same log."""
    stated = [(one, one.event.evidence.path, one.place) for one in claims if states(one, briefs)]
    for effect in claims:
        part = "symptom" if effect.entry and briefs[effect.id]["role"] == "symptom" else effect.says
        path, place, reports = effect.event.evidence.path, effect.place, _reports(effect)
        for cause, log, above in stated if part in _ENDS else ():
            if above < place if log == path else reports and cause.event.evidence.rank is not None:
                yield Edge(cause, effect, "exit_of", _ENDS[part])
    wrapping = [claim for claim in claims if _wrapping(claim)]
    for effect in (claim for claim in claims if claim.layer == "host" and claim.says in _ENDS and wrapping):
        yield from (Edge(c, effect, "exit_of", _ENDS[effect.says]) for c in wrapping if _above(c, effect))
    deep = [claim for claim in claims if _deep(claim)]
    for effect in (claim for claim in claims if claim.layer in _REPORTING and deep):
        yield from (Edge(cause, effect, "exit_of", _BELOW) for cause in deep if underneath(cause, effect, briefs))
    for which, follows, why in _PAIRS:
        for effect in filter(which, claims):
            path, line = effect.event.evidence.path, effect.event.evidence.line
            over = [c for c in claims if c.event.evidence.line < line and c.event.evidence.path == path]
            yield from (Edge(cause, effect, "exit_of", why) for cause in over if follows(effect, cause))
    yield from _unsaid(claims[:_MOST])
    yield from _nearby(claims[:_MOST])
    below = [claim for claim in claims if of_layer_below(claim)]
    for effect in (claim for claim in claims if carrier(claim, briefs)):
        yield from (Edge(cause, effect, "exit_of", _BELOW) for cause in below if carries(effect, cause, briefs))
    yield from _vain(claims, briefs)


def _vain(claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> Iterator[Edge]:
    """From what was tried, or complained of, again and again to the end that names no reason."""
    for tried in (claim for claim in claims if claim.tried):
        yield from (Edge(tried, effect, "exit_of", _VAIN) for effect in claims if in_vain(tried, effect, briefs))
    for effect in filter(wears, claims[:_MOST]):
        yield from (
            Edge(cause, effect, "exit_of", _VAIN) for cause in claims[:_MOST] if wore_out(effect, cause, briefs)
        )


def _unsaid(claims: Sequence[Claim]) -> Iterator[Edge]:
    """From what says why, wherever it stands above, to an end that names no reason, and to what cannot be read."""
    bounds, spoils = list(filter(oversteps, claims)), list(filter(harmed, claims))
    for effect in filter(gives_up, claims):
        yield from (Edge(cause, effect, "exit_of", _BOUND) for cause in bounds if broke(effect, cause))
        first = complained(effect, claims) if mute(effect) else None
        if first is not None:
            yield Edge(first, effect, "exit_of", _SOLE)
    for effect in claims if spoils else ():
        yield from (Edge(cause, effect, "exit_of", _SPOILED) for cause in spoils if unread(effect, cause))


def _nearby(claims: Sequence[Claim]) -> Iterator[Edge]:
    """From what says why to what stands in the lines around it."""
    ordered = sorted(claims, key=lambda claim: (claim.event.evidence.path, claim.event.evidence.line))
    for number, first in enumerate(ordered):
        ways = [(follows, why) for which, follows, why in _NEARBY if which(first)]
        blaming, inside, head = blames(first), indented(first), heads(first)
        for second in ordered[number + 1 :]:
            if second.event.evidence.line > first.event.evidence.line + _WINDOW:
                break
            if (ways or blaming) and _above(first, second):
                yield from (Edge(first, second, "exit_of", why) for follows, why in ways if follows(second, first))
                if blaming and same(second, first, claims):
                    yield Edge(first, second, "exit_of", _SAME)
            if head and of_head(first, second):
                yield Edge(second, first, "nesting", _STEP)
            if inside or indented(second):
                pairs = ((first, second), (second, first))
                yield from (Edge(cause, effect, "nesting", _ONLY) for cause, effect in pairs if details(effect, cause))


def underneath(claim: Claim, report: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a claim is of the layer below one that names no reason, right above it: the driver, a plugin."""
    if not _deep(claim) or _deep(report) or not close(claim, report):
        return False
    if not (_unspecific(report, briefs) or _of_one_device(claim, report)):
        return False
    if claim.layer == "driver":
        said = claim.entry is not None or not claim.event.said.words.isdisjoint(_WORDS)
        return said and report.layer == "runtime"
    return report.layer == "collectives" and report.entry is not None and claim.event.family == "ofi"


def _deep(claim: Claim) -> bool:
    """Whether a claim is of the driver or of a plugin, and was not handled."""
    return not claim.handled and (claim.layer == "driver" or claim.event.family == "ofi")


def close(claim: Claim, report: Claim) -> bool:
    """Whether a claim stands right above a report."""
    apart = report.event.evidence.line - claim.event.evidence.end_line
    return _same_log(claim, report) and 0 < apart <= _NEAR


def _unspecific(claim: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a claim of the runtime or of the collectives only says that something failed."""
    return claim.layer in _REPORTING and not particular(claim, briefs)


def _of_one_device(claim: Claim, report: Claim) -> bool:
    """Whether two claims name the same device by its number, and no other."""
    one, other = (set(_DEVICE.findall(each.event.evidence.text)) for each in (claim, report))
    return len(one) == 1 and one == other


def _wrapping(claim: Claim) -> bool:
    """Whether a claim passes on that something failed inside of it: an exception, or what an entry knows of no host."""
    return claim.says == "wrap" and (claim.event.said.kind == "exception" or (claim.known and claim.layer != "host"))


def _above(cause: Claim, effect: Claim) -> bool:
    return cause.place < effect.place and _same_log(cause, effect)


def _reports(effect: Claim) -> bool:
    """Whether a launcher reports how processes ended, of which ranks may state their failures in logs of their own."""
    return effect.event.evidence.rank is None and effect.layer == "host" and effect.entry is not None


def _same_log(cause: Claim, effect: Claim) -> bool:
    return cause.event.evidence.path == effect.event.evidence.path
