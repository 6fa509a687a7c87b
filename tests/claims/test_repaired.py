"""What repaired a failure comes after it; what is harmless within a run is none where the program died of it."""

from __future__ import annotations

import pytest

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

REFUSED = (
    "  Warning  FailedScheduling  4m9s (x2 over 9m)  default-scheduler  0/3 nodes are available: "
    "3 Insufficient aws.amazon.com/neuron. preemption: 0/3 nodes are available: 3 No preemption victims found.\n"
)
SCHEDULED = (
    "  Normal   Scheduled         3m     default-scheduler  Successfully assigned default/train-0 to ip-10-0-0-1\n"
)
PROBE = "ModuleNotFoundError: No module named 'vllm._C'\n"
FRAMES = (
    'Traceback (most recent call last):\n  File "/app/serve.py", line 3, in <module>\n    from vllm._C import ops\n'
)
LATER = "INFO 07-30 01:25:25 [api_server.py:12] Started server process [7]\n" * 3
THREAD = (
    'Exception in thread Thread-1:\nTraceback (most recent call last):\n  File "/usr/lib/python3.10/threading.py", '
    'line 1016, in _bootstrap_inner\n    self.run()\n  File "/v/site-packages/tensorboardX/event_file_writer.py", '
    'line 202, in run\n    data = self._queue.get(True, wait)\n  File "/usr/lib/python3.10/multiprocessing/'
    'connection.py", line 136, in _check_closed\n    raise OSError("handle is closed")\nOSError: handle is closed\n'
)


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        (REFUSED, True),
        (REFUSED + SCHEDULED, False),
        (SCHEDULED + REFUSED, True),
        (FRAMES + PROBE, True),
        ("WARNING 07-30 01:25:25 [interface.py:196] Failed to import from vllm._C: " + PROBE + LATER, False),
        (THREAD, False),
        (FRAMES + "OSError: handle is closed\n", True),
        (FRAMES + "OSError: handle is closed\n" + LATER, False),
    ],
)
def test_order_and_place_decide_whether_it_failed(catalog: Catalog, text: str, failed: bool) -> None:
    assert bool(explain_text(text, catalog=catalog).roots) is failed
