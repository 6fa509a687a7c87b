"""Times as logs print them, in seconds since 1970."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from neurontriage.parse.times import seconds


def since_1970(*parts: int) -> float:
    return datetime(*parts, tzinfo=timezone.utc).timestamp()  # type: ignore[arg-type,misc]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2025-10-31 07:17:12", since_1970(2025, 10, 31, 7, 17, 12)),
        ("2025-10-31T07:17:12Z", since_1970(2025, 10, 31, 7, 17, 12)),
        ("2025-10-31 07:17:12,5", since_1970(2025, 10, 31, 7, 17, 12) + 0.5),
        ("2025-10-31 07:17:12.000464", since_1970(2025, 10, 31, 7, 17, 12) + 0.000464),
        ("2025-10-31 07:17:12.0464", since_1970(2025, 10, 31, 7, 17, 12) + 0.464),
        ("2025-10-31 07:17:12.4640", since_1970(2025, 10, 31, 7, 17, 12) + 0.464),
        ("2025-10-31 07:17:12.046", since_1970(2025, 10, 31, 7, 17, 12) + 0.046),
        ("2025-Oct-01 23:48:34.002205", since_1970(2025, 10, 1, 23, 48, 34) + 0.002205),
        ("2024-Feb-29 23:59:59", since_1970(2024, 2, 29, 23, 59, 59)),
        ("2024-Dec-01 00:00:00", since_1970(2024, 12, 1)),
        ("06/18/2021 10:15:28 AM", since_1970(2021, 6, 18, 10, 15, 28)),
        ("06/18/2021 10:15:28 PM", since_1970(2021, 6, 18, 22, 15, 28)),
        ("06/18/2021 12:15:28 AM", since_1970(2021, 6, 18, 0, 15, 28)),
        ("06/18/2021 12:15:28 PM", since_1970(2021, 6, 18, 12, 15, 28)),
        ("1970-01-01 00:00:00", 0.0),
        ("1970-01-01 00:00:59", 59.0),
        ("2025-01-01 23:59:00", since_1970(2025, 1, 1, 23, 59)),
        ("2025-01-01 24:00:00", None),
        ("2025-01-01 23:60:00", None),
        ("2025-01-01 23:59:60", None),
        ("2025-02-29 10:00:00", None),
        ("2025-Foo-01 10:00:00", None),
        ("2025-13-01 10:00:00", None),
        ("10:15:28", None),
        ("2025-10-31", None),
        ("2025-10-31 07:17:12." + "1" * 5000, None),
        ("", None),
        (None, None),
    ],
)
def test_a_time_is_so_many_seconds(text: str | None, expected: float | None) -> None:
    assert seconds(text) == (expected if expected is None else pytest.approx(expected, abs=1e-6))
