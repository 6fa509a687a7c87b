"""Recompiles the minimal graph of a known failure and checks its fixes and fallbacks.

`catalogue` lists the cases, `session.examine` runs one, `fallback` guards a user's own function.
torch and torch_xla are imported only when a case is built: importing this package costs nothing.
"""

from neurontriage.repro.guard import fallback

__all__ = ["fallback"]
