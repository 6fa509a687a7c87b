"""Writes the pictures of docs/screenshots/: `python tests/browser/screenshots.py` in a checkout with Chromium."""

from __future__ import annotations

import os
import tempfile
from io import BytesIO
from pathlib import Path

from conftest import Page, chromium
from PIL import Image

from neurontriage.cli import build, run

ROOT = Path(__file__).parents[2]
TARGET = ROOT / "docs" / "screenshots"
TALLEST = 1800
PAGES = {
    "report": ("report", "training-unsupported-verbosity-1.json", "--compare", "training-supported.json", "--html"),
    "diagnosis": ("explain", "two-ranks.log", "--format", "html"),
}
FOLDERS = {"report": "analyze", "diagnosis": "reports"}
LOOKS = ((1280, False), (1280, True), (400, False), (400, True))


def main() -> None:
    """Both pages, 1280 and 400 px wide, light and dark."""
    with tempfile.TemporaryDirectory() as name:
        driver = chromium(Path(name) / "profile")
        try:
            for page, words in PAGES.items():
                take(Page(driver, Path(name)), page, words)
        finally:
            driver.quit()


def take(page: Page, name: str, words: tuple[str, ...]) -> None:
    """One page in every look; relative paths, so that the pictures show no folder of this machine."""
    os.chdir(ROOT / "samples" / FOLDERS[name])
    path = page.folder / f"{name}.html"
    run(build(words[0]), [*words, "-o", str(path)])
    html = path.read_text(encoding="utf-8")
    for width, dark in LOOKS:
        page.look(width, 900, dark)
        page.open(html)
        height = page.run("return document.documentElement.scrollHeight")
        page.look(width, min(height, TALLEST), dark)
        picture = Image.open(BytesIO(page.driver.get_screenshot_as_png())).convert("RGB")
        small = picture.quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        small.save(TARGET / f"{name}-{width}-{'dark' if dark else 'light'}.png", optimize=True)


if __name__ == "__main__":
    main()
