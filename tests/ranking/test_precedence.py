"""Which line gives way to which: the root of small logs, and of the same lines where nothing has precedence."""

from __future__ import annotations

import pytest
from claimed import brief, claim

from neurontriage.claims.claim import Claim
from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Course
from neurontriage.ranking.causes.precedence import stated
from neurontriage.ranking.features import Scene
from neurontriage.triage import explain_text

FRAMES = 'Traceback (most recent call last):\n  File "/srv/run.py", line 12, in run\n    raise it\n'
RAISED = FRAMES + "run.BucketEmpty: bucket 7 holds 0 of 512 rows\n"
FEEDER = (
    "Exception in thread QueueFeederThread:\nTraceback (most recent call last):\n"
    '  File "/usr/lib/python3.10/threading.py", line 1016, in _bootstrap_inner\n    self.run()\n'
)
FRAME = "  × Building wheel for ring did not run successfully.\n  ╰─> [2 lines of output]\n"
EXIT = "srun: error: n1: task 0: Exited with exit code 1\n"
CANCELLED = "slurmstepd: error: *** JOB 9 ON n1 CANCELLED AT 2026-11-20T04:00:00 ***\n"
STACK = "2026-Jan-10 22:19:15.5  8652:8728  ERROR   NRT:nrt_load   Failure: NRT_INVALID in nrt_load()\n"
DATATYPE = "Reason: Expect ap datatype to be of type float32 float16 bfloat16 uint8\n"
FALLBACK = (
    "[W721 09:54:58.806997047 NeuronLogging.h:103] Warning: [Neuron] [ERROR] [torch_neuronx/csrc/core/utils/"
    "CPUFallbackExecutor.cpp:56] CPU fallback failed for 'torch_compile' failed: vector::reserve  (function log)\n"
)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        # The noise of an end, behind what ended it; alone it is the root.
        (RAISED + FRAMES + "BrokenPipeError: [Errno 32] Broken pipe\n", 4),
        (FRAMES + "BrokenPipeError: [Errno 32] Broken pipe\n", 4),
        (RAISED + FEEDER + "run.QueueEmpty: nothing left\n", 4),
        ("ERROR ring 7 lost its peer\nclient_loop: send disconnect: Broken pipe\n", 1),
        # A command of the script complained before; alone, or after the failure, it is what it is.
        ("rm: cannot remove '/tmp/old': No such file or directory\n" + RAISED, 5),
        ("rm: cannot remove '/tmp/old': No such file or directory\n", 1),
        (RAISED + "rm: cannot remove '/tmp/old': No such file or directory\n", 4),
        ("bash: line 14:  2211 Killed                  python convert.py\n" + EXIT, 1),
        ("./go.sh: line 3: frob: command not found\n" + RAISED, 5),
        # Exits, reports and stops behind a statement.
        (RAISED + EXIT, 4),
        (RAISED + EXIT + CANCELLED, 4),
        (RAISED + CANCELLED, 4),
        (STACK + 'ERROR: process "/bin/sh -c python train.py" did not complete successfully: exit code: 1\n', 1),
        # Aborting, a program has said why before, if only as a warning; but not as information.
        ("[W ring.cc:80] ring_query failed. err: 16\nAborted (core dumped)\n", 1),
        ("INFO ring_query failed. err: 16\nAborted (core dumped)\n", 2),
        ("DEBUG ring_query failed. err: 16\nAborted (core dumped)\n", 2),
        # A count of none and a quotation are nothing beside a failure, wherever they stand.
        ("slurmstepd: error: Detected 0 oom_kill events in StepId=8.0.\n" + RAISED, 5),
        (RAISED + "slurmstepd: error: Detected 0 oom_kill events in StepId=8.0.\n", 4),
        # A known failure of the stack before stray lines, and anything firm before vague ones.
        ("wandb: ERROR Problem finishing run\n" + STACK, 2),
        ("commit unknown\n" + RAISED, 5),
        ("Error: cannot open the table of experts\n" + DATATYPE, 2),
        ("Error: cannot open the table of experts\n" + FALLBACK, 1),
        # A command complains, what has the form of a failure states it; but an entry may know the complaint.
        ("rm: cannot remove '/tmp/old': No such file or directory\n[RING721] ring 7 lost its peer\n", 2),
        ("ls: cannot access /dev/neuron0: No such file or directory\n" + RAISED, 1),
        # What is called harmless is not what a program aborted for.
        ("ring_query failed, this is harmless. err: 16\nAborted (core dumped)\n", 2),
        # What any logger calls an error comes before a thread that ended, and before a pipe that broke.
        ("ERROR ring 7 lost its peer\n" + FEEDER + "run.QueueEmpty: nothing left\n", 1),
        ("2026-01-02 03:04:06 ERROR plan: shards of 7\n" + FRAMES + "BrokenPipeError: [Errno 32] Broken pipe\n", 1),
        ("| step | loss | nan | oom |\n" + RAISED, 5),
        # The last word above the report of an end, near or far: but no bare header, nor where the program went on.
        ("ERROR ring 7 lost its peer\n" + "step 1\n" * 20 + "trainer-1 exited with code 1\n", 1),
        ("ring 7: cannot open its peer\ntrainer-1 exited with code 1\n", 1),
        ("ERRO[0000]\nring token is not what it was: exit status 1\n", 2),
        # What stands in a frame says why, also where the log breaks off in it.
        (FRAME + "      ring.c:7:10: fatal error: ring.h: No such file or directory\n", 3),
        (FRAME + "      ring.c:7:10: fatal error: ring.h: No such file or directory\n      [end of output]\n", 3),
        # What a command says of a missing file is an aside in whatever words.
        ("[Errno 2] No such file or directory: '/tmp/old'\n" + RAISED, 5),
    ],
)
def test_the_root(catalog: Catalog, text: str, line: int) -> None:
    found = explain_text(text, catalog=catalog)
    roots = [one.evidence[0].line for one in found.findings if one.role == "root"]
    assert roots[:1] == [line], [(one.evidence[0].line, one.id, one.role) for one in found.findings]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (CANCELLED, "warned"),
        (EXIT + CANCELLED, "failed"),
        (RAISED + CANCELLED, "failed"),
        ('Thread 14 "python3" received signal SIGSEGV, Segmentation fault.\n(gdb) quit\n', "failed"),
        ("(gdb) bt\n#0  0x00007fc1 in ring_read (src=0x0) at ring.c:100\n#1  0x00007fc2 in main ()\n", "failed"),
        ("$ ringview\nERRO[0000]\nring token is not what it was: exit status 1\nSee the manual\n", "failed"),
        ("INFO ring token is not what it was: exit status 1\nINFO ring is open\n", "unknown"),
    ],
)
def test_who_ended_it(catalog: Catalog, text: str, verdict: str) -> None:
    assert explain_text("step 1\n" * 3 + text, catalog=catalog).verdict == verdict


