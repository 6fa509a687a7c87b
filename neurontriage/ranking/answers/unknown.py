"""What can be said of a failure that no entry knows: what sort of statement its words make, and a first look."""

from __future__ import annotations

from typing import NamedTuple

from neurontriage.claims.claim import Claim
from neurontriage.lines.words import Sought
from neurontriage.model import Workaround

ISSUES = "https://github.com/aws-neuron/aws-neuron-sdk/issues"

UNKNOWN = "No entry knows this message itself."
"""What is said first of a failure of which only the reason is explained."""

_COLLECT = {
    "compiler": "the whole log-neuron-cc.txt of the work directory, and the HLO (NEURON_FRAMEWORK_DEBUG=1)",
    "runtime": "a run with NEURON_RT_LOG_LEVEL=INFO, dmesg, and the output of neuron-ls and neuron-top",
    "collectives": "all ranks' logs with NCCL_DEBUG=INFO and NEURON_RT_LOG_LEVEL=INFO, and `fi_info -p efa`",
    "driver": "dmesg, lsmod, `modinfo neuron` and neuron-ls",
    "install": "`pip list`, `apt list --installed | grep neuron`, and the whole installation output",
    "kubernetes": "`kubectl describe pod` and the logs of the Neuron device plugin",
    "host": "dmesg around that time, and memory and disk of the host (free -h, df -h)",
    "framework": "the whole traceback from the first line, and `pip list | grep -iE 'neuron|torch|jax'`",
}


class Sort(NamedTuple):
    """A sort of statement: what the words claim, what to look at first, what usually helps then."""

    claims: str
    look: str
    change: str


# Whoever says so refuses it itself.
_REFUSING = Sought(r"(?i)\brefusing\b")
# Who only gives up tells of nobody else; these words tell of somebody.
_GAVE_UP = Sought(r"(?i)\bgave up\b")
_OTHERS = Sought(
    r"(?i)\b(?:refus|deni|forbid|unauthor|time|reset|clos|unreach|lost|gone|unavail|respon|reject|connect|wait|peer|server|host)"
)
# By the typed words of grammars/payload.lark, the most telling first.
_SORTS = {
    "SIGNALLED": Sort(
        "a process was ended by a signal; the reason stands elsewhere",
        "dmesg -T | tail -50: out of memory, a segfault address, a machine check; and the last thing the process said",
        "With an out-of-memory record in the kernel log: fewer parallel processes or a larger host. With a segfault: "
        "match the versions of the native libraries.",
    ),
    "LIMIT": Sort(
        "a size, count or range is over a limit",
        "Compare the two numbers of the line: what was asked and what is available or allowed, and where each is set",
        "Ask for less (batch, sequence length, tile, workers, instances), or raise the limit where it is set.",
    ),
    "REFUSED": Sort(
        "the other side refused, was gone, or did not answer in time",
        "Look at the other side from this very host: does it run, is it reached (curl, ss), are credentials valid",
        "Start it or correct address, port, token or role. A longer timeout helps only where it is slow, not dead.",
    ),
    "MISSING": Sort(
        "something that the line names was not there",
        "Look for it where the program looks: ls -l, pip show, env; in the container, on the node that failed",
        "Create, install or mount it, or correct its name or version. If an earlier step should make it, that failed.",
    ),
    "ASSERTION": Sort(
        "a program's own check failed",
        "Read the values of its operands in the line or just above it",
        "Change the input that breaks the check: shape, size, option. If it should hold, report it with that input.",
    ),
    "INVALID": Sort(
        "a value or a combination is not accepted",
        "Compare the value with what the line expects: type, dtype, shape, option, version",
        "Correct the value, or bring the versions of the two sides together.",
    ),
    "EXPECTED": Sort(
        "a requirement is not met",
        "Compare what was given with what is required: both stand in the line, or where it points",
        "Change what was given; where both come from packages, install the releases that belong together.",
    ),
    "INABILITY": Sort(
        "a step could not be done",
        "Read the reason behind the verb and on the next lines; run that step alone",
        "Mend what the reason names: file, permission, memory, device, version.",
    ),
}


def sort_of(claim: Claim) -> Sort | None:
    """The most telling sort among the words of a claim's line; None where its words tell none."""
    words, text = claim.event.said.words, claim.event.evidence.text
    if "REFUSED" in words and _REFUSING.search(text):
        words = words - {"REFUSED"} | {"INVALID"}  # there is no other side
    elif "REFUSED" in words and _GAVE_UP.search(text) and not _OTHERS.search(text):
        words = words - {"REFUSED"}
    return next((sort for word, sort in _SORTS.items() if word in words), None)


def cause(claim: Claim) -> str:
    """Why it failed, as far as an answer without an entry may say."""
    sort = sort_of(claim)
    own = f" Its own words say that {sort.claims}." if sort else ""
    if claim.severity == "warning":
        return f"Not recognised.{own} The run went on after it: nothing is to do unless it comes again."
    return (
        f"Not recognised: no entry of the knowledge base explains this line.{own} It is the most likely root by its "
        "form and its place in the log, which does not prove it."
    )


def workarounds(claim: Claim) -> tuple[Workaround, ...]:
    """A first look, what usually helps, and what a report needs."""
    if claim.severity == "warning":
        return ()
    sort, collect = sort_of(claim), _COLLECT.get(claim.layer, _COLLECT["framework"])
    found = [
        Workaround("Collect what a report needs", "report", f"Keep {collect}."),
        Workaround("Look for the same message", "report", f"Search {ISSUES} for its stable words; report it there."),
    ]
    if sort is not None:
        found[:0] = [Workaround("Look first", "config", f"{sort.look}."), Workaround("Then", "config", sort.change)]
    return tuple(found)
