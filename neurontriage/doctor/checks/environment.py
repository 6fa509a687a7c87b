"""Environment variables of runtime, framework and compiler that are malformed or contradict each other."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterator, Mapping

from neurontriage.doctor.check import Check, Look
from neurontriage.doctor.host import Host
from neurontriage.knowledge.versions import Releases

_RUNTIME = Look("runtime-variables", "variables of the runtime have valid values")
_DISTRIBUTED = Look("distributed-variables", "variables of a distributed job agree")
_FLAGS = Look("compiler-flags", "NEURON_CC_FLAGS can be read and do not contradict each other")
# name → what a value looks like (the runtime's configuration guide)
_FORMS = {
    "NEURON_RT_VISIBLE_CORES": r"\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*",
    "NEURON_RT_NUM_CORES": r"\d+",
    "NEURON_LOGICAL_NC_CONFIG": r"[12]",
    "NEURON_RT_VIRTUAL_CORE_SIZE": r"[12]",
    "NEURON_RT_ROOT_COMM_ID": r"[\w.:\[\]-]+:\d{1,5}",
    "NEURON_RT_LOG_LEVEL": r"(?i:error|warning|warn|info|debug|trace|quiet|critical|fatal)",
    "NEURON_RT_EXEC_TIMEOUT": r"\d+",
    "NEURON_PJRT_PROCESS_INDEX": r"\d+",
    "NEURON_PJRT_PROCESSES_NUM_DEVICES": r"\d+(?:,\d+)*",
    "NEURON_RT_RESET_CORES": r"[01]",
}
_ONCE = ("--target", "--optlevel", "--model-type", "--auto-cast", "--auto-cast-type", "--lnc", "--cache_dir")
_SHORT = re.compile(r"-O[0-9s]")


def check(host: Host, releases: Releases) -> Iterator[Check]:
    """Runtime variables, distributed variables, compiler flags."""
    yield _runtime(host.environ)
    yield _distributed(host.environ)
    yield _flags(host.environ)


def _runtime(environ: Mapping[str, str]) -> Check:
    given = {name: environ[name] for name in _FORMS if name in environ}
    for name, value in given.items():
        if not re.fullmatch(_FORMS[name], value.strip()):
            return _RUNTIME.fault("RT-BadSetting", f"{name}={value}: not a value that the runtime reads", variable=name)
    if (wrong := _wrong_cores(given.get("NEURON_RT_VISIBLE_CORES", ""))) is not None:
        return _RUNTIME.fault("RT-BadSetting", f"NEURON_RT_VISIBLE_CORES: {wrong}", variable="NEURON_RT_VISIBLE_CORES")
    sizes = {given[n].strip() for n in ("NEURON_LOGICAL_NC_CONFIG", "NEURON_RT_VIRTUAL_CORE_SIZE") if n in given}
    if len(sizes) > 1:
        said = "NEURON_LOGICAL_NC_CONFIG and NEURON_RT_VIRTUAL_CORE_SIZE name different sizes of a logical core"
        return _RUNTIME.fault("RT-BadSetting", said, variable="NEURON_LOGICAL_NC_CONFIG")
    if "NEURONCORE_GROUP_SIZES" in environ:
        said = "NEURONCORE_GROUP_SIZES is of Inf1 and no longer read; use NEURON_RT_NUM_CORES"
        return _RUNTIME.fault("RT-BadSetting", said, variable="NEURONCORE_GROUP_SIZES")
    both = [name for name in ("NEURON_RT_VISIBLE_CORES", "NEURON_RT_NUM_CORES") if given.get(name, "0") != "0"]
    note = "; NEURON_RT_VISIBLE_CORES wins over NEURON_RT_NUM_CORES" if len(both) == 2 else ""
    return _RUNTIME.ok((", ".join(f"{n}={v}" for n, v in given.items()) or "none is set, so the defaults hold") + note)


def _wrong_cores(value: str) -> str | None:
    """Why a list of cores is refused: it has to be contiguous and increasing."""
    cores: list[int] = []
    for part in filter(None, value.split(",")):
        first, _, last = part.partition("-")
        if last and int(last) < int(first):
            return f"{part} runs backwards"
        cores += range(int(first), min(int(last or first), int(first) + 4096) + 1)
    gap = next(
        (f"{one} does not follow {before}" for before, one in itertools.pairwise(cores) if one != before + 1),
        None,
    )
    return f"{gap}: cores have to be contiguous and increasing" if gap else None


def _distributed(environ: Mapping[str, str]) -> Check:
    rank, world = environ.get("RANK", ""), environ.get("WORLD_SIZE", "")
    index, counts = environ.get("NEURON_PJRT_PROCESS_INDEX", ""), environ.get("NEURON_PJRT_PROCESSES_NUM_DEVICES", "")
    if not any((rank, world, index, counts)):
        return _DISTRIBUTED.not_run("no variable of a distributed job is set")
    if rank.isdigit() and world.isdigit() and int(rank) >= int(world):
        return _DISTRIBUTED.fault("RT-BadSetting", f"RANK={rank} is not below WORLD_SIZE={world}", variable="RANK")
    if index.isdigit() and counts and int(index) >= len(counts.split(",")):
        said = f"NEURON_PJRT_PROCESS_INDEX={index} has no place in NEURON_PJRT_PROCESSES_NUM_DEVICES={counts}"
        return _DISTRIBUTED.fault("RT-BadSetting", said, variable="NEURON_PJRT_PROCESS_INDEX")
    several = (
        world.isdigit()
        and environ.get("LOCAL_WORLD_SIZE", world).isdigit()
        and int(world) > int(environ.get("LOCAL_WORLD_SIZE", world))
    )
    if several and environ.get("MASTER_ADDR", "") in ("localhost", "127.0.0.1", "::1"):
        said = f"WORLD_SIZE={world} spans several hosts, but MASTER_ADDR is this host's loopback"
        return _DISTRIBUTED.fault("COL-RootNameUnresolved", said, variable="MASTER_ADDR")
    return _DISTRIBUTED.ok(
        ", ".join(f"{n}={environ[n]}" for n in ("RANK", "WORLD_SIZE", "MASTER_ADDR") if n in environ) or counts
    )


def _flags(environ: Mapping[str, str]) -> Check:
    text = environ.get("NEURON_CC_FLAGS", "")
    if not text.strip():
        return _FLAGS.not_run("NEURON_CC_FLAGS is not set")
    try:
        words = shlex.split(text)
    except ValueError as error:
        return _FLAGS.fault("CC-UnknownArgument", f"NEURON_CC_FLAGS cannot be read: {error}", flags=text)
    glued = next(
        (word for word in words if re.search(r"[^=\s]--[a-z]", word) and not word.startswith("--internal")), None
    )
    if glued:
        return _FLAGS.fault("CC-GluedFlags", f"{glued}: two flags without a blank between", value=glued)
    given: dict[str, set[str]] = {}
    for number, word in enumerate(words):
        name, equals, value = word.partition("=")
        if _SHORT.fullmatch(word):
            name, equals, value = "--optlevel", "=", word[2:]
        if name in _ONCE:
            given.setdefault(name, set()).add(value if equals else next(iter(words[number + 1 : number + 2]), ""))
    twice = {name: values for name, values in given.items() if len(values) > 1}
    if twice:
        name, values = next(iter(twice.items()))
        return _FLAGS.fault("CC-OptionValue", f"{name} is given twice: {', '.join(sorted(values))}", option=name)
    return _FLAGS.ok(text, flags=text)
