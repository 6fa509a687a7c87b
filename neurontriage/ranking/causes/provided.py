"""Something is missing: where a step above it failed that was to bring it, that step says why.

A script goes on after an environment that could not be activated, a volume that was not mounted, a file that was not
fetched, a package that was not installed. What then misses the module, command or file only finds it out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import PurePosixPath

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.levels import CALM
from neurontriage.lines.prefix import strip
from neurontriage.lines.remembered import remembered
from neurontriage.lines.voices import header
from neurontriage.lines.words import Sought
from neurontriage.ranking.causes.beneath import of_kernel
from neurontriage.ranking.causes.detailed import bare
from neurontriage.ranking.causes.stumbled import NOWHERE, empty, stumbled, worked
from neurontriage.ranking.causes.unloaded import unloaded
from neurontriage.ranking.features import Scene
from neurontriage.ranking.statements import calms, counts_none

DEEP = 3  # parts of a path, with the root, from which on it says where something stands
_CALLED, _BLOCK = 2, 6  # lines from a tool's complaint to that of who called it, and of all of them
_SOON = 12  # lines from a complaint to the crash of who ran the command, its frames among them
DATA = frozenset({"KeyError", "IndexError", "TypeError", "AttributeError", "StopIteration"})
"""A program stumbles over its own data."""
PATH = expression(r"(?:\b[a-z][a-z0-9]+:/|(?<![\w.:/-]))/(?:[\w.@+~-]+/)*[\w.@+~-]*[\w@+~-]")
_PACKED = frozenset({".tar", ".tgz", ".gz", ".xz", ".bz2", ".zst", ".zip", ".part", ".tmp", ".incomplete"})
_PROGRAM = Sought(
    r"(?i)\bno module named\b|\bcommand not found\b|\bnot found in (?:\$?PATH|path)\b"
    r"|\bsh: (?:line )?\d+: \S+: not found\b"
)
# A shell or starter could not run it; what only sets the environment is read in these words, too.
_STARTED = Sought(
    r": line \d{1,6}: [\w.~/-]{1,200}: No such file or directory\b"
    r"|\b(?:exec|env|nohup|sudo): \W?[\w./-]{1,200}\W{1,3}[Nn]o such file\b"
)
_ENVIRONMENT = Sought(
    r"(?i)\bactivate\b|\b(?:conda|mamba|micromamba|virtualenv|pyenv|spack|Lmod)\b|\bmodule (?:load|swap|use)\b"
    r"|\bmodule: command not found|\bmodulefiles?\b|\bmodule\(s\)|\bno (?:such )?environment\b|\bsource: |/setup-env\b"
    r"|\.bashrc\b"
)
# A command of a script says by its name what it could not do.
_VOICE = Sought(r"(?i)^\W{0,3}[a-z][\w.+/-]{1,40}(?: error)?: \W{0,3}\w|^\W{4}error: \w|\bERROR [45]\d\d: |\bsmudge\b")
_MOUNTED = Sought(
    r"(?i)\bmount(?:\.\w+)?: .*\b(?:failed|can't|cannot|wrong|denied|timed out|refused|does not exist|unknown|bad)\b"
    r"|\b(?:failed to|could not|cannot|unable to) (?:re)?mount\b"
)
# Whoever only tidies up or looks around brings nothing.
_TIDIES = Sought(
    r"(?i)^\W{0,3}(?:\S*/)?(?:rm|rmdir|cat|ls|mv|mkdir|ln|chmod|chown|p?kill|killall|which|grep|sed|awk|find|touch|tail|head"
    r"|du|df|umount|stat|rmmod|lsmod|ulimit|renice|sysctl|nvidia-smi|setlocale|\w*warning|info|note|debug|hint|err(?:or)?|failed|exception)\b"
)
_ABSENT = Sought(r"(?i)\b(?:could not find|no such|not a) (?:\w+ )?environment\b|\benvironment \S+ does not exist\b")
_PACKAGES = Sought(
    r"(?i)\b(?:resolv|install|solv)\w* ?(?:package|requirement|dependenc|environment)"
    r"|\b\w*PackageNotFound\b|\block ?file\b"
)
_MOVED = Sought(r"(?i)\bchdir\b|\bcd: |\bworking directory\b")
_FILE = Sought(
    r"(?i)\bno such file or directory\b|\bcan't open file\b|\bcannot find (?:the )?(?:file|path)\b|\bdoes not exist\b"
    r"|\bfile not found\b|\b(?:directory|folder|path) (?:\S+ )?(?:was |is )?not found\b"
    r"|\bnot appear to (?:be a python project|have|contain|exist)\b|\bempty list\b|\bno (?:data )?files\b"
)
# A shell says of a command of its script how it ended: a number of a process, and a word of what a signal means.
_ENDED = Sought(r": line \d{1,6}: +\d{2,8} (?:[A-Z][a-z]+|CPU|File)\b")
FAILED = frozenset({"INABILITY", "REFUSED", "REASON", "FAILED", "INVALID", "ERRNO", "LIMIT"})
_LOST = frozenset({"MISSING", "REASON", "ERRNO"})
_MILD = frozenset({"ZERO", "QUOTATION", "WARNING", "WARNED", "PROGRESS", "UNHIT", "TEARDOWN"})


def lacks(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim only finds missing, or crashes on, what this one says the program could not have."""
    found = provided(likely, claim, scene.progress) or stumbled(likely, claim, scene.progress)
    found = found or _unread(likely, claim, scene.progress) or _cut_off(likely, claim, scene.progress)
    found = found or unloaded(likely, claim) or _gave_up(likely, claim, scene)
    return found and not (claim.entry is None and counts_none(claim))


