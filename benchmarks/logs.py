"""Logs with the line mix of real jobs, made from seeds: the same bytes for the same seed and size.

Measured on 190 healthy and 185 failing logs: lines of 130 bytes, of which 9 % (healthy) and 23 % (failing) are touched
by a pattern: versions in paths, warnings that come again and again, cache hits, frames. The lines are composed, the
shares are those of the logs.

    python benchmarks/logs.py healthy|dense|again|tracebacks|ranks|bars|line MEGABYTES FILE [SEED]
"""

from __future__ import annotations

import itertools
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from neurontriage.facts.restarts import restarts
from neurontriage.read.pasted import meant

# ruff: noqa: E501 - lines of logs
SAMPLES = Path(__file__).parent.parent / "samples"
VENV = "/opt/aws_neuronx_venv_pytorch_2_8/lib/python3.10/site-packages"
CAUSE = "2026-Mar-01 10:00:00.123456 4711:4711 ERROR  TDRV:dmem_alloc_internal   Failed to alloc DEVICE memory: 34359738368\n"
# (weight, line): N outside of words is a digit, HHHH a hexadecimal word. The weights are shares of lines.
HEALTHY = [
    (90, "  NN%|########## | NN/NNN [00:NN<00:NN, NN.NNit/s, loss=N.NNN]"),
    (120, "2026-04-23T19:15:NNZ INFO NNNNNN (nc0N/sg0N) [ModuleForkPass]: Output has N module(s), N function(s), NN memory"),
    (110, "2026-04-29T21:03:NNZ INFO NNNNNN (nc00/sg00) [OrderColumnTiledMMs]: Added ordered dependency from I-N_inst to I-NNN"),
    (110, "2026-02-11T04:02:NNZ INFO NNNN [ConstantPropagate]: directly remove instruction number: NNN"),
    (100, "2026-04-23T19:15:NNZ INFO NNNNNN (nc01/sg00) [InlineNKIKernel]: remove_redundant_alias_dmacopy removed N DMAcopys"),
    (90, "2026-07-NN 05:32:NN,NNN - trainer - step NNNN loss N.NNNN lr 0.0001 tokens_per_sec NNNN.NN grad_norm N.NNNNN"),
    (80, "{'loss': N.NNNN, 'learning_rate': 0.0001, 'grad_norm': N.NNNNNN, 'epoch': N.NN, 'train/step_time': NNNN.NN}"),
    (60, "2026-Nov-02 10:00:NN.NNNNNN NNNNN:NNNNN  INFO  TDRV:hwdecode   CAM NN entry HHHH"),
    (60, 'INFO:     127.0.0.1:NNNNN - "POST /v1/completions HTTP/1.1" 200 OK'),
    (50, "The Python AST is located at: /tmp/klir_binaries/nki_rmsnorm_kernel_isa_HHHH/nki_rmsnorm_HHHH_python_ast.klir"),
    (40, "=========== messages from kernel tracing qwen_with_nki.nki_rmsnorm_kernel ==========="),
    (30, "[2026-07-31 14:56:NN.NNN: I neuronx_distributed/parallel_layers/parallel_state.py:NNN] > initializing with size NN"),
    (30, f"{VENV}/neuronx_distributed/modules/moe/blockwise.py:NNN: DeprecationWarning: torch_neuronx.nki_jit is deprecated"),
    (22, "Found torch.float32 weights in checkpoint: layers.NN.mlp.weight. Will convert to torch.bfloat16"),
    (16, "WARNING:Neuron:TP degree (N) and KV heads (N) are not divisible. Overriding attention sharding strategy to GQA"),
    (8, "2026-10-22 01:44:NN.NNNNNN:  NNNNNNN  INFO ||NEURON_CC_WRAPPER||: Using a cached neff at /var/tmp/c/MODULE_NNN/m.neff"),
    (6, "2026-10-22 01:44:NN.NNNNNN:  NNNNNNN  INFO ||NEURON_CACHE||: Compile cache path: /var/tmp/neuron-compile-cache"),
    (8, "NNNN-NN-NN: retry N after ConnectionError: the hub did not answer, will try again in N s"),
    (6, "2026-Nov-02 10:00:NN.NNNNNN NNNNN:NNNNN [N] nccl_net_ofi_init:NNN CCOM WARN NET/OFI aws-ofi-nccl initialization failed"),
]  # fmt: skip
TRACEBACK = """Traceback (most recent call last):
  File "/home/ubuntu/job/train.py", line NNN, in <module>
    main(parse())
  File "/home/ubuntu/job/train.py", line NNN, in main
    loss = step(model, batch)
  File "VENV/torch/nn/modules/module.py", line NNNN, in _call_impl
    return forward_call(*args, **kwargs)
  File "VENV/torch_xla/core/xla_model.py", line NNN, in mark_step
    torch_xla._XLAC._xla_step_marker(
RuntimeError: worker NN: queue entry HHHH was dropped
""".replace("VENV", VENV)
QUEUE = "queue of 2026-04-23: failing jobs are started one after the other\nqueue: their output follows as it comes\n"
"""How a log of failing jobs begins, and begins nowhere again: the next ones are no run of their own."""
RUN = 2 << 20
"""Bytes of each of several runs."""
_HOLES = re.compile(r"(?<![A-Za-z])N+(?![A-Za-z])|N+(?=it/s|Z)|HHHH")


