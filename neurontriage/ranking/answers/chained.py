"""An exception says what a program tripped over; one that was raised from it names the file or setting that it read.

`Expecting value: line 1 column 1` is told of the file that `cannot read tokenizer /models/tokenizer.json` names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from neurontriage.claims.claim import MOST_EVIDENCE, Claim
from neurontriage.expressions import expression
from neurontriage.ranking.answers.reasons import message

_LONGEST = 240
# A path or a file by its ending, an option, a setting of the environment, what is taken.
_NAMED = expression(
    r"(?<![\w./-])/[\w.@+-]+(?:/[\w.@+-]+)+|(?<![\w./])[\w-]{1,60}\.(?:json|ya?ml|toml|ini|cfg|conf|csv|tsv|parquet|arrow"
    r"|safetensors|bin|pt|pth|ckpt|npz|npy|h5|neff|onnx|model|txt|gz|zip|tar)\b|(?<!\w)--[a-z][\w-]{2,}"
    r"|\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b"
)
_CODE = expression(r".*\.(?:py|so|cc|cpp|h)$")
_OWN = frozenset({"REASON", "ERRNO", "CALM", "TEARDOWN", "SIGNALLED"})
"""What an exception says that has a failure of its own, or none."""


def tell(root: Claim, claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> None:
    """Let a root that names nothing be told of what the next exception of its chain names, and show that one's line."""
    if not root.chains or _named(message(root)):
        return
    after = [one for one in claims if _later(one, root) and _goes_on(one)]
    for one in sorted(after, key=lambda claim: claim.place)[:1]:
        if root.entry is None or briefs[root.entry]["general"]:
            for name in ("message", "said"):
                if own := root.fields.get(name):
                    root.fields[name] = f"{_named(_message(one))}: {own}"
        if len(root.evidence) < MOST_EVIDENCE:
            root.evidence = [*root.evidence, one.event.evidence]


def _later(claim: Claim, root: Claim) -> bool:
    """Whether an exception stands in a chain of the root, after it."""
    places = dict(root.chains)
    return any(place > places.get(chain, place) for chain, place in claim.chains)


def _goes_on(claim: Claim) -> bool:
    """Whether an exception names what was read, and has no failure of its own."""
    said = _message(claim)
    return claim.event.said.words.isdisjoint(_OWN) and len(said) <= _LONGEST and bool(_named(said))


def _message(claim: Claim) -> str:
    return claim.event.fields.get("message", "")


def _named(text: str) -> str:
    return next((one[0] for one in _NAMED.finditer(text) if not _CODE.match(one[0])), "")
