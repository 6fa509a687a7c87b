"""Ignore lists: what is silenced is gone until its day is over, and the reader is told what was kept from him."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from neurontriage import silencing
from neurontriage.config import Config
from neurontriage.errors import TriageError
from neurontriage.knowledge import silence
from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Diagnosis
from neurontriage.triage import explain_text

LOOP, EXIT = "TEN404-InferIntrinsicOnCC", "CC-ExitStatus70"
LOG = Path(__file__).parents[2] / "samples" / "compiler-internal" / "ten404-loop.log"
TODAY = datetime.date.today()
DAY = datetime.timedelta(days=1)


def folder(path: Path, *lines: str) -> Path:
    path.mkdir(exist_ok=True)
    (path / silence.NAME).write_text("".join(f"- {{{line}}}\n" for line in lines))
    return path


@pytest.fixture(scope="module")
def diagnosis(catalog: Catalog) -> Diagnosis:
    found = explain_text(LOG.read_text())
    assert {LOOP, EXIT} <= {one.id for one in found.findings}
    return found


@pytest.mark.parametrize(("end", "holds"), [(TODAY - DAY, False), (TODAY, True), (TODAY + DAY, True)])
def test_an_id_is_silent_to_the_end_of_its_last_day(
    end: datetime.date, holds: bool, diagnosis: Diagnosis, catalog: Catalog, tmp_path: Path
) -> None:
    own = folder(tmp_path, f"id: {EXIT}, reason: known, until: {end}")
    assert [one.holds(TODAY) for one in silence.read([own])] == [holds]
    shown, notes = silencing.silenced(diagnosis, silence.read([own]), Config(), catalog)
    said = f"{EXIT} until {end}: known"
    assert (EXIT in {one.id for one in shown.findings}) is not holds
    assert LOOP in {one.id for one in shown.findings}
    assert shown.silenced == ((said,) if holds else ())
    assert notes == ([] if holds else [f"ignore list: {said} is over, so it is shown"])


def test_the_settings_silence_too_and_only_what_was_found_is_listed(diagnosis: Diagnosis, catalog: Catalog) -> None:
    settled = Config(ignore=(EXIT, "XLA-MarkStepDeprecated"), path=Path("pyproject.toml"))
    shown, notes = silencing.silenced(diagnosis, [], settled, catalog)
    assert EXIT not in {one.id for one in shown.findings}
    assert (shown.silenced, notes) == ((f"{EXIT}: pyproject.toml",), [])


def test_ids_that_do_not_exist_are_named_once(diagnosis: Diagnosis, catalog: Catalog, tmp_path: Path) -> None:
    own = folder(tmp_path, *(f"id: {name}, reason: r, until: {TODAY + DAY}" for name in ("NO-Such", "PY-Unknown")))
    shown, notes = silencing.silenced(diagnosis, silence.read([own]), Config(ignore=("NO-Such", "NO-Other")), catalog)
    assert notes == [f"ignore list: no entry is called {name}" for name in ("NO-Such", "NO-Other")]
    assert (shown.findings, shown.silenced) == (diagnosis.findings, ())


def test_without_lists_nothing_is_touched(diagnosis: Diagnosis, catalog: Catalog, tmp_path: Path) -> None:
    assert silencing.silenced(diagnosis, [], Config(), catalog) == (diagnosis, [])
    assert silencing.silenced(diagnosis, silence.read([tmp_path]), Config(), catalog) == (diagnosis, [])


def test_lists_of_several_folders_are_read_in_order(tmp_path: Path) -> None:
    own = [folder(tmp_path / name, f"id: {name}, reason: r, until: 2030-01-02") for name in ("b", "a")]
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / silence.NAME).write_text("")
    (tmp_path / "none").mkdir()
    found = silence.read([own[0], tmp_path / "empty", tmp_path / "none", own[1]])
    assert [(one.id, one.reason, one.until) for one in found] == [
        ("b", "r", datetime.date(2030, 1, 2)),
        ("a", "r", datetime.date(2030, 1, 2)),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("- {id: A, reason: r}\n", "Field required"),
        ("- {id: A, reason: r, until: soon}\n", "date"),
        ("- {id: A, reason: r, until: 2030-01-02, who: me}\n", "Extra inputs"),
        ("id: A\n", "list"),
        ("- {id: A\n", "line"),
    ],
)
def test_a_faulty_list_is_refused_by_name(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / silence.NAME).write_text(text)
    with pytest.raises(TriageError, match=words) as refused:
        silence.read([tmp_path])
    assert refused.value.reference == "faulty-ignore-list"
    assert refused.value.message.startswith(f"{tmp_path / silence.NAME}: ")
    assert refused.value.expected == "a list of {id: …, reason: …, until: YYYY-MM-DD}"
    assert refused.value.hint == "see CONTRIBUTING.md"
