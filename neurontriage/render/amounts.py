"""What a log says was asked for against what there is: `needed 22.19GB`, `limit 16.00GB` → a ratio and a bar."""

from __future__ import annotations

import re
from typing import NamedTuple

from neurontriage.model import Finding
from neurontriage.render.language import say

_PAIRS = (
    ("needed", "limit"), ("needed", "available"), ("count", "limit"), ("size", "limit"), ("elements", "limit"),
    ("requested", "allowed"), ("requested", "available"), ("nc_requested", "nc_available"),
)  # fmt: skip
_NUMBER = r"(?i)(?P<number>\d[\d,]*(?:\.\d+)?) ?(?P<unit>[KMGT]i?B|B|bytes|MB/s)?"
_UNITS = {"k": 10, "m": 20, "g": 30, "t": 40}
_GIB = 1 << 30


class Amount(NamedTuple):
    """What was asked and what there was, as the log prints them; `ratio` asked / given, None where given is 0.

    `words`: how the two are told.
    """

    asked: str
    given: str
    ratio: float | None
    words: str = "{asked} asked, {given} there"

    def __str__(self) -> str:
        more = f" ({self.ratio:,.1f} ×)" if self.ratio is not None and self.ratio >= 1.05 else ""
        return say(self.words, asked=self.asked, given=self.given) + more


def amount(finding: Finding) -> Amount | None:
    """None where the log does not print both numbers."""
    pair = next((pair for pair in _PAIRS if all(name in finding.fields for name in pair)), None)
    if pair is None:
        return _shapes(finding.fields.get("checkpoint", ""), finding.fields.get("model", ""))
    asked, given = (finding.fields[name].strip() for name in pair)
    wanted, there = _value(asked), _value(given)
    if wanted is None or there is None or wanted[1] != there[1]:
        return None
    ratio = wanted[0] / there[0] if there[0] else None
    return Amount(_shown(asked, wanted[0]), _shown(given, there[0]), ratio)


def _shapes(checkpoint: str, model: str) -> Amount | None:
    """Two shapes with as many dimensions: the sizes of the one that differs; None where several do, or none."""
    sizes = zip(_sizes(checkpoint), _sizes(model), strict=False)
    differ = [pair for pair in sizes if pair[0] != pair[1] and 0 not in pair]
    if len(_sizes(checkpoint)) != len(_sizes(model)) or len(differ) != 1:
        return None
    saved, built = differ[0]
    words = "{asked} in the checkpoint, {given} in the model"
    return Amount(f"{saved:,}", f"{built:,}", max(saved, built) / min(saved, built), words)


def _sizes(shape: str) -> list[int]:
    return [int(size) for size in re.findall(r"\d+", shape)]


def _value(text: str) -> tuple[float, bool] | None:
    """The number in base units, and whether a unit is printed; None where the text is more than that."""
    found = re.fullmatch(_NUMBER, text)
    if found is None:
        return None
    unit = (found["unit"] or "").lower()
    return float(found["number"].replace(",", "")) * float(1 << _UNITS.get(unit[:1], 0)), bool(unit)


def _shown(text: str, value: float) -> str:
    """As printed; long counts get separators, and bytes in ten digits and more are told in GB too."""
    if not text.replace(",", "").isdigit():
        return text
    if value >= _GIB and "," in text:
        return f"{value / _GIB:,.1f} GB"
    return f"{int(value):,}"
