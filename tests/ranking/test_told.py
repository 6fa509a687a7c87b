"""What the lines around a root cause tell of it: only lines of the same failure, the nearest first."""

from __future__ import annotations

import pytest
from claimed import claim

from neurontriage.knowledge.catalog import Catalog
from neurontriage.ranking.answers.holders import holder
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
    tell(root, [listed, root], {})
    assert root.fields.get("operator") == operator


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("python3   4411 ubuntu   12u   CHR  240,0      0t0  511 /dev/neuron0", "4411 (python3)"),
        ("/dev/neuron0:        ubuntu  4411 F.... python3", "4411 (python3)"),
        ('LISTEN 0 5 *:29500 *:* users:(("torchrun",pid=77,fd=9))', "77 (torchrun)"),
        ("lock is held by pid 812", "812"),
        ("process 812 was killed while it used the device", ""),
        ("device 3 is in use", ""),
    ],
)
def test_who_holds_what_is_in_use(text: str, held: str) -> None:
    assert holder(text) == held


def test_memory_is_shared_and_not_held() -> None:
    root = claim("R", 3, text="out of memory, process 812 has 3 GiB memory in use")
    tell(root, [root], {})
    assert "holder" not in root.fields


@pytest.mark.parametrize(
    ("above", "text", "doing"),
    [
        (
            "Loading shards:  20%|##   | 1/5 [00:01<00:04]",
            "job.sh: line 3: 77 Killed   python run.py",
            "Loading shards",
        ),
        ("Loading shards: 100%|#####| 5/5 [00:05<00:00]", "job.sh: line 3: 77 Killed   python run.py", None),
        ("Running stage 'merge'", "stage exited with code 137", "merge"),
        ("Loading shards:  20%|##   | 1/5 [00:01<00:04]", "RuntimeError: shapes [2, 3] and [4] do not match", None),
    ],
)
def test_what_was_under_way_when_a_process_ended(catalog: Catalog, above: str, text: str, doing: str | None) -> None:
    [root] = explain_text(f"{above}\n{text}\n", catalog=catalog).roots
    assert root.fields.get("doing") == doing


def test_a_command_below_its_heading_is_a_fix(catalog: Catalog) -> None:
    text = "fatal: the cache at /fsx/c is of another layout\nTo convert it, run:\n\n    cachetool convert /fsx/c\n"
    [root] = explain_text(text, catalog=catalog).roots
    assert root.workarounds[0].detail == "To convert it, run: cachetool convert /fsx/c."


@pytest.mark.parametrize(
    ("status", "name"), [("-9", "SIGKILL"), ("-31", "SIGSYS"), ("9", None), ("-0", None), ("-99", None), ("", None)]
)
def test_a_status_below_zero_is_a_signal(status: str, name: str | None) -> None:
    root = claim("R", 3, fields={"status": status})
    tell(root, [root], {})
    assert root.fields.get("signal") == name
