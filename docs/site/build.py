"""Builds the static site: the page that explains a log in the browser, the catalogue, and what was measured."""

from __future__ import annotations

import fcntl
import gzip
import hashlib
import html
import json
import re
import shutil
import subprocess
import sys
import zipfile
from base64 import b64encode
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RUNTIME, WASM = ("pyodide.mjs", "pyodide.asm.mjs"), "pyodide.asm.wasm"
STANDARD = "python_stdlib.zip"
UNUSED = (
    "pydoc_data",
    "unittest",
    "idlelib",
    "tkinter",
    "turtledemo",
    "ensurepip",
    "venv",
    "wsgiref",
    "xmlrpc",
    "_pyrepl",
)
UNUSED += (
    "pdb.py",
    "doctest.py",
    "imaplib.py",
    "pydoc.py",
    "pickletools.py",
    "optparse.py",
    "smtplib.py",
    "mailbox.py",
)
"""Parts of the standard library that nothing here imports, left out to keep the page small."""
ROOMS = ("model", "read", "lines", "parse", "facts", "knowledge", "claims", "ranking", "render", "reports", "operators")
LIBRARIES = ("lark", "jinja2", "markupsafe", "rich")
LIMIT = 15_000_000
MEASURED = {
    "accuracy": ("Accuracy", "make eval"),
    "calibration": ("Calibration", "make fit"),
    "repro": ("Repro", "neurontriage repro --all --format table"),
    "benchmark": ("Benchmark", "make bench"),
}
"""What docs/measured has files of (name.json, or several: name-….json), and what writes them."""
_STAMP = (2020, 1, 1, 0, 0, 0)


def main(target: Path) -> None:
    """Write the whole site into `target`, which is emptied first."""
    shutil.rmtree(target, ignore_errors=True)
    (target / "pyodide").mkdir(parents=True)
    _runtime(target / "pyodide")
    entries = _package(target / "neurontriage.zip")
    _page(target, entries)
    _catalogue(target)
    _tables(target, entries)
    _worker(target)
    size = sum(path.stat().st_size for path in _kept(target))
    print(f"{target}: the page needs {size / 1e6:.2f} MB")
    if size > LIMIT:
        sys.exit(f"more than {LIMIT / 1e6:.0f} MB")


def _runtime(target: Path) -> None:
    """Pyodide from its npm package."""
    source = _installed(ROOT / "build" / "npm") / "node_modules" / "pyodide"
    for name in RUNTIME:
        shutil.copyfile(source / name, target / name)
    packed = gzip.compress((source / WASM).read_bytes(), compresslevel=9, mtime=0)
    (target / f"{WASM}.gz").write_bytes(packed)  # the worker unpacks it: not every server sends it compressed
    _slim(source / STANDARD, target / STANDARD)
    lock = json.loads((source / "pyodide-lock.json").read_text())
    (target / "pyodide-lock.json").write_text(json.dumps({"info": lock["info"], "packages": {}}))


def _installed(folder: Path) -> Path:
    """The npm packages at the versions and digests of package-lock.json; installed by one of several builds, once."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = (HERE / "package-lock.json").read_bytes()
        done = folder / "done.json"
        if not done.is_file() or done.read_bytes() != wanted:
            for name in ("package.json", "package-lock.json"):
                shutil.copy(HERE / name, folder / name)
            words = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
            subprocess.run(words, cwd=folder, check=True)
            done.write_bytes(wanted)
    return folder


def _slim(source: Path, target: Path) -> None:
    with zipfile.ZipFile(source) as whole, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as kept:
        for info in whole.infolist():
            if info.filename.split("/")[0] not in UNUSED:
                kept.writestr(_info(info.filename), whole.read(info))


def _package(path: Path) -> int:
    """The package, its libraries as plain Python and the compiled knowledge in one archive; gives the entries' number."""
    from neurontriage.knowledge.catalog import compiled, load

    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted(_sources()):
            archive.writestr(_info(name), content)
        archive.writestr(_info("neurontriage/data/compiled.catalog"), compiled())
    return load().count


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _STAMP)
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def _sources() -> Iterator[tuple[str, bytes]]:
    package = ROOT / "neurontriage"
    files = [*package.glob("*.py"), *(p for room in ROOMS for p in (package / room).rglob("*") if p.is_file())]
    for path in files:
        if path.suffix != ".pyc":
            yield str(path.relative_to(ROOT)), path.read_bytes()
    yield "browser.py", (HERE / "browser.py").read_bytes()
    for library in LIBRARIES:
        for file in metadata.files(library) or ():
            if file.suffix in (".py", ".lark") or "LICEN" in file.name.upper():
                yield str(file), Path(str(file.locate())).read_bytes()


