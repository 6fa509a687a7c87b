"""Whether a pattern is plain language: words that any program may print, with no name of a stack, function or code.

`heartbeat timeout` and `object has no attribute` are; `NCC_EVRF009`, `nrt_init` and `XLA device` are not.
"""

from __future__ import annotations

import builtins
import re

from neurontriage.lines.patterns import weight

_ESCAPED = re.compile(r"\\[bBdDsSwWAZ]|\[\^?[^\]]*\]|\(\?(?:P<\w+>|:|i\))|[{]\d*,?\d*[}]|\\(.)|[.*+?|^$()]")
_TOKEN = re.compile(r"[A-Za-z_][\w./:-]*\w|\d+")
# A token is a name when its spelling is that of code: snake_case, CamelCase, a path, letters with numbers, a number.
_NAME = re.compile(r"\w_\w|[a-z][A-Z]|[A-Z][a-z]+[A-Z]|\w[./:]\w|[A-Za-z]\d|^[A-Z]{3,}$|^\d{2,}$")
_PYTHON = frozenset(dir(builtins)) | {
    "NoneType",
    "__init__",
    "JSONDecodeError",
    "CalledProcessError",
    "FrozenInstanceError",
}
_PYTHONS_OWN = re.compile(
    r"object (?:has no|is not|cannot|does not)|has no attribute|expected \w+ instance|unsupported operand|out of input|"
    r"index out of range|invalid literal|positional argument|got an unexpected keyword|not defined|recursion depth|"
    r"must be (?:str|real)|FrozenInstance|division by zero|not iterable|not callable|not subscriptable|values to unpack"
)
_PRODUCTS = re.compile(
    r"neuron|inferentia|trainium|tensorizer|penguin|\bnki\b|\bneff\b|\bnrta?|\bnd\b|\bxla\b|\bxrt\b|\bhlo\b|torch|tensorflow|mxnet|"
    r"jax|vllm|optimum|transformers|hugging|\befa\b|\bnccl\b|\bcuda\b|\bdkms\b|dpkg|\bapt\b|\bpip\b|kube|docker|slurm|"
    r"nccom|\blnc\b|collectives?\b|srun|mpirun|ray\b|protobuf|numpy|libfabric|gunicorn|pytest|sagemaker|onnx|keras|triton|glibc|kernel|oom",
    re.IGNORECASE,
)


LEAST_OF_PLAIN = 20
"""A plain pattern of so many literal characters is a sentence of its own, unless it is one of Python's."""


def plain(pattern: str) -> bool:
    """Whether a pattern holds for lines of any program: short plain words, or a message of Python itself."""
    return _plain_words(pattern) and (weight(pattern) < LEAST_OF_PLAIN or bool(_PYTHONS_OWN.search(pattern)))


def _plain_words(pattern: str) -> bool:
    """Whether a pattern holds no product and no name spelled like code but Python's own."""
    text = _ESCAPED.sub(lambda found: found[1] if found[1] else " ", pattern)
    if _PRODUCTS.search(pattern) or _PRODUCTS.search(text):
        return False
    return not any(_NAME.search(token) for token in _TOKEN.findall(text) if token not in _PYTHON)
