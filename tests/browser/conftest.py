"""A real headless Chromium that opens pages from disk; tests fail with the install command where it is missing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.webdriver import WebDriver

INSTALL = "install it with: apt-get update && apt-get install -y chromium chromium-driver"
OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


def program(*names: str) -> str:
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        pytest.fail(f"{names[0]} is missing; {INSTALL}")
    return found


def chromium(profile: Path) -> WebDriver:
    """A browser with a fresh profile that keeps its console and network logs."""
    options = webdriver.ChromeOptions()
    options.binary_location = program("chromium", "chromium-browser", "google-chrome")
    for option in (*OPTIONS, f"--user-data-dir={profile}"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(program("chromedriver")))
    browser.set_page_load_timeout(60)
    return browser


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    browser = chromium(tmp_path_factory.mktemp("chromium"))
    yield browser
    browser.quit()


class Page:
    """One opened page and what happened while it was open."""

    def __init__(self, driver: WebDriver, folder: Path) -> None:
        self.driver, self.folder = driver, folder

    def look(self, width: int = 1280, height: int = 900, dark: bool = False, media: str = "") -> None:
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        still = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": [scheme, still]})
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def open(self, html: str, name: str = "page.html") -> None:
        path = self.folder / name
        path.write_text(html, encoding="utf-8")
        self.driver.get("about:blank")
        for log in ("browser", "performance"):
            self.driver.get_log(log)
        self.driver.get(path.as_uri())

    def run(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def all(self, selector: str) -> list[Any]:
        return self.driver.find_elements("css selector", selector)

    def one(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def console(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser") if "favicon" not in entry["message"]]

    def requests(self) -> list[str]:
        """Addresses asked for, without the page itself and what its own policy stopped."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        failed = [m["params"] for m in messages if m["method"] == "Network.loadingFailed"]
        stopped = {params["requestId"] for params in failed if params.get("blockedReason") == "csp"}
        sent = [m["params"] for m in messages if m["method"] == "Network.requestWillBeSent"]
        asked = [params["request"]["url"] for params in sent if params["requestId"] not in stopped]
        return [url for url in asked if not url.startswith(self.folder.as_uri()) and not url.startswith("about:")]


@pytest.fixture
def page(driver: WebDriver, tmp_path: Path) -> Callable[[str], Page]:
    def opened(html: str, **look: Any) -> Page:
        found = Page(driver, tmp_path)
        found.look(**look)
        found.open(html)
        return found

    return opened
