"""Japanese and Korean: every text has its values, every entry exists, what is not translated is marked."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from diagnoses import FAILED, ROOT
from shipped import ENTRIES

from neurontriage.render.audience import LANGUAGES, Audience, addressed, preferred
from neurontriage.render.language import say, texts
from neurontriage.render.translation import MARK, localized
from neurontriage.reports import full, html, terminal

OTHERS = [language for language in LANGUAGES if language != "en"]
FOUNDING = (
    "TEN404-InferIntrinsicOnCC", "XLA-ViewOperator", "VMAP-RandomOperation", "XLA-SyncMissing", "RT-NrtucodeLeak",
    "INF1-DynamicShape", "INF1-NothingPartitioned",
)  # fmt: skip


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_keeps_its_values_and_every_entry_exists(language: str) -> None:
    told = texts(language)
    for english, words in told["words"].items():
        assert sorted(re.findall(r"\{\w+\}", english)) == sorted(re.findall(r"\{\w+\}", words)), english
    entries = ENTRIES
    assert set(FOUNDING) <= set(told["entries"])
    for name, text in told["entries"].items():
        entry = entries[name]
        assert set(re.findall(r"\{\w+\}", text["title"])) <= set(re.findall(r"\{\w+\}", entry.title)), name
        titles = {fix.title for fix in entry.workarounds}
        assert {fix["of"] for fix in text["fixes"]} <= titles, name


def test_all_languages_say_the_same_things() -> None:
    japanese, korean = texts("ja"), texts("ko")
    assert japanese["words"].keys() == korean["words"].keys()
    assert japanese["entries"].keys() == korean["entries"].keys()


@pytest.mark.parametrize(("language", "word", "why"), [("ja", "失敗", "原因"), ("ko", "실패", "원인")])
def test_the_screen_is_in_the_language_and_fits(language: str, word: str, why: str) -> None:
    from rich.cells import cell_len

    with addressed(Audience(80, language=language)):
        text = terminal.render(localized(FAILED))
        assert full.render(localized(FAILED)).count(why) >= 1
        assert html.render(localized(FAILED)).startswith(f'<!doctype html>\n<html lang="{language}">')
    lines = text.splitlines()
    assert len(lines) <= terminal.LINES
    assert lines[0].strip().startswith(word)
    assert any(line.strip().startswith(why) for line in lines)
    assert all(cell_len(line) <= 80 or "https://" in line or " + " in line or " - " in line for line in lines)
    assert "[TEN404] (_sub.83) Internal tensorizer error: InferIntrinsicOnCC" in text


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_not_translated_stays_english_and_is_marked(language: str) -> None:
    with addressed(Audience(80, language=language)):
        mark = say(MARK)
        known, other = localized(replace(FAILED, findings=(ROOT, replace(ROOT, id="NCC-IBIR440")))).findings
        assert mark not in known.title and known.title != ROOT.title
        assert other.title == f"{ROOT.title} {mark}"
        assert all(fix.title.endswith(mark) for fix in known.workarounds)
    assert mark != MARK


def test_english_is_left_alone_and_the_locale_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    assert localized(FAILED) is FAILED
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    assert preferred() == "en"
    monkeypatch.setenv("LANG", "ko_KR.UTF-8")
    assert preferred() == "ko"
    monkeypatch.setenv("LC_ALL", "C")
    assert preferred() == "en"
