"""The verdict in words: what is said of a log as a whole, most of all where no failure explains it."""

from __future__ import annotations

from neurontriage.model import CUT_OFF, NOTHING_NEW, Diagnosis, Finding
from neurontriage.render.language import say
from neurontriage.render.text import printable

_NAMES = {
    "failed": "Failed",
    "warned": "Warnings",
    "clean": "Clean",
    "unknown": "Nothing recognised",
    "unfinished": "No end seen",
    "empty": "Empty",
}
_NEURON = {"runtime", "driver", "collectives", "target"}  # and every package with "neuron" in its name
_LAYERS = {"compiler", "runtime", "driver", "cache"}
_TONES = {"failed": "bad", "clean": "ok"}
_UNKNOWN = (
    "Nothing in it is known: neither Neuron activity nor a failure. Is it the right log? A failure may "
    "stand in the compiler's log (log-neuron-cc.txt) or in another rank's."
)
_UNFINISHED = (
    "There is Neuron activity, but neither a failure nor the end of the run: it still runs, the log is cut off, or it "
    "was killed without a word. Look at its exit status, at dmesg and at the logs of other ranks."
)
_CUT = (
    "The log ends within a traceback: the line that says what was raised is cut off. Read the whole log, or that of "
    "the launcher: what is there does not say why."
)
_HARMLESS = (
    "What is known in it is harmless; there is neither Neuron activity, nor a failure, nor the end of the run. Is it "
    "the right log? A failure may stand in the compiler's log (log-neuron-cc.txt) or in another rank's."
)


def name(diagnosis: Diagnosis) -> str:
    """The verdict in one or two English words; a log that only stops is not one of which nothing is known."""
    return _NAMES["unfinished" if active(diagnosis) or _cut(diagnosis) else diagnosis.verdict]


def tone(diagnosis: Diagnosis) -> str:
    """`bad`, `warn` or `ok`."""
    return _TONES.get(diagnosis.verdict, "warn")


def active(diagnosis: Diagnosis) -> bool:
    """Whether a log without a failure and without an end shows that Neuron software ran."""
    printed = any(name in _NEURON or "neuron" in name for name in diagnosis.environment)
    spoken = any(finding.layer in _LAYERS for finding in diagnosis.findings)
    return diagnosis.verdict == "unknown" and (printed or spoken or bool(diagnosis.modules))


def sentence(diagnosis: Diagnosis) -> str:
    """What is said where no finding is explained."""
    if diagnosis.verdict == "empty":
        return say("There is no content: the job ended before it wrote a line, or its output went to another file.")
    if diagnosis.verdict != "unknown":
        return say("No failure.")
    known = _UNFINISHED if active(diagnosis) else _HARMLESS if diagnosis.findings else _UNKNOWN
    text = say(_CUT if _cut(diagnosis) else known)
    same = say("No line of it is new against the good run.") if NOTHING_NEW in diagnosis.against else ""
    return printable(" ".join(part for part in (text, same) if part))


def cause(diagnosis: Diagnosis, main: Finding) -> str:
    """Why what is explained failed; of a log in which nothing did, that it is no more than a warning."""
    outlived = main.known and diagnosis.verdict == "warned"
    return f"{say('No line of this log shows that anything failed of it.')} {main.cause}" if outlived else main.cause


def _cut(diagnosis: Diagnosis) -> bool:
    """Whether a log without a failure ends within a traceback."""
    return diagnosis.verdict == "unknown" and any(one.why == CUT_OFF for one in diagnosis.suspects)
