"""What a tired reader trips over: commands broken in the middle, frames of libraries, beginnings that say nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from diagnoses import FAILED, ROOT

from neurontriage.model import Check, Evidence, Finding
from neurontriage.render.audience import Audience, addressed
from neurontriage.render.frames import frame
from neurontriage.reports import terminal

COMMAND = "sacct -j JOB --format=JobID,State,ExitCode,Elapsed,Timelimit,MaxRSS,NodeList; grep -c compil LOG | tail"


def screen(*findings: Finding, columns: int = 80) -> str:
    with addressed(Audience(columns)):
        return terminal.render(replace(FAILED, findings=findings, suspects=()))


def test_a_command_is_never_broken() -> None:
    looking = replace(ROOT, check=Check("Look there", COMMAND))
    assert f"  Look  $ {COMMAND}\n" in screen(looking)
    narrow = screen(looking, columns=40)
    assert COMMAND in narrow or "sacct" not in narrow


def test_an_answer_leaves_room_for_the_command_and_the_prompt() -> None:
    """Lines that the terminal breaks count as what they take there."""
    long = replace(ROOT.workarounds[0], after="\n".join(f"export NAME_{n}={'x' * 150}" for n in range(12)))
    text = screen(replace(ROOT, workarounds=(long, *ROOT.workarounds[1:])))
    assert sum(max(1, -(-len(line) // 80)) for line in text.splitlines()) <= terminal.ROWS


@pytest.mark.parametrize(
    "place",
    [
        "/opt/venv/lib/python3.11/site-packages/torch/distributed/elastic/multiprocessing/api.py:79",
        "/python3.7/ctypes/__init__.py:364",
        "/usr/lib/python3.10/subprocess.py:526",
        "uvloop/loop.pyx:1518",
    ],
)
def test_the_frame_of_a_library_is_named_without_its_code(place: str) -> None:
    fields = {"exception": "OSError", "raised_at": place, "function": "f", "raised_code": "raise OSError(format(x))"}
    told = frame(replace(ROOT, fields=fields))
    assert told is not None and told.endswith(" in f")


def test_the_users_own_frame_keeps_its_code() -> None:
    fields = {"exception": "OSError", "raised_at": "/home/u/train.py:9", "function": "f", "raised_code": "open(name)"}
    assert frame(replace(ROOT, fields=fields)) == "/home/u/train.py:9 in f: open(name)"


@pytest.mark.parametrize(
    ("place", "told"),
    [
        (
            "/srv/project/with/a/rather/long/path/to/its/models/inner/train_model.py:9",
            "…/models/inner/train_model.py:9",
        ),
        (
            "/srv/python/transformers_neuronx_scheduler_of_a_project/optimum_neuron_scheduler.py:225",
            "…/optimum_neuron_scheduler.py:225",
        ),
    ],
)
def test_a_place_is_never_broken(place: str, told: str) -> None:
    assert frame(replace(ROOT, fields={"exception": "E", "raised_at": place, "raised_code": "x"})) == f"{told}: x"


def test_lines_that_only_announce_are_no_errors_of_their_own() -> None:
    other = replace(ROOT, id="PIP-Exception", role="context", evidence=(Evidence("a.log", 9, 9, "ERROR: Exception:"),))
    told = replace(other, id="PIP-Other", evidence=(Evidence("a.log", 12, 12, "ERROR: no space left for the wheel"),))
    text = screen(ROOT, other, told)
    assert "Exception:" not in text and "no space left for the wheel" in text


def test_the_same_message_with_another_clock_in_front_is_shown_once() -> None:
    said = "urllib3.exceptions.ReadTimeoutError: HTTPSConnectionPool(host='files.org', port=443): Read timed out."
    lines = (Evidence("a.log", 5, 5, said), Evidence("a.log", 8, 8, f"291.8 {said}"))
    assert screen(replace(ROOT, evidence=lines, fields={})).count("Read timed out") == 1
