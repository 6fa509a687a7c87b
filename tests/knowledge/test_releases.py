"""The table of releases against what a log prints: which SDK it is, and the whole sentence that is said."""

from __future__ import annotations

import pytest

from neurontriage import resources
from neurontriage.knowledge import load as knowledge
from neurontriage.knowledge.versions import Releases, applies, below, outside, parsed

PACKAGES = ("neuronx-cc", "torch-neuronx", "runtime", "libneuronxla", "collectives", "driver", "neuron-cc")
"""In the order in which they are asked for the SDK."""
TABLE = {
    "latest_sdk": "3.2.0",
    "releases": [  # newest first
        {"sdk": "3.2.0", "date": "", "packages": {"neuronx-cc": ["2.30.5.0"], "runtime": []}},
        {"sdk": "3.1.1", "date": "2030-03-01", "packages": {"neuronx-cc": ["2.29.9.0"], "runtime": ["2.9.0"]}},
        {"sdk": "3.1.0", "date": "2030-02-01", "packages": {"neuronx-cc": ["2.29.9.0", "2.29.8.0"], "driver": ["2.1"]}},
        {"sdk": "3.0.0", "date": "2030-01-01", "packages": {name: [f"1.{n}"] for n, name in enumerate(PACKAGES)}},
    ],
    "ended": [
        {"package": "python", "before": "3.9", "text": "old Python"},
        {"package": "neuron-cc", "text": "no Inf1"},
    ],
    "pairs": [
        {"first": "driver", "from": "2.29", "second": "runtime", "below": "2.33", "text": "they clash"},
        {"first": "serving", "from": "0.9", "second": "target", "among": ["trn1"], "text": "not there"},
    ],
}
RELEASES = Releases(TABLE)


@pytest.mark.parametrize(
    ("older", "newer"),
    [("2.9", "2.10"), ("2.15", "2.15.0.1"), ("1.13.1", "2.1"), ("2", "2.0.1"), ("2.14.227.0+2d4f85be", "2.14.228")],
)
def test_older(older: str, newer: str) -> None:
    assert (below(older, newer), below(newer, older)) == (True, False)


@pytest.mark.parametrize(("one", "other"), [("2.15", "2.15.0.0"), ("2.15.0.0", "2.15"), ("2.0.1a3", "2.0.1")])
def test_the_same(one: str, other: str) -> None:
    assert not below(one, other) and not below(other, one)


@pytest.mark.parametrize(("text", "numbers"), [("", ()), ("2.x.3", (2,)), ("2_1", (2,)), ("1.2-3", (1, 2))])
def test_numbers_up_to_the_build(text: str, numbers: tuple[int, ...]) -> None:
    assert parsed(text) == numbers


def test_a_range_that_begins_later_and_one_without_a_beginning() -> None:
    assert applies([{"introduced": "2.0"}], "2.0")
    assert not applies([{"fixed": "2.0"}], "1.0")
    assert not applies([], "1.0")


@pytest.mark.parametrize(
    ("package", "version", "sdks"),
    [
        ("neuronx-cc", "2.29.9.0+abc", ("3.1.0", "3.1.1")),  # oldest first
        ("neuronx-cc", "2.29.8.0", ("3.1.0",)),  # the second that one release shipped; exact beats the line
        ("neuronx-cc", "2.29.7.0", ("3.1.0", "3.1.1")),  # none shipped it: those of its major.minor
        ("neuronx-cc", "2.28.7.0", ()),
        ("neuronx-cc", "2", ()),  # a major alone is no line
        ("driver", "2.1", ("3.1.0",)),
        ("no-such", "1.0", ()),
    ],
)
def test_the_releases_that_shipped_a_version(package: str, version: str, sdks: tuple[str, ...]) -> None:
    assert RELEASES.sdk_of(package, version) == sdks


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_can_tell_the_sdk(package: str) -> None:
    shipped = TABLE["releases"][-1]["packages"][package][0]
    assert RELEASES.sdk_in({package: shipped, "python": "3.10"}) == "3.0.0"


@pytest.mark.parametrize("number", range(1, len(PACKAGES)))
def test_the_compiler_tells_first(number: int) -> None:
    earlier, later = PACKAGES[number - 1], PACKAGES[number]
    table = {"releases": [{"sdk": "2", "packages": {later: ["1.0"]}}, {"sdk": "1", "packages": {earlier: ["1.0"]}}]}
    assert Releases(table).sdk_in({later: "1.0", earlier: "1.0"}) == "1"
    assert Releases(table).sdk_in({later: "1.0", earlier: "9.9"}) == "2"  # one that says nothing is passed over


