"""What a command at a prompt, or one round of a traced script, complained of; and what its status says of that."""

from __future__ import annotations

import pytest

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

SMOKE = "$ ./smoke.sh{}\nprobing /dev/neuron16: No such file or directory\ncompile: passed\ninfer: passed\n"
ROUND = "+ for size in 1 2 4 8 16\n+ python bench.py --size {0}\n"
WELL = ROUND + "size {0}: {0}1.2 tok/s\n"
ILL = (
    ROUND
    + 'Traceback (most recent call last):\n  File "bench.py", line 70, in <module>\n    main()\n'
    + "RuntimeError: could not allocate {0}073741824 bytes\n+ echo 'size {0}: does not fit'\nsize {0}: does not fit\n"
)
LINT = (
    "$ make lint{0}\nmypy src --exit-zero\nsrc/train.py:41: error: Incompatible types in assignment\n"
    "Found 1 error in 1 file (checked 31 source files)\n{1}$ make test\npytest -q\n118 passed in 41.20s\n"
)

LOGGED = (
    "2025-09-03 08:00:00 INFO  service starting, version 2.4.1\n"
    "2025-09-03 08:00:01 ERROR could not read /etc/service/overrides.toml\n"
    "Traceback (most recent call last):\n"
    '  File "/srv/app/conf.py", line 31, in load\n'
    "    with open(path) as f:\n"
    "FileNotFoundError: [Errno 2] No such file or directory: '/etc/service/overrides.toml'\n"
    "2025-09-03 08:00:01 INFO  defaults are used\n"
    "2025-09-03 08:00:02 INFO  loading model from /models/phi3-neuron\n"
    "2025-09-03 08:00:40 INFO  model loaded in 38.1 s\n"
    "2025-09-03 08:00:41 INFO  listening on 0.0.0.0:9000\n"
    "2025-09-03 08:01:00 INFO  request 1 served in 210 ms\n"
    "2025-09-03 08:01:15 INFO  request 2 served in 190 ms\n"
    "2025-09-03 08:01:30 INFO  request 3 served in 201 ms\n"
)


def failed(text: str, catalog: Catalog) -> str:
    """The line that states the root cause; "" if nothing failed."""
    roots = explain_text(text, catalog=catalog).roots
    return roots[0].evidence[0].text if roots else ""


@pytest.mark.parametrize(("command", "asked"), [("", "$ echo $?\n"), ("", "$ echo rc=$?\n"), ("; echo rc=$?", "")])
def test_a_status_that_was_asked_for_and_is_0_is_that_of_the_command(
    command: str, asked: str, catalog: Catalog
) -> None:
    told = "rc=" if "rc=" in asked + command else ""
    assert not failed(f"{SMOKE.format(command)}{asked}{told}0\n", catalog)
    assert failed(f"{SMOKE.format(command)}{asked}{told}2\n", catalog)


@pytest.mark.parametrize("command", [" | tee log", " &"])
def test_the_status_of_another_command_says_nothing(command: str, catalog: Catalog) -> None:
    assert failed(f"{SMOKE.format(command)}$ echo $?\n0\n", catalog)


def test_make_always_says_that_it_failed(catalog: Catalog) -> None:
    assert not failed(LINT.format("", ""), catalog)
    assert failed(LINT.format("", "make: *** [Makefile:12: lint] Error 1\n"), catalog)
    assert failed(LINT.format(" | head", ""), catalog)


def test_sizes_of_a_sweep_that_do_not_fit_fail_nothing_where_the_script_ends_with_0(catalog: Catalog) -> None:
    sweep = "".join(map(WELL.format, (1, 2, 4))) + "".join(map(ILL.format, (8, 16)))
    assert not failed(f"{sweep}+ python plot.py\nwrote plot.png\n+ exit 0\n", catalog)
    assert failed(f"{sweep}+ exit 1\n", catalog)
    assert failed("".join(map(ILL.format, (1, 2, 4, 8))) + "+ exit 0\n", catalog)


def test_a_traceback_that_a_logger_printed_who_works_on_fails_nothing(catalog: Catalog) -> None:
    assert not failed(LOGGED, catalog)
    above = LOGGED.partition("2025-09-03 08:00:01 INFO")[0]
    assert failed(above, catalog)
    assert failed(f"{above}2025-09-03 08:00:01 INFO  stopping, nothing was loaded\n", catalog)
