"""An incident on a Ray cluster that the tests start and stop: the same answer as alone, whatever breaks on the way."""

from __future__ import annotations

import gzip
import http.client
import os
import random
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import fsspec
import pytest
from incidents import answer, incident, log
from moto.server import ThreadedMotoServer

from neurontriage import cli
from neurontriage.errors import TriageError
from neurontriage.fleet import reading
from neurontriage.fleet.cluster import _join, cluster
from neurontriage.fleet.reading import Rays
from neurontriage.incident import Way, task
from neurontriage.knowledge.catalog import Catalog

BROKEN = Counter[str]()


class Breaking(BaseHTTPRequestHandler):
    """Before an S3 server: of every object the first answer ends in its middle, and the second one is "slow down"."""

    protocol_version = "HTTP/1.1"
    behind = 0

    def _pass(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        behind = http.client.HTTPConnection("127.0.0.1", self.behind)
        behind.request(self.command, self.path, body, dict(self.headers))
        answered = behind.getresponse()
        data = answered.read()
        breaks = self.command == "GET" and "/logs/" in self.path and len(data) > 100
        BROKEN[self.path] += breaks
        slow = breaks and BROKEN[self.path] == 2
        self.send_response(503 if slow else answered.status)
        for name, value in answered.getheaders():
            if name.lower() not in ("connection", "transfer-encoding", "server", "date", "content-length"):
                self.send_header(name, value)
        length = answered.getheader("Content-Length", str(len(data))) if self.command == "HEAD" else str(len(data))
        self.send_header("Content-Length", "0" if slow else length)
        self.end_headers()
        if not slow and self.command != "HEAD":
            self.wfile.write(data[: len(data) // 2] if breaks and BROKEN[self.path] == 1 else data)
        self.close_connection = bool(breaks and BROKEN[self.path] == 1)

    do_GET = do_PUT = do_HEAD = do_POST = do_DELETE = _pass

    def log_message(self, *_: Any) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """An S3 server behind a bad connection."""
    server = ThreadedMotoServer(port=0)
    server.start()
    Breaking.behind = server.get_host_and_port()[1]
    front = ThreadingHTTPServer(("127.0.0.1", 0), Breaking)
    threading.Thread(target=front.serve_forever, daemon=True).start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{front.server_port}")
        for name, value in (("ACCESS_KEY_ID", "x"), ("SECRET_ACCESS_KEY", "x"), ("DEFAULT_REGION", "us-east-1")):
            patch.setenv(f"AWS_{name}", value)
        fsspec.get_filesystem_class("s3").clear_instance_cache()
        yield f"http://127.0.0.1:{server.get_host_and_port()[1]}"
    front.shutdown()
    server.stop()
    fsspec.get_filesystem_class("s3").clear_instance_cache()


@pytest.fixture(scope="module")
def ray(endpoint: str, own_cache: Path) -> Iterator[Any]:
    """A cluster of two on this host."""
    with cluster("local", 2) as ray:
        yield ray
    assert not ray.is_initialized()


def test_a_start_that_takes_too_long_is_tried_again_and_a_cluster_that_is_not_there_is_named() -> None:
    class Slow:
        tries = 0

        def init(self, **_: Any) -> None:
            self.tries += 1
            if self.tries != 2:
                raise Exception("The current node timed out during startup.")

        def shutdown(self) -> None:
            """Nothing has started."""

    _join(slow := Slow(), "local", {})
    assert slow.tries == 2
    with pytest.raises(TriageError, match="6379: The current node"):
        _join(Slow(), "10.0.0.9:6379", {})


@pytest.fixture
def shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of one log or two."""
    monkeypatch.setattr(reading, "_SHARD", 8_000)
    monkeypatch.setattr(task, "_WORTH_UNPACKING", 2_000)


@pytest.mark.slow
@pytest.mark.usefixtures("ray", "shards")
def test_the_same_answer_as_alone(tmp_path: Path, catalog: Catalog) -> None:
    paths = incident(tmp_path, 11)
    assert answer(paths, catalog, Way(others=Rays("local"))) == answer(paths, catalog, Way())


@pytest.mark.slow
@pytest.mark.usefixtures("ray", "shards")
def test_a_task_killed_in_the_middle_is_tried_again(tmp_path: Path, catalog: Catalog) -> None:
    paths = incident(tmp_path / "logs", 12)
    killed = tmp_path / "killed"

    def once(shard: list[Any], extra: tuple[Path, ...], digest: str) -> list[Any]:
        from neurontriage.fleet.reading import work

        found = work(shard, extra, digest)
        if any(one.one.name.endswith("rank_12.log") for one in shard) and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return found

    assert answer(paths, catalog, Way(others=Rays("local", work=once))) == answer(paths, catalog, Way())
    assert killed.exists()


@pytest.mark.slow
@pytest.mark.usefixtures("ray", "shards")
def test_a_shard_that_stays_lost_is_named_and_the_others_are_explained(tmp_path: Path, catalog: Catalog) -> None:
    paths = incident(tmp_path, 13)

    def never(shard: list[Any], extra: tuple[Path, ...], digest: str) -> list[Any]:
        from neurontriage.fleet.reading import work

        if any(one.one.name.endswith("rank_12.log") for one in shard):
            os.kill(os.getpid(), signal.SIGKILL)
        return work(shard, extra, digest)

    (found,), notes = answer(paths, catalog, Way(others=Rays("local", work=never)))
    lost = [note for note in notes if "not read" in note]
    assert any("rank_12.log" in note for note in lost)
    assert found["verdict"] == "failed"
    read = {Path(one["path"]).name for one in found["inputs"]}
    assert "rank_12.log" not in read and {"a.log.gz", "many.tar.gz!rank_3.log"} <= read


@pytest.mark.slow
@pytest.mark.usefixtures("ray")
def test_hosts_with_other_knowledge_are_refused(tmp_path: Path, catalog: Catalog) -> None:
    with pytest.raises(TriageError, match="other knowledge"):
        answer(incident(tmp_path, 1), replace(catalog, digest="sha256:0"), Way(others=Rays("local")))


@pytest.mark.usefixtures("shards")
@pytest.mark.parametrize("spread", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["alone", "ray"])
def test_a_store_that_breaks_off_costs_time_only(
    tmp_path: Path, endpoint: str, ray: Any, catalog: Catalog, spread: bool
) -> None:
    files = fsspec.filesystem("s3", endpoint_url=endpoint)
    job = f"job-{spread:d}"
    files.mkdir(job)
    for number in range(4):
        text = log(random.Random(number), 40_000)
        name = f"rank_{number}.log" + ".gz" * (number == 2)
        (tmp_path / name).write_bytes(gzip.compress(text, mtime=0) if number == 2 else text)
        files.pipe({f"{job}/logs/{name}": (tmp_path / name).read_bytes()})
    way = Way(others=Rays("local") if spread else None)
    (found,), notes = answer([f"s3://{job}/logs/"], catalog, way)
    (known,), _ = answer([str(tmp_path)], catalog, Way())
    assert sum(f"/{job}/logs/rank" in path and count > 2 for path, count in BROKEN.items()) >= 4
    assert notes == []
    assert [one["lines"] for one in found["inputs"]] == [one["lines"] for one in known["inputs"]]
    ids = [[(one["id"], one["count"], one["role"]) for one in each["findings"]] for each in (found, known)]
    assert ids[0] == ids[1]


@pytest.mark.slow
@pytest.mark.usefixtures("ray")
def test_the_command_reads_on_a_cluster(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = incident(tmp_path, 4)
    answers = []
    for words in (["--ray", "local"], ["--workers", "1"]):
        assert cli.run(cli.build("explain"), ["explain", *paths, *words, "--format", "json"]) == 1
        answers.append(capsys.readouterr().out)
    assert answers[0] == answers[1]


def test_without_ray_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    (tmp_path / "a.log").write_text("x\n")
    assert cli.run(cli.build("explain"), ["explain", str(tmp_path / "a.log"), "--ray", "local"]) == 2
    assert "neurontriage[fleet]" in capsys.readouterr().err
