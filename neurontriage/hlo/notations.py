"""Attributes with a notation of their own: windows, slices, padding, layouts of convolutions, groups, shardings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

Proto = Any

_FFT = ("FFT", "IFFT", "RFFT", "IRFFT")
_RNG = ("rng_default", "rng_three_fry", "rng_philox")
_DISTRIBUTION = ("rng_invalid", "rng_uniform", "rng_normal")
_TRANSPOSE = ("TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")
_PRECISION = ("default", "high", "highest")
_API = (
    "API_VERSION_UNSPECIFIED",
    "API_VERSION_ORIGINAL",
    "API_VERSION_STATUS_RETURNING",
    "API_VERSION_STATUS_RETURNING_UNIFIED",
    "API_VERSION_TYPED_FFI",
)
_WINDOW = {"stride": ("stride", 1), "lhs_dilate": ("base_dilation", 1), "rhs_dilate": ("window_dilation", 1)}


def numbers(text: str) -> list[int]:
    """Every whole number in a text."""
    return [int(found) for found in re.findall(r"-?\d+", text)]


def quoted(text: str) -> str:
    """A string as XLA prints it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unquoted(text: str) -> str:
    """What a printed string stands for."""
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text[:1] == '"' else text


def printed(i: Proto) -> Iterator[tuple[str, str]]:
    """Key and text of every attribute of this module that the instruction has."""
    for key, (writer, _) in _NOTATIONS.items():
        text = writer(i)
        if text:
            yield key, text


def read(i: Proto, key: str, text: str) -> bool:
    """Puts a printed attribute into the proto; False for an unknown key. Raises ValueError on a strange text."""
    if key not in _NOTATIONS:
        return False
    _NOTATIONS[key][1](i, text)
    return True


def _window(i: Proto) -> str:
    dims = i.window.dimensions
    if not dims:
        return ""
    parts = ["size=" + "x".join(str(d.size) for d in dims)]
    for key, (name, usual) in _WINDOW.items():
        if any(getattr(d, name) not in (usual, 0) for d in dims):
            parts.append(f"{key}=" + "x".join(str(getattr(d, name)) for d in dims))
    if any(d.padding_low or d.padding_high for d in dims):
        parts.insert(1, "pad=" + "x".join(f"{d.padding_low}_{d.padding_high}" for d in dims))
    if any(d.window_reversal for d in dims):
        parts.append("rhs_reversal=" + "x".join(str(int(d.window_reversal)) for d in dims))
    return "{" + " ".join(parts) + "}"


def _read_window(i: Proto, text: str) -> None:
    parts = dict(part.split("=", 1) for part in text.strip("{}").split())
    for size in parts.get("size", "").split("x"):
        i.window.dimensions.add(size=int(size), stride=1, base_dilation=1, window_dilation=1)
    for number, pad in enumerate(parts.get("pad", "").split("x") if "pad" in parts else ()):
        low, _, high = pad.partition("_")
        i.window.dimensions[number].padding_low, i.window.dimensions[number].padding_high = int(low), int(high)
    for key, (name, _usual) in (*_WINDOW.items(), ("rhs_reversal", ("window_reversal", 0))):
        for number, value in enumerate(parts[key].split("x") if key in parts else ()):
            setattr(i.window.dimensions[number], name, bool(int(value)) if key == "rhs_reversal" else int(value))


def _slice(i: Proto) -> str:
    def one(s: Proto) -> str:
        return f"[{s.start}:{s.limit}" + (f":{s.stride}]" if s.stride != 1 else "]")

    return "{" + ", ".join(map(one, i.slice_dimensions)) + "}" if i.slice_dimensions else ""


def _read_slice(i: Proto, text: str) -> None:
    for one in re.findall(r"\[([\d:]+)\]", text):
        start, limit, *stride = map(int, one.split(":"))
        i.slice_dimensions.add(start=start, limit=limit, stride=stride[0] if stride else 1)


def _padding(i: Proto) -> str:
    def one(d: Proto) -> str:
        inner = f"_{d.interior_padding}" if d.interior_padding else ""
        return f"{d.edge_padding_low}_{d.edge_padding_high}{inner}"

    return "x".join(map(one, i.padding_config.dimensions))


def _read_padding(i: Proto, text: str) -> None:
    for one in text.split("x"):
        low, high, *inner = map(int, one.split("_"))
        i.padding_config.dimensions.add(
            edge_padding_low=low, edge_padding_high=high, interior_padding=inner[0] if inner else 0
        )


_LABELS = (("b", "f", "input"), ("i", "o", "kernel"), ("b", "f", "output"))


def _fields(part: str) -> tuple[str, str, str]:
    if part == "kernel":
        return "kernel_input_feature_dimension", "kernel_output_feature_dimension", "kernel_spatial_dimensions"
    return f"{part}_batch_dimension", f"{part}_feature_dimension", f"{part}_spatial_dimensions"


def _dim_labels(i: Proto) -> str:
    if i.opcode != "convolution" or not i.HasField("convolution_dimension_numbers"):
        return ""
    d, texts = i.convolution_dimension_numbers, []
    for first, second, part in _LABELS:
        names = _fields(part)
        spatial = getattr(d, names[2])
        places = {getattr(d, names[0]): first, getattr(d, names[1]): second}
        places |= {place: str(number) for number, place in enumerate(spatial)}
        texts.append("".join(places.get(n, "?") for n in range(len(spatial) + 2)))
    return f"{texts[0]}_{texts[1]}->{texts[2]}"


