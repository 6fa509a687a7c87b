"""What `repro.fallback` costs a call that works: microseconds with and without it, side by side. Needs the extra `xla`.

Each call traces one small graph on torch-xla's CPU client; the first one of a signature, which is compiled by itself,
is not counted. Prints medians of several rounds and their difference, in time of the processor.
"""

from __future__ import annotations

import os
import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

CALLS, ROUNDS = 300, 9


def microseconds(function: Callable[[Any, Any], Any], x: Any, weight: Any, cut: Callable[[], None]) -> float:
    """Mean of one round; the graph is cut before it, so that every round traces the same."""
    cut()
    started = time.thread_time()
    for _ in range(CALLS):
        function(x, weight)
    return (time.thread_time() - started) / CALLS * 1e6


def main() -> None:
    os.environ.setdefault("PJRT_DEVICE", "CPU")
    import torch
    import torch_xla

    from neurontriage.repro import fallback

    def plain(x: Any, weight: Any) -> Any:
        return torch.relu(x @ weight)

    guarded = fallback()(plain)
    device = torch_xla.device()
    x, weight = torch.ones(4, 8, device=device), torch.ones(8, 8, device=device)
    warnings.simplefilter("ignore")
    guarded(x, weight)
    rounds = [[microseconds(each, x, weight, torch_xla.sync) for each in (plain, guarded)] for _ in range(ROUNDS)]
    without, with_it = (statistics.median(column) for column in zip(*rounds, strict=True))
    print(f"without {without:.1f} µs, with the guard {with_it:.1f} µs: {with_it - without:.1f} µs a call")


if __name__ == "__main__":
    main()
