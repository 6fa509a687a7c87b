"""Versions that a log prints ↔ SDK releases, and whether an entry's version ranges apply to them.

The table is `knowledge/versions.yaml`; ranges follow the OSV schema (https://ossf.github.io/osv-schema/):
ordered events, where what is not known stays unknown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from neurontriage.expressions import expression

Event = Mapping[str, str]
Judged = tuple[Mapping[str, Any], str]
_BOUND = expression(r"([a-z][a-z0-9-]*)(<=|>=|<|>)([\d.]+)")


@lru_cache(maxsize=4096)
def parsed(version: str) -> tuple[int, ...]:
    """The numbers of a version up to its build: "2.14.227.0+2d4f85be" → (2, 14, 227, 0)."""
    head = re.split(r"[+a-zA-Z_-]", version, maxsplit=1)[0]
    return tuple(int(part) for part in head.split(".") if part.isdigit())


def below(one: str, other: str) -> bool:
    """Whether a version is older than another; missing parts count as zero, so "2.15" is "2.15.0"."""
    left, right = parsed(one), parsed(other)
    width = max(len(left), len(right))
    return left + (0,) * (width - len(left)) < right + (0,) * (width - len(right))


def applies(events: Sequence[Event], version: str) -> bool:
    """Whether a version lies in the affected range that ordered OSV events describe."""
    affected = False
    for event in events:
        if "introduced" in event and (event["introduced"] == "0" or not below(version, event["introduced"])):
            affected = True
        ended = "fixed" in event and not below(version, event["fixed"])
        if ended or ("last_affected" in event and below(event["last_affected"], version)):
            affected = False
    return affected


class Releases(NamedTuple):
    """The table of releases, newest first, as plain data."""

    table: Mapping[str, Any]

    @property
    def latest(self) -> str:
        """The newest SDK release that this knowledge base has heard of."""
        return str(self.table.get("latest_sdk", ""))

    def sdk_of(self, package: str, version: str) -> tuple[str, ...]:
        """The SDK releases that shipped a package version, oldest first; those of its major.minor if it is none."""
        wanted = parsed(version)
        exact, line = [], []
        for release in reversed(self.table.get("releases", ())):
            shipped = [parsed(one) for one in release["packages"].get(package, ())]
            if wanted in shipped:
                exact.append(release["sdk"])
            elif any(one[:2] == wanted[:2] for one in shipped) and len(wanted) > 1:
                line.append(release["sdk"])
        return tuple(exact or line)

    def sdk_in(self, environment: Mapping[str, str]) -> str | None:
        """The SDK that a log's versions point to: "2.20.1", or "2.29.0 to 2.29.1" when several shipped the same."""
        for package in ("neuronx-cc", "torch-neuronx", "runtime", "libneuronxla", "collectives", "driver", "neuron-cc"):
            found = self.sdk_of(package, environment[package]) if package in environment else ()
            if found:
                return found[0] if len(found) == 1 else f"{found[0]} to {found[-1]}"
        return None

    def date_of(self, sdk: str) -> str | None:
        """The day of an SDK release as YYYY-MM-DD; None when the table does not know it."""
        dates = [str(one["date"]) for one in self.table.get("releases", ()) if one["sdk"] == sdk and one["date"]]
        return dates[0] if dates else None

    def newest(self, packages: Sequence[str]) -> dict[str, str]:
        """The newest versions of packages that one SDK release shipped together; empty when none did."""
        found = (self.shipped(packages, release["sdk"]) for release in self.table.get("releases", ()))
        return next(filter(None, found), {})

    def shipped(self, packages: Sequence[str], sdk: str) -> dict[str, str]:
        """The versions of packages in one SDK release; empty when it is not known or lacks one of them."""
        for release in self.table.get("releases", ()):
            if release["sdk"] == sdk and all(release["packages"].get(package) for package in packages):
                return {package: str(release["packages"][package][0]) for package in packages}
        return {}

    def with_sdk(self, environment: Mapping[str, str]) -> dict[str, str]:
        """The environment that a log prints, with the SDK release that its versions point to, by name."""
        sdk = self.sdk_in(environment)
        found = environment if sdk is None else {"sdk": sdk, **environment}
        return {name: found[name] for name in sorted(found)}

    def known(self, environment: Mapping[str, str]) -> dict[str, str]:
        """The same for comparing: of several SDK releases that the versions point to, the oldest."""
        found = dict(environment) if "sdk" in environment else self.with_sdk(environment)
        return {**found, "sdk": found["sdk"].split(" ")[0]} if "sdk" in found else found

    def ended(self, environment: Mapping[str, str]) -> tuple[str, ...]:
        """Notes about printed versions that are out of support, or that do not work together."""
        notes = []
        for end in self.table.get("ended", ()):
            version = environment.get(end["package"])
            if version is not None and ("before" not in end or below(version, end["before"])):
                notes.append(str(end["text"]))
        return tuple(notes + [str(pair["text"]) for pair in self.table.get("pairs", ()) if _clash(pair, environment)])

    def says(self, article: Mapping[str, Any], environment: Mapping[str, str]) -> str | None:
        """What an entry's eras, ranges and fixes mean for this log's versions; None when it has none of them."""
        eras, fixed = article.get("applies", ()), article.get("fixed_in") or {}
        ranges = _ranges(article, fixed)
        known = self.known(environment) if eras or ranges else {}
        if (left := outside(eras, known)) is not None:
            return f"Written for {left}; this log is of another era, so it may not apply."
        if article.get("behaviour"):
            return f"Works as designed: {article['behaviour']}"
        judged = [(one, known[one["package"]]) for one in ranges if one["package"] in known]
        if judged:
            return self._verdict(judged, known.get("sdk"), fixed, bool(article.get("general")))
        return f"Fixed in {_listed(fixed)}; the log does not print your version." if fixed else None

    def _verdict(self, judged: Sequence[Judged], sdk: str | None, fixed: Mapping[str, str], general: bool) -> str:
        """One sentence over all packages of which the log prints a version: one that is affected decides."""
        affected = [(one, version) for one, version in judged if applies(one["events"], version)]
        if affected:
            one, version = affected[0]
            yours, end = _yours(one["package"], version, sdk), _end(one)
            if end or fixed:
                return f"{yours}; fixed in {_listed({**end, **fixed})}: upgrade."
            return f"{yours}, which is affected; {one.get('open') or 'no fix is known'} (as of SDK {self.latest})."
        ended = [(one, version) for one, version in judged if _has_fix(one, version)]
        if not ended:
            (one, version), *_ = judged
            return f"{_yours(one['package'], version, sdk)}, which is outside the versions known to be affected."
        one, version = ended[0]
        advice = "look for another cause" + ("" if general else ", or report a regression")
        return f"{_yours(one['package'], version, sdk)}, which has the fix of {_listed(_end(one))}: {advice}."