def _read_dim_labels(i: Proto, text: str) -> None:
    d = i.convolution_dimension_numbers
    d.SetInParent()
    for (first, second, part), labels in zip(_LABELS, re.split(r"_|->", text), strict=True):
        names = _fields(part)
        setattr(d, names[0], labels.index(first))
        setattr(d, names[1], labels.index(second))
        getattr(d, names[2]).extend(labels.index(str(n)) for n in range(len(labels) - 2))


def _groups(i: Proto) -> str:
    """Both forms: listed groups, and the iota form `[2,4]<=[8]T(1,0)`."""
    iota = i.collective_device_list.iota_replica_group_list
    if iota.num_replica_groups:
        turned = f"T({','.join(map(str, iota.iota_transpose_perm))})" if len(iota.iota_transpose_perm) > 1 else ""
        shape = f"[{iota.num_replica_groups},{iota.num_devices_per_group}]"
        return f"{shape}<=[{','.join(map(str, iota.iota_reshape_dims))}]{turned}"
    groups = i.replica_groups or i.collective_device_list.replica_groups
    return "{" + ",".join("{" + ",".join(map(str, g.replica_ids)) + "}" for g in groups) + "}" if groups else ""


def _read_groups(i: Proto, text: str) -> None:
    if text.startswith("["):
        shape, _, rest = text.partition("<=")
        dims, _, turned = rest.partition("T")
        iota = i.collective_device_list.iota_replica_group_list
        iota.num_replica_groups, iota.num_devices_per_group = numbers(shape)
        iota.iota_reshape_dims.extend(numbers(dims))
        iota.iota_transpose_perm.extend(numbers(turned) or range(len(iota.iota_reshape_dims)))
        return
    for group in re.findall(r"\{([\d,\s]*)\}", text[1:-1]):
        i.replica_groups.add(replica_ids=numbers(group))


def _pairs(i: Proto) -> str:
    pairs = ",".join(f"{{{pair.source},{pair.target}}}" for pair in i.source_target_pairs)
    return "{" + pairs + "}" if pairs else ""


def _read_pairs(i: Proto, text: str) -> None:
    for source, target in re.findall(r"\{(\d+),\s*(\d+)\}", text):
        i.source_target_pairs.add(source=int(source), target=int(target))


def _precision(i: Proto) -> str:
    values = i.precision_config.operand_precision
    return "{" + ",".join(_PRECISION[v] for v in values) + "}" if any(values) else ""


def _read_precision(i: Proto, text: str) -> None:
    i.precision_config.operand_precision.extend(_PRECISION.index(w) for w in re.findall(r"\w+", text))


def _frontend(i: Proto) -> str:
    pairs = [f"{entry.key}={quoted(entry.value)}" for entry in i.frontend_attributes.map]
    return "{" + ",".join(pairs) + "}" if pairs else ""


def _read_frontend(i: Proto, text: str) -> None:
    for key, value in re.findall(r'([\w.-]+)=("(?:[^"\\]|\\.)*"|[^,{}]+)', text):
        i.frontend_attributes.map.add(key=key, value=unquoted(value))


def _word(
    path: str, words: tuple[str, ...], opcode: str
) -> tuple[Callable[[Proto], str], Callable[[Proto, str], None]]:
    *steps, last = path.split(".")

    def holder(i: Proto) -> Proto:
        return getattr(i, steps[0]) if steps else i

    def write(i: Proto) -> str:
        value = getattr(holder(i), last)
        return words[value] if i.opcode == opcode and value < len(words) else ""

    def read(i: Proto, text: str) -> None:
        setattr(holder(i), last, words.index(text))

    return write, read


def _config(i: Proto) -> str:
    return quoted(i.backend_config.decode("utf-8", "backslashreplace")) if i.backend_config else ""


def _read_config(i: Proto, text: str) -> None:
    i.backend_config = unquoted(text).encode()


def _sharding(i: Proto) -> str:
    from neurontriage.hlo.sharding import text_of

    return text_of(i.sharding) if i.HasField("sharding") else ""


def _read_sharding(i: Proto, text: str) -> None:
    from neurontriage.hlo.sharding import into

    into(i.sharding, text)


_NOTATIONS: dict[str, tuple[Callable[[Proto], str], Callable[[Proto, str], None]]] = {
    "slice": (_slice, _read_slice),
    "padding": (_padding, _read_padding),
    "window": (_window, _read_window),
    "dim_labels": (_dim_labels, _read_dim_labels),
    "replica_groups": (_groups, _read_groups),
    "source_target_pairs": (_pairs, _read_pairs),
    "operand_precision": (_precision, _read_precision),
    "fft_type": _word("fft_type", _FFT, "fft"),
    "distribution": _word("distribution", _DISTRIBUTION, "rng"),
    "algorithm": _word("rng_algorithm", _RNG, "rng-bit-generator"),
    "transpose_a": _word("triangular_solve_options.transpose_a", _TRANSPOSE, "triangular-solve"),
    "api_version": _word("custom_call_api_version", _API, "custom-call"),
    "sharding": (_sharding, _read_sharding),
    "frontend_attributes": (_frontend, _read_frontend),
    "backend_config": (_config, _read_config),
}
