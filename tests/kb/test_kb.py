"""`kb`: entries are found by any of their names, searched, drafted, and printed as pages."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from shipped import ENTRIES, LOADED
from typer.testing import CliRunner

from neurontriage.commands.kb import app
from neurontriage.errors import TriageError
from neurontriage.kb.drafting import draft, pattern_of
from neurontriage.kb.pages import pages
from neurontriage.kb.proposing import patches, proposals
from neurontriage.kb.search import Filter, card, listed, mistyped, named, ranked
from neurontriage.kb.show import article
from neurontriage.knowledge import load as knowledge
from neurontriage.knowledge.catalog import Catalog
from neurontriage.knowledge.schema import Entry
from neurontriage.lines.linear import fault_of

CARDS = [card(entry.plain()) for entry in ENTRIES.values()]


@pytest.mark.parametrize("name", ["NCC-EVRF009", "NCC_EVRF009", "ncc_evrf009", "ncc evrf009"])
def test_any_name_finds_the_entry(name: str) -> None:
    assert [entry.id for entry in named(ENTRIES, name)] == ["NCC-EVRF009"]


def test_a_code_with_several_causes_finds_them_all() -> None:
    assert len(named(ENTRIES, "NCC_INLA001")) > 2


def test_a_wrong_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(TriageError, match="NCC-EVRF009"):
        named(ENTRIES, "NCC-EVRF0099")


def test_words_are_ranked_by_where_they_stand() -> None:
    found = [entry.id for _, entry in ranked(CARDS, ["unfold"])]
    assert found[0] == "XLA-ViewOperator"
    assert ranked(CARDS, ["unfold", "zebra-crossing"]) == []


@pytest.mark.parametrize(
    ("word", "near"),
    [("memroy", "memory"), ("Collectve", "collective"), ("tensorizr", "tensorizer"), ("xqzzyvw", None)],
)
def test_a_mistyped_word_has_a_nearest_one(word: str, near: str | None) -> None:
    assert list(mistyped(CARDS, ["unfold", word])) == [(word, near)]


def test_words_that_stand_in_entries_are_not_mistyped() -> None:
    assert list(mistyped(CARDS, ["unfold", "kubernetes", "EVRF009"])) == []


def test_filters_narrow() -> None:
    cache = listed(CARDS, Filter(layer="cache"))
    assert {entry.layer for entry in cache} == {"cache"}
    assert {entry.status for entry in listed(cache, Filter(status="draft"))} == {"draft"}
    assert listed(CARDS, Filter(code="EVRF009"))[0].id == "NCC-EVRF009"


@pytest.mark.parametrize("entry", list(ENTRIES.values())[::40], ids=lambda e: e.id)
def test_an_article_says_everything(entry: Entry) -> None:
    text = " ".join(article(entry).split())
    assert entry.id in text
    assert all(link.url in text for link in entry.links)
    assert all(" ".join(workaround.title.split())[:30] in text for workaround in entry.workarounds)


UNKNOWN = (
    "2026-Nov-01 23:48:34.002205 5:5 ERROR  TDRV:frobnicate_pool   pool 12 of /dev/neuron0 rejected a descriptor\n"
)


def test_a_draft_is_a_sound_entry_but_for_what_a_person_must_write(catalog: Catalog, tmp_path: Path) -> None:
    made = draft(UNKNOWN, "x.log", None, catalog, ENTRIES)
    path = tmp_path / "runtime" / "NRT-NameTheFault.yaml"
    path.parent.mkdir()
    path.write_text(made.text)
    entry, faults = knowledge.read_entry(path)
    assert not faults
    assert entry is not None
    assert fault_of(made.pattern) is None
    assert made.nearest


def test_a_draft_names_false_alarms_of_its_pattern(catalog: Catalog) -> None:
    example = ENTRIES["NCC-EVRF009"].examples[0]
    made = draft(f"{example}\n", "x.log", 1, catalog, ENTRIES)
    assert any("NCC-EVRF009" in alarm for alarm in made.alarms)


def test_a_draft_needs_something_unknown(catalog: Catalog) -> None:
    with pytest.raises(TriageError, match="every failure in it is known"):
        draft("[TEN404] Internal tensorizer error: InferIntrinsicOnCC\n", "x.log", None, catalog, ENTRIES)
    with pytest.raises(TriageError, match="--line 9"):
        draft(UNKNOWN, "x.log", 9, catalog, ENTRIES)


def test_numbers_paths_and_quoted_values_become_variables() -> None:
    assert pattern_of("pool 12 of /dev/neuron0 failed") == r"pool \d+ of \S+ failed"


def test_the_catalogue_has_a_page_for_each_entry_and_links_that_lead_somewhere() -> None:
    made = pages({name: ENTRIES[name] for name in list(ENTRIES)[:30]})
    assert len(made) == 31
    for name, text in made.items():
        assert text.startswith("<!doctype html>"), name
        for target in (part.split('"')[0] for part in text.split('href="')[1:]):
            assert target.startswith(("https://", "#")) or target in made, f"{name} → {target}"


@pytest.mark.parametrize(
    "words", [["list", "--layer", "driver"], ["show", "TEN404-SundaSizeTiling"], ["search", "memory"], ["lint"]]
)
def test_commands_answer(words: list[str]) -> None:
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0
    assert result.output


def test_a_repro_run_proposes_versions_as_a_patch_that_applies(tmp_path: Path) -> None:
    run = tmp_path / "run.json"
    run.write_text('{"proposals": [{"case": "TEN404-InferIntrinsicOnCC", "affected": "2.21", "fixed": "2.22"}]}')
    loaded = LOADED
    patch = "".join(patches(proposals(run), loaded.entries, loaded.paths))
    folder = tmp_path / "compiler"
    folder.mkdir()
    path = folder / "TEN404-InferIntrinsicOnCC.yaml"
    before = loaded.paths["TEN404-InferIntrinsicOnCC"].read_text()
    path.write_text(before)
    subprocess.run(["git", "apply", "-"], input=patch, text=True, cwd=tmp_path, check=True)
    entry, faults = knowledge.read_entry(path)
    assert not faults
    assert entry is not None
    assert entry.fixed_in["neuronx-cc"] == "2.22"
    assert loaded.paths["TEN404-InferIntrinsicOnCC"].read_text() == before


def test_what_cannot_be_proposed_is_said(tmp_path: Path) -> None:
    loaded = LOADED
    stated = next(e.id for e in loaded.entries.values() if any(one.package == "neuronx-cc" for one in e.affected))
    listed = [{"case": name, "affected": "1", "fixed": "2"} for name in (stated, "NO-SuchCase")]
    said = list(patches(listed, loaded.entries, loaded.paths))
    assert "already" in said[0]
    assert "no entry" in said[1]
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(TriageError, match="no proposals"):
        proposals(tmp_path / "x.json")


def test_a_code_of_many_entries_lists_them_and_an_id_shows_one() -> None:
    runner = CliRunner()
    many = runner.invoke(app, ["show", "TEN404"])
    listed_ids = [line.split()[0] for line in many.stdout.splitlines()]
    assert len(listed_ids) > 3 and all(name.startswith("TEN404-") for name in listed_ids)
    one = runner.invoke(app, ["show", "ten404 inferintrinsiconcc"])
    assert one.stdout == article(ENTRIES["TEN404-InferIntrinsicOnCC"])
