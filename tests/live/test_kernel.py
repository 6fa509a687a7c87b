"""What the kernel said while a command ran: of the whole machine, from where it is read, or not at all."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from live.jobs import ENVIRONMENT, run

KILLED = "Out of memory: Killed process 4711 (python) total-vm:9000kB, anon-rss:800kB, file-rss:0kB, shmem-rss:0kB"


@pytest.mark.parametrize("known", [True, False])
def test_the_kernel_is_asked_where_a_command_fails(tmp_path: Path, known: bool) -> None:
    log = tmp_path / "kmsg"
    before, later = (int((time.monotonic() + seconds) * 1e6) for seconds in (-60, 60))
    log.write_text(f"4,1,{before},-;python[9]: segfault at 0 ip 0 sp 0 error 4\n3,2,{later},-;{KILLED}\n")
    environment = {**ENVIRONMENT, "NEURONTRIAGE_KERNEL_LOG": str(log) if known else ""}
    told = run("--", "sh", "-c", "exit 137", env=environment).stderr.decode()
    assert ("Killed process 4711" in told) == known
    assert "segfault" not in told
