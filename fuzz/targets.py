"""What is fuzzed: each target takes any bytes, and fails only by raising what its callers do not expect.

The promises that hold for all bytes: refusals are TriageErrors (or faults, as values); nothing from a log reaches a
terminal or a page unescaped; a line never gets longer by stripping; what is written can be read again.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import cast
from xml.etree import ElementTree

import yaml

from neurontriage import reports
from neurontriage.analysis import document
from neurontriage.analysis.result import of_document
from neurontriage.errors import TriageError
from neurontriage.hlo import files as hlo
from neurontriage.hlo.printing import module_text
from neurontriage.hlo.text import parse_module
from neurontriage.knowledge import documents
from neurontriage.knowledge.catalog import Catalog, load
from neurontriage.knowledge.load import read_entry
from neurontriage.lines.linear import compiled, fault_of
from neurontriage.lines.patterns import prefilter
from neurontriage.lines.prefix import strip
from neurontriage.lines.scan import Hyperscan, Pattern
from neurontriage.parse.times import seconds
from neurontriage.read.archives import members, unpacked
from neurontriage.read.inputs import blocks, plain
from neurontriage.read.trail import Trail, error_text
from neurontriage.render.redaction import redacted
from neurontriage.render.text import control
from neurontriage.triage import diagnose

Target = Callable[[bytes], None]
_NOT_IN_TEXT = ("terminal", "full", "github")


@cache
def catalog() -> Catalog:
    return load()


def readers(data: bytes) -> None:
    """Any bytes as a file: text in any encoding, compressed, an archive."""
    stream = io.BufferedReader(cast(io.RawIOBase, io.BytesIO(data)), 64 << 10)
    try:
        whole = unpacked(stream, "x")
        inside = members(whole, "x")
        logs = [("x", whole)] if inside is None else inside
        for name, content in logs:
            for block in blocks(content, name):
                assert b"\0" not in block
    except TriageError as error:
        assert str(error)


def prefixes(data: bytes) -> None:
    """Any line: stripping takes from its front only, and its time is a number or none."""
    for line in data.decode("utf-8", "replace").split("\n"):
        found = strip(line)
        assert len(found.payload) <= len(line)
        assert found.rank is None or found.rank >= 0
        assert isinstance(seconds(found.time), float | None)


def grammars(data: bytes) -> None:
    """Any text for every log family: a kind with fields, or none."""
    text = data.decode("utf-8", "replace").split("\n")[0][:4096]
    for family in catalog().families:
        for start in family.starts:
            for found in start.compiled.finditer(text):
                family.parse(text[found.start() :])
        family.parse(text)


def records(data: bytes) -> None:
    """Any log, in any blocks: the same answer for the same bytes."""
    text = plain(data)
    lines = text.splitlines(keepends=True)
    whole = diagnose([("x", [text])], catalog())
    parts = diagnose([("x", [line for line in lines if line])], catalog())
    assert whole.inputs == parts.inputs
    assert whole.verdict == parts.verdict


def formats(data: bytes) -> None:
    """Any log in every format: no control character, and what is XML or JSON is well formed."""
    diagnosis = diagnose([("x\x1b<b>.log", [plain(data)])], catalog())
    for name in reports.names():
        text = reports.renderer(name)(diagnosis)
        if name in _NOT_IN_TEXT:
            assert not control().search(text.replace("\t", " ").replace("\n", " ")), name
        if name in ("json", "sarif", "gitlab"):
            json.loads(text)
        if name == "junit":
            ElementTree.fromstring(text)
    redacted(diagnosis)


def trail(data: bytes) -> None:
    """Any log that names files, and any error file: nothing outside the roots is found."""
    with tempfile.TemporaryDirectory() as folder:
        one = Trail([Path(folder)])
        list(one.watch("x", [data]))
        assert one.followed()[0] == []
    list(error_text([data]))


def entries(data: bytes) -> None:
    """Any file in a knowledge folder: an entry, or faults with their places."""
    with tempfile.NamedTemporaryFile(suffix=".yaml") as file:
        file.write(data)
        file.flush()
        entry, faults = read_entry(Path(file.name))
        assert entry is not None or faults
    try:
        documents.check(data.decode("utf-8", "replace"))
    except yaml.YAMLError:
        return


def patterns(data: bytes) -> None:
    """Any pattern: refused with a reason, or taken by the engine that runs it, which then ends."""
    text = data.decode("utf-8", "replace")[:200]
    if fault_of(text) is None:
        compiled(text).search(text * 50)
        Hyperscan([Pattern(prefilter(text))]).scan(text.encode("utf-8", "replace") * 50)


def results(data: bytes) -> None:
    """Any file as a result.json: an analysis result, or a refusal."""
    try:
        of_document("x", document.parse("x", data))
    except TriageError as error:
        assert str(error)


def hlo_files(data: bytes) -> None:
    """Any file as an HLO module, text or protobuf: a module that can be printed, or a refusal."""
    try:
        module_text(hlo.parse("x", data).module)
    except TriageError as error:
        assert str(error)


def hlo_text(data: bytes) -> None:
    """Any text as HLO: a module, or a ValueError that names the line."""
    try:
        parse_module(data.decode("utf-8", "replace"))
    except ValueError as error:
        assert str(error)


TARGETS: dict[str, Target] = {
    one.__name__: one
    for one in (
        readers, prefixes, grammars, records, formats, trail, entries, patterns, results, hlo_files, hlo_text,
    )
}  # fmt: skip
