"""Logs on S3, read through fsspec from a real S3 server that the test starts and stops."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest
from moto.server import ThreadedMotoServer

from neurontriage.errors import TriageError
from neurontriage.incident import read
from neurontriage.knowledge.catalog import Catalog

SAMPLE = (Path(__file__).parent.parent.parent / "samples" / "compiler-internal" / "ten404-loop.log").read_bytes()


@pytest.fixture(scope="module")
def bucket() -> Iterator[Any]:
    """A bucket with the logs of three ranks, one of them compressed, and a file that is no log."""
    server = ThreadedMotoServer(port=0)
    server.start()
    kind = fsspec.get_filesystem_class("s3")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.get_host_and_port()[1]}")
        for name, value in (("ACCESS_KEY_ID", "x"), ("SECRET_ACCESS_KEY", "x"), ("DEFAULT_REGION", "us-east-1")):
            patch.setenv(f"AWS_{name}", value)
        kind.clear_instance_cache()
        files = fsspec.filesystem("s3")
        files.mkdir("job")
        files.pipe({"job/logs/rank_0.log": b"step 1\n" * 100, "job/logs/rank_1.log.gz": gzip.compress(SAMPLE)})
        files.pipe({"job/logs/rank_2.log": b"step 1\n" * 100, "job/logs/model.neff": b"\0\1\2" * 100})
        yield files
        files.rm("job", recursive=True)  # the server keeps its buckets for as long as this process lives
    server.stop()
    kind.clear_instance_cache()


@pytest.mark.parametrize("url", ["s3://job/logs/", "s3://job/logs/rank_*", "s3://job/**/*.gz"])
def test_a_folder_and_a_glob_of_a_bucket(url: str, bucket: Any, catalog: Catalog) -> None:
    diagnosis = read([url], catalog).diagnoses[0]
    assert diagnosis.findings[0].id == "TEN404-InferIntrinsicOnCC"
    names = [one.path for one in diagnosis.inputs]
    assert "s3://job/logs/rank_1.log.gz" in names
    assert names == sorted(names)
    assert not [name for name in names if name.endswith(".neff")]


def test_one_object(bucket: Any, catalog: Catalog) -> None:
    diagnosis = read(["s3://job/logs/rank_1.log.gz"], catalog).diagnoses[0]
    assert diagnosis.inputs[0].lines == SAMPLE.count(b"\n")


@pytest.mark.parametrize("url", ["s3://job/none.log", "s3://job/none/", "s3://nobucket/x.log"])
def test_what_is_not_there_is_named(url: str, bucket: Any, catalog: Catalog) -> None:
    with pytest.raises(TriageError, match=url) as refused:
        read([url], catalog)
    assert url.endswith(".log") or "there is nothing" in str(refused.value)


class NoCredentials(Exception):
    """What a store's client raises is its own, and often no OSError."""


@pytest.mark.parametrize("url", ["s3://job/rank_0.log", "s3://job/logs/", "s3://job/*.log"])
def test_any_fault_of_a_stores_client_is_told_of_its_url(
    url: str, monkeypatch: pytest.MonkeyPatch, catalog: Catalog
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise NoCredentials("Unable to locate credentials")

    monkeypatch.setattr(fsspec, "open", refuse)
    monkeypatch.setattr(fsspec.core, "url_to_fs", refuse)
    with pytest.raises(TriageError, match="Unable to locate credentials") as refused:
        read([url], catalog)
    assert url in str(refused.value) and refused.value.exit_code == 2


@pytest.mark.parametrize("url", ["s3://job/rank_0.log", "s3://job/logs/"])
def test_without_the_extra_the_url_is_named(url: str, monkeypatch: pytest.MonkeyPatch, catalog: Catalog) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(TriageError, match=url):
        read([url], catalog)
