"""YAML of others: bombs, depth, pipes and devices are faults of the file, found at once."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from neurontriage.errors import TriageError
from neurontriage.knowledge import load as knowledge
from neurontriage.knowledge import silence

LAUGHS = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
TOO_DEEP = r"deeper than 20 levels|exceeded maximum nesting depth"
"""Said by us or, where its scanner looks that far ahead, by libyaml, which has a bound of its own in PyYAML 6.0.4."""
BOMBS = {
    "laughs": (LAUGHS, "aliases"),
    "brackets": ("[" * 100_000, TOO_DEEP),
    "braces": ("{a: " * 100_000, TOO_DEEP),
    "dashes": ("- " * 50_000 + "x", TOO_DEEP),
    "large": ("# " + "x" * (2 << 20), "larger than"),
    "day": ("a: 2027-02-30", "1:4: not YAML: no value: day is out of range"),
    "digits": ("a: " + "9" * 900_000, "1:4: not YAML: no value: Exceeds the limit|larger|a: unknown key"),
    "number": ("a: !!int many", "1:4: not YAML: no value: invalid literal"),
    "tag": ("!!python/object/apply:os.system ['true']", "constructor"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_a_fault_of_its_file(name: str, tmp_path: Path) -> None:
    text, said = BOMBS[name]
    (tmp_path / "host").mkdir()
    path = tmp_path / "host" / "HOST-Bomb.yaml"
    path.write_text(text)
    entry, faults = knowledge.read_entry(path)
    assert entry is None
    assert re.search(said, str(faults[0]))


@pytest.mark.parametrize("name", ["laughs", "brackets", "large"])
def test_a_bomb_in_the_other_files_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "ignore.yaml").write_text(BOMBS[name][0])
    (tmp_path / "versions.yaml").write_text(BOMBS[name][0])
    with pytest.raises(TriageError):
        silence.read([tmp_path])
    with pytest.raises(TriageError):
        knowledge.releases([tmp_path])


def test_of_thousands_of_faults_the_first_are_told(tmp_path: Path) -> None:
    path = tmp_path / "HOST-Keys.yaml"
    path.write_text("".join(f"k{n}: {n}\n" for n in range(20_000)))
    entry, faults = knowledge.read_entry(path)
    assert entry is None
    assert len(faults) == 101
    assert re.fullmatch(r"199\d\d more faults like these", faults[-1].message)


@pytest.mark.parametrize("until", ["2027-02-30", "never", "'2027-01-01'"])
def test_a_day_that_is_none_is_a_fault_of_the_ignore_list(until: str, tmp_path: Path) -> None:
    (tmp_path / "ignore.yaml").write_text(f"- {{id: X, reason: y, until: {until}}}\n")
    if until.startswith("'"):
        assert len(silence.read([tmp_path])) == 1
    else:
        with pytest.raises(TriageError):
            silence.read([tmp_path])


def test_pipes_and_devices_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "HOST-Pipe.yaml")
    (tmp_path / "HOST-Zero.yaml").symlink_to("/dev/zero")
    loaded = knowledge.load([tmp_path])
    assert ["not a regular file" in str(fault) for fault in loaded.faults] == [True, True]