def test_several_releases_are_a_range() -> None:
    assert RELEASES.sdk_in({"neuronx-cc": "2.29.9.0"}) == "3.1.0 to 3.1.1"
    assert RELEASES.with_sdk({"neuronx-cc": "2.29.9.0", "a": "1"}) == {
        "a": "1",
        "neuronx-cc": "2.29.9.0",
        "sdk": "3.1.0 to 3.1.1",
    }
    assert list(RELEASES.with_sdk({"z": "1", "a": "1"})) == ["a", "z"]
    assert RELEASES.with_sdk({"neuronx-cc": "2.30.5.0", "sdk": "3.0"})["sdk"] == "3.0"  # what is printed stays
    assert RELEASES.known({"neuronx-cc": "2.29.9.0"})["sdk"] == "3.1.0"
    assert RELEASES.known({"python": "3.10"}) == {"python": "3.10"}


def test_days_and_newest() -> None:
    assert RELEASES.latest == "3.2.0"
    assert RELEASES.date_of("3.1.1") == "2030-03-01"
    assert RELEASES.date_of("3.2.0") is None  # no day in the table
    assert RELEASES.date_of("9.9") is None
    assert RELEASES.newest(["neuronx-cc"]) == {"neuronx-cc": "2.30.5.0"}
    assert RELEASES.newest(["neuronx-cc", "runtime"]) == {"neuronx-cc": "2.29.9.0", "runtime": "2.9.0"}
    assert RELEASES.newest(["no-such"]) == {}


def test_a_table_without_anything_says_nothing() -> None:
    empty = Releases({})
    assert (empty.latest, empty.sdk_of("neuronx-cc", "2.1"), empty.date_of("1"), empty.newest(["x"])) == (
        "",
        (),
        None,
        {},
    )
    assert (empty.ended({"python": "2.7"}), empty.says({}, {})) == ((), None)


@pytest.mark.parametrize(
    ("environment", "notes"),
    [
        ({"python": "3.8"}, ("old Python",)),
        ({"python": "3.9"}, ()),
        ({"neuron-cc": "1.0", "python": "3.8"}, ("old Python", "no Inf1")),
        ({"driver": "2.29", "runtime": "2.32"}, ("they clash",)),
        ({"driver": "2.28", "runtime": "2.32"}, ()),
        ({"driver": "2.29", "runtime": "2.33"}, ()),
        ({"driver": "2.29"}, ()),
        ({"runtime": "2.32"}, ()),
        ({"serving": "0.9", "target": "trn1"}, ("not there",)),
        ({"serving": "0.8", "target": "trn1"}, ()),
        ({"serving": "0.10", "target": "trn2"}, ()),
        ({"serving": "0.10"}, ()),
    ],
)
def test_what_is_out_of_support_or_does_not_fit(environment: dict[str, str], notes: tuple[str, ...]) -> None:
    assert RELEASES.ended(environment) == notes


