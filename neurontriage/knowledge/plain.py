"""Whether a pattern is plain language: words that any program may print, with no name of a stack, function or code.

`heartbeat timeout` and `object has no attribute` are; `NCC_EVRF009`, `nrt_init` and `XLA device` are not.
"""

from __future__ import annotations

import builtins
import re

_ESCAPED = re.compile(r"\\[bBdDsSwWAZ]|\[\^?[^\]]*\]|\(\?(?:P<\w+>|:|i\))|[{]\d*,?\d*[}]|\\(.)|[.*+?|^$()]")
_TOKEN = re.compile(r"[A-Za-z_][\w./:-]*\w|\d+")
# A token is a name when its spelling is that of code: snake_case, CamelCase, a path, letters with numbers, a number.
_NAME = re.compile(r"\w_\w|[a-z][A-Z]|[A-Z][a-z]+[A-Z]|\w[./:]\w|[A-Za-z]\d|^[A-Z]{3,}$|^\d{2,}$")
_PYTHON = frozenset(dir(builtins)) | {"NoneType", "__init__", "JSONDecodeError", "CalledProcessError"}
_PRODUCTS = re.compile(
    r"neuron|inferentia|trainium|tensorizer|penguin|\bnki\b|\bneff\b|\bnrt\b|\bxla\b|\bxrt\b|\bhlo\b|torch|tensorflow|mxnet|"
    r"jax|vllm|optimum|transformers|hugging|\befa\b|\bnccl\b|\bcuda\b|\bdkms\b|dpkg|\bapt\b|\bpip\b|kube|docker|slurm|"
    r"srun|mpirun|ray\b|protobuf|numpy|libfabric|gunicorn|pytest|sagemaker|onnx|keras|triton|glibc|kernel|oom",
    re.IGNORECASE,
)


def plain(pattern: str) -> bool:
    """Whether a pattern holds for lines of any program: no product, no name spelled like code but Python's own."""
    text = _ESCAPED.sub(lambda found: found[1] if found[1] else " ", pattern)
    if _PRODUCTS.search(text):
        return False
    return not any(_NAME.search(token) for token in _TOKEN.findall(text) if token not in _PYTHON)
