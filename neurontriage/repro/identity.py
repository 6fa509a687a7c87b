"""Is it the same failure? The entry, the printed code, the operator or pass it names, and its normalised message."""

from __future__ import annotations

import re
from dataclasses import dataclass

from neurontriage.model import Diagnosis, Finding
from neurontriage.repro.case import Case

VARYING = re.compile(r"0x[0-9a-f]+|/[^\s'\"]+|\d{4}-\d\d-\d\dT\S+|(?<![A-Za-z_0-9])\d[\d.,:]*|(?<=[a-z_])\.\d+", re.I)
"""Addresses, paths, times, numbers, the counters behind instruction names."""
CODE = re.compile(r"^NCC-(?P<code>[A-Z]+\d+)")


@dataclass(frozen=True, slots=True)
class Signature:
    """One failure as a log states it."""

    entry: str
    code: str
    text: str

    @property
    def message(self) -> str:
        """The deciding line without what changes from run to run."""
        return " ".join(VARYING.sub("#", self.text).split())


def signature(diagnosis: Diagnosis) -> Signature | None:
    """Of the first root cause; None when the log shows no failure."""
    root = next(iter(diagnosis.roots), None)
    if root is None:
        return None
    return Signature(root.id, root.fields.get("code", ""), _deciding(root))


def difference(case: Case, found: Signature | None) -> str:
    """Why a failure is another than the one that the case is about; empty when it is the same."""
    if found is None:
        return "no failure is named in the log"
    entry, code = case.NEEDS.entry or case.ID, expected_code(case.ID)
    if found.entry != entry:
        return f"{found.entry}, not {entry}"
    printed = found.code.upper().replace("-", "_").removeprefix("NCC_")
    if (code and not code.endswith(printed)) or (case.NEEDS.entry and not printed):
        return f"the code is {found.code or 'not printed'}, not {code}"
    subject = case.NEEDS.subject
    if subject and not any(_plain(each) in _plain(found.text) for each in subject):
        return f"the message is not about {' or '.join(subject)}: {found.message[:200]}"
    return ""


def expected_code(case_id: str) -> str:
    """The code that neuronx-cc prints for a case; empty where the id says it all (a pass goes by many codes)."""
    match = CODE.match(case_id)
    return f"NCC_{match['code']}" if match else ""


def _deciding(root: Finding) -> str:
    return " ".join(evidence.text for evidence in root.evidence[:3])


def _plain(text: str) -> str:
    return text.lower().replace("-", "_")
