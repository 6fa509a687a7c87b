"""The remedy that the line of a root cause itself states, or what it lists as allowed: it comes first among the fixes.

A program that says what to do about its own refusal mostly knows better than an answer for a class of failures. Where
an entry knows the failure, it knows whether that helps: its own fixes stay, the one that names the same is first.
"""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.expressions import expression
from neurontriage.model import LISTED, STATED, Workaround

_LEAST, _MOST, _READ = 12, 300, 2000
_SENTENCES = expression(
    r"[.!?:;][\x22')\]]* +(?=[A-Z\x60'\x22])|[;,.] *(?=(?i:please|try)\b)|; *(?=(?i:set|use|run)\b)"
    r"|\.(?=[A-Z][a-z]+ [a-z])|(?<! ) +(?=Please |Try )"
)
# Whom it tells to do it, then the deed; without the former a deed begins with what it is done to.
_TELLS = (
    r"(?:please|try|consider|instead|to [a-z][^.;]{1,69}?[^.; ]"
    r"|you (?:can|may|could|must|should|need to|have to|might want to))"
)
_DEEDS = (
    r"(?:set|pass|use|add|run|(?:re)?install|upgrade|downgrade|update|specify|provide|enable|disable|turn|increase|decrease"
    r"|reduce|raise|lower|change|replace|remove|call|define|choose|select|convert|cast|re-?compile|re-?trace|restore"
    r"|restart|re-?export|delete|wrap|move|split|transpose|reshape|permute|shard|round|rewrite|truncate|shrink|regenerate|rebuild"
    r"|re-?run|(?:re-?)?mount|switch|pin|log ?in|rename|allow|unset|pad|load|import|configure"
    r"|proceed with|go back to|stay with)"
)
_TOLD = expression(
    rf"(?i)(?:^|[,;] (?=you ))(?:{_TELLS}[:,]? +){{1,2}}(?:to |also |either )?(?:{_DEEDS}|\w+ing) \S"
    rf"|[,;] (?:please )?(?:(?:re)?install|upgrade|downgrade) [\w.-]+"
    rf"|[,;] {_DEEDS} (?:with |by |without )?(?:the|a|an|your|it|either|--\S+|\w+=\S+)\b"
    r"|^(?:Using|Setting|Reducing|Lowering|Increasing|Raising|Enabling|Disabling|Upgrading|Updating|Downgrading|Removing|Adding|Running"
    r"|Switching) .{5,160}\b(?:may|might|should|can|could|will|usually|often) (?:help|fix|resolve|solve|work)"
    rf"|^{_DEEDS} (?:with |by |without )?(?-i:(?:the|a|an|your|it|either) |[A-Z\x60'\x22-]|\w+[_=]|\w+-\w+=)"
)
# It ends in a deed, and what is to be typed stands below it.
_HEADS = expression(
    rf"(?i)(?:{_TELLS}[:,]? .{{0,160}}|(?:to|please|try|you can) .{{3,160}}\b)?"
    rf"(?:{_DEEDS}|execute|type|do)(?: \w+){{0,3}}:$"
)
_FREE = r"(?:supported|valid|allowed|accepted|permitted|available|possible|known|registered)"
_ALLOWED = expression(
    rf"(?i)\b(?:{_FREE} (?:[\w-]+ ){{0,3}}(?:are)?:? ?[\[({{]|{_FREE} (?:[\w-]+ ){{0,3}}are:? [\x27\x22\x60]"
    rf"|{_FREE} (?:[\w-]+ ){{0,2}}[\w-]+s(?: are| for \S+)?: "
    r"|(?:choose|chosen|select\w*|pick\w*) (?:one )?(?:from|between|among|of):? "
    r"|(?:must|should|has to|can only|expected to) be (?:one|any) of:? |expected (?:one|any) of:? |choices:? )"
    r"(?P<rest>.{3,220}?)(?=$|[.;] +[A-Z]|[.)] *$)"
)
_SEVERAL = expression(r",|\||\bor\b|\band\b")
_NONE = expression(
    r"(?i)(?:\b|_)(?:reports?|support|ticket|bug|issues?|contact|forum|file an|stack ?trace|traceback|verbose"
    r"|debug|log level|ignor\w+|suppress\w*|silence\w*|skip (?:missing|this|the|it)|strict=false"
    r"|if (?:needed|necessary|required|desired|applicable|you want|you wish))(?:\b|_)|\w(?:_LOGS|DEBUG|VERBOSE)="
)
_QUOTED = expression(r"[\x60'\x22]([^\x60'\x22]{3,60})[\x60'\x22]")
_NAMES = expression(r"--[a-z][\w-]+|\b[A-Za-z][A-Za-z0-9]*_\w+|\b[a-z]+(?:-[a-z0-9]+)+\b|\b[a-z][a-z0-9]*[A-Z]\w+")


def stated(text: str) -> str:
    """What a message says is to be done, in its own words; empty where it says nothing, or only whom to tell."""
    parts = (part.strip() for part in _SENTENCES.split(text[:_READ]))
    deeds = (part[found.start() :].strip(" .;,") for part in parts if (found := _TOLD.search(part)))
    return next((deed for deed in deeds if _LEAST <= len(deed) <= _MOST and not _NONE.search(deed)), "")


def headed(text: str, below: str) -> str:
    """What a line that ends in a colon asks for, with the command, option or code that stands alone below it.

    >>> headed("To allow this folder, call:", "git config safe.directory /x")
    'To allow this folder, call: git config safe.directory /x'
    """
    head, own = text.strip(), below.strip()
    asks = _HEADS.match(head) is not None and not _NONE.search(head) and len(head) + len(own) <= _MOST
    return f"{head} {own}" if asks and own and not own.endswith((":", ".")) else ""


def listed(text: str) -> str:
    """What a message lists as allowed, in its own words; empty where it lists nothing, or names only one."""
    found = _ALLOWED.search(text[:_READ])
    return found[0].strip(" .;") if found and _SEVERAL.search(found["rest"]) else ""


def first(fixes: Sequence[Workaround], text: str, wide: bool, below: str = "") -> tuple[Workaround, ...]:
    """The fixes, the one that the message itself asks for before the others.

    `wide`: the answer is one for a class, or none; the words of the line then are a fix of their own. `below`: what the
    lines right below it ask for, where it does not.
    """
    if not (asked := stated(text) or below):
        allowed = listed(text) if wide else ""
        others = [fix for fix in fixes if not allowed or fix.title != LISTED]
        return (*([Workaround(LISTED, "config", f"{allowed}.")] if allowed else ()), *others)
    named = _named(asked)
    same = next((fix for fix in fixes if named & _named(_all(fix))), None)
    if same is not None:
        return (same, *(fix for fix in fixes if fix is not same))
    return (Workaround(STATED, "config", f"{asked}."), *fixes) if wide else tuple(fixes)


def _all(fix: Workaround) -> str:
    return "\n".join(filter(None, (fix.title, fix.short, fix.detail, fix.after)))


def _named(text: str) -> frozenset[str]:
    """Options, variables, arguments and what stands in quotes, folded: `--max-model-len` is `max_model_len`."""
    names = [*_NAMES.findall(text), *(one for one in _QUOTED.findall(text) if " " not in one)]
    return frozenset(one.split("=")[0].strip("-").replace("-", "_").lower() for one in names)
