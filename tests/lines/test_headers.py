"""Headers of many loggers: what they call an error is one, also where no word says so; nothing else is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

HEADERS: dict[str, dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("headers.yaml").read_text("utf-8"))
SAID = {
    "generations": "table of shard 7 has generation 4, reader has 5",
    "state": "the ring of tenant b wrapped twice",
    "counts": "12 replies came for 16 calls",
}
STEADY = ["table {n} read in 9 ms", "shard {n} opened, 31 rows", "window {n} of 80 moved on", "prefetch {n} took 4 us"]
SHORT, LONG = 12, 90
"""Lines of a log of which every line is read, and of one in which only lines with a hit are."""


def written(header: dict[str, Any], level: int, number: int, message: str) -> str:
    time = f"10:{number // 60:02d}:{number % 60:02d}"
    return str(header["form"].format(time=time, level=header["levels"][level], message=message, n=number))


def failed_at(header: dict[str, Any], level: int, length: int, message: str, catalog: Catalog) -> str | None:
    """The root of a steady log which ends in a message with this level: its line, and the one below."""
    lines = [written(header, 0, number, STEADY[number % 4].format(n=number)) for number in range(length)]
    text = "\n".join([*lines, written(header, level, length, message)]) + "\n"
    roots = [one for one in explain_text(text, "x.log", catalog).findings if one.severity == "error"]
    at = roots[0].evidence[0].line if roots else 0
    return "\n".join(text.split("\n")[at - 1 : at + 1]) if roots else None


@pytest.mark.parametrize("name", HEADERS)
def test_an_error_is_what_its_logger_calls_one(name: str, catalog: Catalog) -> None:
    for length in (SHORT, LONG):
        for message in SAID.values():
            found = failed_at(HEADERS[name], 2, length, message, catalog)
            assert found is not None and message in found, (length, message, found)
            for calm in (0, 1):
                assert failed_at(HEADERS[name], calm, length, message, catalog) is None, (length, message, calm)
