"""A kernel module that could not be loaded says why its device, or its driver, is not there below."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.words import Sought

_LOADS = Sought(r"\b(?:modprobe|insmod): ")
_MODULE = expression(r"(?:insert|load|find|Module) (?:kernel )?(?:module )?['\x22]?(?:[\w./-]*/)?(?P<name>\w+)")
_DEVICE = Sought(r"(?i)\b(?:device|driver)s?\b")
_LACKS = Sought(r"(?i)\b(?:no|not|unable|cannot|missing|unavailable)\b|n't\b")
_WORD = expression(r"\w+")


def deviceless(claim: Claim) -> bool:
    """Whether a claim says that a device or driver is not there."""
    text = claim.event.evidence.text
    return _DEVICE.search(text) is not None and _LACKS.search(text) is not None


def unloaded(missing: Claim, claim: Claim) -> bool:
    """Whether a claim says that a module was not loaded of which the other, below it, misses the device or driver.

    A device is called as its module is: `neuron`, `efa`, `nvidia`.
    """
    one, other = claim.event.evidence, missing.event.evidence
    if one.path != other.path or one.line >= other.line or not _LOADS.search(one.text):
        return False
    found = _MODULE.search(one.text)
    if found is None or not deviceless(missing):
        return False
    return found["name"].lower() in (word.lower() for word in _WORD.findall(other.text))
