"""Every log for itself: its answer is that of the log alone, whatever lies beside it, with much memory or little."""

from __future__ import annotations

from pathlib import Path

import pytest
from incidents import incident

from neurontriage.incident import Way, read
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.remembered import Relief
from neurontriage.model import Diagnosis
from neurontriage.render.groups import document, outlined, table

EACH = Way(each=True, context=lambda: True)


def found(paths: list[str], catalog: Catalog, way: Way = EACH) -> list[Diagnosis]:
    return read(paths, catalog, way).diagnoses


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    return incident(tmp_path, 11)


def test_a_log_is_answered_as_it_is_alone(paths: list[str], catalog: Catalog) -> None:
    texts = [path for path in paths if not path.endswith("neff.log")]  # which alone is refused
    together = found(paths, catalog)
    of = {one.inputs[0].path: one for one in together if one.inputs[0].bytes}
    assert of == {one.inputs[0].path: one for path in texts for one in found([path], catalog) if one.inputs[0].bytes}
    assert any(evidence.context for one in together for root in one.roots for evidence in root.evidence)
    assert not next(one for one in together if one.inputs[0].path.endswith("cut.log.gz")).ended_well


def test_the_table_shows_what_is_kept(paths: list[str], catalog: Catalog) -> None:
    whole, kept = found(paths, catalog), found(paths, catalog, EACH._replace(kept=outlined))
    assert document(kept) == document(whole) and table(kept) == table(whole)
    assert [one.verdict for one in kept] == [one.verdict for one in whole]
    assert max(len(one.findings) for one in kept) == 1 < max(len(one.findings) for one in whole)


def test_little_memory_costs_time_only(paths: list[str], catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    plenty = found(paths, catalog)
    given = []
    for user in ("incident.logs", "claims.log"):
        monkeypatch.setattr(f"neurontriage.{user}.RELIEF", Relief(0, -1 << 40, -1 << 40))
    monkeypatch.setattr("neurontriage.lines.remembered.give_back", lambda: given.append(1))
    assert found(paths, catalog) == plenty and len(given) >= len(plenty)


def test_a_sign_of_an_archive_in_a_name_hides_no_lines(tmp_path: Path, catalog: Catalog) -> None:
    odd = tmp_path / "run!2"
    odd.mkdir()
    packed = found([path for path in incident(odd, 11) if path.endswith(".tar.gz")], catalog)
    assert any(evidence.context for one in packed for root in one.roots for evidence in root.evidence)
