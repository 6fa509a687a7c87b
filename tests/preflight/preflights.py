"""Preflights that show everything a page can hold, one of them made of attacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from neurontriage.knowledge.catalog import load
from neurontriage.preflight.capture import Break, Graph, Recompilation
from neurontriage.preflight.checking import Request, check
from neurontriage.preflight.model import Advice, Agreement, Memory, Preflight, Row
from neurontriage.preflight.targets import Wanted

MIXED = Path(__file__).parents[2] / "samples" / "hlo" / "mixed-operators.hlo_module.pb"
GIB = 1024**3


def whole() -> Preflight:
    """A real module for trn2, with what other frontends see besides."""
    found = check(Request(Wanted(str(MIXED)), "trn2"), load()).slim
    fallback = Row(
        "aten._fft_r2c",
        "",
        "f32",
        "falls-back",
        "torch-xla on CPU",
        3,
        "NCC-EVRF004",
        "runs on the CPU in the backward pass",
        sites=("models/spectral.py:118",),
        workarounds=found.unsupported[0].workarounds,
    )
    return replace(
        found,
        target_file="train.py",
        rows=(*found.rows, fallback),
        breaks=(Break("call to a print function that torch.compile does not trace", "models/attention.py:77"),),
        recompilations=(Recompilation("forward", 1, ((8, 127), (8, 128)), "train.py:41"),),
        memory=Memory("trn2", 24 * GIB, {"weights": 14 * GIB, "activations": 3 * GIB}, ("Activations: an estimate.",)),
        advice=(Advice("Random numbers in the graph", "They differ from those of the CPU.", None, ("model.py:3",)),),
        notes=("Nothing was executed; a value that the script read was zero.",),
        ended="raised at train.py:52: ValueError: no data",
        accuracy=Agreement(31, ("compare: supported here, not in the compiler's list",)),
    )


def hostile(attacks: Sequence[str]) -> Preflight:
    """Every text that a script, a module or a compiler may choose is an attack."""
    one, two, *_ = attacks
    rows = tuple(
        Row(a, a, a, "unsupported", a, 1, a, a, a, (a,), ({"title": a, "kind": a, "detail": a},)) for a in attacks
    )
    return replace(
        whole(),
        target_file=one,
        rows=rows,
        graphs=tuple(Graph(a, (), 3, (("f32", (a,)),), 0, a, a, a) for a in attacks),
        breaks=tuple(Break(a, a) for a in attacks),
        recompilations=tuple(Recompilation(a, 0, ((a,), (a,)), a, a) for a in attacks),
        memory=Memory("trn2", None, dict.fromkeys(attacks, 1), tuple(attacks)),
        advice=tuple(Advice(a, a, a, (a,)) for a in attacks),
        notes=tuple(attacks),
        ended=two,
        accuracy=Agreement(1, tuple(attacks), "", 1, tuple(attacks)),
        versions=dict.fromkeys(attacks, one),
    )
