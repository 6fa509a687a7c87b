"""The shapes behind the drawings: causal trees, excerpts, bars and lanes."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from diagnoses import CLEAN, EXIT, FAILED, ROOT, TORCHRUN

from neurontriage.model import Diagnosis, Evidence, Module
from neurontriage.render.chain import chains, excerpts, places
from neurontriage.render.markdown import block, link, plain, span
from neurontriage.render.pages import prose, web
from neurontriage.render.timeline import compiles, lanes, moment
from neurontriage.reports import html
from neurontriage.reports.html import headline, render


def test_a_chain_follows_caused_by() -> None:
    (root, warning) = chains(FAILED.findings)
    assert root.finding is ROOT
    assert root.caused[0].finding is EXIT
    assert root.caused[0].caused[0].finding is TORCHRUN
    assert warning.caused == ()


def test_a_circle_and_a_missing_cause_lose_nothing() -> None:
    one = replace(EXIT, caused_by="RUN-ChildFailed")
    two = replace(TORCHRUN, caused_by="CC-ExitStatus70")
    alone = replace(ROOT, caused_by="nothing-here")
    shown = chains([one, two, alone])
    assert [node.finding for node in shown] == [one, two, alone]


def test_findings_that_share_an_id_are_each_drawn_once() -> None:
    twin = replace(ROOT, title="the same pass on another module")
    shown = chains([ROOT, twin, EXIT])
    assert [node.finding for node in shown] == [ROOT, twin]
    assert [len(node.caused) for node in shown] == [1, 0]
    html = render(replace(FAILED, findings=(ROOT, twin, EXIT)))
    assert html.count('id="finding-1"') == html.count('id="finding-2"') == 1


def test_an_excerpt_has_the_lines_near_the_deciding_one() -> None:
    lines = excerpts(ROOT, places(FAILED.findings))["build.log"]
    assert [(line.line, line.own, line.gap) for line in lines] == [
        (410, True, False),
        (413, False, True),
        (530, True, True),
    ]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-01T00:00:10Z", 10.0),
        ("1970-01-01 00:00:10.500000", 10.5),
        ("1970-01-01 00:00:10,250", 10.25),
        ("yesterday", None),
        ("", None),
        (None, None),
    ],
)
def test_moment(text: str | None, seconds: float | None) -> None:
    assert moment(text) == seconds


def test_compilations_are_placed_in_time_where_all_have_one() -> None:
    drawn = compiles(FAILED.modules)
    assert drawn is not None
    assert drawn.placed
    assert [bar.module.module[:9] for bar in drawn.bars] == ["MODULE_11", "MODULE_12", "MODULE_13"]
    assert all(0 <= bar.x <= bar.x + bar.width <= 1000.01 for bar in drawn.bars)
    assert drawn.counts == (("failed", 1), ("passed", 2), ("cached", 1))
    untimed = compiles((*FAILED.modules, Module("MODULE_9", "passed", 3.0)))
    assert untimed is not None
    assert not untimed.placed
    assert compiles(()) is None


def test_lanes() -> None:
    found = lanes(FAILED)
    assert [lane.rank for lane in found] == [0, 3]
    assert [dot.finding.id for dot in found[1].dots] == [ROOT.id, EXIT.id]
    quiet = replace(EXIT, severity="benign", evidence=(Evidence("x", 1, 1, "t", None, 7),), ranks=(9,))
    assert [(lane.rank, lane.dots) for lane in lanes(Diagnosis((), (quiet,)))] == [(7, ()), (9, ())]
    assert lanes(Diagnosis((), (replace(quiet, ranks=()),))) == ()  # one rank alone is no picture
    assert lanes(CLEAN) == ()


def test_headlines() -> None:
    assert headline(FAILED) == ROOT.title
    assert headline(replace(CLEAN, ended_well=True)) == "No failure found"
    assert headline(CLEAN).startswith("Nothing in it is known")
    assert headline(Diagnosis((), (EXIT,))) == "Something failed; no root cause was recognised"
    assert headline(Diagnosis((), (ROOT, ROOT))).endswith(", and 1 more root cause")
    assert headline(Diagnosis((), (replace(EXIT, severity="warning"),))) == "No failure, 1 warning"


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JAVASCRIPT:x",
        "data:text/html,x",
        "http://a.b",
        "https://a b",
        'https://a"b',
        "//a.b",
        "https://a.b/\nx",
    ],
)
def test_only_plain_https_becomes_a_link(url: str) -> None:
    assert web(url) == ""
    assert "](" not in link(url, "title")


def test_prose_makes_code_and_nothing_else() -> None:
    assert prose("use `a<b` & <i>") == "use <code>a&lt;b</code> &amp; &lt;i&gt;"


@pytest.mark.parametrize("text", ["# x", "- x", "1. x", "+ x", "> x", "=== x", "--- x", "12) x"])
def test_markdown_starts_no_block(text: str) -> None:
    from markdown_it import MarkdownIt

    html = MarkdownIt("gfm-like", {"linkify": False}).render(plain(text))
    assert html.startswith("<p>")
    assert html.count("<") == 2


def test_markdown_fences_are_longer_than_what_is_inside() -> None:
    assert span("a ``b`` c") == "``` a ``b`` c ```"
    assert block("```\nx\n````").startswith("`````\n")


def test_of_many_consequences_a_page_shows_the_first_ones() -> None:
    many = tuple(replace(EXIT, evidence=(EXIT.evidence[0]._replace(line=100 + n),)) for n in range(30))
    page = html.render(replace(FAILED, findings=(ROOT, *many)))
    assert page.count("<summary>22 more</summary>") == 1  # of what followed
    assert page.count("<summary>18 more</summary>") == 1  # of all other findings
    shown = html.render(replace(FAILED, findings=(ROOT, *many[:10])))
    assert " more</summary>" not in shown
    assert len(re.findall(r'<details class="card" id="([^"]+)"', page)) == 30


def shown(*texts: str, at: int) -> list[int]:
    """The numbers of the lines of an excerpt around a deciding line."""
    context = tuple((number, text) for number, text in enumerate(texts, 1) if number != at)
    finding = replace(ROOT, evidence=(Evidence("a.log", at, at, texts[at - 1], context=context),))
    return [one.line for one in excerpts(finding, {})["a.log"]]


def test_of_what_stands_before_a_failure_the_nearest_is_shown_and_its_traceback() -> None:
    steps = [f"step {number}" for number in range(60)]
    frames = [
        "Traceback (most recent call last):",
        *(f'  File "train.py", line {n}' for n in range(9)),
        "ValueError: torn",
    ]
    assert shown(*steps, "ERROR: the file is torn", at=61) == [57, 58, 59, 60, 61]
    assert shown(*steps, *frames, at=71) == [*range(61, 72)]
