"""Secrets planted for the tests: the templates of `secrets.yaml` filled with characters that only look random."""

from __future__ import annotations

import random
import re
import string
from pathlib import Path
from typing import NamedTuple

import yaml

CLASSES = {
    "alnum": string.ascii_letters + string.digits,
    "base64": string.ascii_letters + string.digits + "+/",
    "BASE32": string.ascii_uppercase + "234567",
    "UPPER": string.ascii_uppercase + string.digits,
    "lower": string.ascii_lowercase,
    "hex": "0123456789abcdef",
    "digit": string.digits,
}
WINDOW = 6


class Planted(NamedTuple):
    kind: str
    text: str
    secret: str

    def leaked(self, shown: str) -> list[str]:
        """The pieces of the secret, of WINDOW characters, that can be read and stand nowhere else in the text.

        Where the secret has digits, a piece of letters only may be a word of the page, and does not count.
        """
        rest = self.text.replace(self.secret, "")
        lines = [line.rpartition("]: ")[2] for line in self.secret.split("\n")]
        pieces = {line[n : n + WINDOW] for line in lines for n in range(max(1, len(line) - WINDOW + 1))}
        words = re.compile(r"[a-z_]+" if any(one.isdigit() for one in self.secret) else r"$^")
        return sorted(p for p in pieces if p in shown and p not in rest and not words.fullmatch(p))


def planted() -> list[Planted]:
    templates = yaml.safe_load((Path(__file__).parent / "secrets.yaml").read_text(encoding="utf-8"))
    return [_filled(kind, template) for kind, template in templates.items()]


def filled(template: str, seed: str) -> str:
    """`{class:length}` replaced by so many characters of this class; `«` and `»` remain."""
    dice = random.Random(seed)

    def drawn(found: re.Match[str]) -> str:
        letters, length = CLASSES[found[1]], int(found[2])
        made = [dice.choice(letters) for _ in range(length)]
        if length >= 4 and found[1] in ("alnum", "base64"):
            made[1:4] = "a", "7", "Q"
        return "".join(made)

    return re.sub(r"\{(\w+):(\d+)\}", drawn, template)


def _filled(kind: str, template: str) -> Planted:
    text = filled(template, kind)
    start, end = text.index("«"), text.index("»")
    return Planted(kind, text.replace("«", "").replace("»", ""), text[start + 1 : end])
