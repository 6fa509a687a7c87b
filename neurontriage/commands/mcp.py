"""`neurontriage mcp`: a server for coding agents (Model Context Protocol)."""

from __future__ import annotations

from pathlib import Path

import typer

from neurontriage.errors import TriageError


def mcp(
    root: list[Path] = typer.Option([], "--root", help="A folder that may be read (repeatable); here by default."),
    http: bool = typer.Option(False, "--http", help="Streamable HTTP on 127.0.0.1 instead of stdin and stdout."),
    port: int = typer.Option(8765, "--port", min=1, max=65535, help="The port of --http."),
) -> None:
    """Serve explain, kb_search, kb_show, report, preflight and repro_list to a coding agent. Only reads."""
    try:
        from neurontriage.agents import server
    except ImportError as error:
        raise TriageError(
            "no-mcp",
            f"the extra `agents` is missing ({error.name})",
            "the MCP SDK",
            "pip install 'neurontriage[agents]'",
        ) from None
    from neurontriage.agents.roots import Roots
    from neurontriage.agents.tools import Tools
    from neurontriage.knowledge.catalog import load
    from neurontriage.resources import own_knowledge

    folders = root or [Path.cwd()]
    for folder in folders:
        if not folder.is_dir():
            raise TriageError("no-such-root", f"--root {folder}: no such folder", "a folder with logs")
    tools = Tools(Roots(folders), load(own_knowledge([])))
    if http:
        typer.echo(f"http://{server.LOOPBACK}:{port}/mcp", err=True)
        server.serve_http(tools, port)
    else:
        server.serve_stdio(tools)
