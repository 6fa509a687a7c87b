"""Japanese and Korean: every text has its values, every entry exists, what is not translated is marked."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from diagnoses import FAILED, ROOT
from hypothesis import example, given
from hypothesis import strategies as st
from shipped import ENTRIES

from neurontriage.knowledge.catalog import Catalog
from neurontriage.knowledge.endings import ENDINGS
from neurontriage.model import HELD, STATED, Why
from neurontriage.ranking.answers import unknown
from neurontriage.ranking.causes import beside
from neurontriage.ranking.edges import exit_of
from neurontriage.render.audience import LANGUAGES, Audience, addressed, preferred
from neurontriage.render.language import say, texts
from neurontriage.render.translation import MARK, _why, localized
from neurontriage.reports import full, html, terminal
from neurontriage.resources import PACKAGE
from neurontriage.triage import explain_text

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
        assert set(re.findall(r"\{\w+\}", text.get("title", ""))) <= set(re.findall(r"\{\w+\}", entry.title)), name
        titles = {fix.title for fix in entry.workarounds}
        assert {fix["of"] for fix in text.get("fixes", ())} <= titles, name


def test_all_languages_say_the_same_things() -> None:
    japanese, korean = texts("ja"), texts("ko")
    assert japanese["words"].keys() == korean["words"].keys()
    assert japanese["entries"].keys() == korean["entries"].keys()
    assert japanese["advice"].keys() == korean["advice"].keys()


def test_advice_is_translated_as_entries_and_the_unknown_give_it() -> None:
    given = {text for entry in ENTRIES.values() for fix in entry.workarounds
             for text in (fix.title, fix.short or fix.detail)}  # fmt: skip
    for sort in unknown._SORTS.values():
        given |= {sort.claims, f"{sort.look}.", sort.change, "Look first", "Then", HELD, STATED}
    stale = set(texts("ja")["advice"]) - given
    assert not stale, "the English of these has changed: translate it anew"


@pytest.mark.parametrize("language", OTHERS)
def test_what_the_line_itself_asks_for_keeps_its_words(language: str, catalog: Catalog) -> None:
    log = "starting\nwidgetlib.WidgetError: pool 4 is frozen. Please pass `thaw=True` to open it.\n"
    with addressed(Audience(80, language=language)):
        [root] = localized(explain_text(log, "a.log", catalog)).roots
        assert (root.workarounds[0].title, root.workarounds[0].detail) == (
            texts(language)["advice"][STATED],
            "Please pass `thaw=True` to open it.",
        )


@pytest.mark.parametrize(("language", "word"), [("ja", "未登録"), ("ko", "등록되지 않음")])
def test_what_no_entry_knows_is_told_in_the_language(language: str, word: str, catalog: Catalog) -> None:
    log = "step 1\nERROR frobnicator: cannot open pool 12 of descriptors\n"
    found = explain_text(log, "a.log", catalog)
    assert not found.roots[0].known
    with addressed(Audience(80, language=language)):
        [root] = localized(found).roots
        mark = say(MARK)
    assert root.cause.startswith(word) and mark not in root.cause
    assert mark not in root.workarounds[0].title
    assert root.workarounds[-1].title.endswith(mark)


@pytest.mark.parametrize("language", OTHERS)
def test_a_class_answer_keeps_the_words_of_the_log(language: str, catalog: Catalog) -> None:
    log = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: the colour blue is odd\n'
    [english] = explain_text(log, "a.log", catalog).roots
    with addressed(Audience(80, language=language)):
        [root] = localized(explain_text(log, "a.log", catalog)).roots
        text = terminal.render(localized(explain_text(log, "a.log", catalog)))
    assert english.id == "PY-ValueError"
    assert root.title == english.title and root.cause != english.cause
    assert "the colour blue is odd" in text


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


@example("、、a「a、", 4)
@given(st.text("aあ、。 「」b漢", max_size=120), st.integers(4, 40))
def test_lines_with_wide_characters_fit_and_lose_nothing(text: str, room: int) -> None:
    from rich.cells import cell_len
    from rich.text import Text

    from neurontriage.render.drawing import _breaks

    lines = [str(line) for line in Text(text).divide(_breaks(text, room))]
    assert "".join(lines) == text
    assert all(cell_len(line) <= room for line in lines)


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_said_of_every_entry_alike_is_in_the_language(language: str) -> None:
    """Reasons of the chain, when it is done and when to stop, kinds of fixes, words of the page's frame."""
    kinds = {"code", "flag", "env", "upgrade", "config", "resource", "report"}
    reasons = [
        *exit_of._ENDS.values(),
        *(why for _, _, why in exit_of._PAIRS),
        exit_of._VAIN,
        *(getattr(beside, name) for name in ("FRAME", "PART", "UP", "EMPTY", "HEAD", "BELOW", "AGAIN")),
        "its text quotes this message",
        "it introduces this message, which stands below it",
        "it lost its peer, or waited for it, after this failure",
        "it was raised from, or while handling, this exception",
    ]
    endings = [text for ending in ENDINGS.values() for text in ending]
    with addressed(Audience(80, language=language)):
        assert [text for text in (*kinds, *reasons, *endings) if say(text) == text] == []
        assert _why(Why("entry", "XLA-Some is known to cause it")).text.count("XLA-Some") == 1
        assert "known to cause" not in _why(Why("entry", "XLA-Some is known to cause it")).text
        assert _why(Why("same_code", "it repeats NCC_1")).text != "it repeats NCC_1"
        page = html.render(localized(FAILED))
    frame = (
        "All modules",
        ">Module<",
        ">Status<",
        ">Seconds<",
        ">config<",
        ">code<",
        "known to cause it",
        'data-copy="Copy"',
    )
    assert [words for words in frame if words in page] == []


