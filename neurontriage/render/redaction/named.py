"""Secrets that are known by the name before them: settings, JSON, YAML, headers, flags, cookies, netrc."""

from __future__ import annotations

from neurontriage.render.redaction.rule import random_looking, real, rule

_STRONG = (
    r"pass(?:word|wd|phrase|code)|sql_pwd|credentials?|connection[_-]?string|registry[_-]?auth|"
    r"(?:client|app|user|shared|webhook|consumer|signing)[_-]?secret|"
    r"(?:secret|access|api|private|signing|encryption|account|storage|license|subscription|master|ssh|host|deploy)[_-]?key|"
    r"(?:auth|access|session|security|refresh|bearer|hf|hub|face|gh|gitlab|api|private|id|bot|deploy|npm|job|"
    r"wandb|registry|vault|csrf|xsrf|metadata|personal|service|slack|login|jwt|aws|aad|sas)[_-]?token"
)
_WEAK = r"token|secret|auth|pwd|webhook|dsn"
_NAME = r"(?<!/)"  # `/etc/passwd: …` is a path; what else stands before it belongs to the name
_SEPARATOR = r"\\*[\"']?\]?\s?(?:=>|:=|=|:|%3[AD])\s?"
# In quotation marks: up to the same mark, with or without backslashes before it; read in one way, so in linear time.
_QUOTED = r"(?P<quoted>(?:(?!(?P=q))[^\n\\]|\\+(?!\\|(?P=q)))*)(?:\\*(?P=q)|$)"
_VALUE = rf"(?:[bru]?\\*(?P<q>[\"']){_QUOTED}|(?P<secret>[^\s\"'<>](?:[^\s\"'<]|<(?!/))*))"
_FLAG_SEPARATOR = r"(?:=|\s+|[\"'],\s*)"
_WORDS = "pass pwd secret key credential connection auth token webhook dsn"


def _not_a_path(value: str) -> bool:
    return random_looking(value) and not value.startswith(("/", "./", "~", "http", "s3:"))


NAMED = (
    # A line of an environment dump: its value goes to the end of the line, whatever it holds.
    rule("secret", r"^(?:export |declare -x |set |ENV |\+ )?[A-Z][A-Z0-9_]*(?:PASSWORD|PASSWD|PASSPHRASE|_PWD|"
         r"SECRET|TOKEN|API_KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS?)=(?P<secret>[^\s\"'][^\n\r]*)", "=", random_looking),
    # The same within a line: on as long as words mix letters and digits.
    rule("secret", r"(?<=\s)[A-Z][A-Z0-9_]*(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_KEY|ACCESS_KEY|PRIVATE_KEY)="
         r"(?P<secret>[^\s\"']+(?: (?=[^\s]{0,40}\d)(?=[^\s]{0,40}[A-Za-z])[^\s=/-]{5,40}(?=\s|$))+)", "=", random_looking),
    rule("authorization", r"(?i)authorization\\?[\"']?\]?\s?[:=,]\s?\\?[\"']?(?:(?:basic|bearer|token|digest|negotiate|"
         r"apikey|aws4-hmac-sha256)\s+)?(?P<secret>[^\"'\r\n\\]{4,})", "authorization"),
    rule("authorization", r"(?i)\b(?:bearer|basic)\s+(?P<secret>[\w.~+/=-]{12,})", "bearer basic", random_looking),
    rule("cookie", r"(?i)\bcookie\\?[\"']?\s?[:=]\s?\\?[\"']?(?P<secret>[^\"'\r\n\\]*=[^\"'\r\n\\]*)", "cookie"),
    rule("secret", rf"(?i)[?&][\w.-]{{0,40}}?(?:{_STRONG})=(?P<secret>[^\s\"'&<>]+)", _WORDS),
    rule("secret", rf"(?i)[?&][\w.-]{{0,40}}?(?:{_WEAK})=(?P<secret>[^\s\"'&<>]+)", _WORDS, random_looking),
    rule("secret", rf"(?i){_NAME}(?:{_STRONG}){_SEPARATOR}{_VALUE}", _WORDS),
    rule("secret", rf"(?i){_NAME}(?:{_WEAK}){_SEPARATOR}{_VALUE}", _WORDS, _not_a_path),
    rule("secret", rf"(?i)(?<![\w-])--?[\w-]*?(?:{_STRONG}){_FLAG_SEPARATOR}{_VALUE}", "-",
         lambda value: real(value) and not value.startswith("-")),
    rule("secret", rf"(?i)(?<![\w-])--?[\w-]*?(?:{_WEAK}){_FLAG_SEPARATOR}{_VALUE}", "-", _not_a_path),
    rule("secret", r"(?i)\b(?:login|sshpass|mysql|psql|mongo|redis-cli)\b[^\n|;]{0,300}?\s-(?:p|a)\s?[\"']?(?P<secret>[^\s\"'-][^\s\"']{3,})",
         "login sshpass mysql psql mongo redis"),
    rule("secret", r"(?i)\b(?:wandb|hf|huggingface-cli|gh|hub|comet|neptune)\s+(?:auth\s+)?login\s+(?:--relogin\s+)?[\"']?"
         r"(?P<secret>[A-Za-z0-9_-]{16,})", "login", random_looking),
    rule("secret", r"(?i)\becho\s+(?:-n\s+)?[\"']?(?P<secret>[^\s\"'|$]{8,})[\"']?\s*\|[^\n]{0,300}\b(?:login|auth)\b", "echo"),
    rule("credentials", r"(?i)\b(?:curl|wget|http)\b[^\n]{0,300}?\s(?:-u|--user|--proxy-user)[ =]?[\"']?(?P<secret>[^\s\"':]+:[^\s\"']+)",
         "curl wget http"),
    rule("secret", r"(?i)\b(?:login|account)\s+\S+\s+password\s+(?P<secret>\S+)", "password"),
    rule("secret", r"(?i)^[^\S\n]*password\s+(?P<secret>\S+)\s*$", "password"),
    rule("secret", r"(?i)identified by \\?[\"'](?P<secret>[^\"'\n]+)", "identified"),
    rule("secret", r"(?i)\b(?:rendezvous[_ ]secret|join[_ ]token)\s?[:=]\s?(?P<secret>\S+)", "token secret"),
)  # fmt: skip
