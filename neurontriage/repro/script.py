"""Writes a case as one script that runs without neurontriage, ready to attach to an issue."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from neurontriage.hlo.schema import excerpt
from neurontriage.repro.attempt import flags_of
from neurontriage.repro.case import Case, GraphCase
from neurontriage.repro.catalogue import module_of
from neurontriage.repro.lazy import MODULES
from neurontriage.repro.lowering import SEED

PACKAGE, LAZY, SCHEMA = "neurontriage", "neurontriage.repro.lazy", "neurontriage.hlo.schema"
GIVEN = ("Example",)
"""Names that the template below defines."""
EDITED = {
    "HloModuleProto": "computations",
    "HloComputationProto": "instructions",
    "HloInstructionProto": "opcode shape window rng_algorithm",
    "ShapeProto": "element_type dimensions",
    "Window": "dimensions",
    "WindowDimension": "stride padding_high window_dilation base_dilation",
}
"""What cases edit in a serialised module: a script carries no more of the schema."""
SHORTER = {"FIELDS": f'FIELDS = """\n{excerpt(EDITED)}\n"""', "PACKAGE": 'PACKAGE = "edited"'}

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
    """The script's text."""
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


class Untyped(ast.NodeTransformer):
    """Drops annotations: the script needs no names for types."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], self.visit(node.value)), node)


class Source:
    """The top-level definitions and imports of one module, by the names they bind."""

    def __init__(self, module: str) -> None:
        found = importlib.import_module(module)
        self.module = module
        tree = Untyped().visit(ast.parse(Path(str(found.__file__)).read_text()))
        self.definitions: dict[str, ast.stmt] = {}
        self.imports: dict[str, ast.Import | ast.ImportFrom] = {}
        for node in tree.body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self.imports.update({alias.asname or alias.name: node for alias in node.names})
            else:
                self.definitions.update(dict.fromkeys(_bound(node), node))


@cache
def source_of(module: str) -> Source:
    """One module, read once: its definitions are told apart by identity."""
    return Source(module)


def collect(source: Source, expressions: list[str]) -> tuple[list[str], str]:
    """Import lines and definitions that the expressions need, taken out of the package's modules."""
    imports: set[str] = {MODULES["torch"]}
    parts: dict[int, tuple[int, str]] = {}
    waiting = [(source, name, 0) for text in expressions for name in _used(ast.parse(text))]
    while waiting:
        here, name, depth = waiting.pop()
        node = here.definitions.get(name)
        if node is not None and id(node) not in parts:
            text = SHORTER.get(name) if here.module == SCHEMA else None
            parts[id(node)] = (-depth * 10_000 + node.lineno, text or ast.unparse(node))
            waiting += [(here, each, depth) for each in _used(node)]
        elif name in here.imports and name not in GIVEN:
            line, module = _import(here.imports[name], name)
            imports.update([line] if line else [])
            waiting += [(source_of(module), name, depth + 1)] if module else []
    ordered = sorted(imports - {MODULES["torch_xla"], MODULES["_XLAC"]})  # the template has these
    return ordered, "\n\n\n".join(text for _, text in sorted(parts.values()))


def _import(node: ast.Import | ast.ImportFrom, name: str) -> tuple[str, str]:
    """The line to write for an imported name, or the module of ours to take it from."""
    module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
    if module == LAZY:
        return MODULES[name], ""
    return ("", module) if module.startswith(PACKAGE) else (ast.unparse(node), "")


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name))


def _used(node: ast.AST) -> Iterator[str]:
    """Names that a definition reads."""
    yield from (each.id for each in ast.walk(node) if isinstance(each, ast.Name))