def _page(target: Path, entries: int) -> None:
    _filled(target / "index.html", policy=_policy(), entries=entries)
    for name in ("app.js", "worker.js", "site.css"):
        shutil.copyfile(HERE / name, target / name)


def _filled(target: Path, **values: object) -> None:
    """A page from the template of its name; all share `site.html`."""
    from jinja2 import Environment, FileSystemLoader

    from neurontriage import __version__

    templates = Environment(loader=FileSystemLoader(HERE), autoescape=True, trim_blocks=True)
    target.write_text(templates.get_template(target.name).render(version=__version__, **values))


def _policy() -> str:
    """Nothing from elsewhere. The answer is shown in a frame that inherits this, so its script and style are named."""
    from neurontriage.model import Diagnosis
    from neurontriage.reports.html import render

    page = render(Diagnosis((), ()))
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = " ".join("'sha256-" + b64encode(hashlib.sha256(one.encode()).digest()).decode() + "'" for one in scripts)
    return (
        f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' {hashes}; worker-src 'self'; connect-src 'self'; "
        "style-src 'self' 'unsafe-inline'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'"
    )


def _catalogue(target: Path) -> None:
    from neurontriage import resources
    from neurontriage.kb.pages import write
    from neurontriage.knowledge.load import load

    write(target / "catalogue", load([resources.knowledge()]).entries)


def _tables(target: Path, entries: int) -> None:
    """What was measured, from the files that the measurements write; what was not is said."""
    files = {path.stem: path for path in sorted((ROOT / "docs" / "measured").glob("*.json"))}
    parts = []
    for name, (title, how) in MEASURED.items():
        own = [path for stem, path in files.items() if stem == name or stem.startswith(f"{name}-")]
        parts += [_table(path) for path in own] or [f"<h2>{title}</h2><p>Not measured: <code>{how}</code> does it.</p>"]
    policy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'"
    _filled(target / "tables.html", policy=policy, entries=entries, tables="".join(parts))


def _table(path: Path) -> str:
    data = json.loads(path.read_text())
    head = "".join(f'<th scope="col">{html.escape(str(one))}</th>' for one in data["columns"])
    rows = "".join("<tr>" + "".join(_cell(str(one)) for one in row) + "</tr>" for row in data["rows"])
    table = f'<div class="wide" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
    return f"<h2>{html.escape(data['title'])}</h2><p>{html.escape(data['about'])}</p>{table}"


def _cell(text: str) -> str:
    kind = (
        ' class="number"' if re.fullmatch(r"[\d.,%<>–-]+( MB)?", text) else ' class="short"' if len(text) < 16 else ""
    )
    return f"<td{kind}>{html.escape(text)}</td>"


def _kept(target: Path) -> list[Path]:
    """The files that the page needs, without the catalogue."""
    top = [
        target / name for name in ("index.html", "app.js", "worker.js", "site.css", "neurontriage.zip", "tables.html")
    ]
    return [*top, *sorted((target / "pyodide").iterdir())]


def _worker(target: Path) -> None:
    """The service worker knows all files, and has a new store when one of them changes."""
    digest = hashlib.sha256()
    for path in _kept(target):
        digest.update(path.read_bytes())
    files = ["./", *(str(path.relative_to(target)) for path in _kept(target))]
    text = (HERE / "sw.js").read_text().replace("{{ digest }}", digest.hexdigest()[:16])
    (target / "sw.js").write_text(text.replace("{{ files }}", json.dumps(files)))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "site")
