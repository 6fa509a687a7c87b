"""A cache that is damaged, forged, old, foreign or not writable costs time, never an answer."""

from __future__ import annotations

import marshal
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from neurontriage import resources
from neurontriage import stored as storing
from neurontriage.knowledge import catalog as catalogs
from neurontriage.triage import explain_text

LINE = "2024-08-15T14:01:19Z [TEN404] Internal tensorizer error: InferIntrinsicOnCC - Please open a support ticket\n"


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalog: catalogs.Catalog) -> Iterator[Path]:
    """A cache of this test's own, with the sound catalogue in it."""
    catalogs.load()  # other tests keep catalogues of other folders in the same cache, where only the newest stay
    name = f"{catalogs._key([resources.knowledge()])}.catalog"
    sound = (Path(os.environ["NEURONTRIAGE_CACHE"]) / name).read_bytes()
    monkeypatch.setenv("NEURONTRIAGE_CACHE", str(tmp_path))
    path = tmp_path / name
    path.write_bytes(sound)
    yield path


def forged(stored: Path, data: object) -> bytes:
    return storing.guarded(marshal.dumps(data), stored.name)


def changed(stored: Path, name: str, value: object) -> bytes:
    data = storing.read(stored)
    assert data is not None
    if value is None:
        del data[name]
    else:
        data[name] = value
    return forged(stored, data)


@pytest.mark.parametrize(
    ("name", "value"),
    [("rules", None), ("owners", [(("rule", 10**9, 0),)]), ("briefs", {}), ("families", 3), ("articles", {})],
)
def test_a_forged_cache_is_rebuilt(stored: Path, name: str, value: object) -> None:
    stored.write_bytes(changed(stored, name, value))
    assert catalogs._cached(stored) is None


@pytest.mark.parametrize("content", [b"", b"x" * 100, {}, [1, 2], None, {"rules": 1}])
def test_what_is_no_cache_is_not_taken(stored: Path, content: object) -> None:
    stored.write_bytes(content if isinstance(content, bytes) else forged(stored, content))
    assert catalogs._cached(stored) is None


def test_what_is_kept_under_another_name_is_not_taken(stored: Path) -> None:
    other = stored.with_name(f"0{stored.name}")
    other.write_bytes(stored.read_bytes())
    assert storing.read(stored) is not None
    assert storing.read(other) is None


def test_the_answer_after_a_forged_cache_is_right_and_the_cache_is_mended(stored: Path) -> None:
    stored.write_bytes(changed(stored, "rules", None))
    fresh = catalogs.load()
    assert explain_text(LINE, catalog=fresh).findings[0].id == "TEN404-InferIntrinsicOnCC"
    assert catalogs._cached(stored) is not None


def test_of_several_programs_one_builds(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = storing.read(stored)
    stored.unlink()
    built: list[int] = []

    def build(_folders: object) -> object:
        built.append(1)
        threading.Event().wait(0.2)
        return whole

    monkeypatch.setattr(catalogs, "_build", build)
    monkeypatch.setattr(catalogs, "made", lambda *_: False)
    threads = [threading.Thread(target=catalogs.load) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(built) == 1


def test_what_another_user_wrote_is_not_trusted(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    if os.getuid() == 0:
        os.chown(stored, 65534, -1)
    assert storing.read(stored) is None
