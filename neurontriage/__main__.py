"""`python -m neurontriage`."""

from neurontriage.cli import main

main()
