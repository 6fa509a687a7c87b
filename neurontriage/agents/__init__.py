"""Answers for programs that work beside a person: an MCP server for coding agents, and what a notebook shows."""
