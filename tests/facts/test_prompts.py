"""Commands at a shell's prompt: which lines are prompts, what they start, and which runs they begin."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neurontriage.facts.prompts import MOST_TYPED, Typed, program, repeated, typed
from neurontriage.facts.runs import MOST, Begins
from neurontriage.incident import read
from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

RUNS = Path(__file__).parents[2] / "samples" / "runs"
FAILS = "Traceback (most recent call last):\n  File \"a.py\", line 9, in <module>\n    f()\nKeyError: '{}'\n"


@pytest.mark.parametrize(
    "line",
    [
        "$ python a.py",
        "ubuntu@ip-10-0-0-1:~$ python a.py",
        "root@4f2a8c:/workspace# python a.py",
        "[ec2-user@trn1 pt]$ python a.py",
        "(base) (venv) me@host:~/x$  python a.py",
        "sh-4.2$ python a.py",
        "\x1b[?2004h\x1b[01;32mme@host\x1b[00m:\x1b[01;34m~\x1b[00m$ python a.py",
        "\x1b]0;me@host: ~\x07me@host:~$ python a.py\r",
        "~/nki/tests $ python a.py",
        "/work $ python a.py",
        "➜  bench git:(main) ✗ python a.py",
    ],
)
def test_prompts(line: str) -> None:
    assert list(typed(f"text\n{line}\nmore\n".encode(), 6)) == [Typed(8, "python a.py", "python a.py")]


@pytest.mark.parametrize("line", ["# python a.py", "+ python a.py", "costs 3 $ a day", "#8 18.58 python a.py", "a# b"])
def test_no_prompts(line: str) -> None:
    assert list(typed(f"{line}\n".encode(), 0)) == []


@pytest.mark.parametrize(
    ("command", "starts"),
    [
        ("./run.sh small", "./run.sh small"),
        ("cd x && HF_HOME=/x sudo -E torchrun --nproc_per_node 32 train.py --lr 1", "torchrun train.py"),
        ("NEURON_RT_LOG_LEVEL=INFO python -m pkg.train --lr 1 2>&1 | tee log", "python pkg.train"),
        ("pip install 'a b'", "pip install"),
        ("echo 'unfinished", ""),
        ("ls -l; dmesg | tail", ""),
        ("", ""),
    ],
)
def test_what_a_command_starts(command: str, starts: str) -> None:
    assert program(command) == starts


def test_only_a_program_that_is_started_again_makes_runs() -> None:
    once = [Typed(1, "python a.py"), Typed(9, ""), Typed(20, "python b.py"), Typed(30, "")]
    assert repeated(once) == []
    assert repeated([*once, Typed(40, "python a.py")]) == [once[0], once[2], Typed(40, "python a.py")]
    assert Begins(typed=[Typed(n, "make") for n in range(1, MOST + 3)]).starts() == []
    assert Begins(typed=[Typed(n, "make") for n in range(1, MOST_TYPED + 1)]).programs() == {}


def test_what_stands_above_the_first_prompt_is_a_run_if_it_is_long() -> None:
    assert Begins(typed=[Typed(3, "make"), Typed(9, "make")]).starts() == [9]
    assert Begins(typed=[Typed(40, "make"), Typed(90, "make")]).starts() == [40, 90]


@given(st.lists(st.sampled_from(["$ make", "$ ls", "$ ", "text", "", "me@h:~$ python a.py"])), st.integers(1, 60))
def test_blocks_find_the_prompts_that_the_whole_has(lines: list[str], size: int) -> None:
    text = "".join(f"{line}\n" for line in lines)
    found, above, block = list[Typed](), 0, ""
    for line in text.splitlines(keepends=True):
        block += line
        if len(block) > size:
            found += typed(block.encode(), above)
            above, block = above + block.count("\n"), ""
    assert [*found, *typed(block.encode(), above)] == list(typed(text.encode(), 0))


def test_a_rerun_that_somebody_stopped_mends_nothing(catalog: Catalog) -> None:
    text = (
        "$ make run\n"
        + FAILS.format("a")
        + "$ make run\nstep 1\n^C"
        + FAILS.replace("KeyError: '{}'", "KeyboardInterrupt")
        + "$ \n"
    )
    found = explain_text(text, "t.log", catalog)
    assert [run.verdict for run in found.runs] == ["failed", "warned"]
    assert found.roots[0].evidence[0].line == 5


def test_files_and_texts_give_one_answer(catalog: Catalog) -> None:
    for path in sorted(RUNS.glob("*.log")):
        (told,), said = read([str(path)], catalog).diagnoses, explain_text(path.read_text(), str(path), catalog)
        assert told.runs == said.runs
        assert [(f.id, f.severity) for f in told.findings] == [(f.id, f.severity) for f in said.findings]
