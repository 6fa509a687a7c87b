"""A Ray cluster: joined by its address, or started on this host for as long as it is used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from neurontriage.errors import TriageError

LOCAL = "local"
_STORE = 80 << 20


@contextmanager
def cluster(where: str, cpus: int) -> Iterator[Any]:
    """The module `ray`, joined to a cluster. `where`: an address, `auto`, or LOCAL for one of `cpus` on this host.

    A cluster that was joined before stays joined. Raises TriageError where there is no Ray, or no cluster.
    """
    try:
        import ray
    except ImportError as error:
        hint = "pip install 'neurontriage[fleet]'"
        raise TriageError("no-ray", "Ray is not installed", "the extra fleet", hint) from error
    ours = not ray.is_initialized()
    if ours:
        own = {"num_cpus": cpus, "object_store_memory": _STORE, "include_dashboard": False}
        _join(ray, where, own if where == LOCAL else {"address": where})
    try:
        yield ray
    finally:
        if ours:
            ray.shutdown()


def _join(ray: Any, where: str, words: dict[str, Any], again: bool = True) -> None:
    """Start or join; a start that takes longer than Ray waits for it (30 seconds) is tried again."""
    try:
        ray.init(log_to_driver=False, configure_logging=False, **words)
    except Exception as error:  # Ray raises bare ones, too
        ray.shutdown()
        if again and where == LOCAL:
            _join(ray, where, words, again=False)
            return
        said = str(error).strip().partition("\n")[0]
        hint = "ray status; or --ray local"
        raise TriageError("no-cluster", f"--ray {where}: {said}", "a running Ray cluster", hint) from error
