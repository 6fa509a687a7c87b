"""Two knowledge entries as the join takes them, so that these tests do not depend on the shipped wording."""

from __future__ import annotations

from neurontriage.knowledge.schema import Entry
from neurontriage.knowledge.versions import Releases

_PAGE = "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/"

COMPLEX = Entry.model_validate(
    {
        "id": "NCC-EVRF004",
        "title": "Complex numbers reach the compiler",
        "layer": "compiler",
        "severity": "error",
        "role": "root",
        "status": "tested",
        "match": [{"text": "NCC_EVRF004"}],
        "cause": "The graph holds complex64 or complex128 tensors; the NeuronCore computes real numbers only.",
        "workarounds": [
            {
                "title": "Carry the real and the imaginary part as two real tensors",
                "kind": "code",
                "detail": "A complex product is four real products.",
                "before": "y = torch.fft.fft(x)\nreturn x * y",
                "after": "re, im = x @ cos_table, x @ sin_table  # real DFT tables\nreturn x * re, x * im",
            },
            {"title": "Keep the complex part on the CPU", "kind": "code", "detail": "Fine when it is rare."},
        ],
        "links": [{"url": _PAGE + "EVRF004.html", "title": "NCC_EVRF004"}],
        "examples": ["[ERROR] [NCC_EVRF004] Complex data types are not supported on the Neuron device."],
    }
)

OPERATOR = COMPLEX.model_copy(
    update={
        "id": "NCC-EVRF001",
        "title": "The compiler has no such operator",
        "cause": "The HLO holds an operator that neuronx-cc does not implement.",
        "links": (COMPLEX.links[0].model_copy(update={"url": _PAGE + "EVRF001.html", "title": "NCC_EVRF001"}),),
    }
)


def entry_of(name: str) -> Entry | None:
    """The lookup that `Facts` takes."""
    return {COMPLEX.id: COMPLEX, OPERATOR.id: OPERATOR}.get(name)


RELEASES = Releases(
    {
        "latest_sdk": "2.32.0",
        "releases": [
            {"sdk": "2.9.1", "packages": {"neuronx-cc": ["2.5.0.28"]}},
            {"sdk": "2.9.0", "packages": {"neuronx-cc": ["2.5.0.28"]}},
        ],
        "ended": [],
    }
)
"""Two releases that shipped one compiler."""
