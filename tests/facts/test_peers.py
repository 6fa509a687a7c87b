"""What speaks of other processes only, and what states a failure of its own."""

from __future__ import annotations

import pytest

from neurontriage.facts.peers import speaks_of_others


@pytest.mark.parametrize(
    "text",
    [
        "ConnectionResetError: [Errno 104] Connection reset by peer",
        "BrokenPipeError: [Errno 32] Broken pipe",
        "RuntimeError: wait timeout after 300000ms, keys: /default_pg/0//ready",
        "failed to recv, got 0 bytes",
        "Rank 2 successfully reached monitoredBarrier, but received errors while waiting for send/recv from rank 0.",
        "Watchdog caught collective operation timeout: WorkNCCL(SeqNum=41, OpType=ALLREDUCE)",
        "[PG 0 Rank 1] the watchdog got stuck for 480 seconds",
        "nrt_execute failed with NRT_EXEC_HW_ERR_COLLECTIVES (1200)",
        "DEADLINE_EXCEEDED: Barrier timed out. Id: init",
        "The following tasks are unhealthy (stopped sending heartbeats)",
        "SignalException: Process 611 got signal: 15",
        "Terminated",
        "KeyboardInterrupt: terminated",
        "EOFError",
        "no answer from rank 3 for 120 s",
        "the leader is gone",
        "could not send: comm closed",
    ],
)
def test_a_statement_about_others(text: str) -> None:
    assert speaks_of_others(text)


@pytest.mark.parametrize(
    "text",
    [
        "KeyError: 'labels'",
        "terminate called after throwing an instance of 'std::bad_alloc'",
        "RuntimeError: DataLoader worker (pid 5521) is killed by signal: Bus error.",
        "OSError: [Errno 28] No space left on device: '/scratch/rank3.tmp'",
        "HTTPSConnectionPool(host='api.example.com', port=443): Connection refused",
        "503 Server Error: connection closed for url: https://features.example.com/v2",
        "F0301 10:01:20 4711 pool.cc:88] Check failed: free > 0",
        "Terminated the search early",
        "EOFError: Ran out of input",
        "ValueError: channels last, 3 left",
        "wait for it: 3 of 4 shards are opened",
    ],
)
def test_a_failure_of_its_own(text: str) -> None:
    assert not speaks_of_others(text)