def test_what_gives_way_leaves_its_likelihood(catalog: Catalog) -> None:
    found = explain_text(RAISED + FEEDER + "run.QueueEmpty: nothing left\n" + EXIT, catalog=catalog)
    root = next(one for one in found.findings if one.role == "root")
    assert root.confidence >= max(float(one.why.removeprefix("likely in ").rstrip("%")) / 100 for one in found.suspects)
    assert root.evidence[0].line not in {one.line for one in found.suspects}


MISSES = {"text": "timed out waiting for rank 0", "rank": 1, "score": 0.9}
DIED = {"text": "ValueError: bucket 7", "kind": "exception", "words": ["FRAMED"], "rank": 0}
VAGUE = {"family": "text", "kind": "statement", "words": ["MISSING"], "score": 1.0}
REPORT, FIRM = {"says": "exit", "score": 0.9}, {"words": ["FRAMED"]}


@pytest.mark.parametrize(
    ("likely", "other", "gives_way"),
    [
        # Who only misses another process gives way to whoever died of itself, unless that was handled or misses one.
        (claim("L", 9, **MISSES), claim("O", 12, **DIED), True),
        (claim("L", 9, **{**MISSES, "text": "bucket 8"}), claim("O", 12, **DIED), False),
        (claim("L", 9, **MISSES), claim("O", 12, **{**DIED, "text": "timed out waiting for rank 2"}), False),
        (claim("L", 9, **MISSES), claim("O", 12, **{**DIED, "words": ["FRAMED", "THREAD"]}), False),
        # A report gives way to a statement above it that is likely enough; one below is none.
        (claim("L", 90, **REPORT), claim("O", 3, score=0.12, **FIRM), True),
        (claim("L", 90, **REPORT), claim("O", 3, score=0.1, **FIRM), False),
        (claim("L", 90, **REPORT), claim("O", 99, score=0.8, **FIRM), False),
        (claim("L", 90, **REPORT), claim("O", 3, "note", score=0.8, **FIRM), False),
        (claim("L", 90, "raise", score=0.9), claim("O", 3, score=0.8, **FIRM), False),
        (claim("L", 90, **REPORT), claim("O", 3, score=0.8, words=["FRAMED", "CALM"]), False),
        (claim("L", 90, **REPORT), claim("A", 3, entry=True, score=0.8), True),
        (claim("L", 90, **REPORT), claim("S", 3, entry=True, score=0.8), True),
        # What closes gives way to whatever is credible, however unlikely that is.
        (claim("L", 90, "signal", text="send disconnect", score=0.9), claim("O", 3, score=0.0, **FIRM), True),
        (claim("L", 90, "raise", text="Broken pipe", score=0.9), claim("O", 3, level="ERROR"), True),
        (claim("L", 90, "raise", text="Broken pipe", score=0.9), claim("O", 3, "state"), False),
        (claim("L", 90, "raise", words=["THREAD"], score=0.9), claim("O", 3, "raise"), True),
        (claim("L", 90, "raise", text="Broken pipe", score=0.9), claim("O", 3, words=["ZERO"]), False),
        # A quotation, or a count of none, gives way to whatever is credible, wherever it stands.
        (claim("L", 90, words=["ZERO"], score=0.9), claim("O", 99, score=0.0, **FIRM), True),
        (claim("L", 90, words=["QUOTATION"], score=0.9), claim("O", 3, score=0.0, **FIRM), True),
        (claim("L", 90, words=["ZERO"], score=0.9), claim("O", 99, "exit", score=0.8), False),
        # What is vague gives way to what is firm or known, wherever it stands, unless that is hardly likely.
        (claim("L", 3, **VAGUE), claim("O", 90, score=0.04, **FIRM), True),
        (claim("L", 3, **VAGUE), claim("O", 90, score=0.039, **FIRM), False),
        (claim("L", 3, **VAGUE), claim("A", 90, entry=True, score=0.1), True),
        (claim("L", 3, **{**VAGUE, "words": ["MISSING", "INVALID"]}), claim("O", 90, score=0.1, **FIRM), True),
        (claim("L", 3, **{**VAGUE, "words": ["LIMIT"]}), claim("O", 90, score=0.1, **FIRM), False),
        (claim("L", 3, **{**VAGUE, "level": "ERROR"}), claim("O", 90, score=0.1, **FIRM), False),
        (claim("L", 3, **{**VAGUE, "kind": "labelled"}), claim("O", 90, score=0.1, **FIRM), False),
        (claim("L", 3, **{**VAGUE, "family": "plain"}), claim("O", 90, score=0.1, **FIRM), False),
        # The report of an end gives way to the complaint right above it, a wrapper only where it reports an end.
        (claim("L", 90, "exit", score=0.9), claim("O", 89, "state", words=["FAILED"], size=2), True),
        (claim("L", 90, "exit", score=0.9), claim("O", 89, "state", words=["FAILED"], size=1), False),
        (claim("L", 90, "wrap", score=0.9, words=["EXIT"]), claim("O", 89, "state", words=["FAILED"], size=2), True),
        (claim("L", 90, "wrap", score=0.9), claim("O", 89, "state", words=["FAILED"]), False),
        (claim("A", 90, "exit", score=0.9, entry=True), claim("O", 89, "state", words=["FAILED"]), False),
        (claim("L", 90, "exit", score=0.9), claim("O", 89, "state", words=["FAILED", "CALM"]), False),
        (claim("L", 90, "exit", score=0.9), claim("O", 89, "state"), False),
        (claim("L", 90, "exit", score=0.9), claim("O", 89, "echo", words=["FAILED"]), False),
        (claim("L", 90, "exit", score=0.9), claim("O", 20, "state", words=["FAILED"]), False),
        (claim("L", 90, "exit", score=0.9), claim("O", 50, kind="labelled", score=0.0), True),
        (claim("L", 90, "exit", score=0.9), claim("O", 49, kind="labelled", score=0.0), False),
        (claim("L", 90, "exit", score=0.9), claim("O", 50, kind="labelled", score=0.0, words=["SUCCESS"]), False),
    ],
)
def test_what_gives_way(likely: Claim, other: Claim, gives_way: bool) -> None:
    briefs = {"A": brief(), "S": brief("symptom")}
    scene = Scene((likely, other), briefs, {"a.log": Course(200)})
    assert (stated([likely, other], scene) is other) is gives_way
    if likely.event.evidence.text == MISSES["text"]:
        other.handled = 1
        assert stated([likely, other], scene) is likely
