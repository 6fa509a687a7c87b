"""Results of single runs are read, and no conclusion is taken over that their numbers do not carry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neurontriage.cli import build, run
from neurontriage.contract import schema
from neurontriage.errors import TriageError
from neurontriage.measure import formats, importing

pytestmark = pytest.mark.xla
# milliseconds: three first and three cached runs of the small graph, as published for trn1
PUBLISHED = {
    "natural_for_loop_small": ([13.030, 0.346, 0.305], [0.300, 0.219, 0.251]),
    "dependent_for_loop_small": ([22.418, 0.608, 0.614], [0.590, 0.523, 0.550]),
    "vmap_small": ([10.944, 0.409, 0.354], [11.317, 0.431, 0.386]),
    "scan_small": ([12.165, 0.397, 0.359], [0.473, 0.391, 0.397]),
}


def lists(runs: tuple[list[float], list[float]]) -> dict[str, Any]:
    return {"first_run_times": [ms / 1e3 for ms in runs[0]], "cached_run_times": [ms / 1e3 for ms in runs[1]]}


def trials(runs: tuple[list[float], list[float]]) -> dict[str, Any]:
    rows = enumerate(zip(*runs, strict=True), 1)
    listed = [
        {"trial": n, "first_run": f / 1e3, "cached_run": c / 1e3, "difference": (f - c) / 1e3} for n, (f, c) in rows
    ]
    return {"detailed_timings": listed, "cached_run_mean": 0.004}


@pytest.fixture(params=[lists, trials], ids=["lists", "trials"])
def published(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The same figures in both forms that such scripts write."""
    patterns = {name: request.param(runs) for name, runs in PUBLISHED.items()}
    path = tmp_path / "improved_compilation_dominance_analysis.json"
    path.write_text(json.dumps({"configuration": {"measurement_trials": 3}, "compilation_patterns": patterns}))
    return path


def conclusions(path: Path) -> dict[str, tuple[str, str]]:
    return {each["claim"]: (each["verdict"], each["why"]) for each in importing.load(path)["conclusions"]}


def test_vmap_is_heaviest_is_not_shown(published: Path) -> None:
    verdict, why = conclusions(published)["vmap is the slowest of small"]
    assert verdict == "not shown"
    assert "one outlier (11.3 ms): mean 4.04 ms, median 0.431 ms" in why


def test_what_the_numbers_do_carry_is_said(published: Path) -> None:
    assert conclusions(published)["natural is the fastest of small"][0] == "shown"
    pairs = importing.load(published)["comparisons"][0]["pairs"]
    verdicts = {(pair["one"], pair["other"]): pair["verdict"] for pair in pairs}
    assert verdicts["natural", "dependent"] == "slower"
    assert verdicts["vmap", "scan"] == "cannot tell"


def test_first_runs_are_no_compile_times(published: Path) -> None:
    found = {claim: said for claim, said in conclusions(published).items() if "compiles in" in claim}
    assert len(found) == 4
    assert all(verdict == "not shown" and "compiled nothing" in why for verdict, why in found.values())


def test_synchronisation_needs_a_baseline(published: Path, tmp_path: Path) -> None:
    claim = "synchronisation dominates dependent/small"
    assert conclusions(published)[claim][0] == "cannot tell"
    data = json.loads(published.read_text()) | {"sync_baseline": {"median": 0.00015, "mean": 0.0002}}
    other = tmp_path / "with.json"
    other.write_text(json.dumps(data))
    assert conclusions(other)[claim][0] == "shown"


def test_an_import_is_as_the_published_schema_says(published: Path) -> None:
    jsonschema.validate(importing.load(published), schema("measure"))


def test_every_format_shows_an_import(published: Path) -> None:
    document = importing.load(published)
    for name in formats.names():
        assert "not shown" in formats.render(name, document)


def test_the_command_reads_it(published: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(build("measure"), ["measure", "--import", str(published)]) == 0
    assert "one outlier" in capsys.readouterr().out


def test_without_scipy_the_extra_is_named(published: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from neurontriage.repro import environment

    monkeypatch.setattr(environment, "version", lambda package: None)
    with pytest.raises(TriageError, match="scipy is not installed"):
        importing.load(published)


@pytest.mark.parametrize("text", ["", "[]", "null", '{"a": 1}', '{"vmap_small": {"cached_run": 3}}', "[" * 100_000])
def test_what_holds_no_runs_is_refused_by_name(text: str, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(TriageError, match=r"other\.json"):
        importing.load(path)


values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["vmap_small", "scan", "cached_runs", "detailed_timings", "first_run", "x"]), inner
        )
    ),
    max_leaves=20,
)


@settings(max_examples=100, deadline=None)
@given(values)
def test_any_json_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, value: Any) -> None:
    path = tmp_path_factory.mktemp("any") / "any.json"
    path.write_text(json.dumps(value))
    try:
        document = importing.load(path)
    except TriageError:
        return
    formats.render("json", document)
