"""An error for the user is a value: what happened, what was expected, what to do. Drawn in one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum


class Exit(IntEnum):
    """Exit codes of every command; fixed by the contract with other programs."""

    OK = 0
    FOUND = 1
    USAGE = 2
    CRASH = 3
    INTERRUPTED = 130


@dataclass(eq=False)
class TriageError(Exception):
    """A refusal that the user can act on; ends with `exit_code`.

    `reference` is a stable kebab-case name, `message` names the input and what is wrong with it,
    `expected` what would have been right, `hint` the next thing to do or type.
    """

    reference: str
    message: str
    expected: str = ""
    hint: str = ""
    exit_code: Exit = Exit.USAGE

    def __reduce__(self) -> tuple[type[TriageError], tuple[str, str, str, str, Exit]]:
        """How other processes get it: an exception is pickled by its arguments, and a dataclass has none."""
        return TriageError, (self.reference, self.message, self.expected, self.hint, self.exit_code)

    def __str__(self) -> str:
        lines = [f"error: {self.message}"]
        if self.expected:
            lines.append(f"  expected: {self.expected}")
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)


def unknown(what: str, given: str, known: Sequence[str]) -> TriageError:
    """The refusal of a value that is none of those known, with the nearest of them: `--format jsn`."""
    from difflib import get_close_matches

    near = get_close_matches(given, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else ""
    reference = what.lstrip("-").replace(" ", "-")
    return TriageError(f"wrong-{reference}", f"{what} {given}: there is none of this name", ", ".join(known), hint)
