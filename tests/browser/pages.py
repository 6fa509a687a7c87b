"""The pages that the browser tests open."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / room) for room in ("analysis", "measure", "preflight", "reports")]

from diagnoses import ATTACKS, CLEAN, EXIT, FAILED, FULL, hostile  # noqa: E402
from entries import RELEASES, entry_of  # noqa: E402
from measured_documents import hostile as hostile_measurement  # noqa: E402
from measured_documents import whole  # noqa: E402
from preflights import hostile as hostile_preflight  # noqa: E402
from preflights import whole as whole_preflight  # noqa: E402

from neurontriage.analysis.compare import compared  # noqa: E402
from neurontriage.analysis.formats import html as analysis_html  # noqa: E402
from neurontriage.analysis.join import Facts, analyse  # noqa: E402
from neurontriage.analysis.model import Analysis  # noqa: E402
from neurontriage.analysis.result import load, of_document  # noqa: E402
from neurontriage.measure.formats import html as measure_html  # noqa: E402
from neurontriage.preflight.formats import html as preflight_html  # noqa: E402
from neurontriage.reports import html as diagnosis_html  # noqa: E402
from neurontriage.triage import explain_text  # noqa: E402

SAMPLES = HERE.parents[1] / "samples" / "analyze"
FACTS = Facts(entry_of, RELEASES)


def sample(name: str) -> Analysis:
    return analyse(load(SAMPLES / f"{name}.json"), FACTS)


def many(number: int) -> dict[str, Any]:
    """A report of so many operators, every tenth refused."""
    refused = range(0, number, 10)
    return {
        "neuronx_cc_version": "2.5.0.28+1be23f232",
        "support_percentage": "90.00%",
        "supported_operators": {"aten": {f"aten::op_{n}": n % 97 + 1 for n in range(number) if n % 10}},
        "unsupported_operators": {
            "aten": [
                {"kind": f"aten::op_{n}", "failureAt": "neuronx-cc", "call": f"layer_{n % 40}.py {n}"} for n in refused
            ],
            "xla": [
                {"hlo_instruction": "c64[4]{0} multiply(c64[4]{0}, c64[4]{0})", "aten_op": f"aten::op_{n}"}
                for n in refused
            ],
        },
    }


def evil() -> dict[str, Any]:
    """A report in which every text is an attack."""
    unsupported = [
        {"kind": text, "failureAt": text, "call": f"{text}({7}): {text}", "opGraph": text} for text in ATTACKS
    ]
    return {
        "torch_neuronx_version": ATTACKS[0],
        "neuronx_cc_version": ATTACKS[1],
        "support_percentage": ATTACKS[2],
        "supported_operators": {"aten": dict.fromkeys(ATTACKS, 1), "xla": list(ATTACKS)},
        "unsupported_operators": {
            "aten": unsupported,
            "xla": [{"hlo_instruction": text, "aten_op": text} for text in ATTACKS],
        },
        ATTACKS[3]: ATTACKS[4],
    }


def made(data: dict[str, Any], name: str = "result.json") -> Analysis:
    return analyse(of_document(name, data), FACTS)


def report_page() -> str:
    return analysis_html.render(compared(sample("training-unsupported-verbosity-1"), sample("training-supported")))


def wide_page() -> str:
    return analysis_html.render(sample("made-many-limits"))


def log_page() -> str:
    return analysis_html.render(replace(sample("training-unsupported"), log=FAILED))


def big_page() -> str:
    return analysis_html.render(made(many(20_000)))


def folded_page() -> str:
    return analysis_html.render(made(many(200)))


def evil_report_page() -> str:
    now = replace(made(evil(), ATTACKS[0]), log=hostile())
    return analysis_html.render(compared(now, made({"supported_operators": {}}, ATTACKS[4])))


def diagnosis_page() -> str:
    return diagnosis_html.render(FAILED)


def clean_page() -> str:
    return diagnosis_html.render(CLEAN)


def evil_diagnosis_page() -> str:
    return diagnosis_html.render(hostile())


def memory_page() -> str:
    benign = replace(EXIT, id="X-Harmless", severity="benign", role="context", caused_by=None)
    return diagnosis_html.render(replace(FAILED, findings=(FULL, EXIT, benign)))


def sample_page(name: str) -> str:
    """The page of a sample log."""
    return diagnosis_html.render(explain_text((SAMPLES.parent / f"{name}.log").read_text(), f"{name}.log"))


def measure_page() -> str:
    return measure_html.render(whole())


def evil_measure_page() -> str:
    return measure_html.render(hostile_measurement(list(ATTACKS)))


def preflight_page() -> str:
    return preflight_html.render(whole_preflight())


def evil_preflight_page() -> str:
    return preflight_html.render(hostile_preflight(ATTACKS))


PAGES = {
    "diagnosis-memory": memory_page,
    "report": report_page,
    "report-many-limits": wide_page,
    "report-with-log": log_page,
    "report-folded": folded_page,
    "diagnosis": diagnosis_page,
    "diagnosis-clean": clean_page,
    "measure": measure_page,
    "preflight": preflight_page,
}
EVIL = {
    "report": evil_report_page,
    "diagnosis": evil_diagnosis_page,
    "measure": evil_measure_page,
    "preflight": evil_preflight_page,
}
