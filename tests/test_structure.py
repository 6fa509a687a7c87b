"""The machine keeps the promises: import direction, sizes, docs that name what exists, no word of where we work."""

from __future__ import annotations

import ast
import re
import statistics
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "neurontriage"
MODULES = sorted(PACKAGE.rglob("*.py"))

# Who may import whom: the rooms in the order of the pipeline; a room imports from itself and from those before it.
LEVELS = [
    {"__init__", "model", "errors", "resources", "config", "stored", "expressions"},
    {"read", "hlo"},
    {"lines"},
    {"render"},
    {"parse"},
    {"facts"},
    {"knowledge"},
    {"claims"},
    {"ranking"},
    {"operators"},
    {"triage", "runs"},
    {"incident", "silencing"},
    {"reports", "analysis", "preflight", "reduce", "repro", "measure", "kb", "live", "fleet", "contract"},
    {"issue", "doctor", "agents"},
    {"commands"},
    {"cli", "__main__"},
]
LEVEL = {name: number for number, names in enumerate(LEVELS) for name in names}
ROOMS = {"reports", "analysis", "preflight", "reduce", "repro", "measure", "kb", "live", "fleet", "commands"}
TORCH = {"torch", "torch_xla", "_XLAC"}


def room(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[0]


def imports(tree: ast.AST) -> Iterator[tuple[str, bool]]:
    """(module, inside a function) for every import."""
    inside = {
        id(n) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef | ast.AsyncFunctionDef) for n in ast.walk(f)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((name.name, id(node) in inside) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (
                (name, id(node) in inside) for name in ([node.module] if node.module != "neurontriage" else names)
            )


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    own = room(path)
    assert own in LEVEL, f"give {own} a place in LEVELS"
    for module, _ in imports(ast.parse(path.read_text())):
        parts = module.split(".")
        if parts[0] != "neurontriage" or len(parts) == 1:
            continue
        other = parts[1] if parts[1] in LEVEL else "__init__"
        if other != own:
            assert LEVEL[other] <= LEVEL[own], f"{own} must not import {other}"
            assert not (other in ROOMS and LEVEL[other] == LEVEL[own] and own == "reports"), f"{own} imports {other}"


# Within the ranking: what all share; why a claim gives way; what failed nothing; who decides. Answers are told apart.
RANKING = [
    {
        "fallen",
        "features",
        "graph",
        "messages",
        "neighbours",
        "onward",
        "peers",
        "praise",
        "ranker",
        "statements",
        "things",
    },
    {"causes", "edges", "answers"},
    {"survived"},
    {"weighing", "decide"},
]
WITHIN = {name: number for number, names in enumerate(RANKING) for name in names}


@pytest.mark.parametrize("path", sorted((PACKAGE / "ranking").rglob("*.py")), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_the_ranking_decides_in_one_direction(path: Path) -> None:
    own = path.relative_to(PACKAGE / "ranking").with_suffix("").parts[0]
    for module, within in imports(ast.parse(path.read_text())):
        found = re.match(r"neurontriage\.ranking\.(\w+)", module)
        if found and own != "__init__" and not within:
            assert own in WITHIN and found[1] in WITHIN, f"give {own} and {found[1]} a place in RANKING"
            assert WITHIN[found[1]] <= WITHIN[own], f"ranking/{own} must not import ranking/{found[1]}"
            assert "answers" not in {own, found[1]} or own in {found[1], "decide"}, "answers are for the decided root"


def test_test_files_have_names_of_their_own() -> None:
    """Pytest imports them by their bare names."""
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_torch_is_imported_only_where_it_runs_graphs(path: Path) -> None:
    for module, lazy in imports(ast.parse(path.read_text())):
        if module.split(".")[0] in TORCH:
            assert room(path) in {"repro", "measure", "preflight", "reduce"}
            assert lazy or "cases" in path.parts, "torch must be imported inside a function"


def functions() -> Iterator[tuple[str, int]]:
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", length


def test_functions_keep_their_budget() -> None:
    lengths = dict(functions())
    assert not [name for name, length in lengths.items() if length > 60]
    assert statistics.median(lengths.values()) <= 10
    assert sum(length <= 30 for length in lengths.values()) >= 0.9 * len(lengths)


@pytest.mark.parametrize("path", [*MODULES, *(ROOT / "tests").rglob("*.py")], ids=lambda p: str(p.relative_to(ROOT)))
def test_files_keep_their_budget(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 300


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_every_module_says_what_it_is_for(path: Path) -> None:
    tree = ast.parse(path.read_text())
    assert ast.get_docstring(tree)
    if "cases" in path.parts:
        return  # the Protocol of a case says what its functions are for
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{node.name} has no docstring"


def test_no_module_is_a_dumping_ground() -> None:
    assert not {p.stem for p in MODULES} & {"utils", "util", "helpers", "helper", "manager", "base", "common", "misc"}
    assert not [p for p in MODULES if re.search(r"^\s*global ", p.read_text(), re.MULTILINE)]


def test_the_whole_way_fits_in_one_look() -> None:
    source = (PACKAGE / "triage.py").read_text()
    bodies = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef)]
    assert sum((n.end_lineno or 0) - n.lineno + 1 for n in bodies) <= 40


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def test_the_project_speaks_of_itself_alone() -> None:
    forbidden = re.compile(r"/work/(?:main|shared)|/opt/pypi|\bsession \d|\b(?:Claude|ChatGPT|Anthropic)\b")
    found = []
    for path in tracked():
        if path.suffix in {".png", ".pb"} or path == Path(__file__):
            continue
        if forbidden.search(path.read_text(errors="replace")):
            found.append(str(path.relative_to(ROOT)))
    assert not found


def test_the_readme_names_every_command_format_and_family() -> None:
    from neurontriage import reports, resources
    from neurontriage.cli import commands
    from neurontriage.parse.family import read_families

    readme = (ROOT / "README.md").read_text()
    names = [f"`{name}`" for name in reports.names()] + [f"neurontriage {name}" for name in commands()]
    assert not [name for name in names if name not in readme]
    inside = (ROOT / "docs" / "how-it-works.md").read_text()
    assert not [family.name for family in read_families(resources.grammars()) if f"`{family.name}`" not in inside]
