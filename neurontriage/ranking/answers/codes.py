"""The codes of services, calls, the runtime and the system in a message → what they say in words, the innermost first.

A code is given for programs to go by, so it says more than the sentence around it; but one that only says that
something failed (`Internal`, `UNAVAILABLE`) leaves the word to the sentence.
"""

from __future__ import annotations

from collections.abc import Iterator

from neurontriage.expressions import expression
from neurontriage.ranking.answers.numbers import NUMBERS

_CODE = expression(
    r"\bAn error occurred \((?P<boto>[\w.]+)\)|\bapi error (?P<go>[A-Z][\w.]+)|\bStatusCode\.(?P<grpc>[A-Z_]+)\b"
    r"|\brpc error: code = (?P<rpc>[A-Z]\w+)\b|\bError from server \((?P<kube>[A-Z]\w+)\)"
    r"|\b(?P<nrt>NRT_[A-Z][A-Z0-9_]+)\b"
    r"|(?:^|[\s:])(?P<absl>INVALID_ARGUMENT|NOT_FOUND|ALREADY_EXISTS|OUT_OF_RANGE|RESOURCE_EXHAUSTED|DATA_LOSS"
    r"|DEADLINE_EXCEEDED|PERMISSION_DENIED|FAILED_PRECONDITION|UNAVAILABLE|UNIMPLEMENTED|UNAUTHENTICATED|ABORTED): "
    r"|(?i:\b(?:rc|ret|err|errno|error code|(?:failed|error)(?: with)?|returned)) ?[:=(]? ?-(?P<errno>\d{1,3})\b"
    r"(?!\.\d)|(?i:\berrno ?[:=]? ?)(?P<plain>\d{1,3})\b(?!\.\d)"
)
_WORD = expression(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_BROAD = expression(
    r"(?i)(?:internal|unknown|unavailable|aborted|cancell?ed|failed_?precondition|client_?error|bad_?request"
    r"|unsupported(?:_?operation)?|invalid_?argument|resource_?exhausted|validation_?exception|validation_?error"
    r"|invalid_?request\w*|\d+|forbidden)"
)

# The class of an exception, of which the program that raises it is the author; and what all such names end in.
_RAISED = expression(
    r"(?:[A-Za-z_]\w{0,60}(?:\.|::|\$)){0,12}(?P<name>[A-Z][a-z]\w{2,80}?)(?P<kind>Error|Exception|Failure|Fault)?"
    r"(?:: |$)"
)
_LEAST = 4  # characters of a name that says something


def codes(text: str) -> tuple[str, ...]:
    """The codes that decide what a message says, each as it stands and in words (`NoSuchKey`, `no such key`)."""
    return tuple(_told(one for one, wide in _given(text) if not wide))


def broad(text: str) -> tuple[str, ...]:
    """The codes that have a word only where the sentence says nothing: of XLA, vague ones, numbers of the system.

    Of a number the words and the name: `-12` is `Cannot allocate memory`, `ENOMEM`.
    """
    return tuple(_told(one for one, wide in _given(text) if wide))


def named(text: str, raised: bool = False) -> tuple[str, ...]:
    """What the class of the exception with which a message begins says, in words; its author chose it as a reason.

    `raised`: it is known to be one; else one word must look like the name of a class to be more than a heading.

    >>> named("ocr.errors.DatasetEmptyError: pack 17"), named("Device: lost"), named("Device: lost", raised=True)
    (('dataset empty',), (), ('device',))
    """
    found = _RAISED.match(text)
    if found is None:
        return ()
    parts = _WORD.findall(found["name"])
    words = " ".join(parts).lower()
    return (words,) if len(words) >= _LEAST and (raised or len(parts) > 1 or found["kind"]) else ()


def _given(text: str) -> Iterator[tuple[str, bool]]:
    """Each code of a text, the last first, and whether it is a vague one."""
    for found in reversed(list(_CODE.finditer(text))):
        kind = found.lastgroup or ""
        if kind in ("errno", "plain"):
            name, words = NUMBERS.get(int(found[kind]), ("", ""))
            yield from ((words, True), (name, True)) if name else ()
        else:
            yield found[kind], kind == "absl" or bool(_BROAD.fullmatch(found[kind]))


def _told(given: Iterator[str]) -> Iterator[str]:
    for one in given:
        yield one
        if " " not in one:
            yield " ".join(_WORD.findall(one)).lower()
