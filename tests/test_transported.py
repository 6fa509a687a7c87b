"""What a collector or launcher puts in front of every line changes no answer: samples, each behind a few such forms.

Some rules still look at the beginning of a raw line. How many samples they let answer otherwise is a ceiling, lowered
by hand when one of them is mended, and raised for samples of terminals, of which no collector makes lines: prompts,
traces of a shell, differences. What differs is listed when it is passed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

SAMPLES = Path(__file__).parent.parent / "samples"
FAR = {"transports", "runs", "records", "known-gaps"}  # these are of lines and prefixes themselves
FORMS: dict[str, tuple[Callable[[int], str], int]] = {
    "kubectl": (lambda line: "[pod/train-0/main] ", 10),
    "compose": (lambda line: "trainer-1  | ", 8),
    "collector": (lambda line: f"2026-05-01T10:{line // 60 % 60:02d}:{line % 60:02d}.6440000Z ", 18),
    "torchrun": (lambda line: "[default0]:", 11),
}
LEAST, LONGEST = 5, 20_000  # lines and characters of a sample
Root = tuple[str, int] | None


def root(text: str, catalog: Catalog) -> Root:
    found = [f for f in explain_text(text, "x.log", catalog).findings if f.role == "root" and f.severity == "error"]
    return (found[0].id, found[0].evidence[0].line) if found else None


@pytest.fixture(scope="module")
def plain(catalog: Catalog) -> dict[str, tuple[str, Root]]:
    """Each sample by its name: its text and its root."""
    texts = {
        str(path.relative_to(SAMPLES)): path.read_text(encoding="utf-8", errors="replace")
        for path in sorted(SAMPLES.rglob("*.log"))
        if path.parent.name not in FAR
    }
    chosen = {name: text for name, text in texts.items() if text.count("\n") >= LEAST and len(text) <= LONGEST}
    assert len(chosen) > 700
    return {name: (text, root(text, catalog)) for name, text in chosen.items()}


@pytest.mark.parametrize("form", FORMS)
def test_a_prefix_of_every_line_changes_no_root(
    form: str, plain: dict[str, tuple[str, Root]], catalog: Catalog
) -> None:
    before, most = FORMS[form]
    differ = []
    for name, (text, expected) in plain.items():
        lines = text.rstrip("\n").split("\n")
        found = root("".join(f"{before(number)}{line}\n" for number, line in enumerate(lines)), catalog)
        if found != expected:
            differ.append(f"{name}: {expected} -> {found}")
    assert len(differ) <= most, "\n".join(differ)
