"""Which lines say something: a message, and not a frame, a rule, the trace of a command, or a row of help."""

from __future__ import annotations

from neurontriage.expressions import expression

_INSTRUCTION = r"(?:FROM|RUN|COPY|ADD|WORKDIR|ENV|ARG|USER|LABEL|SHELL|CMD|ENTRYPOINT|EXPOSE|VOLUME)\b"
_FORMS = (
    r"File \"[^\"]+\", line \d+|@ +0x|frame #\d+: |#\d+ +(?:0x|[\w:~]+ ?\()|at (?:async |new )?[\w.$<>/]+ ?\("  # frames
    r"|goroutine \d+ \[|/\S+\.go:\d+|\S+\.\w+\(0x",
    r"\++ \S",  # a shell's trace
    rf"(?:#\d+ |=> |> )?(?:CACHED |ERROR )?\[[^\]]{{1,40}}\] {_INSTRUCTION}|=> |Step \d+/\d+ : |\d+ \| ",  # a build
    r"(?i:usage: )|-\w,? --?\w|--\w[\w-]*(?:[ =]\S{1,40})?(?: {2,}|\s*$)"  # help
    r"|(?i:(?:options|(?:optional|positional) arguments|(?:available )?commands):\s*$)",
    r"\W*$|\*{3} (?:Begin |End )?[\w ]{0,20}stack trace:? ?\**\s*$|Traceback \(most recent call last\):?\s*$",
)
_SILENT = expression("|".join(_FORMS))


def speaks(text: str) -> bool:
    """Whether a line, without what launchers put in front, is a message that somebody may read for itself.

    >>> speaks("cannot open the ring"), speaks("+ exit 1"), speaks("    @     0x7f4a51918d88  pjrt::LogFatal()")
    (True, False, False)
    """
    return _SILENT.match(text.lstrip()) is None
