"""Text of people behind a time range or a label is told apart from what a program says of itself."""

from __future__ import annotations

import pytest

from neurontriage.claims.prose import printed, sentence, written
from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

TEXTS = """
[00:00.000 --> 00:06.240]  it failed
00:01:02,500 --> 00:01:09,000 The pump failed again.
[12.5s -> 14.0s] fatal error, said the display
[00:05 - 00:09] I could not connect to the base station, she said.
Answer: The old controller could not read the tables, so it failed.
Generated text: The ship was lost when the engine failed on Monday.
chat 4 user> it also says that the device was not found, what is that?
assistant: It means that the host ran out of memory.
H-44\t-0.331\tThe operation was aborted after an engine failure, the captain said.
Speaker_01: I was told that the connection had been refused by them.
""".strip().splitlines()
STATEMENTS = """
Error: The old controller could not read the tables, so it failed.
Reason: The pod was rejected because the node had too little memory.
neuronx-cc: error: The following arguments are required: --target
RuntimeError: The size of the tensor must match the size of the other one.
agent: the connection to the server was lost and could not be restored
user: unknown
Answer: nrt_init() failed with status=1, errno=12, path=/dev/neuron0
Query: timed out
batch response: This repository is over its data quota and has to be given more of it.
HTTP response: You are not allowed to do that with the token that was sent to us.
unexpected reply: This is not what the server should have said to the client.
We could not connect to the hub to load this file, and it is not in the cache.
10:00:00 - 10:00:05 nrt_execute failed
""".strip().splitlines()

WRITTEN = """
I cannot find out which compiler was used for this, can you tell me?
Yesterday it failed with an out of memory error because of a notebook of mine.
Am I wrong that both of the cores should be busy by then?
The docs are missing the flag that it needs here.
(I left it over night, here I killed it from another shell)
... any ideas? heads=71 (falcon-7b)
Please help, it aborted again
Should we migrate or will the old call crash some day?
""".strip().splitlines()
PRINTED = """
E: Could not open lock file /var/lib/dpkg/lock-frontend - open (13: Permission denied), are you root?
Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?
I0414 10:00:01.123456 4412 loader.cc:88] Failed to open the file that was asked for
And because you require torch==2.6.0, we can conclude that your requirements are unsatisfiable.
RuntimeError: I cannot find the model that I was asked for
error: the following arguments are required: --my_model
We could not connect to the hub to load this file, and it is not in the cache.
""".strip().splitlines()


@pytest.mark.parametrize("line", TEXTS)
def test_texts(line: str) -> None:
    assert printed(line)


@pytest.mark.parametrize("line", WRITTEN)
def test_what_people_write_around_a_log(line: str) -> None:
    assert written(line)


@pytest.mark.parametrize("line", [*STATEMENTS, *PRINTED])
def test_what_programs_say_is_neither(line: str) -> None:
    assert not printed(line)
    assert not written(line)


def test_a_sentence_binds_its_words() -> None:
    assert sentence("The captain said that it had failed.")
    assert not sentence("Connection refused by host worker node seven")
    assert not sentence("It is lost")


def test_what_fails_below_a_text_fails(catalog: Catalog) -> None:
    text = "\n".join(
        [*TEXTS[:2], "Traceback (most recent call last):", '  File "a.py", line 3, in <module>', "    f()"]
    )
    found = explain_text(f"{text}\nValueError: model.bin is truncated\n", "a.log", catalog)
    assert found.roots[0].evidence[0].line == 6
