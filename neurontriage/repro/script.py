"""Writes a case as one script that runs without neurontriage, ready to attach to an issue."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from neurontriage.repro.attempt import flags_of
from neurontriage.repro.case import Case, GraphCase
from neurontriage.repro.catalogue import module_of
from neurontriage.repro.lowering import SEED
from neurontriage.repro.sources import collect, source_of

TEMPLATE = '''#!/usr/bin/env python3
"""{id}: {title}

Graph: {kind} ({source})
Lowers, compiles and runs the failing function and its alternatives on the device that is here: a NeuronCore, else
the CPU; there every graph is compiled with neuronx-cc too when that is on PATH. Exit status 1 when the failure shows,
2 when the graph cannot be built here.
With the name of one of them it prints that one's whole output. Graphs and compiler logs are left in this folder.
"""
# Versions when this was written: {versions}
# Seed: {seed}
# Result then ({backend}, target {target}): {verdict}: {reason}

import glob
import os

os.environ.setdefault("PJRT_DEVICE", "NEURON" if glob.glob("/dev/neuron[0-9]*") else "CPU")
os.environ.update({settings})

import importlib.metadata
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

{imports}

try:
    import torch_xla
    import _XLAC
except ImportError:  # TorchNeuron: torch.compile instead of torch-xla
    torch_xla = None

Example = namedtuple("Example", "function inputs reference", defaults=[None])
TARGET = os.environ.get("TARGET", {target!r})
if os.environ["PJRT_DEVICE"] == "CPU":
    os.environ.setdefault("NEURON_PLATFORM_TARGET_OVERRIDE", TARGET)  # for NKI
FLAGS = {flags}

{code}

ALTERNATIVES = {{{alternatives}}}
OTHER_FLAGS = {{{other_flags}}}
EAGER = {eager}  # on TorchNeuron these run eagerly: they compute a part on the CPU


def versions():
    for name in ("torch", "torch-xla", "torch-neuronx", "libneuronxla", "neuronx-cc"):
        try:
            print(name, importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            print(name, "not installed")
    print("device", os.environ["PJRT_DEVICE"], "target", TARGET, "compiler", shutil.which("neuronx-cc") or "not found")


def neuronx_cc(name):
    line = ["neuronx-cc", "compile", "--framework", "XLA", name + ".hlo_module.pb", "--target", TARGET]
    line += ["--output", name + ".neff", "--verbose", "info", *OTHER_FLAGS.get(name, FLAGS)]
    Path(name + ".neff").unlink(missing_ok=True)
    with open(name + ".neuronx-cc.log", "wb") as log:
        status = subprocess.run(line, stdout=log, stderr=subprocess.STDOUT).returncode
    print(" ".join(line), "-> exit status", status)
    if status or not Path(name + ".neff").is_file():
        said = Path(name + ".neuronx-cc.log").read_text(errors="replace").splitlines()
        raise RuntimeError("neuronx-cc failed: " + next((text for text in said if "[" in text), "no NEFF"))


def attempt(name):
    torch.manual_seed({seed})
    os.environ["NEURON_CC_FLAGS"] = " ".join([*OTHER_FLAGS.get(name, FLAGS), "--retry_failed_compilation"])
    example = build()
    function = ALTERNATIVES.get(name, example.function)
    if torch_xla is None and name not in EAGER:
        function = torch.compile(function, backend="neuron", fullgraph=True, dynamic=False)
    device = torch_xla.device() if torch_xla else "neuron"
    outputs = function(*[value.to(device) if torch.is_tensor(value) else value for value in example.inputs])
    outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
    return [output.cpu() for output in (compiled(name, outputs) if torch_xla else outputs)]


def compiled(name, outputs):
    Path(name + ".hlo.txt").write_text(_XLAC._get_xla_tensors_hlo(outputs))
    Path(name + ".hlo_module.pb").write_bytes(_XLAC._get_xla_tensors_hlo_proto(outputs))
    if os.environ["PJRT_DEVICE"] == "CPU" and shutil.which("neuronx-cc"):
        neuronx_cc(name)
    return outputs


def tried(name):
    try:
        print(name + ":", attempt(name), flush=True)
        return 0
    except Exception as error:
        print(name + ":", type(error).__name__ + ":", str(error).splitlines()[0], flush=True)
        return 2 if type(error).__name__ == "CannotBuild" else 1


if __name__ == "__main__":
    versions()
    results = [tried(name) for name in sys.argv[1:] or ["original", *ALTERNATIVES]]
    sys.exit(results[0])
'''


def write_script(case: Case, result: Mapping[str, Any], folder: Path) -> Path:
    """Writes `repro.py` into the folder and returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "repro.py"
    path.write_text(render(case, result))
    path.chmod(0o755)
    return path


def render(case: Case, result: Mapping[str, Any]) -> str:
    """The text of a Python script that shows the case and its alternatives without neurontriage."""
    source = source_of(module_of(case).__name__)
    alternatives = {each.name: each.function.__name__ for each in case.ALTERNATIVES}
    build = _building(case)
    imports, code = collect(source, [build or "build", *alternatives.values()])
    needed = case.NEEDS.targets
    return TEMPLATE.format(
        id=case.ID,
        title=case.TITLE,
        kind=case.ORIGIN.kind,
        source=case.ORIGIN.source,
        target=result["target"] if not needed or result["target"] in needed else needed[0],
        flags=repr(list(case.NEEDS.flags)),
        versions=", ".join(f"{name} {number}" for name, number in result["versions"].items()) or "unknown",
        seed=SEED,
        backend=result["backend"],
        verdict=result["verdict"],
        reason=" ".join(result["reason"].split()),
        settings=repr(dict(case.NEEDS.environment)),
        imports="\n".join(imports),
        code=f"{code}\n\n\ndef build():\n    return {build}" if build else code,
        alternatives=", ".join(f"{name!r}: {expression}" for name, expression in alternatives.items()),
        eager=[each.name for each in case.ALTERNATIVES if each.kind == "fallback"],
        other_flags=", ".join(
            f"{each.name!r}: {list(flags_of(case, each.name))!r}" for each in case.ALTERNATIVES if each.settings_only
        ),
    )


def _building(case: Case) -> str:
    """What `build` returns, for a case that has no such function of its own."""
    if not isinstance(case, GraphCase):
        return ""
    reference = f", {case.reference.__name__}" if case.reference else ""
    return f"Example({case.function.__name__}, {case.inputs.__name__}(){reference})"
