"""How bad loggers call a line, in any of their words: abbreviations, syslog's, numbers, other languages, marks.

Syslog's numbers: RFC 5424, section 6.2.1; those of pino and bunyan: their documentation (10 trace to 60 fatal). USER is
the level at which the compiler speaks to its user.
"""

from __future__ import annotations

from collections.abc import Iterable

CALM, LOUD = frozenset({"DEBUG", "INFO", "WARNING"}), frozenset({"ERROR", "FATAL"})
"""The levels of what went on, and of what failed."""
_USUAL = {
    "DEBUG": "DEBUG TRACE",
    "INFO": "INFO NOTICE",
    "WARNING": "WARN WARNING",
    "ERROR": "ERROR",
    "FATAL": "FATAL CRITICAL",
}
_OTHER = {
    "DEBUG": "DBG TRC ОТЛАДКА デバッグ 调试 디버그",
    "INFO": "INF INFORMATION SUCCESS ИНФО HINWEIS 情報 信息 정보 ✅ ✔ ✓ ℹ",
    "WARNING": "WRN ПРЕДУПРЕЖДЕНИЕ AVERTISSEMENT WARNUNG AVISO ADVERTENCIA 警告 경고 ⚠ ⚠️",
    "ERROR": "ERR ERRO SEVERE ОШИБКА ERREUR FEHLER ERRORE エラー 错误 錯誤 오류 ❌ ✗ ✘ ✖",
    "FATAL": "FTL FATA CRIT EMERG ALERT PANIC ФАТАЛЬНО КРИТИЧНО 致命 致命的 치명적",
}
_LETTERS = {
    "DEBUG": "D T V .",
    "INFO": "I II N * - NORMAL NOTE SYSTEM",
    "WARNING": "W WW ! #",
    "ERROR": "E EE S **",
    "FATAL": "F C",
    "USER": "U USER",
}
_NAMES = {word: name for table in (_USUAL, _OTHER, _LETTERS) for name, words in table.items() for word in words.split()}
_SYSLOG = ("FATAL", "FATAL", "FATAL", "ERROR", "WARNING", "INFO", "INFO", "DEBUG")
_STEPS = ("DEBUG", "DEBUG", "INFO", "WARNING", "ERROR", "FATAL")
_CUT = 4


def name(level: str) -> str:
    """A level as any logger writes it, in full or cut to a column → its one name; "" for what is none.

    >>> name("crit"), name("W"), name("<11>"), name("50"), name("ОШИБКА"), name("CRITI"), name("loud")
    ('FATAL', 'WARNING', 'ERROR', 'ERROR', 'ERROR', 'FATAL', '')
    """
    word = level.strip("<>").upper()
    if word.isdigit():
        return _SYSLOG[int(word) % len(_SYSLOG)] if word != level else _number(int(word))
    if known := _NAMES.get(word):
        return known
    return next((_NAMES[one] for one in _NAMES if one.startswith(word)), "") if len(word) >= _CUT else ""


def _number(level: int) -> str:
    """Syslog's severity, from 0, or the number of pino and bunyan."""
    if level < len(_SYSLOG):
        return _SYSLOG[level]
    return _STEPS[level // 10 - 1] if level in range(10, 70, 10) else ""


def _pattern(tables: Iterable[dict[str, str]]) -> str:
    found = [word for table in tables for words in table.values() for word in words.split()]
    return "|".join(sorted(found, key=lambda word: (-len(word), word)))


USUAL = _pattern([_USUAL])
"""The words of most loggers, as a pattern: an English sentence may start with one."""
OTHER = _pattern([_OTHER])
"""All other words, as a pattern."""
ANY = _pattern([_USUAL, _OTHER])
"""All words, as a pattern."""
