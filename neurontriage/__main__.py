"""`python -m neurontriage`."""

from neurontriage.cli import entry

entry()
