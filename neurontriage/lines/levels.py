"""How bad loggers call a line, in any of their words: abbreviations, syslog's, numbers, other languages, marks.

Syslog's numbers: RFC 5424, section 6.2.1; those of pino and bunyan: their documentation (10 trace to 60 fatal).
"""

from __future__ import annotations

_WORDS = {
    "ERROR": "ERR ERRO ERROR SEVERE CRIT CRITICAL ОШИБКА ERREUR FEHLER ERRORE エラー 错误 錯誤 오류 ❌ ✗ ✘ ✖",
    "FATAL": "FTL FATAL FATA EMERG ALERT PANIC ФАТАЛЬНО КРИТИЧНО 致命 致命的 치명적",
    "WARNING": "WARN WRN WARNING ПРЕДУПРЕЖДЕНИЕ AVERTISSEMENT WARNUNG AVISO ADVERTENCIA 警告 경고 ⚠ ⚠️",
    "INFO": "INF INFO NOTICE ИНФО INFORMATION HINWEIS 情報 信息 정보 ✅ ✔ ✓ ℹ",
    "DEBUG": "DBG DEBUG TRC TRACE ОТЛАДКА デバッグ 调试 디버그",
}
_KNOWN = {word: name for name, words in _WORDS.items() for word in words.split()}
_LETTERS = {"T": "TRACE", "D": "DEBUG", "I": "INFO", "N": "NOTICE", "W": "WARNING", "E": "ERROR", "C": "CRITICAL"} | {
    "F": "FATAL",
    "S": "ERROR",
}
_SYSLOG = ("FATAL", "FATAL", "FATAL", "ERROR", "WARNING", "INFO", "INFO", "DEBUG")
_STEPS = ("DEBUG", "DEBUG", "INFO", "WARNING", "ERROR", "FATAL")


def name(level: str) -> str:
    """A level as any logger writes it → its usual name; what is none stays as it is.

    >>> name("crit"), name("W"), name("<3>"), name("50"), name("ОШИБКА"), name("WARN"), name("loud")
    ('ERROR', 'WARNING', 'ERROR', 'ERROR', 'ERROR', 'WARNING', 'loud')
    """
    word = level.strip("<>").upper()
    if word.isdigit():
        return _number(int(word)) or level
    return _KNOWN.get(word) or (_LETTERS.get(word[:1], level) if word.isalpha() else level)


def words(*, own: bool) -> str:
    """The words of all levels for a pattern, the longest first. `own`: only those that no English word resembles."""
    found = [word for word in _KNOWN if not own or not (word.isascii() and word.isalpha())]
    return "|".join(sorted(found, key=lambda word: (-len(word), word)))


def _number(level: int) -> str:
    """Syslog's severity, from 0, or the number of pino and bunyan."""
    if level < len(_SYSLOG):
        return _SYSLOG[level]
    return _STEPS[level // 10 - 1] if level in range(10, 70, 10) else ""
