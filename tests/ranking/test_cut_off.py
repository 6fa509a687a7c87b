"""A log that ends within a traceback: nobody knows what was raised, and that is said, not that nothing is known."""

from __future__ import annotations

import pytest

from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import CUT_OFF
from neurontriage.render.verdict import name, sentence
from neurontriage.triage import explain_text

STEPS = "step 1 loss 2.1\nstep 2 loss 2.0\n"
HEAD = "Traceback (most recent call last):\n"
FRAMES = """  File "/srv/train.py", line 3, in <module>
    main()
  File "/srv/job.py", line 30, in main
    go(x, y)
"""
TRACEBACK = HEAD + FRAMES
RAISED = "RuntimeError: boom at 7\n"


@pytest.mark.parametrize("prefix", ["", "[rank3]: "])
@pytest.mark.parametrize(
    ("rest", "line"),
    [
        ("", 3),
        ("  Fi", 3),
        ('  File "/srv/train.py", li', 3),
        ('  File "/srv/train.py", line 3, in <mod', 4),
        ('  File "/srv/train.py", line 3, in <module>\n', 4),
        ('  File "/srv/train.py", line 3, in <module>\n    ma', 4),
        ('  File "/srv/train.py", line 3, in <module>\n    main()\n    ^^^^^^\n', 4),
        (FRAMES, 6),
    ],
)
def test_a_log_that_ends_within_a_traceback_says_so(rest: str, line: int, prefix: str, catalog: Catalog) -> None:
    lines = (STEPS + HEAD + rest).splitlines(keepends=True)
    found = explain_text("".join(prefix + one for one in lines), "a.log", catalog)
    [suspect, *_] = found.suspects
    assert (suspect.why, suspect.line, found.verdict, name(found)) == (CUT_OFF, line, "unknown", "No end seen")
    assert "cut off" in sentence(found)


def test_a_deep_stack_whose_head_is_far_above_is_known_by_its_frames(catalog: Catalog) -> None:
    deep = "".join(f'  File "/srv/deep.py", line {n}, in f\n    f(n - 1)\n' for n in range(40))
    found = explain_text(STEPS + TRACEBACK + deep, "a.log", catalog)
    assert found.suspects[0].why == CUT_OFF and found.suspects[0].text.startswith('File "/srv/deep.py", line 39')


@pytest.mark.parametrize("rest", [RAISED, "step 3 loss 1.9\n", RAISED + "step 3 loss 1.9\n"])
def test_what_goes_on_below_a_traceback_is_not_cut_off(rest: str, catalog: Catalog) -> None:
    found = explain_text(STEPS + TRACEBACK + rest, "a.log", catalog)
    assert CUT_OFF not in [one.why for one in found.suspects]


def test_a_stack_that_is_only_shown_is_not_cut_off(catalog: Catalog) -> None:
    shown = TRACEBACK.replace("Traceback (most recent call last)", "Current thread 0x7f (most recent call first)")
    assert not explain_text(STEPS + shown, "a.log", catalog).suspects