def filled(text: str, chance: random.Random) -> str:
    """A template with numbers and words put in."""

    def number(hole: re.Match[str]) -> str:
        size = len(hole[0])
        return f"{chance.randrange(1 << 32):08x}" if hole[0] == "HHHH" else f"{chance.randrange(10**size):0{size}}"

    return _HOLES.sub(number, text)


def healthy(chance: random.Random) -> Iterator[str]:
    weights, lines = zip(*HEALTHY, strict=True)
    while True:
        yield filled(chance.choices(lines, weights)[0], chance) + "\n"


def of_ranks(count: int, size: int, seed: int = 7) -> Iterator[str]:
    """The logs of the ranks of one job: each prints the same lines with clocks, process numbers and values of its own."""
    weights, lines = zip(*HEALTHY, strict=True)
    job = random.Random(seed).choices(lines, weights, k=size // 80)
    for rank in range(count):
        chance = random.Random(f"{seed} {rank}")
        yield "".join(filled(line, chance) + "\n" for line in job)[:size]


def dense(chance: random.Random) -> Iterator[str]:
    """Failing jobs one after the other: every sample of a failure between healthy lines.

    Logs with a shell's prompt, or in which a job is started again, are left out: they make it a log of several runs (`again`).
    So are those with signs that a browser put in: they would make the whole log a pasted one, of fewer bytes than the file.
    """
    found = sorted(path for path in SAMPLES.rglob("*") if path.suffix in (".log", ".txt"))
    samples = [path for path in found if not {"benign", "runs"} & {*path.parts} and b"\0" not in path.read_bytes()]
    texts = [path.read_text(errors="replace") for path in samples]
    texts = [text for text in texts if "$ " not in text and not any(restarts(text.encode(), 0))]
    texts = [text for text in texts if meant(text.encode()) == text.encode()]
    others = healthy(chance)
    while True:
        text = chance.choice(texts)
        yield text if text.endswith("\n") else text + "\n"
        yield from (next(others) for _ in range(2 * text.count("\n")))


def again(chance: random.Random) -> Iterator[str]:
    """A failing job that is typed at a prompt again and again: a log of many runs, each of which is read for itself."""
    lines = dense(chance)
    for number in itertools.count():
        yield f"(venv) ubuntu@ip-172-31-4-7:~/job$ python train.py --seed {number}\n"
        size = 0
        while size < RUN:
            text = next(lines)
            size += len(text)
            yield text


def tracebacks(chance: random.Random) -> Iterator[str]:
    while True:
        yield filled(TRACEBACK, chance)


def ranks(chance: random.Random) -> Iterator[str]:
    for line in healthy(chance):
        yield f"[rank{chance.randrange(64)}]: {line}"


def bars(chance: random.Random) -> Iterator[str]:
    while True:
        yield filled("  NN%|########## | NN/NNN [00:NN<00:NN, NN.NNit/s]\r" * 60, chance) + "\n"


def line(chance: random.Random) -> Iterator[str]:
    """One line without an end."""
    while True:
        yield filled("tensor HHHH of shape [NN, NN] and ", chance)


KINDS: dict[str, Callable[[random.Random], Iterator[str]]] = {
    one.__name__: one for one in (healthy, dense, again, tracebacks, ranks, bars, line)
}


def written(kind: str, megabytes: float, path: Path, seed: int = 7) -> Path:
    """Write a log in a process of its own: what this one takes counts as memory of every program that it starts."""
    subprocess.run([sys.executable, __file__, kind, str(megabytes), str(path), str(seed)], check=True)
    return path


def write(kind: str, megabytes: float, path: Path, seed: int = 7) -> Path:
    """Write a log of a kind; of all but `tracebacks` and `line`, one failure stands 200 kB before the end."""
    chance = random.Random(seed)
    piece = _piece(KINDS[kind](chance), min(4 << 20, int(megabytes * (1 << 20))))
    with path.open("w") as target:
        target.write(QUEUE if kind == "dense" else "")
        while target.tell() < megabytes * (1 << 20) - (200 << 10):
            target.write(_again(piece, chance))
        if kind not in ("tracebacks", "line"):
            target.write(CAUSE)
        target.write(piece[: 200 << 10].rpartition("\n")[0] + "\n" if kind != "line" else piece[: 200 << 10])
    return path


def _piece(lines: Iterator[str], size: int) -> str:
    parts: list[str] = []
    total = 0
    while total < size:
        parts.append(next(lines))
        total += len(parts[-1])
    return "".join(parts)


def _again(piece: str, chance: random.Random) -> str:
    """The piece with other digits, the same length and shape: cheaper than to compose it anew."""
    digits = list("0123456789")
    chance.shuffle(digits)
    shift = str.maketrans("0123456789", "".join(digits))
    return re.sub(r"(?<=[ =])\d{3,}(?=[ .,\n])", lambda found: found[0].translate(shift), piece)


if __name__ == "__main__":
    write(sys.argv[1], float(sys.argv[2]), Path(sys.argv[3]), *map(int, sys.argv[4:5]))
