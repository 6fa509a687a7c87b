"""What the child runs: a script as `python script.py ARGS`, or the callable `module:name`."""

from __future__ import annotations

import importlib
import inspect
import os
import runpy
import sys
from collections.abc import Callable, Sequence
from typing import Any

from neurontriage.preflight.child.events import NotATarget


def run_script(path: str, arguments: Sequence[str]) -> None:
    """Runs the script unmodified as the main program."""
    sys.argv = [path, *arguments]
    sys.path[0] = os.path.dirname(os.path.abspath(path))
    runpy.run_path(path, run_name="__main__")


def load(name: str, arguments: Sequence[str]) -> Callable[..., Any]:
    """The callable of `package.module:name`, found from the working directory too."""
    module, _, attribute = name.partition(":")
    sys.argv = [module, *arguments]
    sys.path.insert(0, os.getcwd())
    found: Any = importlib.import_module(module)
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise NotATarget(f"{module} has no {attribute}")
        found = getattr(found, part)
    if not callable(found):
        raise NotATarget(f"{name} is not callable")
    return found  # type: ignore[no-any-return]


def example(built: Any) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]:
    """What a target returned → what to call with which arguments.

    `(callable, args)`, `(callable, args, kwargs)` with args a tuple or one tensor, or a callable without parameters.
    """
    if isinstance(built, tuple) and 2 <= len(built) <= 3 and callable(built[0]):
        args = built[1] if isinstance(built[1], (tuple, list)) else (built[1],)
        return built[0], tuple(args), dict(built[2]) if len(built) == 3 else {}
    inputs = getattr(built, "example_inputs", None)
    if inputs is not None:
        return built, tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,), {}
    if callable(built):
        if needed := _needed(built):
            raise NotATarget(
                f"the target returned {type(built).__name__}, which needs arguments ({needed}); "
                "it must return (callable, example arguments)"
            )
        return built, (), {}
    raise NotATarget(
        f"the target returned {type(built).__name__}; it must return (callable, example arguments) or a callable"
    )


def _needed(function: Callable[..., Any]) -> str:
    """The parameters that must be given; empty where there are none, or nothing can be said."""
    forward = getattr(function, "forward", function)
    try:
        parameters = inspect.signature(forward).parameters.values()
    except (TypeError, ValueError):
        return ""
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return ", ".join(p.name for p in parameters if p.default is p.empty and p.kind not in variadic)
