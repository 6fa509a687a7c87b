"""What launchers, loggers and terminals put in front of a payload: stripped again and again, kept as fields."""

from __future__ import annotations

import re

from neurontriage.model import Prefix

_LEVEL = r"(?P<level>TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|FATAL)"
_ISO = r"(?P<time>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)"
_CLOCK = r"\d\d:\d\d:\d\d(?:[.,]\d+)?"

# One alternative per launcher or logger, the name of the tool beside it; each is tried at the start of the
# text until none fits, so they nest in any order.
_SHAPES = (
    r"\[?[Rr]ank[ :_]?(?P<rank>\d+)\]?:\s?",  # torch 2.2+, hand-made loggers
    r"\[(?:default|stdout|stderr)?(?P<rank>\d+)\]:",  # torchrun --tee, deepspeed
    r"\[\d+,(?:mpirank:)?(?P<rank>\d+)(?:,[\w.-]+)?\](?:<\w+>)?:\s?",  # mpirun --tag-output, SageMaker MPI
    r"(?P<rank>\d{1,5}): (?=\S)",  # srun --label
    r"\((?P<process>[\w.]+(?:\([^)]*\))?) (?:rank=(?P<rank>\d+),? ?)?pid=\d+(?:, ip=(?P<host>[\w.:-]+))?\)\s?",  # Ray, vLLM
    r"\(pid=\d+(?:, ip=(?P<host>[\w.:-]+))?\)\s?",  # Ray
    r"\((?:raylet|autoscaler|scheduler|APIServer|EngineCore_?\w*|Worker_?\w*)(?: pid=\d+)?(?:, ip=[\w.]+)?\)\s?",  # Ray, vLLM
    r"\[repeated \d+x across cluster\]\s?",  # Ray
    _LEVEL + r" \d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? \[?[\w./-]+:\d+\]\s?",  # vLLM
    r"\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:[.,]\d+)?\] " + _LEVEL + r"\s+[\w./-]+:\d+: ",  # vllm-neuron
    r"\[" + _ISO + r": [IWEFD] [\w./-]+:\d+\]\s?",  # neuronx-distributed
    r"\[\w+ [IWE] \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [\w.]+:\d+\]\s?",  # NeMo
    r"\[" + _ISO + r"\]\[(?P<host>[\w.-]+)\]\[\w+\]\[" + _LEVEL + r"\] - ",  # Hydra, Lightning
    r"\[" + _ISO + r"\]\s?(?:\[" + _LEVEL + r"\s*\]\s?)?(?:[\w.]+: |- )?",  # brackets around the time
    _ISO + r" \| " + _LEVEL + r"\s+\| [\w.:<>]+(?:\:\d+)? - ",  # loguru
    _ISO
    + r"\s*(?:::|-|\|)\s*(?:[A-Za-z_][\w.]*\s*(?:-|\|)\s*)?"
    + _LEVEL
    + r"\s*(?:::?|-|\|)\s*(?:[A-Za-z_][\w.]* (?:-|\|) )?",  # logging
    _ISO + r" \[" + _LEVEL + r"\s*\]\s+(?:[\w.-]+\s+)*(?:[\w.]+ - )?",  # TorchServe, MMS
    _ISO + r" (?:stdout|stderr) [FP] ",  # CRI, kubectl from the node
    _ISO + r"\s+(?P<host>(?:ip|algo|node)[-\w.]*)\s+",  # CloudWatch, journald with ISO times
    _ISO + r"(?:Z|\+00:00)?\s(?=\S)(?!(?:INFO|USER|ERROR|WARNING|DEBUG|FATAL)\b|\[|Non-signal)",  # kubectl --timestamps
    r"\["
    + _LEVEL
    + r"\s*\] (?:(?:[\w-]+-std(?:out|err)|PyProcess|PythonWorker|W-\d+[\w.-]*)\s)*(?:[\w.]+ )?-\s",  # TorchServe, DJL
    _LEVEL + r"\s+(?:PyProcess|PyPredictor|WorkerThread)\s+(?:W-\d+[\w.-]*(?:std(?:out|err))?:\s)?",  # DJL Serving
    r"com\.amazonaws\.[\w.]+ - ",  # multi-model-server
    _LEVEL + r":\s{1,5}(?=\S)",  # uvicorn
    _LEVEL + r":(?!Neuron:|tensorflow:)[\w.]+:(?=\S)",  # logging's default format
    r"(?:[A-Z][a-z]{2}\s+\d+ " + _CLOCK + r") (?P<host>[\w.-]+) (?P<process>[\w./-]+)(?:\[\d+\])?: ",  # syslog
    r"\[\s*\d+\.\d{6}\]\s?",  # dmesg
    r"kernel: ",
    r"\[pod/(?P<host>[\w.-]+)/[\w.-]+\]\s",  # kubectl logs --prefix
    r"(?P<host>(?:ip-\d+-\d+-\d+-\d+|algo-\d+|node-?\d+)[\w.-]*):\s",  # pdsh, clush
    r"(?P<process>[\w./-]+-\d+)\s+\| ",  # docker compose
    r"[\w.-]+\s+\|\s",  # docker compose, one service
    r"(?:>\s?)+(?=\S)",  # quoted in a mail or an issue
    r"[E>]   (?=\S)",  # pytest
    r"#\d+ \d+\.\d+ ",  # docker buildx
    r"\.+(?=[^.\s])",  # the compiler's progress dots
    r"[^\r\n]{0,200}?\d+%\|[^|]*\|[^\]]*\](?:\s*,?\s*)(?=\S)",  # tqdm
    r"(?:- )?\[x\d+\] ",
)
_SHAPE = tuple(re.compile(shape) for shape in _SHAPES)
_STARTS = re.compile(r"[\[(\d.>E#\w ]")
_MOST = 12


def strip(text: str) -> Prefix:
    """One line → its payload and what stood in front of it.

    Nothing that a log family itself starts with is taken (compiler, runtime and glog times stay).
    """
    kept: dict[str, str] = {}
    payload = text
    for _ in range(_MOST):
        shorter = _once(payload, kept)
        if shorter == payload:
            break
        payload = shorter
    rank = kept.get("rank")
    return Prefix(
        payload=payload,
        rank=int(rank) if rank else None,
        host=kept.get("host"),
        time=kept.get("time"),
        process=kept.get("process"),
        level=kept.get("level"),
    )


def _once(text: str, kept: dict[str, str]) -> str:
    if not _STARTS.match(text):
        return text
    for shape in _SHAPE:
        found = shape.match(text)
        if found and found.end():
            for name, value in found.groupdict().items():
                if value is not None:
                    kept.setdefault(name, value)
            return text[found.end() :]
    return text
