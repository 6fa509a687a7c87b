"""Diagnoses as the reports take them: one failed distributed run, one clean log, one that attacks its reader."""

from __future__ import annotations

from dataclasses import replace

from neurontriage.model import Diagnosis, Evidence, Finding, Link, Module, Source, Unparsed, Workaround

LOG = "build.log"

ROOT = Finding(
    id="TEN404-InferIntrinsicOnCC",
    known=True,
    title="The tensorizer cannot infer an intrinsic (InferIntrinsicOnCC)",
    layer="compiler",
    severity="error",
    role="root",
    confidence=0.95,
    count=2,
    fields={"code": "TEN404", "pass": "InferIntrinsicOnCC", "operator": "_sub.83"},
    evidence=(
        Evidence(
            LOG,
            410,
            410,
            "2024-08-15T14:01:19Z [TEN404] (_sub.83) Internal tensorizer error: InferIntrinsicOnCC",
            "2024-08-15T14:01:19Z",
            3,
        ),
        Evidence(
            LOG, 530, 530, "[TEN404] (_sub.83) Internal tensorizer error: InferIntrinsicOnCC", "2024-08-15T14:01:22Z", 0
        ),
    ),
    cause="A loop of subtractions and matrix products gives the tensorizer a pattern it has no intrinsic for.",
    not_proof="The pass name alone does not say which line of the model made the pattern.",
    workarounds=(
        Workaround(
            title="Sum the squares instead of multiplying by the transpose",
            kind="code",
            detail="The same number, without the loop.",
            before="for i in range(n):\n    d = x[i] - y[i]\n    total += d @ d.T",
            after="d = x - y\ntotal = (d * d).sum()",
        ),
        Workaround(title="Use a newer SDK", kind="upgrade", detail="Fixed upstream.", since="SDK 2.20"),
    ),
    links=(Link("https://github.com/aws-neuron/aws-neuron-sdk/issues/947", "InferIntrinsicOnCC on trn1", "closed"),),
    fixed_in={"sdk": "2.20", "neuronx-cc": "2.15"},
    affects="neuronx-cc 2.14.227.0 in this log is affected.",
    repro="TEN404-InferIntrinsicOnCC",
    ranks=(0, 3),
)

EXIT = Finding(
    id="CC-ExitStatus70",
    known=True,
    title="neuronx-cc ended with exit status 70",
    layer="compiler",
    severity="error",
    role="consequence",
    confidence=0.99,
    count=4,
    fields={"status": "70"},
    evidence=(
        Evidence(
            LOG, 413, 413, "Command 'neuronx-cc compile' returned non-zero exit status 70.", "2024-08-15T14:01:20Z", 3
        ),
    ),
    cause="The compiler reports its failure with this status; it says nothing about the reason.",
    caused_by="TEN404-InferIntrinsicOnCC",
    ranks=(0, 3),
)

TORCHRUN = Finding(
    id="RUN-ChildFailed",
    known=True,
    title="torchrun ended the other workers",
    layer="host",
    severity="error",
    role="consequence",
    confidence=0.9,
    count=1,
    fields={},
    evidence=(Evidence(LOG, 600, 604, "torch.distributed.elastic.multiprocessing.errors.ChildFailedError:"),),
    caused_by="CC-ExitStatus70",
)

WARNING = Finding(
    id="XLA-Deprecated",
    known=False,
    title="A deprecated call | with a pipe",
    layer="framework",
    severity="warning",
    role="context",
    confidence=0.5,
    count=120,
    fields={},
    evidence=(Evidence(LOG, 12, 12, "DeprecationWarning: Use torch_xla.device instead"),),
)

USE = "TDRV:log_dev_mem                Failed to allocate 4.000GB (alignment: none, usage: tensors) on ND 0:NC 4"
TABLE = """\
              |          |  Model   |  Model   |          |  Shared  |
              |  TOTAL   |   Code   |Constants | Tensors  |Scratchpad|
ND 0 Overall  | 20.188GB |192.102MB | 82.344KB | 20.000GB |  0.000B  |
\\_NC 4        | 20.094GB | 96.065MB | 58.344KB | 20.000GB |  0.000B  |
  \\_NEFF 1001 |263.906KB | 28.562KB | 34.344KB |   n/a    |   n/a    |
\\_NC 5        | 96.061MB | 96.037MB | 24.000KB |  0.000B  |  0.000B  |""".splitlines()

