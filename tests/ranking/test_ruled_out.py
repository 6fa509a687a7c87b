"""Fixes that the log rules out, or that are meant for another case than the line's own, do not come first."""

from __future__ import annotations

import pytest

from neurontriage.facts.settings import Set, settings
from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Workaround
from neurontriage.ranking.answers.ruled_out import last, wants
from neurontriage.triage import explain_text

TIMED_OUT = (
    "2026-Nov-02 04:10:11.123456  8812:9001  ERROR  TDRV:exec_consume_tpb_status_notifications   "
    "Missing infer_status notification: (end:1)\n"
)
TOO_MANY = "ERROR 4801 [NeuronCC]: [NCC_EXTP004] Instructions generated 18221004 exceeds the limit of 5000000.\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("+ export NEURON_RT_FROB=1", {("NEURON_RT_FROB", "1")}),
        ("docker run -e NCCL_DEBUG=INFO -e FI_PROVIDER=efa img", {("NCCL_DEBUG", "INFO"), ("FI_PROVIDER", "efa")}),
        ("  'NEURON_RT_FROB': '0',", {("NEURON_RT_FROB", "0")}),
        ("please set NEURON_RT_FROB=1", set()),
        ("NEURON_RT_FROB=1 is not set on this host", set()),
        ("Try `NEURON_RT_FROB=1` on that host", set()),
        (
            "neuronx-cc compile --framework=XLA x.pb --lnc 2 -O1",
            {("--framework", "XLA"), ("--lnc", "2"), ("--optlevel", "1")},
        ),
        ("['neuronx-cc', 'compile', '--optlevel', '2', '--verbose']", {("--optlevel", "2"), ("--verbose", "on")}),
        ("grep --color -O1 x", set()),
    ],
)
def test_what_a_line_sets(line: str, expected: set[tuple[str, str]]) -> None:
    assert set(settings(line)) == expected


def test_what_is_kept_of_settings_is_bounded_however_the_log_is_cut() -> None:
    lines = [f"neuronx-cc compile --output /tmp/{number}.neff --lnc {number % 3}" for number in range(900)]
    lines += [
        f"export NEURON_{'ABCDEFGHIJ'[n % 10]}{'KLMNOPQRST'[n // 10 % 10]}{'UVW'[n // 100]}X=1" for n in range(300)
    ]
    whole, parts = Set(), [Set(), Set(), Set()]
    for number, line in enumerate(lines):
        whole.read(line)
        parts[number // 400].read(line)
    for later in parts[1:]:
        parts[0].take(later)
    found = whole.values()
    assert parts[0].values() == found
    assert found["--lnc"] == {"0", "1", "2"}
    assert len(found) < 300
    assert max(map(len, found.values())) < 900


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("export A_FROB=1   # as root\nexport B_FROB='two'\n", (("A_FROB", "1"), ("B_FROB", "two"))),
        ('export NEURON_CC_FLAGS="$NEURON_CC_FLAGS -O1 --lnc=1"\n', (("--optlevel", "1"), ("--lnc", "1"))),
        ('import os\nos.environ["A_FROB"] = "1"\n', (("A_FROB", "1"),)),
        ("export A_FROB=1\npython train.py\n", ()),
        ("export A_PATH=/opt/lib:$A_PATH\n", ()),
    ],
)
def test_what_a_fix_sets(code: str, expected: tuple[tuple[str, str], ...]) -> None:
    assert wants(code) == expected


def test_what_is_set_or_installed_already_comes_last_and_says_so() -> None:
    fixes = [
        Workaround("Set it", "env", after="export A_FROB=1\n"),
        Workaround("Wait longer", "env", after="export A_TIMEOUT=60\n"),
        Workaround("Upgrade to SDK 2.30", "upgrade"),
        Workaround("Something else", "code"),
    ]
    told = last(fixes, {"A_FROB": frozenset("1"), "A_TIMEOUT": frozenset({"90"})}, {"sdk": "2.31.0 to 2.31.1"})
    assert [fix.title for fix in told] == ["Something else", "Set it", "Wait longer", "Upgrade to SDK 2.30"]
    assert [fix.short for fix in told[1:]] == [
        "Set already where this failed (A_FROB=1).",
        "Set already where this failed (A_TIMEOUT=90).",
        "Installed already (SDK 2.31.0).",
    ]
    other = last(fixes, {"A_FROB": frozenset("01"), "A_TIMEOUT": frozenset({"30"})}, {"sdk": "2.29.1"})
    assert list(other) == fixes, "another value was seen, too; a shorter limit; an older release"


@pytest.mark.parametrize(
    ("above", "failure", "title"),
    [
        ("+ export NEURON_RT_EXEC_TIMEOUT=1800\n", TIMED_OUT, "Raise the time limit when the graph is only slow"),
        ("Call compiler with cmd: neuronx-cc compile x.pb --optlevel=1\n", TOO_MANY, "Compile at optimisation level 1"),
    ],
)
def test_the_log_rules_out_a_fix(above: str, failure: str, title: str, catalog: Catalog) -> None:
    plain, ruled = [explain_text(text, "a.log", catalog).roots[0] for text in (failure, above + failure)]
    assert title in [fix.title for fix in plain.workarounds[:2]]
    assert ruled.workarounds[-1].title == title and "already" in ruled.workarounds[-1].short


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("[ERROR] [NCC_EVRF001] Operator case is not supported.", "Rewrite it with supported operators"),
        ("[ERROR] [NCC_EVRF001] Operator cholesky is not supported.", "Factor it on the host"),
        ("requests.exceptions.HTTPError: 404 Client Error: Not Found", "404: correct name, path or revision"),
        ("_pickle.UnpicklingError: pickle data was truncated", "Remove the damaged file, and make or fetch it again"),
    ],
)
def test_the_fixes_of_another_case_come_last(line: str, first: str, catalog: Catalog) -> None:
    [root, *_] = explain_text(f"starting\n{line}\n", "a.log", catalog).roots
    assert root.workarounds[0].title == first
