"""How to see that a fix worked and when to stop, for the layers where both are the same for every failure.

An entry that says it itself keeps its own words.
"""

from __future__ import annotations

from typing import NamedTuple

from neurontriage.knowledge.schema import Entry


class Ending(NamedTuple):
    """What `done_when` and `escalate` say."""

    done_when: str
    escalate: str


ENDINGS = {
    "compiler": Ending(
        "The module compiles (Compiler status PASS, no line with this text or code); its NEFF lies in the cache.",
        "Stop when the newest compiler of your stack prints the same for the smallest graph that fails: neurontriage "
        "issue LOG writes the issue; attach the compiler's log, the graph it was given, its command line and version.",
    ),
    "cache": Ending(
        'The graph compiles or loads, and the next run prints "Using a cached neff".',
        "Stop when a fresh cache on a local disk with space (another NEURON_COMPILE_CACHE_URL) shows the same: then "
        "the cache is not the cause. Otherwise give the line, ls -la of the MODULE_ folder and df -hT of the cache to "
        "whoever runs the storage.",
    ),
    "kubernetes": Ending(
        "The pod is Running and Ready, and kubectl get events shows no new warning about it.",
        "Stop when the node itself is at fault (driver, devices, network): cordon it, and give its kubelet log, dmesg "
        "and the output of kubectl describe node to whoever runs the cluster.",
    ),
}


def with_ending(entry: Entry) -> Entry:
    """The entry with the ending of its layer where it is about an error and has none of its own."""
    ending = ENDINGS.get(entry.layer)
    if ending is None or entry.severity != "error":
        return entry
    missing = {name: text for name, text in ending._asdict().items() if not getattr(entry, name)}
    return entry.model_copy(update=missing) if missing else entry
