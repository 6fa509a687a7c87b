"""What the lines around a root cause tell of it: only lines of the same failure, the nearest first."""

from __future__ import annotations

import pytest
from claimed import claim

from neurontriage.knowledge.catalog import Catalog
from neurontriage.ranking.answers.told import tell
from neurontriage.triage import explain_text

BANNER = "03/17/2023 01:52:37 PM ERROR 3541 [neuronx-cc]: "
FAR = "step 12 of 100, loss 2.5\n" * 40


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        (
            f"{BANNER}Error message:  list index out of range\n{BANNER}Error class:    IndexError\n",
            "error_class",
            "IndexError",
        ),
        (
            f"03/17/2023 01:52:36 PM ERROR 3541 [Tensorizer]: Transformation error on operator: _scatter.4\n"
            f"{BANNER}Error message:  list index out of range\n",
            "operator",
            "_scatter.4",
        ),
        (
            "The following HLO instructions are not supported by neuronx-cc:\n"
            "%dynamic-slice = f32[2,128] dynamic-slice(f32[4,128] %p.1, s64[] %c.1), dynamic_slice_sizes={2,128}\n",
            "operator",
            "dynamic-slice",
        ),
        (
            "Engine core initialization failed. See root cause above. Failed core proc(s): {'EngineCore_DP0': -31}\n",
            "signal",
            "SIGSYS",
        ),
        (
            "  out = nisa.iota(\n  ^-- expected an access pattern of rank two, not found\n",
            "subject",
            "out = nisa.iota(",
        ),
        (
            "Error loading draft model: CUDA out of memory. Tried to allocate 2 MiB\n",
            "context",
            "Error loading draft model",
        ),
        ("[WARN]: CUDA out of memory. Tried to allocate 2 MiB\nRuntimeError: stopped\n", "context", None),
        (
            "WARNING : The neuron-cc (neuron compiler) process aborted (SIG_ABORT).\n"
            "ERROR:Neuron:neuron-cc failed with the following command line call:\n"
            "/opt/bin/neuron-cc compile /tmp/g.pb --framework TENSORFLOW --neuroncore-pipeline-cores 4 --fp32 -O2\n"
            "Traceback (most recent call last):\n"
            '  File "/opt/torch_neuron/decorators.py", line 228, in trace\n'
            "    raise subprocess.SubprocessError(\n"
            "subprocess.SubprocessError: neuron-cc failed with\n",
            "flags",
            "--framework TENSORFLOW --neuroncore-pipeline-cores 4 --fp32 -O2",
        ),
        (
            "04/19/2023 11:43:40 PM ERROR 497 [Tensorizer]: Transformation error on operator: _scatter.4\n"
            f"{FAR}{BANNER}Error message:  list index out of range\n",
            "operator",
            None,
        ),
    ],
)
def test_a_root_takes_what_its_own_report_says(catalog: Catalog, text: str, name: str, value: str | None) -> None:
    [root] = explain_text(text, catalog=catalog).roots
    assert root.fields.get(name) == value


def test_what_a_line_says_itself_stays(catalog: Catalog) -> None:
    text = (
        "[NCC_ITEN404] Internal tensorizer error: DotTransform:\n"
        "2024-07-02T18:55:53Z ERROR 1 [Tensorizer]: Transformation error on operator: _dot.1\n"
        f"{BANNER}Error class:    KeyError\n"
    )
    [root] = explain_text(text, catalog=catalog).roots
    assert root.fields["code"] == "NCC_ITEN404" and root.fields["pass"] == "DotTransform"


@pytest.mark.parametrize(("far", "operator"), [(-1, None), (1, "sort"), (4, "sort"), (5, None)])
def test_an_instruction_is_read_in_the_lines_listed_below(far: int, operator: str | None) -> None:
    root, listed = claim("R", 3), claim("I", 3 + far, text="%sort.3 = f32[2,128] sort(f32[4,128] %p.1)")
    tell(root, [listed, root])
    assert root.fields.get("operator") == operator


@pytest.mark.parametrize(
    ("status", "name"), [("-9", "SIGKILL"), ("-31", "SIGSYS"), ("9", None), ("-0", None), ("-99", None), ("", None)]
)
def test_a_status_below_zero_is_a_signal(status: str, name: str | None) -> None:
    root = claim("R", 3, fields={"status": status})
    tell(root, [root])
    assert root.fields.get("signal") == name
