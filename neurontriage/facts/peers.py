"""What a process says of the others of its run: that they went away, or did not come; or that it was told to end.

None of that says why: whoever is missing does. Only words of classes are looked for, whoever prints them.
"""

from __future__ import annotations

from functools import lru_cache

from neurontriage.lines.words import Sought

# The other end of a connection went away.
_GONE = Sought(
    r"(?i)\bconnection\b.{0,40}\b(?:reset|refused|closed|aborted|lost|dropped|broken)\b|\b(?:reset|closed) by (?:the )?"
    r"(?:remote )?(?:peer|host)\b|\bbroken ?pipe|\bECONN(?:RESET|REFUSED|ABORTED)\b|\bEPIPE\b"
    r"|\bsocket (?:is )?(?:closed|time(?:d )?-?out|hang ?up)\b|\bendpoint (?:is )?not connected\b"
    r"|\b(?:got|received|read) 0 bytes\b|\b0 bytes (?:read|received)\b|\bunexpected EOF\b"
    r"|\bremote (?:process|end|side)\b.{0,20}\b(?:exit|clos|gone|died)|\bunresponsive receiver\b"
    r"|\bfailed to (?:recv|send)(?: to| from|,|:|$)|^EOFError\W*$"
    r"|\b(?:comm|channel|stream|endpoint)\b.{0,30}\b(?:closed|reset|time(?:d )?-?out)\b"
    r"|\bpeer\b.{0,20}\b(?:disconnected|gone|unreachable|closed|died|lost)\b"
)
# Somebody else is named who died, or is lost.
_NAMED = Sought(
    r"(?i)\blost (?:connection|contact|communication|(?:the )?(?:rank|peer|worker|node|task|actor|process))\b"
    r"|\b(?:another|other|remote|leader|faulty) (?:task|rank|process|worker|node|peer)s?\b.{0,30}"
    r"\b(?:died|dead|failed|exited|gone|lost|restarted|crashed|unhealthy|unreachable|aborted)\b|\bfaulty rank\b"
    r"|\b(?:tasks?|ranks?|peers?|nodes?|actors?|replicas?)\b.{0,30}\b(?:died|unhealthy|unreachable|not respond\w*)\b"
    r"|\b(?:leader|member|peer|rank|stage|master|coordinator)s?\b.{0,20}\b(?:gone|dead|died|left)\b"
    r"|\bno (?:heart ?beat|answer|reply|response|message)s? (?:of|from) (?:\w+ ){0,2}"
    r"(?:rank|member|peer|worker|node|task|stage|leader)\b"
    r"|\bstopped sending heartbeats\b|\bcoordination service\b|\bMPI_ERR_PROC_FAILED\b|\bproc(?:ess)? failure\b"
)
# Nobody came: a time-out, or the end, of what only several can do.
_TOGETHER = (
    r"(?:all[-_ ]?(?:reduce|gather|to[-_ ]?all)\w*|reduce[-_ ]?scatter\w*|broadcast|collectives?|barriers?|\w*Barrier"
    r"|rendez-?vous|communicator|MPI_[A-Z][a-z]\w+|heart ?beats?)"
)
_UNDONE = (
    r"(?:timed? ?-?out|time-?out|deadline|did not (?:reach|finish|complete|end|arrive|join|pass)"
    r"|failed to (?:reach|pass)|gave up|abort(?:ed|ing)"
    r"|missed|hang|hung|stuck)"
)
_MISSED = Sought(
    rf"(?i)\b{_TOGETHER}\b.{{0,80}}\b{_UNDONE}\b|\b{_UNDONE}\b.{{0,40}}\b{_TOGETHER}\b"
    r"|\btimed? ?-?out\b.{0,80}\b(?:waiting for|clients|to join|other (?:ranks|nodes|workers)|recv|connect to)\b"
    r"|\bclients joined\b|\bdid not (?:arrive|join)\b|\bwait(?:ed|ing)? time-?out\b|\bwatchdog\b.{0,60}\b(?:stuck|time)"
    r"|\bwait(?:ed|ing)\b.{0,40}\b(?:from|for) (?:a )?(?:rank|peer|worker|node|task|send|recv|message)"
    r"|\berror occurred in MPI_|\bEXEC_HW_ERR_COLLECTIVES|_ERR_COLLECTIVES\b"
)
# A process that is told to end.
_TOLD = Sought(
    r"\bSIGTERM\b|(?i:\bsignal:? ?15\b|\bexit ?(?:code|status)? ?[:=]? ?(?:-15|143)\b)"
    r"|\bSystemExit: 143\b|^Terminated\W*$|\bKeyboardInterrupt: terminated\b|\bCancelledError\b"
)
# Who is asked by its address on the web is no peer of a run; whoever feeds a process is a child of its own.
_OTHERS = Sought(r"(?i)https?:/|\bHTTPS?Connection|\bDataLoader worker")


@lru_cache(maxsize=4096)
def speaks_of_others(text: str) -> bool:
    """Whether a statement only says that another process is gone, or did not come, or that this one was told to end."""
    if _OTHERS.search(text):
        return False
    return any(one.search(text) is not None for one in (_GONE, _NAMED, _MISSED, _TOLD))
