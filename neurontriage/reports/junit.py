"""Diagnosis → JUnit XML that CI systems show: a failed test case per error, a passed one for a clean log."""

from __future__ import annotations

import re
from xml.etree import ElementTree as xml

from neurontriage.model import Diagnosis, Finding
from neurontriage.render.text import printable

MEDIA = "application/xml"
# XML 1.0 has no way to write these, not even escaped
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(diagnosis: Diagnosis) -> str:
    """One suite; warnings are passed cases whose output tells them."""
    cases = [finding for finding in diagnosis.findings if finding.severity != "benign"]
    failures = sum(finding.severity == "error" for finding in cases)
    total = {"tests": str(len(cases) or 1), "failures": str(failures), "errors": "0", "skipped": "0"}
    root = xml.Element("testsuites", {"name": "neurontriage", **total})
    suite = xml.SubElement(root, "testsuite", {"name": "neurontriage", **total, "time": "0"})
    _properties(suite, diagnosis)
    for finding in cases:
        _case(suite, finding)
    if not cases:
        xml.SubElement(suite, "testcase", {"classname": "neurontriage", "name": "no failure found", "time": "0"})
    xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(root, encoding="unicode") + "\n"


def _properties(suite: xml.Element, diagnosis: Diagnosis) -> None:
    if diagnosis.environment:
        properties = xml.SubElement(suite, "properties")
        for name, value in diagnosis.environment.items():
            xml.SubElement(properties, "property", {"name": _text(name), "value": _text(value)})


def _case(suite: xml.Element, finding: Finding) -> None:
    attributes = {"classname": _text(f"neurontriage.{finding.layer}"), "name": _text(f"{finding.id}: {finding.title}")}
    if finding.evidence:
        attributes |= {"file": _text(finding.evidence[0].path), "line": str(finding.evidence[0].line)}
    case = xml.SubElement(suite, "testcase", {**attributes, "time": "0"})
    if finding.severity == "error":
        failure = xml.SubElement(case, "failure", {"message": _text(finding.title), "type": _text(finding.id)})
        failure.text = _text(_story(finding))
    else:
        xml.SubElement(case, "system-out").text = _text(_story(finding))


def _story(finding: Finding) -> str:
    """Why, where, what helps."""
    lines = [finding.cause] if finding.cause else []
    lines += [f"A consequence of {finding.caused_by}."] if finding.caused_by else []
    lines += [f"{evidence.path}:{evidence.line}: {evidence.text}" for evidence in finding.evidence]
    lines += [f"- {item.title}" + (f": {item.detail}" if item.detail else "") for item in finding.workarounds]
    lines += [link.url for link in finding.links]
    return "\n".join(lines)


def _text(text: str) -> str:
    return _NOT_XML.sub("�", printable(text))
