"""Diagnosis → JUnit XML that CI systems show: a failed test case for each cause, a passed one for a clean log."""

from __future__ import annotations

import re
from xml.etree import ElementTree as xml

from neurontriage.model import Diagnosis
from neurontriage.render.folding import Cause, causes, story
from neurontriage.render.text import printable
from neurontriage.render.timeline import moment

# XML 1.0 has no way to write these, not even escaped
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d")


def render(diagnosis: Diagnosis) -> str:
    """One suite; warnings are passed cases whose output tells them."""
    cases = causes(diagnosis)
    failures = sum(cause.finding.severity == "error" for cause in cases)
    total = {"tests": str(len(cases) or 1), "failures": str(failures), "errors": "0", "skipped": "0"}
    seconds = f"{sum(module.seconds or 0 for module in diagnosis.modules):.3f}"
    root = xml.Element("testsuites", {"name": "neurontriage", **total, "time": seconds})
    suite = xml.SubElement(root, "testsuite", {"name": "neurontriage", **total, "time": seconds, **_when(cases)})
    _properties(suite, diagnosis)
    for cause in cases:
        _case(suite, cause)
    if not cases:
        xml.SubElement(suite, "testcase", {"classname": "neurontriage", "name": "no failure found", "time": "0"})
    xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(root, encoding="unicode") + "\n"


def _when(cases: tuple[Cause, ...]) -> dict[str, str]:
    """When the log says that it first failed, in the form that JUnit's schema asks for."""
    times = [e.time for cause in cases for e in cause.finding.evidence if moment(e.time) is not None and e.time]
    found = _TIME.match(min(times)) if times else None
    return {"timestamp": found[0].replace(" ", "T")} if found else {}


def _properties(suite: xml.Element, diagnosis: Diagnosis) -> None:
    if diagnosis.environment:
        properties = xml.SubElement(suite, "properties")
        for name, value in diagnosis.environment.items():
            xml.SubElement(properties, "property", {"name": _text(name), "value": _text(value)})


def _case(suite: xml.Element, cause: Cause) -> None:
    finding = cause.finding
    attributes = {"classname": _text(f"neurontriage.{finding.layer}"), "name": _text(f"{finding.id}: {finding.title}")}
    if finding.evidence:
        attributes |= {"file": _text(finding.evidence[0].path), "line": str(finding.evidence[0].line)}
    case = xml.SubElement(suite, "testcase", {**attributes, "time": "0"})
    told = _text("\n".join(story(cause)))
    if finding.severity == "error":
        xml.SubElement(case, "failure", {"message": _text(finding.title), "type": _text(finding.id)}).text = told
    else:
        xml.SubElement(case, "system-out").text = told


def _text(text: str) -> str:
    return _NOT_XML.sub("�", printable(text))
