"""A claim among the others of its log → named features, for the ranker: what it says, who says it, where it stands."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.claims.endings import EVERYTHING, LEFT, REFUSED, SCRIPT, Process, process_of
from neurontriage.claims.verdicts import verdict
from neurontriage.expressions import expression
from neurontriage.lines.levels import LOUD
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought
from neurontriage.model import Course
from neurontriage.ranking.messages import Messages, files, headings
from neurontriage.ranking.neighbours import Features, neighbours
from neurontriage.ranking.peers import Waiting
from neurontriage.ranking.praise import Praise

_GENERIC = frozenset(
    {"RuntimeError", "Exception", "SystemExit", "CalledProcessError", "ChildFailedError", "Error", "BaseException"}
)
_ENDINGS = frozenset(
    {"SUCCESS", "ENDED", "PROGRESS", "FAILED", "EXCEPTION", "INABILITY", "EXIT", "SIGNALLED", "TEARDOWN"}
)
# A container beside the one that failed; a script's trace, whose end is told apart.
_ANOTHER = Sought(r"^[\w.-]{1,80}-\d{1,5} exited with code 0\W*$|(?:^|\s)\+ exit\b")
PROBES = Sought(r"\b(?:GET|HEAD) \S*/(?:metrics|health\w*|live\w*|ready\w*|ping|status|version)\b")
"""Somebody asks whether a server is alive, of dead ones, too."""
STACK = frozenset({"compiler", "runtime", "driver", "collectives"})
"""The layers of the Neuron stack itself."""
_SAID = frozenset({"note", "state"})
_NO_ENDING = frozenset({"FAILED", "INABILITY", "INVALID", "EXCEPTION", "CALM"})
_STEP = expression(r"(?i)\W{0,3}(?:global[_ ])?(?:step|epoch|iter(?:ation)?|batch)s?[ :=\[]+\d|[^\n]{0,200}\d{1,3}%\|")
_DIED = frozenset({"EXIT", "SIGNALLED"})
_LEAST, _CLOSING = 12, 3
_SOON = 6  # lines within which a script ends after a command of it failed


@dataclass(eq=False, repr=False)
class Scene:
    """All claims of an incident in its order, and what is asked of them again and again. `courses`: how each log went.

    `errors`: those that state a failure, and what they `said`; `done`: where processes said that all was done;
    `ended`, `success`, `progress`: the last such line of each log; `failed`: the last that is loud, or tells of the end
    of a process; `again`: where claims are repeated; `outputs`: where the error output of a command is quoted below
    its name; `files`: where the name of a file stands above its lines.
    """

    claims: Sequence[Claim]
    briefs: Mapping[str, Mapping[str, Any]]
    courses: Mapping[str, Course]
    done: Mapping[Process, int] = field(default_factory=dict)
    places: dict[int, int] = field(default_factory=dict)
    raised: list[Claim] = field(default_factory=list)
    causes: set[int] = field(default_factory=set)
    effects: set[int] = field(default_factory=set)
    inside: set[int] = field(default_factory=set)
    around: set[int] = field(default_factory=set)
    again: dict[int, int] = field(default_factory=dict)
    outputs: Mapping[str, Sequence[int]] = field(default_factory=dict)
    files: Mapping[str, Sequence[int]] = field(default_factory=dict)
    chains: dict[int, int] = field(default_factory=dict)
    errors: Sequence[Claim] = ()
    said: Sequence[str] = ()
    root_at: int = 0
    lines: int = 0
    success: dict[str, int] = field(default_factory=dict)
    ended: dict[str, int] = field(default_factory=dict)
    failed: dict[str, int] = field(default_factory=dict)
    progress: dict[str, int] = field(default_factory=dict)
    praise: Praise = field(default_factory=Praise)
    waiting: Waiting = field(default_factory=Waiting)
    _calm: dict[str, tuple[list[int], list[int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Count edges, quotations and chains."""
        errors = self.errors = [claim for claim in self.claims if claim.severity == "error"]
        self.said = [claim.says for claim in errors]  # some is judged otherwise later on
        self.lines = sum(course.lines for course in self.courses.values())
        self.places = {id(claim): place for place, claim in enumerate(errors)}
        self.raised = [claim for claim in errors if claim.says == "raise"]
        of: dict[str, list[int]] = {}
        for claim in errors:
            of.setdefault(claim.id, []).append(id(claim))
        for claim in errors:
            for effect in self.briefs[claim.id]["explains"] if claim.entry else ():
                if effect in of and effect != claim.id:
                    self.effects.add(id(claim))
                    self.causes.update(of[effect])
            chain, place = claim.event.chain
            self.chains[chain] = max(self.chains.get(chain, 0), place)
        self._quotations(errors[:400])
        self._calmly()
        self.outputs, self.files = headings(self.claims), files(self.claims)
        self.waiting.note(errors, self.briefs)
        roots = [claim for claim in errors if particular(claim, self.briefs)]
        self.root_at = min((claim.place[1] for claim in roots), default=0)
        for claim in self.claims:
            self._signs(claim)

    def _signs(self, claim: Claim) -> None:
        """Note what a claim says of how its log goes on."""
        words, path, text = claim.event.said.words, claim.event.evidence.path, claim.event.evidence.text
        loud = claim.event.said.level in LOUD
        if loud or not words.isdisjoint(_DIED):
            self.failed[path] = max(claim.last, self.failed.get(path, 0))
        if loud or words & _NO_ENDING or _ANOTHER.search(text) or PROBES.search(text):
            return
        if claim.count > 1 and "ENDED" in words and self._ill_last(claim):
            return
        for word, marks in (("ENDED", self.ended), ("SUCCESS", self.success), ("PROGRESS", self.progress)):
            if word in words and (word != "PROGRESS" or self._counts(claim)):
                if word != "PROGRESS":
                    self.praise.note(claim)
                marks.update((log, max(line, marks.get(log, 0))) for log, line in claim.lasts.items())

    def _ill_last(self, claim: Claim) -> bool:
        """Whether the last line that states a claim tells of a bad end, but for its digits like the first."""
        text = dict(self.course(claim).ends).get(claim.last, "")
        said = verdict(text) if text else None
        return said is not None and said.ill

    def _calmly(self) -> None:
        """What is said calmly in each log: where each begins, and how far all that begin above go on."""
        calm = [c for c in self.claims if c.says in _SAID and not c.event.said.words & _NO_ENDING - {"CALM"}]
        calm = [claim for claim in calm if claim.event.said.level not in LOUD]
        of: dict[str, list[tuple[int, int]]] = {}
        for claim in calm:
            of.setdefault(claim.event.evidence.path, []).append((claim.event.evidence.line, claim.last))
        for path, spans in of.items():
            firsts, lasts = zip(*sorted(spans), strict=True)
            self._calm[path] = list(firsts), list(itertools.accumulate(lasts, max))

    def _quotations(self, errors: Sequence[Claim]) -> None:
        """Who quotes whom: every message is looked for once in one text of all of them."""
        messages = Messages(errors)
        for number, claim in enumerate(errors):
            for place in messages.quoting(number, _LEAST):
                self.inside.add(id(claim))
                self.around.add(id(errors[place]))
                first, last = sorted((number, place))
                self.again[id(errors[first])] = max(errors[last].last, self.again.get(id(errors[first]), 0))

    def survived(self, claim: Claim) -> bool:
        """Whether the process of a claim went on with its work below it, and it, or all, did what was to do."""
        return self.vouched(claim) or (self._done_below(claim) and self.went_on(claim))

    def vouched(self, claim: Claim) -> bool:
        """Whether whoever started the process of a claim says below it that it, or all, ended well."""
        path = claim.event.evidence.path
        _, rank, process = process_of(claim.event)
        script, refused = (self.done.get((path, None, one), 0) for one in (SCRIPT, REFUSED))
        name = claim.event.process or claim.event.fields.get("pid") or process or ""
        script = max(script, self.done.get((path, rank, LEFT + name), 0))
        if "FRAMED" in claim.event.said.words or (refused and script - refused <= _SOON):
            script = 0
        return claim.latest < max(script, self.done.get((path, None, EVERYTHING), 0))

    def well_below(self, claim: Claim) -> bool:
        """Whether the work of a claim's process goes on below it, or all was done there."""
        return self._done_below(claim) or self.went_on(claim)

    def _counts(self, claim: Claim) -> bool:
        """Whether a claim counts the steps of a program; in a last word a step is named by anybody."""
        last = claim.last > self.course(claim).lines - _CLOSING
        return claim.count > 1 or not last or _STEP.match(strip(claim.event.evidence.text).payload) is not None

    def praised(self, claim: Claim) -> bool:
        """Whether something good is said below a claim by its logger, or of what it names."""
        return self.praise.below(claim, claim.latest)

    def done_at(self, claim: Claim) -> int:
        """The last line at which the process of a claim, or all, said that all was done."""
        path, rank, process = process_of(claim.event)
        return max(self.done.get((path, rank, process), 0), self.done.get((path, None, None), 0))

    def _done_below(self, claim: Claim) -> bool:
        return claim.latest < self.done_at(claim)

    def went_on(self, claim: Claim) -> bool:
        """Whether work goes on below a claim: steps, or what was said calmly above it, too."""
        path = claim.event.evidence.path
        firsts, lasts = self._calm.get(path, ([], []))
        place = bisect.bisect_left(firsts, claim.event.evidence.line)
        return max(self.progress.get(path, 0), lasts[place - 1] if place else 0) > claim.latest

    def course(self, claim: Claim) -> Course:
        """How the log of a claim went."""
        return self.courses[claim.event.evidence.path]

    def features(self, claim: Claim) -> Features:
        """Everything the ranker knows of one claim."""
        around = neighbours(self.errors, self.said, self.places[id(claim)])
        found = {**self._says(claim), **self._known(claim), **self._stands(claim), **around}
        calm = bool({"level:INFO", "level:DEBUG", "level:WARNING"} & found.keys())
        sort = "none" if claim.entry is None or self.briefs[claim.id]["fallback"] else "some"
        found[f"{claim.says}/entry:{sort}"] = 1.0
        found[f"{'calm' if calm else 'loud'}/entry:{sort}"] = 1.0
        if found["near end"]:
            found[f"end/{claim.says}"] = 1.0
        if "word:CALM" in found:
            found[f"calm words/{claim.says}"] = 1.0
        if not self.raised or self.raised == [claim]:
            found[f"only/{claim.says}"] = 1.0
        return found

    def _says(self, claim: Claim) -> Features:
        said = claim.event.said
        found = {f"kind:{said.kind or 'none'}": 1.0, f"says:{claim.says}": 1.0, f"level:{said.level or 'none'}": 1.0}
        found |= {f"word:{word}": 1.0 for word in said.words}
        found["short"] = float(said.size < 5)
        found["long"] = float(said.size > 12)
        found["valued"] = float(
            bool(said.fields.keys() & {"code", "status", "path", "size", "symbol", "shape", "quoted"})
        )
        name = claim.event.fields.get("exception", said.fields.get("exception", "")).rpartition(".")[2]
        if name:
            found["exception:generic" if name in _GENERIC else "exception:named"] = 1.0
            if not claim.event.fields.get("message", "").strip():
                found["exception:bare"] = 1.0
        if claim.event.family not in ("text", "follow"):
            found[f"family:{claim.event.family}/{claim.event.kind}"] = 1.0
        return found

    def _known(self, claim: Claim) -> Features:
        if claim.entry is None:
            return {"entry:none": 1.0}
        brief = self.briefs[claim.id]
        sort = "general" if brief["general"] and brief["role"] == "root" else brief["role"]
        sort = "fallback" if brief["fallback"] else sort
        found = {f"entry:{sort}": 1.0, f"layer:{brief['layer']}": 1.0}
        found["entry:explained"] = float(id(claim) in self.causes)
        found["entry:explains"] = float(id(claim) in self.effects)
        return found

    def _stands(self, claim: Claim) -> Features:
        raised, place, errors = self.raised, self.places[id(claim)], self.places
        chain, number = claim.event.chain
        many = self.chains.get(chain, 0) > 1 and chain > 0
        path, lines = claim.event.evidence.path, self.course(claim).lines
        left = lines - claim.event.evidence.line
        return {
            "first": float(place == 0),
            "first:raise": float(bool(raised) and claim is raised[0]),
            "last:raise": float(bool(raised) and claim is raised[-1]),
            "after:root": float(0 < self.root_at < claim.place[1]),
            "after:raise": float(bool(raised) and claim.place > raised[0].place),
            "place": place / len(errors),
            "chain:first": float(many and number == 1),
            "chain:last": float(many and number == self.chains[chain]),
            "chain:later": float(many and number > 1),
            "quoted:inside": float(id(claim) in self.inside),
            "quoted:around": float(id(claim) in self.around),
            "tail": float(left <= 2),
            "near end": float(left <= max(10, lines // 10)),
            "repeated": float(claim.count > 1),
            "often": float(claim.count > 9),
            "alone": float(len(errors) == 1),
            "ended after": float(self.ended.get(path, 0) > claim.last),
            "success after": float(self.success.get(path, 0) > claim.last),
            "progress after": float(self.progress.get(path, 0) > claim.last),
        }


def particular(claim: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether an entry explains a claim that knows one root cause, not a class of them."""
    return claim.entry is not None and briefs[claim.id]["role"] == "root" and not briefs[claim.id]["general"]


def whole(scene: Scene, course: Course) -> Features:
    """What the incident, and one log of it, say as a whole of whether anything failed: the length, how it ends."""
    errors = sum(claim.severity == "error" for claim in scene.claims)
    words = frozenset[str]().union(*(said.words for said in course.tail))
    found = {"log:any": 1.0, "log:excerpt": float(scene.lines <= 10), "log:long": float(scene.lines > 100)}
    found |= {"log:crowd": float(errors > 20), "log:few": float(errors < 3)}
    found |= {f"tail:{word}": 1.0 for word in words & _ENDINGS}
    loud = [place for place, said in enumerate(course.tail) if said.level in LOUD]
    last = frozenset[str]().union(*(said.words for said in course.tail[loud[-1] + 1 if loud else 0 :]))
    found["tail:well"] = float(
        bool(last & {"SUCCESS", "PROGRESS"}) and not words & {"FAILED", "EXCEPTION", "INABILITY"}
    )
    return found
