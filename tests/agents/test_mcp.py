"""The MCP server, met by the SDK's own client over both transports; short, redacted, confined answers."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from planted import planted

from neurontriage.agents.brief import TOKENS, brief, fitted, tokens
from neurontriage.agents.roots import Roots
from neurontriage.agents.tools import Tools
from neurontriage.errors import TriageError
from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples"
LOOP = "compiler-internal/ten404-loop.log"
MODULE = "hlo/mixed-operators.hlo_module.pb"
TOOLS = {"explain", "kb_search", "kb_show", "report", "preflight", "repro_list"}


@pytest.fixture
def tools(catalog: Catalog) -> Tools:
    return Tools(Roots([SAMPLES]), catalog)


def said(result: object) -> str:
    assert not getattr(result, "is_error", False), result
    return "".join(one.text for one in result.content)  # type: ignore[attr-defined]


async def conversation(server: object) -> dict[str, str]:
    """One session of a coding agent: what is there, a failure, its entry, a search, an analyze report, a refusal."""
    async with Client(server) as client:  # type: ignore[arg-type]
        listed = await client.list_tools()
        assert {one.name for one in listed.tools} == TOOLS
        assert all(one.annotations and one.annotations.read_only_hint for one in listed.tools)
        answers = {
            "explain": said(await client.call_tool("explain", {"paths": [LOOP]})),
            "text": said(await client.call_tool("explain", {"text": "[TEN404] Internal tensorizer error: Foo"})),
            "kb_show": said(await client.call_tool("kb_show", {"name": "NCC_IBIR440"})),
            "kb_search": said(await client.call_tool("kb_search", {"words": "tensorizer loop", "limit": 3})),
            "report": said(await client.call_tool("report", {"path": "analyze/training-unsupported-verbosity-1.json"})),
            "preflight": said(await client.call_tool("preflight", {"path": MODULE, "target": "trn1"})),
            "repro_list": said(await client.call_tool("repro_list", {"words": "infer"})),
        }
        refused = await client.call_tool("explain", {"paths": ["/etc/passwd"]})
        assert refused.is_error
        answers["refused"] = "".join(one.text for one in refused.content)
        return answers


def checked(answers: dict[str, str]) -> None:
    assert "root 1: TEN404-InferIntrinsicOnCC" in answers["explain"]
    assert "ten404-loop.log:11" in answers["explain"]
    assert "TEN404" in answers["text"]
    assert "NCC-IBIR440" in answers["kb_show"]
    assert answers["kb_search"].count("\n") == 4
    assert "NCC-" in answers["preflight"] and "unsupported" in answers["preflight"]
    assert "TEN404-InferIntrinsicOnCC" in answers["repro_list"]
    assert "outside of the folders" in answers["refused"] and "root:" not in answers["refused"]
    assert all(tokens(text) <= TOKENS for text in answers.values())


def test_a_session_over_stdio() -> None:
    words = ["-m", "neurontriage", "mcp", "--root", str(SAMPLES)]
    import os

    environment = {name: os.environ[name] for name in ("NEURONTRIAGE_CACHE", "PATH") if name in os.environ}
    server = StdioServerParameters(command=sys.executable, args=words, env={**environment, "PYTHONPATH": str(ROOT)})
    checked(anyio.run(conversation, stdio_client(server)))


@pytest.fixture
def address() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "neurontriage", "mcp", "--http", "--port", str(port), "--root", str(SAMPLES)]
    process = subprocess.Popen(words, cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        _wait_for(port, process)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait(10)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert process.poll() is None, "the server ended"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail("the server does not listen")


def test_a_session_over_http_and_only_from_this_machine(address: str) -> None:
    checked(anyio.run(conversation, address))
    port = int(address.split(":")[2].split("/")[0])
    for header in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
        request = urllib.request.Request(address, b"{}", {"Content-Type": "application/json", **header})
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=10)
        assert refused.value.code in (403, 421)
    own = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
    for other in (one for one in own if not one.startswith("127.")):
        with socket.socket() as probe:
            probe.settimeout(2)
            assert probe.connect_ex((other, port)) != 0


@pytest.mark.parametrize("one", planted(), ids=lambda one: one.kind)
def test_no_secret_is_in_an_answer(one: object, tools: Tools) -> None:
    text: str = one.text  # type: ignore[attr-defined]
    first = text.split("\n")[0]
    shown = tools.explain(text=f"{text}\n[TEN404] Internal tensorizer error: Foo {first}\n")
    assert not one.leaked(shown)  # type: ignore[attr-defined]


def test_an_answer_is_short_whatever_the_log(tools: Tools) -> None:
    noise = "".join(
        f"2025-10-31T07:17:{n % 60:02}Z [TEN404] Internal tensorizer error: Pass{n} {'x,' * 200}\n" for n in range(900)
    )
    assert tokens(tools.explain(text=noise)) <= TOKENS
    assert tokens(tools.kb_search("error", 500)) <= TOKENS
    assert tokens(fitted(["é😀" * 5000, "kept"])) <= TOKENS


def test_a_part_that_does_not_fit_is_left_out_and_counted() -> None:
    assert fitted(["a", "b " * 5000, "c"]) == "a\nc\n(1 more parts left out)\n"


@pytest.mark.slow
def test_a_log_of_four_hundred_megabytes_gives_a_short_answer(tmp_path: Path, catalog: Catalog) -> None:
    log = tmp_path / "long.log"
    line = b"2025-06-01 10:00:00.000001: step 17 loss 2.31 throughput 11.9 seq/s lr 0.0001\n"
    with log.open("wb") as file:
        for _ in range(100):
            file.write(line * (4_000_000 // len(line)))
        file.write((SAMPLES / LOOP).read_bytes())
    shown = Tools(Roots([tmp_path]), catalog).explain([str(log)])
    assert "root 1: TEN404-InferIntrinsicOnCC" in shown
    assert tokens(shown) <= TOKENS


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../pyproject.toml", "s3://b/x", "-", "a\0b", "", "no-such.log", "link.log", "way"]
)
def test_nothing_outside_of_the_roots_is_read(path: str, tmp_path: Path, catalog: Catalog) -> None:
    (tmp_path / "link.log").symlink_to("/etc/passwd")
    (tmp_path / "way").mkdir()
    (tmp_path / "way" / "out.log").symlink_to("/etc/passwd")
    if path == "":
        (tmp_path / "link.log").unlink()
        (tmp_path / "way" / "out.log").unlink()
    with pytest.raises(TriageError) as refused:
        Tools(Roots([tmp_path]), catalog).explain([path])
    assert "root:x" not in str(refused.value)


def test_wrong_calls_are_refused_with_what_to_do(tools: Tools) -> None:
    for call in (
        lambda: tools.explain(),
        lambda: tools.explain([LOOP], "x"),
        lambda: tools.explain(text="x" * (5 << 20)),
        lambda: tools.explain([LOOP] * 51),
        lambda: tools.kb_show("NO-SUCH-ENTRY"),
        lambda: tools.report(LOOP),
        lambda: tools.preflight("../setup.py"),
    ):
        with pytest.raises(TriageError) as refused:
            call()
        assert refused.value.expected


def test_unknown_failures_are_not_guessed_at(catalog: Catalog) -> None:
    shown = fitted(brief(explain_text("nothing that anybody knows\n", catalog=catalog)))
    assert "verdict: unknown" in shown and "root" not in shown