FULL = replace(
    ROOT,
    id="NRT-DeviceMemoryFull",
    title="Out of device memory (HBM)",
    layer="runtime",
    evidence=(Evidence(LOG, 2, 2, USE, context=tuple(enumerate([USE, *TABLE], 2))),),
)

FAILED = Diagnosis(
    inputs=(Source(LOG, 52011, 613),),
    findings=(ROOT, EXIT, TORCHRUN, WARNING),
    environment={"neuronx-cc": "2.14.227.0+2d4f85be", "sdk": "2.19.1", "target": "trn1", "python": "3.10"},
    modules=(
        Module("MODULE_11+d41d8cd9", "passed", 12.5, "2024-08-15T14:00:01Z"),
        Module("MODULE_12+d41d8cd9", "passed", 41.0, "2024-08-15T14:00:14Z"),
        Module("MODULE_13+d41d8cd9", "failed", 24.2, "2024-08-15T14:00:55Z"),
        Module("MODULE_14+d41d8cd9", "cached"),
    ),
    unparsed=Unparsed(2, ((LOG, 77, "2024-08-15 14:00:02.000001: ERROR ||NEURON_CC_WRAPPER|| …"),)),
    knowledge={"entries": 240, "digest": "sha256:0123"},
)

CLEAN = Diagnosis(inputs=(Source("healthy.log", 900, 12),), findings=())

ATTACKS = (
    "<script>window.pwned=1</script>",
    "<img src=x onerror=window.pwned=1>",
    '" autofocus onfocus="window.pwned=1',
    "' style='position:fixed;inset:0;background:red",
    "</style><style>body{display:none}</style>",
    "</script><script>window.pwned=1</script>",
    "{{ 7*7 }}{% for x in ().__class__.__base__.__subclasses__() %}{{ x }}{% endfor %}",
    "javascript:window.pwned=1",
    "</title><svg onload=window.pwned=1>",
    "<!--<script>window.pwned=1//-->",
    "\x1b[31mred\x1b]0;title\x07\u202egnp.exe\x00",
    "`${window.pwned=1}` ::error::pwned %0A::warning::x ]]> &lt;b&gt; | `a` [x](javascript:alert(1))",
)


def hostile() -> Diagnosis:
    """Every text that a log or a knowledge folder can choose is an attack."""
    text = "\n".join(ATTACKS)
    findings = tuple(
        Finding(
            id=f"EVIL-{number}",
            known=True,
            title=attack,
            layer=attack,
            severity="error",
            role="root" if number % 2 else "consequence",
            confidence=0.9,
            count=1,
            fields={attack: attack},
            evidence=(Evidence(attack, number + 1, number + 1, attack, attack, number),),
            cause=attack,
            not_proof=attack,
            workarounds=(Workaround(attack, attack, attack, text, attack, attack),),
            links=(
                Link(attack, attack, attack),
                Link("javascript:window.pwned=1", attack),
                Link("https://ok.example/", attack),
            ),
            caused_by="EVIL-1" if number % 2 == 0 else None,
            fixed_in={attack: attack},
            affects=attack,
            repro=attack,
            ranks=(number,),
        )
        for number, attack in enumerate(ATTACKS)
    )
    return Diagnosis(
        inputs=tuple(Source(attack, 1, 1) for attack in ATTACKS),
        findings=findings,
        environment={attack: attack for attack in ATTACKS},
        modules=tuple(Module(attack, "failed", 1.0, attack) for attack in ATTACKS),
        unparsed=Unparsed(len(ATTACKS), tuple((attack, 1, attack) for attack in ATTACKS)),
        knowledge={attack: attack for attack in ATTACKS},
        silenced=ATTACKS,
    )
