"""What the kernel said since the command started: the OOM killer, the Neuron driver, hardware. Where it is readable."""

from __future__ import annotations

import os
import re

DEVICE = "/dev/kmsg"
_RECORD = re.compile(rb"(?m)^(\d+),\d+,(\d+),[^;\n]*;([^\n]*)")
_LONGEST = 8192
_MOST = 20_000


def since(started: float) -> bytes:
    """The kernel's messages since `started`, as dmesg prints them; none if not readable.

    They are of the whole machine: `$NEURONTRIAGE_KERNEL_LOG` names another place for them, or, empty, none.
    `started`: seconds of `time.monotonic()`, which on Linux is the clock of these messages.
    Source of the format: Documentation/ABI/testing/dev-kmsg of the Linux kernel (priority, number, microseconds).
    """
    try:
        reader = os.open(os.environ.get("NEURONTRIAGE_KERNEL_LOG", DEVICE), os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return b""
    try:
        records = [found for raw in _records(reader) for found in _RECORD.finditer(raw)]
    finally:
        os.close(reader)
    recent = [(int(found[2]) / 1e6, found[3]) for found in records]
    return b"".join(b"[%12.6f] %s\n" % (at, text) for at, text in recent if at >= started)


def _records(reader: int) -> list[bytes]:
    found: list[bytes] = []
    while len(found) < _MOST:
        try:
            record = os.read(reader, _LONGEST)
        except BrokenPipeError:  # overwritten while we read; the next read goes on behind the gap
            continue
        except OSError:
            break
        if not record:
            break
        found.append(record)
    return found
