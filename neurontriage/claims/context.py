"""Which programs a log comes from, so that an entry for other programs, or for another era, does not win in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.knowledge.versions import outside
from neurontriage.lines.linear import in_bytes

_XLA = frozenset({"torch-neuronx", "torchneuron", "torch-xla"})
# What else a program's own log comes from: it runs on top of these.
_ABOVE = {
    **dict.fromkeys(_XLA, _XLA),
    **dict.fromkeys(("nxd", "vllm", "optimum-neuron", "nemo"), _XLA | {"nxd", "nxdi", "transformers", "nki"}),
    **dict.fromkeys(("nxdi", "transformers-neuronx"), _XLA | {"nxd", "transformers", "nki"}),
}
_SIGNS = {
    "torch-neuronx": r"torch[_-]neuronx",
    "torch-neuron": r"\btorch[_-]neuron\b|\btorch\.neuron\b",
    "torch-xla": r"\btorch_xla\b|\bXLA_|\bxla::",
    "tensorflow-neuronx": r"tensorflow_neuronx",
    "tensorflow-neuron": r"tensorflow(?:_core|_neuron\b|\.neuron\b|[./]python)",
    "mxnet-neuron": r"\bmxnet\b",
    "jax": r"\bjax(?:lib|_neuronx)?\b",
    "nki": r"\bnki\b|neuronxcc[./]nki",
    "nxd": r"neuronx_distributed\b",
    "nxdi": r"neuronx_distributed_inference|\bnxdi\b",
    "vllm": r"\bvllm",
    "optimum-neuron": r"optimum[./-]neuron",
    "transformers-neuronx": r"transformers[_-]neuronx",
    "nemo": r"\bnemo\b|neuronx_distributed_training",
    "lightning": r"lightning",
    "transformers": r"\btransformers\b",
    "torchserve": r"torchserve|pytorch\.serve|/ts/",
    "djl": r"\bdjl\b|djl[_-]python",
    "sagemaker": r"sagemaker",
    "ray": r"\bray[./:]|\braylet\b",
    "slurm": r"slurm|\bsrun\b|\bsbatch\b",
    "neuronx": r"neuronx-?cc|neuron/pjrt|NEURON_CC_WRAPPER|\b(?:trn|inf)[23]\b|\btrn1n?\b",
}
_SIGN = expression("|".join(f"(?P<{name.replace('-', '_')}>{sign})" for name, sign in _SIGNS.items()), re.IGNORECASE)
_OF_FAMILY = {"neuron_cc": "neuron-cc", "neuronx_cc": "neuronx", "neuron_cc_wrapper": "neuronx", "pjrt": "neuronx"}
_OF_PACKAGE = {"neuronx-cc": "neuronx", "libneuronxla": "neuronx", "neuronx-distributed": "nxd"} | {
    "neuronx-distributed-inference": "nxdi",
    "neuronx-distributed-training": "nemo",
    "jax-neuronx": "jax",
}


class Context(NamedTuple):
    """`shown`: the programs that the log shows, with what they run on; `known`: the versions that it prints."""

    shown: frozenset[str]
    known: Mapping[str, str]

    def fits(self, brief: Mapping[str, Any]) -> bool | None:
        """Whether the log comes from a program that an entry is meant for; None where one of the two is not said."""
        stack = frozenset(brief["stack"])
        if not stack or not self.shown:
            return None
        return bool(stack & self.shown)

    def excludes(self, brief: Mapping[str, Any]) -> bool:
        """Whether an entry with words that any program prints is meant for programs other than those of the log."""
        return bool(brief["plain"]) and self.fits(brief) is False

    def outdates(self, brief: Mapping[str, Any]) -> bool:
        """Whether a printed version says that the log is of another era than an entry."""
        return bool(brief["applies"]) and outside(brief["applies"], self.known) is not None


def context(claims: Iterable[Claim], known: Mapping[str, str]) -> Context:
    """What the lines and frames of all claims, and the printed versions, say of where a log comes from."""
    shown = {_OF_PACKAGE.get(name, name) for name in known if name in _OF_PACKAGE or name in _SIGNS}
    words: set[bytes] = set()
    for claim in claims:
        shown |= {_OF_FAMILY[claim.event.family]} if claim.event.family in _OF_FAMILY else set()
        texts = [*filter(None, map(claim.event.fields.get, ("raised_at", "called_at")))]
        texts += (match.event.evidence.text for match in claim.kept)
        words.update(found.group().lower() for found in _any_sign().finditer("\n".join(texts).encode()))
    shown |= {_named(word.decode()) for word in words} - {""}
    return Context(frozenset(shown).union(*(_ABOVE.get(name, ()) for name in shown)), known)


def _named(word: str) -> str:
    """The program of which a word is a sign."""
    found = _SIGN.match(word)
    return str(found.lastgroup).replace("_", "-") if found else ""


@lru_cache(maxsize=1)
def _any_sign() -> re.Pattern[bytes]:
    return in_bytes("(?i)" + "|".join(_SIGNS.values()))
