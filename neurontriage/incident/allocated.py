"""Memory that was freed and that the C library holds for later: long logs leave much of it, in small pieces."""

from __future__ import annotations

from contextlib import suppress


def give_back() -> None:
    """Give it back to the system, where the library can (glibc)."""
    with suppress(ImportError, OSError, AttributeError, TypeError):
        import ctypes  # which only long logs need

        ctypes.CDLL(None).malloc_trim(0)
