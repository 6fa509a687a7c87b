"""Writes the pictures of docs/screenshots/: `python tests/browser/screenshots.py` in a checkout with Chromium."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from conftest import OPTIONS, Page, program
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from neurontriage.cli import build, run

ROOT = Path(__file__).parents[2]
TARGET = ROOT / "docs" / "screenshots"
TALLEST = 4000
PAGES = {
    "report": ("report", "training-unsupported-verbosity-1.json", "--compare", "training-supported.json", "--html"),
    "diagnosis": ("explain", "../compiler-user/peak-hbm-training.log", "--format", "html"),
}
LOOKS = ((1280, False), (1280, True), (400, False), (400, True))


def main() -> None:
    """Both pages, 1280 and 400 px wide, light and dark."""
    options = webdriver.ChromeOptions()
    options.binary_location = program("chromium")
    with tempfile.TemporaryDirectory() as name:
        for option in (*OPTIONS, f"--user-data-dir={name}/profile"):
            options.add_argument(option)
        driver = webdriver.Chrome(options=options, service=Service(program("chromedriver")))
        try:
            for page, words in PAGES.items():
                take(Page(driver, Path(name)), page, words)
        finally:
            driver.quit()


def take(page: Page, name: str, words: tuple[str, ...]) -> None:
    """One page in every look; relative paths, so that the pictures show no folder of this machine."""
    os.chdir(ROOT / "samples" / "analyze")
    path = page.folder / f"{name}.html"
    run(build(words[0]), [*words, "-o", str(path)])
    html = path.read_text(encoding="utf-8")
    for width, dark in LOOKS:
        page.look(width, 900, dark)
        page.open(html)
        height = page.run("return document.documentElement.scrollHeight")
        page.look(width, min(height, TALLEST), dark)
        page.driver.save_screenshot(str(TARGET / f"{name}-{width}-{'dark' if dark else 'light'}.png"))


if __name__ == "__main__":
    main()
