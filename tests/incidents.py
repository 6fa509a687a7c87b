"""Incidents made for tests: logs of all kinds from a seed, and everything that an answer to one holds."""

from __future__ import annotations

import bz2
import gzip
import io
import random
import tarfile
from collections.abc import Iterable
from pathlib import Path

from neurontriage.incident import Way, read
from neurontriage.knowledge.catalog import Catalog
from neurontriage.reports.json import document

SAMPLES = sorted((Path(__file__).parent.parent / "samples").rglob("*.log"))
STEP = "2026-05-05 10:00:%02d INFO step %d loss 0.%d\n"


def log(rng: random.Random, size: int) -> bytes:
    """Samples of failures between steps of training; some without an end of line."""
    parts: list[str] = []
    while sum(map(len, parts)) < size:
        parts += [STEP % (rng.randrange(60), rng.randrange(9999), rng.randrange(999)) for _ in range(rng.randrange(40))]
        parts.append(rng.choice(SAMPLES).read_text(errors="replace"))
    return "".join(parts).encode()[: size if rng.random() < 0.5 else None]


def incident(folder: Path, seed: int) -> list[str]:
    """Logs of all kinds: plain, long, compressed, in an archive, empty, cut off, no text."""
    rng = random.Random(seed)
    files = {
        "rank_3.log": log(rng, 9_000),
        "rank_12.log": log(rng, 90_000),
        "a.log.gz": gzip.compress(log(rng, 70_000), mtime=0),
        "b.log.bz2": bz2.compress(log(rng, 3_000)),
        "cut.log.gz": gzip.compress(log(rng, 60_000), mtime=0)[:-200],
        "empty.log": b"",
        "neff.log": b"\0\1\2\3" * 900,
    }
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for number in range(5):
            text = log(rng, 30_000 if number == 3 else 900)
            info = tarfile.TarInfo(f"rank_{number}.log")
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text))
    files["many.tar.gz"] = packed.getvalue()
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_bytes(text)
    return [str(folder / name) for name in files]


def answer(paths: Iterable[str], catalog: Catalog, way: Way) -> tuple[list[str], list[str]]:
    """Everything that an answer holds."""
    logs = read(list(paths), catalog, way)
    return [document(one) for one in logs.diagnoses], sorted(logs.notes)
