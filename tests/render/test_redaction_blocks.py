"""Secrets of several lines: which pieces are found, and where a key or a block ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neurontriage.render.redaction.blocks import APART, fragments

BODY = ["MIIEowIBAAKCAQEA7bq98wbV", "x1y2z3A4B5C6D7E8F9G0h1i2", "Zz09=="]
PEM = ["-----BEGIN RSA PRIVATE KEY-----", *BODY, "-----END RSA PRIVATE KEY-----"]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (PEM, BODY),
        ([f"2025-01-01 INFO: {line}" for line in PEM], BODY),
        ([f'"{line}\\n",' for line in PEM[1:]], []),  # escaped line feeds are no lines
        ([*PEM, "YWZ0ZXIgdGhlIGtleQ=="], BODY),  # behind its end
        (PEM[1:], BODY),  # the beginning is not shown
        (PEM[:3], BODY[:2]),  # the end is not shown
        ([*PEM[:2], "Starting training of rank 3 now", BODY[1]], BODY[:1]),  # what follows is no key any more
        ([*PEM[:2], APART, BODY[1]], BODY[:1]),
        ([PEM[0], "Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,0A", "", *BODY], BODY),
        (["Training", *BODY], []),  # lines like a key's, with neither beginning nor end
        ([*BODY, "", "-----END PRIVATE KEY-----"], []),  # an empty line apart
        (["password:", "  hunter22secret", "  more"], ["hunter22secret"]),
        (["password: |", "  hunter22secret", "  second9line", "user: x"], ["hunter22secret", "second9line"]),
        (["token: >-", "  hunter22secret"], ["hunter22secret"]),
        (["token: >-", "  hunter22secret", "", "  hunter33secret"], ["hunter22secret"]),
        (["  password:", "hunter22secret"], []),  # less deep than its name
        (["  password:", "   hunter22secret"], ["hunter22secret"]),
        (["token: >", "  hunter22secret", "  second9line"], ["hunter22secret", "second9line"]),
        (["  password: |  ", "    hunter22secret"], ["hunter22secret"]),
        (["    password:", "  hunter22secret"], []),
        (["  password:", "  hunter22secret"], []),  # as deep as its name
        (["password:", "  Xhunter22X"], ["Xhunter22X"]),
        (["password:", "  two words", "      hunter22secret"], []),
        (["password:", APART, "      hunter22secret"], []),
        (["line=" + BODY[0], *[BODY[1]] * 300, PEM[-1]], [BODY[1]] * 300),  # no key is longer
        (["password:", "  short"], []),
        (["password:", "  sixsix"], ["sixsix"]),
        (["password:", "  two words"], []),
        (["password:", "  other:"], []),
        (["password:", "  -dashed"], []),
        (["- api_key:", "    'hunter22secret',"], ["hunter22secret"]),
        (["wandb --api-key \\", "  hunter22secret \\", "  more9words"], ["hunter22secret"]),
        (["password:", APART, "  hunter22secret"], []),
        (["name:", "  hunter22secret"], []),
        (["PuTTY-User-Key-File-3: x", *(f"{n}-Lines: 2" for n in ("Public", "Private")), *BODY, "x"], BODY),
        ([*BODY, "Private-MAC: 0a"], BODY),
        ([PEM[0], *(f"{n}: x.y" for n in ("Version", "Comment", "Encryption", "Hash")), "", *BODY], BODY),
        (
            [PEM[0], *(f"{sign}{BODY[0]}" for sign in ":|'\">"), f"{BODY[1]}\\'", f'{BODY[1]}",'],
            [BODY[0]] * 5 + [BODY[1]] * 2,
        ),
        ([PEM[0], "a7Q+x1y2/z3A4="], ["a7Q+x1y2/z3A4="]),
    ],
)
def test_pieces_of_secrets_on_lines_of_their_own(lines: list[str], found: list[str]) -> None:
    assert list(fragments("\n".join(lines))) == found


NAMES = "db.password my-passwd passphrase secret auth_token api_key apikey private_key credentials"
FORMS = ("{}:", "'{}' =", '  - "{}": |', "{}: >+", "{}: |-", "{}: |2", "{}= \\")


@pytest.mark.parametrize("name", NAMES.split())
def test_names_with_their_values_on_the_next_line(name: str) -> None:
    for form in FORMS:
        assert list(fragments(f"{form.format(name)}\n      hunter22secret")) == ["hunter22secret"]


@pytest.mark.parametrize("flag", ["--password", "--db-password", "--my_token", "--client-secret", "--api-key"])
def test_flags_with_their_values_on_the_next_line(flag: str) -> None:
    assert list(fragments(f"run {flag} \\\n  hunter22secret")) == ["hunter22secret"]
    assert list(fragments(f"run x{flag} \\\n  hunter22secret")) == []


@given(st.lists(st.sampled_from([*PEM, "password: |", "  hunter22secret", "", APART, "a line of text"]), max_size=12))
def test_a_piece_is_always_a_part_of_its_line(lines: list[str]) -> None:
    assert all(any(piece in line for line in lines) for piece in fragments("\n".join(lines)))