def outside(eras: Sequence[str], known: Mapping[str, str]) -> str | None:
    """The eras of an entry in words, when a printed version contradicts one of them; None when none does."""
    return ", ".join(map(_era, eras)) if any(_contradicts(era, known) for era in eras) else None


def _era(era: str) -> str:
    return {"inf1": "Inf1 (neuron-cc)", "xrt": "the XRT runtime (torch-neuronx 1.13)"}.get(era, era)


def _contradicts(era: str, known: Mapping[str, str]) -> bool:
    if era == "inf1":
        return "neuronx-cc" in known and "neuron-cc" not in known
    found = _BOUND.fullmatch("torch-neuronx<2" if era == "xrt" else era)
    version = known.get(found[1]) if found else None
    if found is None or version is None:
        return False
    sign, bound = found[2], found[3]
    older, newer = below(version, bound), below(bound, version)
    return not {"<": older, "<=": not newer, ">": newer, ">=": not older}[sign]


def _ranges(article: Mapping[str, Any], fixed: Mapping[str, str]) -> Sequence[Mapping[str, Any]]:
    """The affected ranges; without any, all versions before the fix of each package."""
    given: Sequence[Mapping[str, Any]] = article.get("affected", ())
    before = [{"package": name, "events": [{"introduced": "0"}, {"fixed": end}]} for name, end in fixed.items()]
    return given or before


def _yours(package: str, version: str, sdk: str | None) -> str:
    release = f" (SDK {sdk})" if sdk and package != "sdk" else ""
    return f"You run {'SDK' if package == 'sdk' else package} {version}{release}"


def _end(affected: Mapping[str, Any]) -> dict[str, str]:
    """The package and the version that ends a range; nothing for an open one."""
    fixes = [event["fixed"] for event in affected["events"] if "fixed" in event]
    return {affected["package"]: fixes[-1]} if fixes else {}


def _has_fix(affected: Mapping[str, Any], version: str) -> bool:
    return any(not below(version, end) for end in _end(affected).values())


def _clash(pair: Mapping[str, Any], environment: Mapping[str, str]) -> bool:
    """Whether two printed values do not go together: a version from one on, and one below another or `among` some."""
    first, second = environment.get(pair["first"]), environment.get(pair["second"])
    if first is None or second is None or below(first, pair["from"]):
        return False
    return second in pair["among"] if "among" in pair else below(second, pair["below"])


def _listed(versions: Mapping[str, str]) -> str:
    names = {"sdk": "SDK"}
    return ", ".join(f"{names.get(package, package)} {version}" for package, version in versions.items())
