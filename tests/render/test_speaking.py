"""What is shown beside the root is a message: frames, traces of a shell, heads of steps and rows of help are none."""

from __future__ import annotations

import pytest

from neurontriage.knowledge.catalog import Catalog
from neurontriage.render.speaking import speaks
from neurontriage.reports import terminal
from neurontriage.triage import explain_text

SILENT = [
    '  File "lib/loom/weave.py", line 12, in loom.weave.Loom.run',
    "    @     0x7f4a51918d88  loom::Weaver::Stop()",
    "frame #3: loom::Weaver::work() + 0x145 (0x15190c6c6265 in /opt/loom/libloom.so)",
    "#4  0x00007f4a51918d88 in loom_stop () at loom.c:12",
    "\tat srv.loom.Main.run(Main.java:12)",
    "goroutine 12 [running]:",
    "\t/src/loom/main.go:71 +0x1d",
    "+ exit 1",
    "++ loom --stop",
    "#12 [5/9] RUN make loom",
    " => ERROR [5/9] RUN make loom",
    " > [5/9] RUN make loom:",
    "Step 5/9 : RUN make loom",
    "  12 | >>> RUN make loom",
    "usage: loom [-h] [--rows N] plan",
    "  -h, --help            show this help message and exit",
    "  --rows N              how many",
    "options:",
    "------",
    "*** Check failure stack trace: ***",
    "*** Begin stack trace ***",
    "Traceback (most recent call last):",
]
SPEAKING = [
    "loom: error: argument --rows: invalid int value: 'x'",
    "#12 1.234 loom.c:3:1: error: unknown type name 'row'",
    "[5/9] rows are not there",
    "-1 is no number of rows",
    "at least 3 rows are needed",
    "File is not there: /data/plan",
    "+3 rows were expected",
    "exit status 1",
    "step 5 failed",
]


@pytest.mark.parametrize("text", SILENT)
def test_what_says_nothing_for_itself(text: str) -> None:
    assert not speaks(text)
    assert not speaks(text.lstrip())


@pytest.mark.parametrize("text", SPEAKING)
def test_what_says_something(text: str) -> None:
    assert speaks(text)


def test_the_answer_shows_messages_first(catalog: Catalog) -> None:
    """The last consequence that says something is named, and no frame stands where another error is to be told of."""
    log = (
        "+ ./weave --plan plan.txt\n"
        "weave: error: cannot open the plan plan.txt: No such file or directory\n"
        "    @     0x7f4a51918d88  loom::Weaver::Stop()\n"
        "make: *** [Makefile:12: cloth] Error 1\n"
        "+ exit 1\n"
    )
    told = terminal.render(explain_text(log, "a.log", catalog))
    assert "0x7f4a51918d88" not in told
    assert "+ exit" not in told
    assert "last: make: ***" in told or "last: " not in told
