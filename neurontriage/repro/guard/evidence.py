"""Which known entry explains a failure: read from the exception and the compiler's own log, never from printed text."""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from neurontriage.model import Diagnosis, Finding

LAYERS = ("compiler", "framework", "model-code")
"""Failures of these layers happen while a graph is traced or compiled. Others are no reason to go on."""
SURE, REPLAYED = "compiler", "cache"
"""A failure of an earlier run that the compile cache replays; its cause stands in the log kept with it."""
COMPILER_LOG, CACHED_LOG = "log-neuron-cc.txt", "model.log"
CACHES = (Path("/var/tmp/neuron-compile-cache"),)
"""Where libneuronxla keeps compiled graphs unless NEURON_COMPILE_CACHE_URL says otherwise."""
MODULE = re.compile(r"MODULE_\d+\+[0-9a-f]{8}")
MODULE_FILE = re.compile(r"(/[^\s'\"\[\],]*)/[^\s/'\"]*MODULE_\d+\+[0-9a-f]{8}[^\s/'\"]*")
MOST = 1 << 20
"""Bytes read from the end of one log."""


def failed_entry(
    failure: BaseException, since: float, explain: Callable[[str], Diagnosis], listed: Sequence[str]
) -> str | None:
    """The id of the entry that explains the failure; None when none does, or when its layer is no reason to go on.

    An answer for a whole class (any ValueError) is no reason either, but where the compiler itself crashed.

    `since` is when the call started (seconds since the epoch); `listed` ids are preferred, for they have a substitute.
    """
    text = "".join(traceback.format_exception(type(failure), failure, failure.__traceback__))
    diagnosis = explain("\n".join([*compiler_logs(text, since), text]))
    found = [finding for finding in _in_question(diagnosis) if finding.recognised]
    ids = [
        finding.id for finding in found if finding.layer in LAYERS and (not finding.general or finding.layer == SURE)
    ]
    replayed = [finding.id for finding in found if finding.layer == REPLAYED]
    return next((each for each in [*ids, *replayed] if each in listed), next(iter([*ids, *replayed]), None))


def _in_question(diagnosis: Diagnosis) -> Iterator[Finding]:
    """The first root cause; where that is only a replayed failure, everything that is known beside it."""
    roots = diagnosis.roots
    yield from roots[:1]
    if roots and roots[0].layer == REPLAYED:
        yield from (finding for finding in diagnosis.findings if finding is not roots[0])


def compiler_logs(text: str, since: float) -> Iterator[str]:
    """The logs that the compiler left for the modules named in an exception, and the one it wrote just now."""
    folders = {Path(found) for found in MODULE_FILE.findall(text)}
    paths = [folder / COMPILER_LOG for folder in sorted(folders)]
    paths += [path for module in sorted(set(MODULE.findall(text))) for path in _cached(module)]
    written = Path.cwd() / COMPILER_LOG
    if written not in paths and written.is_file() and written.stat().st_mtime >= since:
        paths.append(written)
    yield from (_tail(path) for path in paths if path.is_file())


def _cached(module: str) -> list[Path]:
    url = os.environ.get("NEURON_COMPILE_CACHE_URL", "")
    folders = [Path(url)] if url and "://" not in url else list(CACHES)
    return [path for folder in folders for path in sorted(folder.glob(f"neuronxcc-*/{module}/{CACHED_LOG}"))]


def _tail(path: Path) -> str:
    with path.open("rb") as log:
        log.seek(max(0, path.stat().st_size - MOST))
        return log.read().decode(errors="replace").replace("\0", "")
