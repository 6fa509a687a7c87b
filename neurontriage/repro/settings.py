"""Alternatives that are compiler flags, shared by cases; each says where it is documented."""

from __future__ import annotations

from neurontriage.repro.case import Alternative, Function

OPTIONS = "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/neuronx-cc/api-reference-guide/index.html"
"""The reference of `neuronx-cc compile`."""
LOGICAL_CORES = (
    "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/about-neuron/arch/neuron-features/"
    "logical-neuroncore-config.html"
)
DOWNCAST, NATIVE = "--implicit-integer-downcast", "--native-int64=enabled"
NO_DOWNCAST = (f"{DOWNCAST}=none",)
"""What integer arithmetic without a datapath fails with; announced as the default of the release after SDK 2.32."""


def integer_flags(operation: str, function: Function, exact: int) -> tuple[Alternative, Alternative]:
    """The two flags for an operation without an integer datapath, which is exact to a power of two when cast."""
    return (
        Alternative(
            "allow-the-downcast",
            "semantics-changing",
            function,
            flags=(f"{DOWNCAST}={operation}",),
            unset=(DOWNCAST,),
            note=f"documented; a warning instead, and wrong numbers above 2^{exact}",
            source=OPTIONS,
        ),
        Alternative(
            "native-int64",
            "fix",
            function,
            works=False,
            flags=(NATIVE,),
            targets=("trn2", "trn3"),
            note="often tried; documented not to help: this operation has no integer datapath to run on",
            source=OPTIONS,
        ),
    )


def other_passes(function: Function, *models: str) -> tuple[Alternative, ...]:
    """Settings under which the compiler runs fewer or other passes, for the failure of a pass.

    The options are documented; that they go around a failing pass is a conclusion. `models`: kinds of model to try.
    """
    flags = ("-O1", *(f"--model-type={model}" for model in models))
    why = {flag: "fewer" if flag == "-O1" else "other" for flag in flags}
    return tuple(
        Alternative(
            flag.strip("-").replace("=", "-").lower(),
            "fix",
            function,
            flags=(flag,),
            note=f"inferred: {why[flag]} passes run, so the failing one may not be among them; nobody reports it",
            source=OPTIONS,
            inferred=True,
        )
        for flag in flags
    )