def _gave_up(lost: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether something is missing below commands that gave up one after the other, and this one is the first of them.

    A tool says what is wrong in words of its own, the one that called it only that it failed.
    """
    one, other = claim.event.evidence, lost.event.evidence
    if one.path != other.path or not claim.last < other.line or worked(claim, scene.progress):
        return False
    if not (absent(lost) or empty(lost)) or not speaks(claim):
        return False
    near = [c for c in scene.claims if c.event.evidence.path == one.path and c.says != "note" and speaks(c)]
    lines = sorted({c.event.evidence.line: c for c in near if c.event.evidence.line < other.line}.items())
    heads = [at for (before, _), (at, _) in pairwise([(-_CALLED, claim), *lines]) if at - before > _CALLED]
    rest = [c for at, c in lines if one.line < at <= one.line + _BLOCK and not any(one.line < h <= at for h in heads)]
    return one.line in heads and any(not c.event.said.words.isdisjoint(FAILED | {"WRAP", "EXIT"}) for c in rest)


def provided(missing: Claim, claim: Claim, progress: Mapping[str, int] = NOWHERE) -> bool:
    """Whether something is missing that a step above was to bring: this claim says that the step failed.

    `progress`: in which line of each log a step of work was counted last; it is not only the first one begun.
    """
    one, other = claim.event, missing.event
    if one.evidence.path != other.evidence.path or one.evidence.rank not in (None, other.evidence.rank):
        return False
    if other.said.kind == "located":
        return False
    above = one.evidence.line < other.evidence.line and claim.last <= missing.last
    if not above or worked(claim, progress) or "WARNED" in one.said.words:
        return False
    prepares = _ENVIRONMENT.search(_said(claim)) is not None
    if not prepares and _misses(claim):
        return False
    if "FRAMED" in other.said.words and bare(claim) and header(_said(claim)):
        return False  # a logger says of an exception only what it was raised in
    if _elsewhere(_said(claim), _said(missing)):
        return True
    lost = missing.event.said.kind == "exception" or not missing.event.said.words.isdisjoint(_LOST)
    brings = speaks(claim) and not _FILE.search(_said(claim))
    if not complains(claim, brings or prepares):
        return False
    if (
        _misses(missing)
        or _STARTED.search(_said(missing))
        or (_ABSENT.search(_said(missing)) and not _ABSENT.search(_said(claim)))
    ):
        return brings or prepares or claim.layer == "install" or _installs(claim)
    if brings and _FILE.search(_said(missing)) and not (_local(claim) and _local(missing)):
        return True
    return lost and brings_place(_said(claim), _said(missing))


def _elsewhere(step: str, missing: str) -> bool:
    """Whether a script is not in the folder where it should be, or a file system not where something is missing."""
    if _FILE.search(missing) and _MOVED.search(step) and not _MOVED.search(missing):
        return True
    return _MOUNTED.search(step) is not None and brings_place(step, missing, 2)


def first_step(found: Claim, likely: Claim, ranked: Sequence[Claim], progress: Mapping[str, int]) -> Claim:
    """Of several steps that were to bring what is missing the first that failed; else what was found."""
    if not provided(likely, found, progress):
        return found
    steps = (claim for claim in ranked if claim.says == found.says and provided(likely, claim, progress))
    return min(steps, key=lambda claim: claim.place, default=found)


def _unread(crash: Claim, claim: Claim, progress: Mapping[str, int]) -> bool:
    """Whether a program crashes in its own data right below a command that says by a name what it could not do."""
    one, other = claim.event, crash.event
    if (one.evidence.path, one.evidence.rank) != (other.evidence.path, other.evidence.rank) or claim.says != "raise":
        return False
    near = 0 < other.evidence.line - claim.last <= _SOON and not worked(claim, progress)
    stumbles = other.fields.get("exception", "") in DATA or empty(crash)
    return near and stumbles and speaks(claim) and complains(claim, brings=True)


def _cut_off(lost: Claim, claim: Claim, progress: Mapping[str, int]) -> bool:
    """Whether a program misses, or crashes on, what a command was to bring that a signal or a limit ended."""
    one, other = claim.event.evidence, lost.event.evidence
    if one.path != other.path or not claim.last < other.line or worked(claim, progress):
        return False
    return _ENDED.search(one.text) is not None and (absent(lost) or empty(lost))


def absent(claim: Claim) -> bool:
    """Whether a claim says that a module, a command, an environment or a file is not there."""
    return _tells_of_none(_said(claim))


@remembered(1024)
def _tells_of_none(text: str) -> bool:
    return any(words.search(text) is not None for words in (_PROGRAM, _ABSENT, _FILE))


def speaks(claim: Claim) -> bool:
    """Whether a command says by its name what it could not do."""
    plain = claim.event.family in ("text", "plain", "installer", "errno")
    text = strip(_said(claim)).payload
    own = _VOICE.search(text) is not None or (not claim.event.process and _VOICE.search(_said(claim)) is not None)
    return plain and own and _TIDIES.search(text) is None and not of_kernel(claim)


def _misses(claim: Claim) -> bool:
    """Whether a claim says that a module or a command is not there."""
    return _PROGRAM.search(_said(claim)) is not None


def complains(claim: Claim, brings: bool) -> bool:
    """Whether a claim says, and no program informs or warns, that a step failed; so does one that brings, and lacks."""
    said = claim.event.said
    if said.level in CALM or said.words & _MILD or calms(claim):
        return False
    told = said.kind in ("exception", "labelled") or not said.words.isdisjoint(FAILED)
    return told or (brings and bool(said.words & {"MISSING", "EXCEPTION"}))


def brings_place(step: str, missing: str, deep: int = DEEP) -> bool:
    """Whether a step names the very place, or one above it, or the archive of what is missing.

    `deep`: of how many parts the place of the step has to be at least, with the root.
    """
    places = {_place(path) for path in PATH.findall(step)}
    lost = [_place(path) for path in PATH.findall(missing)]
    return any(place in (path, *path.parents) for path in lost for place in places if len(place.parts) >= deep)


def _installs(claim: Claim) -> bool:
    """Whether a program that installs packages, or makes an environment of them, raises that it cannot."""
    return claim.says == "raise" and _PACKAGES.search(_said(claim)) is not None


def _local(claim: Claim) -> bool:
    """Whether a claim names a place on this host."""
    return any(path.startswith("/") for path in PATH.findall(_said(claim)))


def _place(path: str) -> PurePosixPath:
    """A path without the endings of what is packed, or not yet whole."""
    place = PurePosixPath(path)
    while place.suffix in _PACKED:
        place = place.with_suffix("")
    return place


def _said(claim: Claim) -> str:
    return claim.event.evidence.text
