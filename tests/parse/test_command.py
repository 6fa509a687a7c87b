"""The command line of a compiler, as a shell line or as a list, whole or cut short."""

from __future__ import annotations

import pytest

from neurontriage.parse.command import inside, read, words

WHOLE = {
    "target": "trn1",
    "framework": "XLA",
    "optlevel": "1",
    "workdir": "/tmp/work/a",
    "module": "MODULE_12+abcd",
    "flags": "--framework XLA --target=trn1 --model-type transformer -O1 --lnc=2",
    "model-type": "transformer",
    "lnc": "2",
}
LISTED = [
    *("neuronx-cc", "compile", "--framework", "XLA", "/tmp/work/a/MODULE_12+abcd.hlo_module.pb", "--target=trn1"),
    *("--output", "/tmp/work/a/out.neff", "--model-type", "transformer", "-O1", "--lnc=2", "--verbose=35"),
]


@pytest.mark.parametrize("command", [" ".join(LISTED), f" {LISTED} "], ids=["line", "list"])
def test_what_a_command_says(command: str) -> None:
    assert read(command) == WHOLE


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        ("neuron-cc compile model.pb", {"workdir": "."}),
        ("neuron-cc compile /a/model --framework TENSORFLOW", {"workdir": "/a", "framework": "TENSORFLOW",
                                                               "flags": "--framework TENSORFLOW"}),
        ("neuronx-cc compile --model-in=/a/b.pb x.hlo", {"workdir": ".", "flags": "--model-in=/a/b.pb"}),
        ("neuronx-cc compile --enable-x /a/b.pb", {"workdir": "/a", "flags": "--enable-x"}),
        ("neuronx-cc compile -O2 -O3 --target trn2", {"optlevel": "2", "target": "trn2",
                                                      "flags": "-O2 -O3 --target trn2"}),
        ("neuronx-cc compile --target", {"flags": "--target"}),
        ("neuronx-cc compile --target=", {"flags": "--target="}),
        ("neuronx-cc compile --verbose info --output a.neff --x -y", {"flags": "--x -y"}),
        ("neuronx-cc compile --x a=b --auto-cast=none", {"flags": "--x a=b --auto-cast=none", "auto-cast": "none"}),
        ("neuronx-cc compile --auto-cast-type 'bf16'", {"auto-cast-type": "bf16", "flags": "--auto-cast-type bf16"}),
        ("neuronx-cc compile", {}),
    ],
)  # fmt: skip
def test_options_in_their_forms(command: str, fields: dict[str, str]) -> None:
    assert read(command) == fields


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("a 'b c' d", ["a", "b c", "d"]),
        ('a "b c', ["a", '"b', "c"]),
        ("a b  c", ["a", "b", "c"]),
        ("['a', 'b c', 'd']", ["a", "b c", "d"]),
        ("['a', 'b c', 'd", ["a", "b c"]),
        ("['a', 'b c',", ["a", "b c"]),
        ("['a', b]", ["a"]),
        ("['a', 1]", ["a", "1"]),
    ],
)
def test_words_of_a_command(command: str, expected: list[str]) -> None:
    assert words(command) == expected


def test_a_command_inside_a_line() -> None:
    assert inside("INFO: Call compiler with cmd: neuronx-cc compile --target trn1") == {
        "target": "trn1",
        "flags": "--target trn1",
    }
    assert inside("neuronx-cc --target trn1") == {}
