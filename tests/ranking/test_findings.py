"""A finding holds all that its entry says, and of an unknown failure what the claim says."""

from __future__ import annotations

from typing import Any

import pytest
from claimed import claim

from neurontriage.claims.claim import Claim
from neurontriage.claims.sightings import Sightings
from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Sighting
from neurontriage.ranking.answers import findings, unknown
from neurontriage.ranking.answers.told import tell
from neurontriage.triage import explain_text

TEXTS = ("not_proof", "done_when", "escalate", "blast_radius")


@pytest.fixture(scope="module")
def articles(catalog: Catalog) -> dict[str, dict[str, Any]]:
    return {entry: catalog.article(entry) for entry in sorted(catalog.briefs)}


@pytest.mark.parametrize("name", [*TEXTS, "repro", "fixed_in", "stack", "general"])
def test_nothing_of_an_entry_is_lost(name: str, catalog: Catalog, articles: dict[str, dict[str, Any]]) -> None:
    """For each member an entry that has it and one that has not: with no value of a group, texts are as written."""
    written = (entry for entry, one in articles.items() if name not in TEXTS or "{" not in one.get(name, ""))
    having = next(entry for entry in written if articles[entry].get(name))
    lacking = next((entry for entry, one in articles.items() if not one.get(name)), None)
    found = findings._known(claim(having, 1, entry=True), catalog, {})
    expected = articles[having][name]
    assert getattr(found, name) == (tuple(expected) if name == "stack" else expected)
    if lacking is not None:
        empty = {"repro": None, "fixed_in": None, "stack": (), "general": False}.get(name, "")
        assert getattr(findings._known(claim(lacking, 1, entry=True), catalog, {}), name) == empty


def test_the_look_of_an_entry_keeps_its_command_and_outcomes(
    catalog: Catalog, articles: dict[str, dict[str, Any]]
) -> None:
    having = next(e for e, one in articles.items() if "{" not in str(one.get("check", {}).get("command") or "{"))
    check = findings._known(claim(having, 1, entry=True), catalog, {}).check
    assert check is not None
    assert check.command == articles[having]["check"]["command"]
    assert [one.means for one in check.outcomes] == [one["means"] for one in articles[having]["check"]["outcomes"]]


RETRY = 'export NEURON_CC_FLAGS="$NEURON_CC_FLAGS --retry_failed_compilation"\n'
CACHED = (
    "[ERROR]: Got a cached failed neff at /cache/MODULE_1+2/model.neff. Will skip compilation, please set --retry:\n"
)


@pytest.mark.parametrize(
    "cause",
    [
        "[NCC_EVRF009] Size of total input and output tensors exceeds HBM limit",
        "[F137] neuronx-cc was forcibly killed - This most commonly occurs due to insufficient system memory.",
    ],
)
def test_what_a_consequence_leaves_behind_is_undone_too(cause: str, catalog: Catalog) -> None:
    """A cached failure is replayed whatever is changed: each answer says how to compile again, and says it once."""
    [alone] = explain_text(f"{cause}\n", catalog=catalog).roots
    [cached] = explain_text(
        f"{CACHED} Failed compilation with ['neuronx-cc', 'compile']: {cause}\n", catalog=catalog
    ).roots
    assert cached.id == alone.id and cached.workarounds[: len(alone.workarounds)] == alone.workarounds
    assert [fix.after for fix in cached.workarounds].count(RETRY) == 1


def test_an_unknown_failure_says_what_its_claim_says() -> None:
    one = claim("PLAIN-Unknown", 7, layer="collectives", text="it broke", score=0.456)
    one.count, one.sightings = 3, Sightings(Sighting("x", rank, 7) for rank in (2, 1))
    found = findings._unknown(one)
    assert (found.layer, found.known, found.title, found.confidence) == ("collectives", False, "it broke", 0.46)
    assert (found.count, found.ranks, found.evidence[0].line) == (3, (1, 2), 7)
    assert [(link.url, link.title) for link in found.links] == [(unknown.ISSUES, "AWS Neuron SDK issues")]


def test_a_known_failure_names_the_ranks_that_printed_it(catalog: Catalog) -> None:
    [found] = explain_text(
        "".join(f"[rank{n}]: [Errno 28] No space left on device\n" for n in (3, 1)), catalog=catalog
    ).roots
    assert (found.known, found.ranks) == (True, (1, 3))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a" * 20, "a" * 20),
        ("a" * 21, "a" * 19 + "…"),
        ("aaaa bbbb cccc dddd e", "aaaa bbbb cccc …"),
        ("aaaa bbbb cccc ddddd", "aaaa bbbb cccc ddddd"),
        ("aaaa bbbbb " + "c" * 20, "aaaa bbbbb " + "c" * 8 + "…"),
        ("aaaa bbbbbb " + "c" * 20, "aaaa bbbbbb …"),
    ],
)
def test_what_is_too_long_is_cut_between_words(text: str, shown: str) -> None:
    assert findings._in_words(text, 20) == shown


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("broke ({a}, {b}; {c})", "broke (1, 2; 3)"),
        ("broke ({a}, {x}; {c})", "broke (1, 3)"),
        ("broke ({x}): {a}", "broke: 1"),
    ],
)
def test_parts_in_brackets_stay_apart(title: str, shown: str) -> None:
    assert findings.filled(title, {"a": "1", "b": "2", "c": "3"}) == shown


def near(role: str, layer: str, line: int = 3) -> Claim:
    one = claim("X", line, layer=layer, fields={"pass": "Tiling"})
    one.role = role
    return one


@pytest.mark.parametrize(
    ("role", "layer", "line", "told"),
    [
        ("consequence", "host", 3, True),
        ("context", "host", 3, False),
        ("context", "compiler", 3, False),
        ("consequence", "host", 3_000, False),
    ],
)
def test_a_root_takes_values_from_its_consequences_nearby(role: str, layer: str, line: int, told: bool) -> None:
    root = claim("ROOT", 1, layer="runtime")
    tell(root, [root, near(role, layer, line)], {})
    assert ("pass" in root.fields) is told
