"""Fixes that the log itself rules out: what they set is set already, what they upgrade to is installed. They come last.

A run that failed with a setting is not mended by it. Where the log shows other values, too, or a fix does more than to
set something, nothing is known: it stays where it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from neurontriage.expressions import expression
from neurontriage.facts.settings import Settings, options
from neurontriage.knowledge.versions import below
from neurontriage.model import Workaround

_COMMENT = expression(r"(?m)(?:^|\s)#.*$")
_SHELL = expression(r"(?:export |env )?((?:\s*\b[A-Z][A-Z0-9_]+=(?:\"[^\"]*\"|'[^']*'|[^\s\"';]+))+)\s*;?")
_PAIR = expression(r"\b([A-Z][A-Z0-9_]+)=(?:\"([^\"]*)\"|'([^']*)'|([^\s;]+))")
_PYTHON = expression(r"os\.environ\[['\"]([A-Z][A-Z0-9_]+)['\"]\] ?= ?['\"]([^'\"]*)['\"]")
_OWN = expression(r"\$\{?\w+\}? ")
_RELEASE = expression(r"(?i)\bto (SDK|[a-z][\w-]*) (\d+(?:\.\d+)+)")
_NUMBER = expression(r"\d+(?:\.\d+)?")


def last(fixes: Sequence[Workaround], settings: Settings, environment: Mapping[str, str]) -> tuple[Workaround, ...]:
    """The fixes, behind all others those that cannot help, with what the log shows."""
    told = [(fix, _said(fix, settings, environment)) for fix in fixes]
    ruled = [replace(fix, detail=f"{said} {fix.detail}".rstrip(), short=said) for fix, said in told if said]
    return (*(fix for fix, said in told if not said), *ruled)


def _said(fix: Workaround, settings: Settings, environment: Mapping[str, str]) -> str:
    """What the log shows that rules a fix out; empty where nothing does."""
    if fix.kind == "upgrade":
        return _installed(fix, environment)
    if not settings or not fix.after:
        return ""
    wanted = wants(fix.after)
    if not wanted or not all(_in_force(name, value, settings) for name, value in wanted):
        return ""
    return f"Set already where this failed ({_named(wanted, settings)})."


def _installed(fix: Workaround, environment: Mapping[str, str]) -> str:
    """What is installed of what a fix upgrades to: nothing newer is there, or the release that its title names."""
    if fix.snippet and fix.after is None and fix.detail:
        return fix.detail
    if not (found := _RELEASE.search(fix.title)):
        return ""
    version = environment.get(found[1].lower(), "").split(" ")[0]
    return f"Installed already ({found[1]} {version})." if version and not below(version, found[2]) else ""


def wants(code: str) -> tuple[tuple[str, str], ...]:
    """What a piece of shell or Python sets, if it does nothing else, and each value is known; else nothing."""
    found: list[tuple[str, str]] = []
    for line in filter(None, map(str.strip, _COMMENT.sub("", code).splitlines())):
        shell, python = _SHELL.fullmatch(line), _PYTHON.fullmatch(line)
        pairs = [(name, "".join(values)) for name, *values in _PAIR.findall(shell[1])] if shell else []
        pairs += [(python[1], python[2])] if python else []
        if not pairs and line != "import os":
            return ()
        for name, value in pairs:
            found += options(f" {value}") if _OWN.match(value) and " -" in value else [(name, value)]
    return () if any("$" in value for _, value in found) else tuple(found)


def _in_force(name: str, value: str, settings: Settings) -> bool:
    """Whether every value that the log shows is this one; for a limit of time, or a longer one."""
    values = settings.get(name, frozenset())
    if "TIMEOUT" in name and _NUMBER.fullmatch(value):
        return bool(values) and all(_NUMBER.fullmatch(one) and float(one) >= float(value) for one in values)
    return values == {value}


def _named(wanted: Sequence[tuple[str, str]], settings: Settings) -> str:
    return ", ".join(f"{name}={min(settings[name])}" for name, _ in wanted)
