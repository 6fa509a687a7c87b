"""Bytes or a file → Module: HloModuleProto, HloProto around it, text; plain or compressed. And back to bytes."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from neurontriage.errors import TriageError
from neurontriage.hlo.assemble import from_text
from neurontriage.hlo.module import Module
from neurontriage.hlo.schema import messages
from neurontriage.read.archives import unpacked

LARGEST = 2**31
"""Bytes: the limit of one protobuf message."""
UNPACKED = 512 << 20
"""Bytes that a compressed module may unpack to; a training step of 6.7 billion parameters has two million."""
EXPECTED = "an HLO module: HloModuleProto or HloProto (.pb), or text that starts with HloModule; .gz .xz .bz2 .zst too"
SUFFIXES = (".pb", ".hlo", ".hlo.txt", ".hlo_module.txt")
PACKED = (".gz", ".xz", ".bz2", ".zst")
_DIALECTS = {b"module": "MLIR (StableHLO)", b"#loc": "MLIR (StableHLO)", b"ML\xefR": "MLIR bytecode"}


@dataclass(frozen=True)
class Read:
    """A module, whether it stood in an HloProto, and what a text did not carry over."""

    module: Module
    wrapped: bool = False
    lost: Counter[str] = field(default_factory=Counter)


def load(path: Path) -> Read:
    """The module in a file. Raises TriageError that says what is wrong with the file."""
    try:
        if path.stat().st_size >= LARGEST:
            refuse(str(path), "2 GiB or more, which no protobuf message has")
        data = path.read_bytes()
    except OSError as error:
        refuse(str(path), f"cannot be read: {error.strerror or error}")
    return parse(str(path), data)


def parse(name: str, data: bytes) -> Read:
    """The module in bytes, plain or compressed; `name` is what messages call it. Raises TriageError."""
    data = plain(name, data)
    if not data.strip():
        refuse(name, "the file is empty")
    if data.lstrip()[:9] == b"HloModule":
        try:
            module, lost = from_text(data.decode("utf-8", "replace"))
        except ValueError as error:
            refuse(name, str(error))
        return Read(module, lost=lost)
    for head, dialect in _DIALECTS.items():
        if data.lstrip()[: len(head)] == head:
            refuse(name, f"this is {dialect}, not HLO", "convert it with jax, or give the .hlo_module.pb beside it")
    return _proto(name, data)


def plain(name: str, data: bytes) -> bytes:
    """The bytes unpacked, where they are compressed."""
    return unpacked(io.BufferedReader(io.BytesIO(data)), name, UNPACKED).read()


def _proto(name: str, data: bytes) -> Read:
    from google.protobuf.message import DecodeError

    for kind in ("HloModuleProto", "HloProto"):
        try:
            message = messages()[kind].FromString(data)
        except DecodeError:
            continue
        found = message.hlo_module if kind == "HloProto" else message
        if found.computations and all(c.instructions for c in found.computations):
            return Read(Module(found), wrapped=kind == "HloProto")
    text = data[:200].isascii() and "".join(data[:200].decode().split()).isprintable()
    what = "text, but no HLO module" if text else "not an HLO module, or truncated: no whole protobuf with computations"
    return refuse(name, what)


def refuse(name: str, message: str, hint: str = "") -> NoReturn:
    """Ends with exit code 2: which file, what is wrong, what was expected."""
    raise TriageError("not-hlo", f"{name}: {message}", EXPECTED, hint)


def dump(module: Module, wrapped: bool = False) -> bytes:
    """The module as bytes: the same bytes for the same module."""
    message: Any = messages()["HloProto"](hlo_module=module.proto) if wrapped else module.proto
    return bytes(message.SerializeToString(deterministic=True))


def walk(folder: Path) -> Iterator[Path]:
    """Files below a folder (a compile work folder, a cache) that look like HLO modules, in a fixed order."""
    ends = tuple(suffix + packed for suffix in SUFFIXES for packed in ("", *PACKED))
    return (p for p in sorted(folder.rglob("*")) if p.name.endswith(ends) and p.is_file())
