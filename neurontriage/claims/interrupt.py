"""A run that somebody stopped: Ctrl-C, scancel. The stop is the reason, and no fault of the run."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.lines.remembered import remembered
from neurontriage.lines.words import Sought

_STOPPED = Sought(r"\bKeyboardInterrupt\b|\bSIGINT\b|\bCANCELLED AT\b|[Ss]ignal 2\b|\(exitcode: -2\)")
_TERMINATED = "KeyboardInterrupt: terminated"
"""What vLLM's handler of SIGTERM says."""
_ENDED = Sought(
    r"\bSIGTERM\b|[Ss]ignal:? 15\b|\b15 death signal|exit ?code *(?:: *)?-15\b|\bKeyboardInterrupt: terminated"
)
# Slurm names a limit, or that it starts the job again, when it, not a person, cancelled the job.
_LIMIT = Sought(r"(?i)DUE TO (?:TIME LIMIT|NODE FAILURE|OUT OF MEMORY|JOB REQUEUE|PREEMPTION)|oom")


def stops(claim: Claim) -> bool:
    """Whether a claim reports that a person stopped the run."""
    return _stopped(claim.evidence[0].text)


def ended_from_outside(text: str) -> bool:
    """Whether a line reports that a person, or whoever may end processes (SIGTERM), stopped the run."""
    return _stopped(text) or _ENDED.search(text) is not None


@remembered(1024)
def _stopped(text: str) -> bool:
    return _STOPPED.search(text.replace(_TERMINATED, " ")) is not None and _LIMIT.search(text) is None
