"""The targets of `make fuzz`, tried with hypothesis, with pieces of real formats, and with what once failed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "fuzz"))

from targets import TARGETS  # noqa: E402 - the folder is no package

KEPT = sorted(path for path in (ROOT / "fuzz" / "kept").rglob("*") if path.is_file())
PIECES = [
    b"\x1f\x8b\x08\x00", b"\xfd7zXZ\0", b"BZh9", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"\xff\xfe", b"\x1b[31m",
    b"[rank3]: ", b"Traceback (most recent call last):\n", b'  File "a.py", line 3, in f\n', b"RuntimeError: x\n",
    b"2026-01-01T00:00:00Z [TEN404] (op) Internal tensorizer error: InferIntrinsicOnCC\n", b"ERROR  TDRV:exec   NEFF",
    b"2026-01-01 10:00:00.000001:  7  ERROR ||NEURON_CC_WRAPPER||: Compilation failed\n", b"log-neuron-cc.txt",
    b'{"supported_operators": {"aten::add": 3}}', b"id: A-B\ntitle: x\nmatch:\n  - text: 'abc'\n", b"HloModule m\n",
    b"ENTRY e {\n  ROOT a = f32[2]{0} parameter(0)\n}\n", b"(?:a|b)+", b"{0,99}", b"\xf0\x9f\x92\xa9", b"<script>",
    b"]]>", b"\r", b"\n",
]  # fmt: skip
anything = st.one_of(st.binary(max_size=300), st.lists(st.sampled_from(PIECES), max_size=8).map(b"".join))


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=anything)
def test_any_bytes(name: str, data: bytes) -> None:
    TARGETS[name](data)


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_what_once_failed(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())