OPEN = {"package": "driver", "events": [{"introduced": "2.5"}]}
TWICE = {"package": "driver", "events": [{"introduced": "1"}, {"fixed": "2"}, {"introduced": "3"}, {"fixed": "4"}]}
CLOSED = {"package": "runtime", "events": [{"introduced": "0"}, {"fixed": "2.24"}]}
SAID = [
    (
        {"affected": [OPEN]},
        {"driver": "2.6"},
        "You run driver 2.6, which is affected; no fix is known (as of SDK 3.2.0).",
    ),
    (
        {"affected": [{**OPEN, "open": "it is hardware"}]},
        {"driver": "2.6", "sdk": "3.1.0"},
        "You run driver 2.6 (SDK 3.1.0), which is affected; it is hardware (as of SDK 3.2.0).",
    ),
    (
        {"affected": [OPEN], "fixed_in": {"sdk": "3.2"}},
        {"driver": "2.6"},
        "You run driver 2.6; fixed in SDK 3.2: upgrade.",
    ),
    (
        {"affected": [CLOSED], "fixed_in": {"sdk": "3.2", "runtime": "2.25"}},
        {"runtime": "2.23"},
        "You run runtime 2.23; fixed in runtime 2.25, SDK 3.2: upgrade.",
    ),
    (
        {"affected": [OPEN]},
        {"driver": "2.4"},
        "You run driver 2.4, which is outside the versions known to be affected.",
    ),
    (
        {"affected": [TWICE]},
        {"driver": "4.1"},
        "You run driver 4.1, which has the fix of driver 4: look for another cause, or report a regression.",
    ),
    (
        {"affected": [TWICE]},
        {"driver": "2.5"},
        "You run driver 2.5, which is outside the versions known to be affected.",
    ),
    (
        {"affected": [CLOSED], "general": True},
        {"runtime": "2.24"},
        "You run runtime 2.24, which has the fix of runtime 2.24: look for another cause.",
    ),
    ({"fixed_in": {"sdk": "3.1.1"}}, {"sdk": "3.1.0 to 3.1.1"}, "You run SDK 3.1.0; fixed in SDK 3.1.1: upgrade."),
    (
        {"fixed_in": {"sdk": "3.1.1"}},
        {"sdk": "3.2.0"},
        "You run SDK 3.2.0, which has the fix of SDK 3.1.1: look for another cause, or report a regression.",
    ),
    (
        {"fixed_in": {"sdk": "3.1", "neuronx-cc": "2.29"}},
        {},
        "Fixed in SDK 3.1, neuronx-cc 2.29; the log does not print your version.",
    ),
    (
        {"applies": ["inf1"]},
        {"neuronx-cc": "2.1"},
        "Written for Inf1 (neuron-cc); this log is of another era, so it may not apply.",
    ),
    ({"behaviour": "as documented.", "fixed_in": {"sdk": "3"}}, {}, "Works as designed: as documented."),
    ({}, {"driver": "2.6"}, None),
    ({"fixed_in": None, "applies": ()}, {}, None),
]


@pytest.mark.parametrize(("article", "environment", "sentence"), SAID)
def test_the_whole_sentence(article: dict, environment: dict[str, str], sentence: str | None) -> None:
    assert RELEASES.says(article, environment) == sentence


@pytest.mark.parametrize(
    ("eras", "known", "words"),
    [
        (["xrt"], {"torch-neuronx": "2.1"}, "the XRT runtime (torch-neuronx 1.13)"),
        (["xrt"], {"torch-neuronx": "1.13"}, None),
        (["xrt"], {}, None),
        (["inf1", "nki<0.1"], {"neuronx-cc": "2.1"}, "Inf1 (neuron-cc), nki<0.1"),
        (["inf1"], {"neuronx-cc": "2.1", "neuron-cc": "1.0"}, None),
        (["inf1"], {}, None),
        (["nki<0.1"], {"nki": "0.1"}, "nki<0.1"),
        (["nki<=0.1"], {"nki": "0.1"}, None),
        (["nki>0.1"], {"nki": "0.1"}, "nki>0.1"),
        (["nki>0.1"], {"nki": "0.2"}, None),
        (["nki>=0.1"], {"nki": "0.1"}, None),
        (["nki>=0.1"], {"nki": "0.0.9"}, "nki>=0.1"),
        (["no bound"], {"nki": "0.1"}, None),
    ],
)
def test_eras(eras: list[str], known: dict[str, str], words: str | None) -> None:
    assert outside(eras, known) == words


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ({"neuronx-cc": "2.26.6360.0", "python": "3.10"}, "Python 3.10"),
        ({"neuronx-cc": "2.24.5133.0", "torch-neuronx": "2.8.0.2.10.13553"}, "PyTorch 2.8"),
        ({"neuronx-distributed-inference": "0.10.17970", "target": "inf2"}, "Trn2 and newer only"),
        ({"transformers-neuronx": "0.13.1315"}, "since SDK 2.26"),
    ],
)
def test_the_shipped_table_knows_what_ended(printed: dict[str, str], said: str) -> None:
    notes = Releases(knowledge.releases([resources.knowledge()])).ended(printed)
    assert sum(said in note for note in notes) == 1


@pytest.mark.parametrize(
    "printed",
    [
        {"neuronx-cc": "2.26.6360.0", "python": "3.11"},
        {"neuronx-cc": "2.23.6484.0", "python": "3.10", "torch-neuronx": "2.8.0.2.12.22436"},
        {"neuronx-distributed-inference": "0.8.16251", "target": "inf2"},
    ],
)
def test_the_shipped_table_is_silent_about_what_fits(printed: dict[str, str]) -> None:
    notes = Releases(knowledge.releases([resources.knowledge()])).ended(printed)
    assert not [note for note in notes if "XLA-based" not in note]
