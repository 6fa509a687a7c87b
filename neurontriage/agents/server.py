"""The MCP server over standard input and output, or over streamable HTTP on the loopback interface only."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import ToolAnnotations

from neurontriage import __version__
from neurontriage.agents.brief import fitted
from neurontriage.agents.tools import Tools, schema_of
from neurontriage.errors import TriageError

LOOPBACK = "127.0.0.1"
_NAMES = ("127.0.0.1", "localhost", "[::1]")
_MOST_BODY = 16 << 20
INSTRUCTIONS = (
    "Says why an AWS Neuron (Trainium, Inferentia) job failed. Call explain with the paths of the logs; it names the "
    "root cause, the line that proves it, and what to change. Where it says that no entry "
    "explains a failure, do not guess."
)


def server(tools: Tools) -> MCPServer[Any]:
    """The server with all tools; each only reads."""
    made: MCPServer[Any] = MCPServer(
        "neurontriage", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    reads = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
    for name, tool in schema_of(tools).items():
        made.tool(name=name, annotations=reads, structured_output=False)(_refusing(tool))
    return made


def _refusing(tool: Callable[..., str]) -> Callable[..., str]:
    """A refusal reaches the agent as an error of the tool, redacted, with what to do instead."""

    @functools.wraps(tool)
    def called(*arguments: Any, **named: Any) -> str:
        try:
            return tool(*arguments, **named)
        except TriageError as error:
            raise ToolError(fitted([str(error)])) from None

    return called


def serve_stdio(tools: Tools) -> None:
    """Serve one client over standard input and output until it goes away."""
    server(tools).run("stdio")


def serve_http(tools: Tools, port: int) -> None:
    """Serve at http://127.0.0.1:PORT/mcp; requests that name another host or come from a page elsewhere are refused."""
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[f"{name}:{port}" for name in _NAMES],
        allowed_origins=[f"http://{name}:{port}" for name in _NAMES],
    )
    server(tools).run(
        "streamable-http", host=LOOPBACK, port=port, transport_security=security, max_request_body_size=_MOST_BODY
    )
