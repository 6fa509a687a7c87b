"""A run that somebody stopped: Ctrl-C, scancel. The stop is the reason, and no fault of the run."""

from __future__ import annotations

import re

from neurontriage.claims.claim import Claim

# Slurm names a limit when it, not a person, cancelled the job; vLLM's handler of SIGTERM says `terminated`.
_STOPPED = re.compile(
    r"\bKeyboardInterrupt\b(?!: terminated)|\bSIGINT\b|\bCANCELLED AT\b|[Ss]ignal 2\b|\(exitcode: -2\)"
)
_ENDED = re.compile(
    r"\bSIGTERM\b|[Ss]ignal:? 15\b|\b15 death signal|exit ?code *(?:: *)?-15\b|\bKeyboardInterrupt: terminated"
)
_LIMIT = re.compile(r"DUE TO (?:TIME LIMIT|NODE FAILURE|OUT OF MEMORY)|oom", re.IGNORECASE)


def stops(claim: Claim) -> bool:
    """Whether a claim reports that a person stopped the run."""
    return _stopped(claim.evidence[0].text)


def ended_from_outside(text: str) -> bool:
    """Whether a line reports that a person, or whoever may end processes (SIGTERM), stopped the run."""
    return _stopped(text) or _ENDED.search(text) is not None


def _stopped(text: str) -> bool:
    return _STOPPED.search(text) is not None and _LIMIT.search(text) is None