def test_every_reason_of_an_edge_has_a_translation() -> None:
    """A new sentence in ranking/edges must be told in every language."""
    told = texts("ja")["words"].keys()
    for path in sorted((PACKAGE / "ranking" / "edges").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Edge":
                why = node.args[3]
                if isinstance(why, ast.Constant):
                    assert why.value in told, f"{path.name}: {why.value}"


@pytest.mark.parametrize(("encoding", "word"), [("ascii", "FAILED"), ("latin-1", "FAILED"), ("utf-8", "失敗")])
def test_where_the_terminal_lacks_the_letters_the_answer_is_english(encoding: str, word: str) -> None:
    """And says so once; a page is UTF-8 wherever it goes."""
    log = PACKAGE.parent / "samples" / "compiler-internal" / "ten404-loop.log"
    words = [sys.executable, "-m", "neurontriage", str(log), "--lang", "ja"]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done, page = (
        subprocess.run([*words, *more], env=environment, capture_output=True, check=False)
        for more in ([], ["--format", "html"])
    )
    assert done.stdout.decode(encoding).split()[0] == word
    assert done.stderr.decode(encoding).count("no letters for --lang ja: in English") == (word == "FAILED")
    assert page.stdout.startswith(b'<!doctype html>\n<html lang="ja">')
    assert b"no letters" not in page.stderr


@pytest.mark.parametrize("language", OTHERS)
def test_every_stated_reason_is_explained_in_the_language(language: str, catalog: Catalog) -> None:
    """Whole, with all that can be done; and that no entry knows the message itself stays said."""
    told = texts(language)["entries"]
    assert sum(name.startswith("REASON-") for name in told) >= 48
    for name, entry in ENTRIES.items():
        if entry.reason and name in told:
            assert [fix["of"] for fix in told[name]["fixes"]] == [fix.title for fix in entry.workarounds], name
            titles = (entry.title, told[name]["title"])
            assert len({title.count(": ") for title in titles}) == 1, name
            assert all(title.endswith(": {said}") for title in titles), name
    log = "step 1\nERROR frobnicator: cannot open /data/plan: No such file or directory\n"
    [english] = explain_text(log, "a.log", catalog).roots
    with addressed(Audience(80, language=language)):
        [root] = localized(explain_text(log, "a.log", catalog)).roots
        begin = say(unknown.UNKNOWN)
    assert english.id == "REASON-PathMissing" and begin != unknown.UNKNOWN
    assert english.cause.startswith(unknown.UNKNOWN) and root.cause.startswith(
        f"{begin} {told[english.id]['cause'][:20]}"
    )
    assert "/data/plan" in root.title and root.title != english.title
    assert not any(MARK in fix.title or "(" in fix.title[-14:] for fix in root.workarounds)
