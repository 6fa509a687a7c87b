"""Every kind of quotation is needed: each has a line that no other kind takes for one; statements are none."""

from __future__ import annotations

import re

import pytest

from neurontriage.claims.harmless import _ANYWHERE, _START, quoted

QUOTES = """
+ nrt_check --strict
# ERROR: 0
    12x  NRT_TIMEOUT
would delete corpus-v08 (NRT_TIMEOUT)
\t12\t    status = "NRT_TIMEOUT"
raise NeuronError(code)
 12 |     status = load(path, "nrt_init failed");
   |              ^^^^ nrt_init failed
session > python -c 'raise RuntimeError("nrt_init failed")'
step.probe (local-exec): Executing: ["/bin/sh" "-c" "echo nrt_init failed; exit 7"]
throw neuron::Error
except NeuronError as error:
elif status == NRT_TIMEOUT:
def on_failure(self):
TORCH_CHECK(status == NRT_SUCCESS)
self.logger.error(message, status)
return "nrt_init failed"
#define NRT_TIMEOUT 5
"NRT_TIMEOUT": 5,
  f"failed to load {path}",
  "nrt_init failed with "
FAILED_MESSAGE = "nrt_init failed"
RuntimeError: if the device is gone
    ValueError: When the shapes differ
  # nrt_init failed before
  --fail-fast  stop at the first failure
- No original module exists within this kernel
note: this is an issue with the package
if the loss is infinite, skip the step that failed
error-boundary.js    4.1 kB    1.8 kB
NameError: name 'math' is not defined        31
"[Errno -2] Name or service not known": 44,
2. remove package versions to allow pip to attempt to solve the conflict
$ grep failed train.log
                    error: show only errors
HEAD is now at 9f8e7d6 AttributeError
    loss_fn                  MeanSquaredError
retry.retryable_errors          = ["NRT_TIMEOUT", "503"]
GOLD: NRT_TIMEOUT
plugins: rerunfailures-15.0, xdist-3.6.1, timeout-2.3.1
Success: no issues found in 41 source files
invoke-rc.d: could not determine current runlevel
If pods crash with "exec format error", build the image for arm64.
Trial status: 12 TERMINATED
# Out of bounds values : 0 OK
Output exceeds the size limit. Open the full output data in a text editor
[setup] removing stale ./build
stale lock.pid, removing
alloc.c:41:12: warning: the buffer is truncated [-Wstringop-truncation]
Some packages could not be installed. This may mean that you have
-- Looking for nrt_init - not found
checking for nrt_init in -lnrt... no
To clear errors that were kept, run:
[... 212 lines truncated ...]
File ~/lib/python3.10/subprocess.py:421, in check_output(timeout, *popenargs)
*** End stack trace ***
    For further information visit https://errors.pydantic.dev/2.13/v/assertion_error
9f8e7d6 (main) Handle nrt_init failed
98217061 runtime: tell that nrt_init failed
>>> failed
* Fixed: Segmentation fault in nrt_init
When you see NRT_TIMEOUT, check the ranks
Users may see NRT_TIMEOUT in this release
Tip: if you hit NRT_TIMEOUT, check the ranks
Set VERBOSE=1 to see all errors
3 more processes have sent the help message of nrt_init
12 messages suppressed: nrt_init failed
  PASSED tests/test_timeout.py::test_failed
A: nrt_init failed, because no driver is loaded.
{"prompt": "Why has nrt_init failed?"}
Prompt 3: 'Why has nrt_init failed?'
test_codes.py::test_code[nrt_init failed] PASSED [ 12%]
test nrt_init failed ... ok
1/1 shim:nrt_init EXPECTEDFAIL    0.01s   exit status 1
nrt_init || { echo "nrt_init failed"
  "severity": 2, "pattern": "nrt_init failed"
INFO probing: RuntimeError: nrt_init failed (caught)
input 7 rejected as expected: nrt_init failed
  Failing input written to testdata/nrt_init failed
  Expectedly Failed: 2 (50.00%)
nrt_init failed, using the default
""".strip("\n").splitlines()
STATES = """
+nrt_init failed
File /data/x.bin: read failed
For further information visit the page: nrt_init failed
12 ranks failed
Unexpectedly Failed: 2 (50.00%)
No failing input written to nrt_init failed
worker-3   failed   3
Exit Code:    137
12 | nodes | failed | 3
> nrt_init failed
make > nrt_init failed
nrt_init failed   with 3
raised NeuronError
except for one rank: failed
RuntimeError: nrt_init failed
ValueError: When
"nrt_init failed"
note that nrt_init failed
error: nrt_init failed
Fixture failed
test nrt_init ... FAILED
Response 500: failed
RuntimeError: nrt_init failed (core dumped)
RuntimeError: (expected) nrt_init failed
input 7 not rejected as was expected: nrt_init failed
nrt_init failed, using the default core
""".strip("\n").splitlines()
KINDS = [re.compile(one, re.ASCII) for one in (*_START, *_ANYWHERE)]


def kinds(line: str) -> list[int]:
    starts, holds = KINDS[: len(_START)], KINDS[len(_START) :]
    return [n for n, one in enumerate(starts) if one.match(line)] + [
        len(_START) + n for n, one in enumerate(holds) if one.search(line)
    ]


@pytest.mark.parametrize("number", range(len(KINDS)))
def test_every_kind_has_a_line_that_no_other_takes(number: int) -> None:
    assert any(kinds(line) == [number] for line in QUOTES), KINDS[number].pattern


@pytest.mark.parametrize("line", QUOTES)
def test_quotations(line: str) -> None:
    assert quoted(line)


@pytest.mark.parametrize("line", STATES)
def test_statements(line: str) -> None:
    assert not quoted(line), [KINDS[n].pattern for n in kinds(line)]
