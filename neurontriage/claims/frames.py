"""Frames of a traceback → where it was raised and called; frames of a compiler → the pass that it broke in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from neurontriage.expressions import expression
from neurontriage.lines.stacks import LIBRARY
from neurontriage.model import Event

_LIBRARY = expression(LIBRARY)
_PASS = expression(r"/([A-Z]\w+)\.py$")
_COMPILERS = frozenset({("neuronx_cc", "frame"), ("neuron_cc", "frame"), ("neuronx_cc", "root")})
_DRIVER = frozenset(
    {"CommandDriver", "CompileCommand", "Job", "Pipeline", "Frontend", "Penguin", "Compile", "DotTransform"}
)
_NEAR = 3
# The environment that pip, build and uv make for the requirements of one build, and for nothing else.
_ISOLATED = expression(r"/(?:pip-build-env-\w+|build-env-\w+|builds-v\d+/\.tmp\w+)/")
# A frame of C++ (boost, gdb), Go or Java, and what is no program's own: it only unwinds, throws, serves or waits.
_NATIVE = expression(
    r"\s*(?:\d+# |#\d+ +(?:0x\w+ in )?|at )?"
    r"(?P<function>[A-Za-z_~][\w:.$<>~/*-]*(?:\(\*\w+\)\.\w+)?)(?:\(| ?$| in | at )"
)
# What raises an exception that a name holds: where frames stand below, it had been raised before, and they are its own.
_HELD = expression(r"raise [a-z_][\w.]*(?: from \w+)?\s*$")
_IMPORT = expression(r"(?:import|from) \w")
_FOREIGN = expression(
    r"__cxa_|_Unwind|abort$|raise$|gsignal$|__|_start|clone|panic$|runtime\.|net/http|std::|core::panicking|rust_"
    r"|tsl::|c10::|java[.x]|sun\.|goroutine|libc"
)

Frame = tuple[Event, str]


@dataclass(eq=False, repr=False)
class Innermost:
    """Of a run of compiler frames the innermost of a pass says where it broke: the last, or the first `root =`."""

    held: Event | None = None

    def takes(self, event: Event) -> bool:
        """Whether the event is a frame of a compiler; if so it is kept or passed over."""
        if (event.family, event.kind) not in _COMPILERS:
            return False
        held = self.held
        if held is None or (held.kind == "frame" and (event.kind != "frame" or event.hits or not held.hits)):
            self.held = event
        return True

    def ended(self, line: int | None = None) -> Iterator[Event]:
        """The frame of a run that ended, a few lines before `line` or with the log."""
        if self.held is None or (line is not None and line <= self.held.evidence.line + _NEAR):
            return
        event, self.held = self.held, None
        found = _PASS.search("/" + event.fields.get("file", ""))
        named = {"pass": found[1]} if found and found[1] not in _DRIVER else {}
        yield event._replace(kind="innermost", fields={**named, **event.fields})


def where(frames: Sequence[Frame]) -> dict[str, str]:
    """The frame that raised, and the innermost of the user's own code where the raise is in a library; with its source.

    `frames`: each frame with the line of source that is printed below it, "" without one.
    """
    if not frames:
        return {}
    raised, own = frames[-1], [frame for frame in frames if not _LIBRARY.search(frame[0].fields["file"])]
    found = {"raised_at": _place(raised), "raised_code": raised[1], "function": raised[0].fields.get("function", "")}
    if own and own[-1] is not raised:
        called = own[-1]
        found |= {"called_at": _place(called), "called_code": called[1]}
        found["called_in"] = called[0].fields.get("function", "")
    if any(_ISOLATED.search(frame[0].fields["file"]) for frame in frames):
        found["build"] = "isolated"
    if any(_HELD.match(code) for _, code in frames[:-1]):
        found["reraised"] = "held"
    return {name: value for name, value in found.items() if value}


def begins(frames: Sequence[Frame]) -> str:
    """The file and function of the outermost frame: of an exception that was caught, where that was."""
    return _function(frames[0]) if frames else ""


def instead(frames: Sequence[Frame], caught: str) -> str:
    """The line of source with which a handler tried something else, in the function that caught the exception before.

    "" where it tried nothing, but raised an exception itself.
    """
    if not caught:
        return ""
    tried = [*frames[:-1], *(frame for frame in frames[-1:] if _IMPORT.match(frame[1]))]
    return next((frame[1] for frame in tried if _function(frame) == caught), "")


def is_library(file: str) -> bool:
    """Whether a file is not of the user's own code; what starts a module as a program belongs to neither."""
    return _LIBRARY.search(file) is not None and "runpy" not in file


def _function(frame: Frame) -> str:
    return f"{frame[0].fields['file']}:{frame[0].fields.get('function', '')}"


def _place(frame: Frame) -> str:
    return f"{frame[0].fields['file']}:{frame[0].fields['line_number']}"


def own_function(lines: Sequence[str]) -> str:
    """Of a native stack, innermost first, the first function that is not the language's or a library's, else ""."""
    found = (_NATIVE.match(line) for line in lines)
    names = (match["function"] for match in found if match)
    return next((name for name in names if not _FOREIGN.match(name)), "")
