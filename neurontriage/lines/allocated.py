"""Memory that was freed and that the C library holds for later: long logs leave much of it, in small pieces."""

from __future__ import annotations

import mmap
from contextlib import suppress
from typing import Any

_LARGE, _MMAP_THRESHOLD = 256 << 10, -3
"""Bytes of what is given back as soon as it is freed; M_MMAP_THRESHOLD of malloc.h."""


def keep_little() -> None:
    """Let all that is large be given back at once, where the library can (glibc): else it learns to keep it."""
    with suppress(ImportError, OSError, AttributeError, TypeError):
        _library().mallopt(_MMAP_THRESHOLD, _LARGE)


def give_back() -> None:
    """Give all of it back to the system, where the library can."""
    with suppress(ImportError, OSError, AttributeError, TypeError):
        _library().malloc_trim(0)


def resident() -> int:
    """Bytes that this process takes of the memory, 0 where the system does not say it (proc(5), statm)."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * mmap.PAGESIZE
    except (OSError, IndexError, ValueError):
        return 0


def _library() -> Any:
    import ctypes  # which only long logs need

    return ctypes.CDLL(None)
