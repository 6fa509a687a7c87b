"""Rules beyond the schema: what an entry must not say without a source, and what must not be pasted from it.

A rule takes an entry and yields messages; all rules see all entries of `kb lint`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from neurontriage.kb import blocks
from neurontriage.knowledge.commands import captured
from neurontriage.knowledge.load import Fault, Loaded
from neurontriage.knowledge.plain import plain
from neurontriage.knowledge.schema import Entry, WorkaroundText
from neurontriage.knowledge.statuses import PRINTED

Rule = Callable[[Entry], Iterator[str]]
# Layers whose entries speak of Neuron software; messages of other programs mean the same whoever prints them.
_OF_NEURON = frozenset({"compiler", "runtime", "framework", "model-code", "collectives", "cache"})
_OVERWRITES = re.compile(r"""NEURON_CC_FLAGS(?:"\]\s)?=\s?["'](?![^"'\n]*\$\{?NEURON_CC_FLAGS)(?=[^"'\n])""")
_UPGRADE = re.compile(r"pip3? install .*(?:-U|--upgrade)\b.*(?:neuronx?-cc|torch-neuronx?|libneuronxla|\bnki\b)")
_IN_COMMAND = re.compile(r"(?<!\$)\{([a-z]\w*)\}")
_QUOTED = re.compile(r"""\"[^"\n]*\"|'[^'\n]*'""")
_HITS_OTHERS = re.compile(r"\brmmod neuron|modprobe -r neuron|sudo reboot|--command clean\b|kubectl (?:drain|delete)\b")
_SHORT = 140
# What is named for matching or for search, not for the reader.
_UNSHOWN = frozenset({"code", "operator", "pass"})


def faults(loaded: Loaded) -> list[Fault]:
    """What the rules find in all entries, with the file; the line is that of the top, as a rule sees no lines."""
    found = [
        Fault(str(loaded.paths[entry.id]), 1, 1, message)
        for entry in loaded.entries.values()
        for rule in RULES
        for message in rule(entry)
    ]
    return sorted(found)


def versions_have_a_source(entry: Entry) -> Iterator[str]:
    """A fix or an end of a range needs a link whose text states it."""
    ends = {end for one in entry.affected for event in one.events if (end := event.fixed or event.last_affected)}
    numbers = ends | set(entry.fixed_in.values())
    said = " ".join(link.says or "" for link in entry.links)
    if numbers and not any(number.removesuffix(".0") in said for number in numbers):
        yield f"no link says {', '.join(sorted(numbers))}: give the link that does a `says`"
    for one in entry.affected:
        if not any(event.fixed or event.last_affected for event in one.events) and not one.open:
            yield f"the range of {one.package} has no end: say why (`open`), or that it is meant so (`behaviour`)"


def plain_patterns_have_a_context(entry: Entry) -> Iterator[str]:
    """Words that any program prints prove nothing about Neuron software without a context."""
    if entry.layer not in _OF_NEURON or entry.general or entry.stack or entry.when.seen or entry.severity == "benign":
        return
    for match in entry.match:
        if match.text and match.text not in PRINTED and not match.family and plain(match.text):
            yield f"any program may print {match.text!r}: add `stack`, `when` or a family, or make the entry general"


def tested_means_found(entry: Entry) -> Iterator[str]:
    """`tested` needs a source that holds the message; `stable` a case that reproduces it."""
    if entry.status == "tested" and not entry.sources:
        yield "tested without `sources`: where does the message stand?"
    if entry.status == "stable" and not entry.repro:
        yield "stable without `repro`"


def commands_can_be_pasted(entry: Entry) -> Iterator[str]:
    """Blocks parse; compiler flags are appended to; an upgrade is a computed one."""
    for one in entry.workarounds:
        for text in filter(None, (one.before, one.after)):
            if not blocks.parses(text):
                yield f"{one.title}: neither Python, shell, YAML, JSON nor a file's line: {text.splitlines()[0]!r}"
        text = f"{one.detail}\n{one.after or ''}"
        if _OVERWRITES.search(text):
            yield f'{one.title}: NEURON_CC_FLAGS is overwritten: write NEURON_CC_FLAGS="$NEURON_CC_FLAGS …"'
        if _UPGRADE.search(text):
            yield f"{one.title}: an upgrade without versions: use `snippet`"


def commands_are_filled(entry: Entry) -> Iterator[str]:
    """A `{group}` in a command is captured, and stands outside of quotes, because its value brings its own."""
    names = captured(match.model_dump() for match in entry.match)
    commands = [one.after or "" for one in entry.workarounds if one.kind != "code"]
    for command in [*commands, (entry.check.command if entry.check else None) or ""]:
        for name in set(_IN_COMMAND.findall(command)):
            if name not in names:
                yield f"no pattern captures {{{name}}} of the command {command.splitlines()[0]!r}"
            elif "{" + name + "}" not in _QUOTED.sub("", command):
                yield f"{{{name}}} stands in quotes: it is quoted when it is filled in"


def what_hits_others_says_whom(entry: Entry) -> Iterator[str]:
    """A step that reloads the driver, reboots, empties a shared cache or ends pods tells who else feels it."""
    commands = "\n".join((one.after or "") for one in entry.workarounds)
    if (found := _HITS_OTHERS.search(commands)) and not entry.blast_radius:
        yield f"{found[0]!r} hits more than this job: say whom (`blast_radius`)"


def code_is_shown_as_it_stands(entry: Entry) -> Iterator[str]:
    """A step of code holds no captured `{group}`: code is shown as the entry has it, nothing is filled in."""
    names = captured(match.model_dump() for match in entry.match)
    for one in entry.workarounds:
        if one.kind == "code":
            for name in sorted(set(_IN_COMMAND.findall(f"{one.before or ''}\n{one.after or ''}")) & set(names)):
                yield f"{one.title}: {{{name}}} is not filled in within code: write an example"


def workarounds_fit_a_line(entry: Entry) -> Iterator[str]:
    """What to do about an error has a text of one line that keeps its warning."""
    if entry.severity == "error" and entry.role == "root":
        for one in entry.workarounds:
            if not one.short and len(one.detail) > _SHORT:
                yield f"{one.title}: a detail of {len(one.detail)} characters needs a `short`"


def checks_lead_somewhere(entry: Entry) -> Iterator[str]:
    """A check says what its outcomes mean, and an outcome names a workaround of the entry."""
    if entry.check and not entry.check.outcomes:
        yield "check: what can be seen, and what does it mean? Give `outcomes`"
    command = entry.check.command if entry.check else None
    if command and not blocks.runs_in_shell(command):
        yield f"check: no shell runs {command!r}: code of a script belongs into `look`"
    titles = {one.title for one in entry.workarounds}
    for outcome in entry.check.outcomes if entry.check else ():
        if outcome.workaround and outcome.workaround not in titles:
            yield f"check: no workaround is called {outcome.workaround!r}"


def cheap_steps_come_first(entry: Entry) -> Iterator[str]:
    """What changes least comes first: look, settings and code, then an upgrade, then other hardware, a report at last.

    What is known to be fixed is upgraded first, and to install and upgrade is the cure in the layers of that.
    """
    if entry.severity != "error" or entry.order or entry.affected or entry.fixed_in:
        return
    costs = [_cost(one, entry.layer) for one in entry.workarounds]
    for one, cost, before in zip(entry.workarounds[1:], costs[1:], costs, strict=False):
        if cost < before:
            yield f"{one.title}: stands behind a step that costs more; sort them, or say why (`order`)"


def _cost(one: WorkaroundText, layer: str) -> int:
    if one.kind == "report":
        return 5 if one.title.startswith("Report ") else 1
    if one.kind == "upgrade" and layer in ("install", "driver"):
        return 1
    return {"upgrade": 3, "resource": 4}.get(one.kind, 1)


def captures_are_shown(entry: Entry) -> Iterator[str]:
    """What most alternatives capture stands in the title or in the advice, else it is captured for nobody."""
    own = ["" if match.text in PRINTED else match.text or "" for match in entry.match]
    captured = [set(re.findall(r"\(\?P<(\w+)>", text)) - _UNSHOWN for text in own]
    often = {name for names in captured for name in names if 2 * sum(name in one for one in captured) > len(captured)}
    shown = entry.model_dump_json(include={"title", "cause", "check", "workarounds"})
    if often and not often & set(re.findall(r"\{(\w+)\}", shown)):
        yield f"neither title nor advice uses {', '.join(sorted(often))}"


def texts_name_what_is_captured(entry: Entry) -> Iterator[str]:
    """Braces in what the reader is told hold a name that a pattern captures."""
    given = entry.plain()
    names = captured(given.get("match", ()))
    texts = [given["cause"], *(f"{one.detail} {one.short}" for one in entry.workarounds)]
    for name in sorted({name for text in texts for name in re.findall(r"\{([a-z]\w*)\}", text)} - names):
        yield f"{{{name}}} stands in a text, and no pattern captures it"


RULES: tuple[Rule, ...] = (
    versions_have_a_source,
    plain_patterns_have_a_context,
    tested_means_found,
    commands_can_be_pasted,
    commands_are_filled,
    what_hits_others_says_whom,
    code_is_shown_as_it_stands,
    workarounds_fit_a_line,
    checks_lead_somewhere,
    cheap_steps_come_first,
    captures_are_shown,
    texts_name_what_is_captured,
)
