"""The knowledge base: sound, each example won by its own entry, faults told with file, line and column."""

from __future__ import annotations

from pathlib import Path

import pytest
from shipped import LOADED

from neurontriage.errors import TriageError
from neurontriage.kb.examples import entry_faults, fitting
from neurontriage.knowledge import load as knowledge
from neurontriage.knowledge.catalog import Catalog
from neurontriage.knowledge.load import Loaded, load, read_entry
from neurontriage.knowledge.schema import Entry
from neurontriage.lines.linear import fault_of
from neurontriage.lines.patterns import anchor

ROOT = Path(__file__).parents[2]

SOUND = """\
id: HOST-Example
title: An example
layer: host
severity: error
role: root
status: draft
match:
  - text: 'example failure \\d+'
cause: Because.
workarounds:
  - {title: Do it, kind: config}
links:
  - {url: "https://example.com/x", title: Example}
examples:
  - 'example failure 7'
"""


def test_no_faults() -> None:
    assert [str(fault) for fault in LOADED.faults] == []


def test_there_is_enough_of_it() -> None:
    assert len(LOADED.entries) >= 300


@pytest.mark.parametrize("entry", LOADED.entries.values(), ids=lambda e: e.id)
def test_examples_and_near_misses(entry: Entry, catalog: Catalog) -> None:
    assert [str(fault) for fault in entry_faults(entry, catalog)] == []


@pytest.mark.parametrize("entry", LOADED.entries.values(), ids=lambda e: e.id)
def test_patterns_are_linear_and_anchored(entry: Entry) -> None:
    for match in entry.match:
        if match.text is not None:
            assert fault_of(match.text) is None
            assert len(anchor(match.text)) >= 4


def test_references_between_entries_exist() -> None:
    ids = set(LOADED.entries)
    wrong = []
    for entry in LOADED.entries.values():
        named = [*entry.when.seen, *entry.when.unseen, *entry.when.repaired]
        named += [name for name in entry.explains if not name.startswith(("family:", "layer:"))]
        wrong += [(entry.id, name) for name in named if name not in ids and not name.endswith("-Unknown")]
    assert not wrong


def test_an_alias_names_one_failure() -> None:
    seen: dict[str, str] = {}
    for entry in LOADED.entries.values():
        assert not [alias for alias in entry.aliases if alias in LOADED.entries and alias != entry.id]
        seen |= dict.fromkeys(entry.aliases, entry.id)
    assert seen


def written(folder: Path, text: str, name: str = "HOST-Example.yaml", layer: str = "host") -> Path:
    path = folder / layer / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_sound_entry_has_no_faults(tmp_path: Path) -> None:
    entry, faults = read_entry(written(tmp_path, SOUND))
    assert entry is not None
    assert not faults


FAULTY = {
    "typo": (SOUND.replace("cause:", "cuase:"), "9:1", "did you mean 'cause'"),
    "twice": (SOUND + "title: Again\n", "16:1", "stands twice"),
    "kind": (SOUND.replace("kind: config", "kind: magic"), "11:24", "magic|Input should be"),
    "url": (SOUND.replace("https://", "http://"), "13:6", "pattern"),
    "regex": (SOUND.replace(r"\d+", "(a+)+"), "8:5", "backtrack"),
    "lookahead": (SOUND.replace(r"\d+", "(?=x)"), "8:5", "linear-time"),
    "literal": (SOUND.replace(r"text: 'example failure \d+'", r"text: '\d+'"), "8:5", "literal"),
    "yaml": (SOUND + "  - [unclosed\n", "17:1", "not YAML"),
    "workaround": (SOUND.replace("role: root", "role: benign"), "1:1", "benign"),
    "range": (
        SOUND + "affected:\n  - package: runtime\n    events: [{fixed: '1', introduced: '0'}]\n",
        "18:14",
        "one of",
    ),
}


@pytest.mark.parametrize("name", FAULTY)
def test_faults_have_a_place_and_a_reason(name: str, tmp_path: Path) -> None:
    text, place, reason = FAULTY[name]
    path = written(tmp_path, text)
    _, faults = read_entry(path)
    shown = "\n".join(map(str, faults))
    assert any(word in shown for word in reason.split("|")), shown
    assert f"{path}:{place.split(':')[0]}:" in shown, shown


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    written(tmp_path, SOUND.replace("cause:", "cuase:").replace("kind: config", "kind: magic"))
    written(tmp_path, SOUND, "HOST-Other.yaml")
    written(tmp_path, SOUND.replace("HOST-Example", "HOST-Third"), "HOST-Third.yaml", layer="cache")
    faults = "\n".join(map(str, load([tmp_path]).faults))
    assert "did you mean 'cause'" in faults
    assert "magic" in faults or "Input should be" in faults
    assert "file name must be the id" in faults
    assert "folder must be the layer" in faults


def test_own_knowledge_adds_and_overrides(tmp_path: Path) -> None:
    from neurontriage.knowledge import catalog as catalogs
    from neurontriage.triage import explain_text

    written(tmp_path, SOUND)
    own = catalogs.load([tmp_path])
    assert own.count == len(LOADED.entries) + 1
    assert explain_text("x example failure 12", catalog=own).findings[0].id == "HOST-Example"


def test_faulty_own_knowledge_is_refused(tmp_path: Path) -> None:
    from neurontriage.knowledge import catalog as catalogs

    written(tmp_path, SOUND.replace("cause:", "cuase:"))
    with pytest.raises(TriageError, match="did you mean 'cause'"):
        catalogs.load([tmp_path])


@pytest.mark.parametrize("path", sorted((ROOT / "samples" / "benign").glob("*.log")), ids=lambda p: p.stem)
def test_entries_stay_silent_on_healthy_lines(path: Path, catalog: Catalog) -> None:
    best = [max(line, key=lambda one: one.weight) for line in fitting(path.read_text(), catalog) if line]
    loud = {
        match.entry
        for match in best
        if match.entry
        and catalog.briefs[match.entry]["severity"] == "error"
        and not catalog.briefs[match.entry]["seen"]
        and not catalog.briefs[match.entry]["unseen"]
        and not catalog.briefs[match.entry]["repaired"]
    }
    assert not loud


def test_loading_two_folders_keeps_the_later(tmp_path: Path) -> None:
    written(tmp_path / "a", SOUND)
    written(tmp_path / "b", SOUND.replace("An example", "Another"))
    loaded: Loaded = knowledge.load([tmp_path / "a", tmp_path / "b"])
    assert not loaded.faults
    assert loaded.entries["HOST-Example"].title == "Another"
