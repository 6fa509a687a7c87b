"""What a page shows on paper, in a real browser: what matters, on two pages."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest
from pages import PAGES, memory_page, sample_page, wide_page

pytestmark = pytest.mark.browser

Open = Callable[..., Any]


@pytest.mark.parametrize("name", ["report", "diagnosis"])
def test_print_shows_what_matters_on_white(page: Open, name: str) -> None:
    opened = page(PAGES[name](), dark=True, media="print")
    assert opened.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not any(element.is_displayed() for element in opened.all(".controls, .copy, nav"))
    opened.run("dispatchEvent(new Event('beforeprint'))")
    assert not any(element.is_displayed() for element in opened.all("#others .inside"))
    assert opened.one("h1").is_displayed()
    pages = base64.b64decode(opened.driver.print_page()).count(b"/Type /Page\n")
    assert 1 <= pages <= 2


def test_a_table_of_the_log_and_four_ways_out_print_on_two_pages(page: Open) -> None:
    opened = page(memory_page(), media="print")
    opened.run("dispatchEvent(new Event('beforeprint'))")
    assert opened.all(".log li") and opened.all(".fixes > li")
    assert base64.b64decode(opened.driver.print_page()).count(b"/Type /Page\n") <= 2


@pytest.mark.parametrize(
    "sample",
    [
        "compiler-user/peak-hbm-training",
        "compiler-user/instructions-unroll",
        "compiler-internal/ten404-loop",
        "chains/TEN404-NoPass",
    ],
)
def test_six_to_eight_ways_out_print_on_two_pages(page: Open, sample: str) -> None:
    """Each with its words, the first two with their code; what the chain tells is not told again."""
    opened = page(sample_page(sample), media="print")
    opened.run("dispatchEvent(new Event('beforeprint'))")
    fixes = opened.all("#causes .fixes > li")
    assert len(fixes) >= 6 and all(fix.is_displayed() for fix in fixes)
    assert opened.one("#chain").is_displayed() and not opened.one("#others").is_displayed()
    assert base64.b64decode(opened.driver.print_page()).count(b"/Type /Page\n") <= 2


def test_a_report_with_five_reasons_prints_on_two_pages(page: Open) -> None:
    """With every way out; what the table says already, and what compiles, stays on the screen."""
    opened = page(wide_page(), media="print")
    opened.run("dispatchEvent(new Event('beforeprint'))")
    assert len(opened.all("#reasons .card")) == 5
    assert all(fix.is_displayed() for fix in opened.all("#reasons .fixes > li"))
    assert [row.get_attribute("data-support") for row in opened.all("#operators tbody tr") if row.is_displayed()].count(
        "supported"
    ) == 0
    assert base64.b64decode(opened.driver.print_page()).count(b"/Type /Page\n") <= 2
