"""The values that travel through the pipeline: frozen, typed, each saying where it came from.

Line → Event → Finding → Diagnosis.  Every line number is 1-based and counts line feeds, as `grep -n` does.
"""

from neurontriage.model.answer import (
    NOTHING_NEW,
    Check,
    CompileStatistics,
    Diagnosis,
    EdgeKind,
    Finding,
    Link,
    Module,
    ModuleStatus,
    Outcome,
    Ranks,
    Recompilation,
    Role,
    Run,
    Severity,
    Sighting,
    Suspect,
    Unparsed,
    Verdict,
    Why,
    Workaround,
)
from neurontriage.model.reading import Event, Evidence, Line, Prefix, Said, Source

__all__ = [
    "NOTHING_NEW",
    "Check",
    "CompileStatistics",
    "Diagnosis",
    "EdgeKind",
    "Event",
    "Evidence",
    "Finding",
    "Line",
    "Link",
    "Module",
    "ModuleStatus",
    "Outcome",
    "Prefix",
    "Ranks",
    "Recompilation",
    "Role",
    "Run",
    "Said",
    "Severity",
    "Sighting",
    "Source",
    "Suspect",
    "Unparsed",
    "Verdict",
    "Why",
    "Workaround",
]
