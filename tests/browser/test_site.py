"""The site in a real Chromium: it explains a log in WebAssembly, asks no other host, and works without a network."""

from __future__ import annotations

import functools
import gzip
import http.server
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import chromium
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.ui import WebDriverWait

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
LOOP = ROOT / "samples/compiler-internal/ten404-loop.log"
KEY = "AKIA" + "IOSFODNN7EXAMPLE"
PATIENCE = 120


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves the built site and says nothing."""

    def guess_type(self, path: str | os.PathLike[str]) -> str:
        kinds = {".mjs": "text/javascript", ".wasm": "application/wasm"}
        return kinds.get(Path(path).suffix) or super().guess_type(path)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("built") / "site"
    subprocess.run(
        [sys.executable, "docs/site/build.py", str(target)], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return target


@pytest.fixture(scope="module")
def server(site: Path) -> Iterator[http.server.ThreadingHTTPServer]:
    served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=served.serve_forever, daemon=True).start()
    yield served
    served.server_close()


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory, server: http.server.ThreadingHTTPServer) -> Iterator[WebDriver]:
    browser = chromium(tmp_path_factory.mktemp("profile"))
    browser.get(f"http://127.0.0.1:{server.server_port}/index.html")
    yield browser
    browser.quit()


def answered(driver: WebDriver) -> str:
    """Wait for the answer; gives what stands in the frame."""
    WebDriverWait(driver, PATIENCE).until(lambda d: d.find_element(By.ID, "explain").is_enabled())
    driver.switch_to.frame("page")
    try:
        return driver.find_element(By.TAG_NAME, "body").text
    finally:
        driver.switch_to.default_content()


def paste(driver: WebDriver, text: str) -> str:
    driver.execute_script(
        "document.getElementById('file').value = ''; document.getElementById('log').value = arguments[0]", text
    )
    driver.find_element(By.ID, "explain").click()
    return answered(driver)


def status(driver: WebDriver) -> str:
    return driver.find_element(By.ID, "status").text


def requested(driver: WebDriver) -> set[str]:
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    urls = {m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"}
    return {url for url in urls if url.startswith(("http", "ws", "ftp"))}


def test_a_pasted_log_is_explained_without_a_request_to_another_host(driver: WebDriver) -> None:
    shown = paste(driver, LOOP.read_text())
    assert "TEN404-InferIntrinsicOnCC" in shown
    assert "Replace the Python loop by one batched reduction" in shown
    assert "InferIntrinsicOnCC" in status(driver)
    origin = driver.execute_script("return location.origin")
    assert {url for url in requested(driver) if not url.startswith(origin)} == set()
    bad = [entry["message"] for entry in driver.get_log("browser") if "favicon" not in entry["message"]]
    assert bad == []


def test_the_script_of_the_shown_page_runs(driver: WebDriver) -> None:
    paste(driver, LOOP.read_text())
    driver.switch_to.frame("page")
    try:
        assert driver.execute_script("return getComputedStyle(document.body).fontFamily")
        assert driver.find_elements(By.CSS_SELECTOR, "button")
    finally:
        driver.switch_to.default_content()


def test_a_packed_file_is_read(driver: WebDriver, tmp_path: Path) -> None:
    packed = tmp_path / "build.log.gz"
    packed.write_bytes(
        gzip.compress(b"[NCC_EVRF009] Size of total input and output tensors exceeds HBM limit of Trn1\n")
    )
    driver.find_element(By.ID, "file").send_keys(str(packed))
    assert "NCC-EVRF009" in answered(driver)


def test_what_is_copied_and_saved_holds_no_secret(driver: WebDriver) -> None:
    driver.execute_script("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    driver.execute_script(
        "const made = URL.createObjectURL;"
        "URL.createObjectURL = (b) => { b.text().then((t) => { window.saved = t }); return made(b) }"
    )
    shown = paste(driver, f"[TEN404] Internal tensorizer error: InferIntrinsicOnCC {KEY}\n")
    assert KEY in shown
    for name in ("copy", "save"):
        button = driver.find_element(By.ID, name)
        WebDriverWait(driver, 20).until(lambda _, button=button: button.is_enabled())
        button.click()
    WebDriverWait(driver, 20).until(lambda d: d.execute_script("return window.copied && window.saved"))
    for text in driver.execute_script("return [window.copied, window.saved]"):
        assert "InferIntrinsicOnCC" in text and KEY not in text


def test_hostile_text_stays_text(driver: WebDriver) -> None:
    shown = paste(
        driver, "[TEN404] Internal tensorizer error: <img src=x onerror=alert(1)></iframe><script>alert(1)</script>\n"
    )
    assert "<script>alert(1)</script>" in shown


def test_what_is_no_log_is_refused_and_the_page_goes_on(driver: WebDriver, tmp_path: Path) -> None:
    broken = tmp_path / "broken.log.gz"
    broken.write_bytes(b"\x1f\x8b\x08\0broken")
    driver.find_element(By.ID, "file").send_keys(str(broken))
    WebDriverWait(driver, PATIENCE).until(lambda d: d.find_element(By.ID, "explain").is_enabled())
    assert "broken.log.gz" in status(driver)
    assert "TEN404" in paste(driver, LOOP.read_text())


def test_five_megabytes_are_read_in_the_page(driver: WebDriver, tmp_path: Path) -> None:
    noise = "2025-06-01 10:{:02}:{:02}.{:06}: step {} loss {:.4f} throughput {:.2f} seq/s grad norm 1.2\n"
    lines = [noise.format(n // 60 % 60, n % 60, n, n, 9 / (n + 1), 11 + n % 7) for n in range(60_000)]
    log = tmp_path / "long.log"
    log.write_text("".join(lines) + LOOP.read_text())
    assert log.stat().st_size > 5_000_000
    driver.find_element(By.ID, "file").send_keys(str(log))
    assert "TEN404-InferIntrinsicOnCC" in answered(driver)
    assert "s)" in status(driver)  # the page says how long it took


def test_the_page_is_small_and_the_catalogue_can_be_searched(site: Path) -> None:
    kept = json.loads((site / "sw.js").read_text().split("const FILES = ")[1].split(";\n")[0])
    assert sum((site / name).stat().st_size for name in kept if name != "./") < 15_000_000
    assert "NCC_IBIR440" in (site / "catalogue" / "index.html").read_text()


def test_what_was_measured_is_shown_and_what_was_not_is_said(site: Path) -> None:
    page = (site / "tables.html").read_text()
    measured = {path.stem.partition("-")[0] for path in (ROOT / "docs" / "measured").glob("*.json")}
    assert "accuracy" in measured
    for name in ("accuracy", "calibration", "repro", "benchmark"):
        shown = page.partition(f"<h2>{name.capitalize()}")[2].partition("<h2>")[0]
        assert shown, name
        assert ("<table>" in shown) is (name in measured), name
        assert ("Not measured" in shown) is (name not in measured), name


def test_the_page_works_when_there_is_no_network(driver: WebDriver, server: http.server.ThreadingHTTPServer) -> None:
    WebDriverWait(driver, 60).until(lambda d: d.execute_script("return navigator.serviceWorker.controller !== null"))
    server.shutdown()
    server.socket.close()
    driver.refresh()
    assert "TEN404-InferIntrinsicOnCC" in paste(driver, LOOP.read_text())
