"""How the clients of the Neuron runtime print a status, by its name or its number: one table for all statuses.

Names and numbers: https://awsdocs-neuron.readthedocs-hosted.com/en/latest/neuron-runtime/api/nrt_status.html
"""

from __future__ import annotations

from collections.abc import Mapping

from neurontriage.knowledge.schema import Match

_NAME, _NUMBER = r"(?P<name>NRT_[A-Z_]+)", r"(?P<status>\d+)"
# Not what a comparison in code names (`status == NRT_TIMEOUT`), and not a counter of 0 (`NRT_TIMEOUT: 0`).
_BETWEEN, _BEHIND = r"(?:[^=!\n]|[=!][^=\n]){0,60}", r"(?:$|[^\w:]|:$|:[^ 0]|: [^0])"
_NAMED = (
    r"(?:[Ff]ail\w*|FAIL\w*|[Ee]rror|ERROR|\w+Error|returned|status(?:_code)?|result|code|rc|err|ERR|ret)\b"
    + rf"{_BETWEEN}\b{_NAME}{_BEHIND}",
    rf"\b{_NAME}(?:\(\d+\)| in nrt|\W{{1,2}}status|: [A-Z])",
    rf"^{_NAME}$",
)
_NUMBERED = (
    rf"Inference completed with err: ?{_NUMBER}\b",
    rf"Failed to load NN: .*, err: ?{_NUMBER}\b",
    rf"Failed to (?:initialize devices|execute (?:the )?model).*(?:err|error|status) ?[:= ] ?{_NUMBER}\b",
    rf"(?:NEFF|neff|[Nn]euron) [Ww]armup failed with status {_NUMBER}\b",
    r"\b(?:to|not) .{0,40}\b(?:model|neff|NEFF|graph|barrier|collectives?)\b.{0,30}"
    rf"\bstatus ?= ?{_NUMBER},? (?:error )?message\b",
    rf"\bnrta?_\w+.{{0,30}}[Ss]tatus(?: code)?[ :=]{{1,3}}{_NUMBER}\b",
    rf"(?:nrt status code|RTD Status Code:|\] status_code ?=) ?{_NUMBER}\b",
)
PRINTED = frozenset({*_NAMED, *_NUMBERED})


def matches(statuses: Mapping[str, int]) -> tuple[Match, ...]:
    """The alternatives for statuses (name → number): the patterns are the same for all, the value decides."""
    named = [Match(text=text, fields={"name": name}) for name in statuses for text in _NAMED]
    numbers = dict.fromkeys(map(str, statuses.values()))
    return (*named, *(Match(text=text, fields={"status": number}) for number in numbers for text in _NUMBERED))


def written_out(match: Match) -> str | None:
    """The pattern of an alternative with the status that it asks for in place of the group."""
    if match.text not in PRINTED:
        return match.text
    text = match.text or ""
    for group, name in ((_NAME, "name"), (_NUMBER, "status")):
        text = text.replace(group, match.fields.get(name, group))
    return text
