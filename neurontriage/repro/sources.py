"""What a function of a case is written with: its definitions and imports, followed through the package's modules."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from neurontriage.hlo.schema import excerpt
from neurontriage.repro.lazy import MODULES

PACKAGE, LAZY, SCHEMA = "neurontriage", "neurontriage.repro.lazy", "neurontriage.hlo.schema"
GIVEN = ("Example",)
"""Names that every script defines."""
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


def collect(source: Source, expressions: Sequence[str]) -> tuple[list[str], str]:
    """Import lines and definitions that the expressions need, taken out of the package's modules."""
    imports: set[str] = {MODULES["torch"]}
    parts: dict[int, tuple[int, str]] = {}
    for here, name, depth, node in reached(source, expressions):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            imports.add(_import(node, name)[0])
        else:
            text = SHORTER.get(name) if here.module == SCHEMA else None
            parts[id(node)] = (-depth * 10_000 + node.lineno, text or ast.unparse(node))
    ordered = sorted(imports - {"", MODULES["torch_xla"], MODULES["_XLAC"]})  # every script has these
    return ordered, "\n\n\n".join(text for _, text in sorted(parts.values()))


def needs_xla(module: str, name: str) -> bool:
    """Whether a function of a module cannot run without torch-xla, by itself or by what it calls."""
    return any(_is_xla(node, name) for _, name, _, node in reached(source_of(module), [name]))


def reached(source: Source, expressions: Sequence[str]) -> Iterator[tuple[Source, str, int, ast.stmt]]:
    """Every definition and import that the expressions need: where, under which name, how deep, and the statement."""
    waiting = [(source, name, 0) for text in expressions for name in _used(ast.parse(text))]
    seen: set[tuple[str, str]] = set()
    while waiting:
        here, name, depth = waiting.pop()
        node = here.definitions.get(name) or here.imports.get(name)
        if node is None or name in GIVEN or (here.module, name) in seen:
            continue
        seen.add((here.module, name))
        yield here, name, depth, node
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            module = _import(node, name)[1]
            waiting += [(source_of(module), name, depth + 1)] if module else []
        else:
            waiting += [(here, each, depth) for each in _used(node)]


def _is_xla(node: ast.stmt, name: str) -> bool:
    inside = [each.module or "" for each in ast.walk(node) if isinstance(each, ast.ImportFrom)]
    if isinstance(node, ast.ImportFrom) and node.module == LAZY:
        return "xla" in MODULES[name].lower() if name in MODULES else False
    return any(module.startswith("torch_xla") for module in inside)


def _import(node: ast.Import | ast.ImportFrom, name: str) -> tuple[str, str]:
    """The line to write for an imported name, or the module of ours to take it from."""
    module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
    if module == LAZY:
        return MODULES.get(name, ""), ""
    return ("", module) if module.startswith(PACKAGE) else (ast.unparse(node), "")


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name))


def _used(node: ast.AST) -> Iterator[str]:
    """Names that a definition reads."""
    yield from (each.id for each in ast.walk(node) if isinstance(each, ast.Name))
