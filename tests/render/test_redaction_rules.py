"""The judgements of redaction one by one, at their edges: what is a value, an address, a machine, a piece of a key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neurontriage.errors import TriageError
from neurontriage.render.redaction import Redactor, redacted
from neurontriage.render.redaction.blocks import APART, fragments
from neurontriage.render.redaction.people import _address, _machine, _own_host, _someone
from neurontriage.render.redaction.rule import random_looking, real, rule, scrambled
from neurontriage.render.redaction.sharing import LEVELS, check, noted, prepared

KEY = "AKIA" + "IOSFODNN7EXAMPLE"


VALUES = "abc hunter22 'hunter22' x=f(1) a.b.c my-password-1 self Xx1 k==y(a) token=abc"
NONE = """
ab 'ab' <secret-1> {token} (x) [1] ***** $TOKEN ${TOKEN} $(cat %s %(x)s %{x} &lt;x ... …abc xxx XXXXX ---- ____ ••••
/dev/null None REQUIRED invalid. token hf_token self.password os.environ['X'] getenv( args.key config[x get_token()
str(x) f(x) f[x] a_b(c credentials, s3cr3t( p(a[ss
"""


@pytest.mark.parametrize("text", VALUES.split())
def test_values(text: str) -> None:
    assert real(text)


@pytest.mark.parametrize("text", ["", *NONE.split()])
def test_what_only_stands_where_a_value_could(text: str) -> None:
    assert not real(text)


@pytest.mark.parametrize(
    ("text", "random"),
    [
        ("abcdefg1", True),
        ("abcdef1", False),
        ("abcdefgh", False),
        ("12345678", False),
        ("<abcdefg1>", False),
        ("ABCDEFG1", True),
        ("--------a1", True),
    ],
)
def test_what_looks_generated(text: str, random: bool) -> None:
    assert random_looking(text) is random


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6jK9m", True),
        ("ab3de6gh9jk2mn5pq8st1vw4yz7bc0df3gh6jk9m", False),  # no capitals
        ("AB3DE6GH9JK2MN5PQ8ST1VW4YZ7BC0DF3GH6JK9M", False),  # no small letters
        ("aBcdEfgHijKlmNopQrsTuvWxyZabCdeFghIjkLmn", False),  # no digits
        ("aB3abcdefghiE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF", False),  # nine small letters in a row: a word
        ("aB3abcdefghE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3", True),  # eight
        ("aB3" + "7" * 16 + "dE6gH9jK2mN5pQ8sT1vW4y", False),  # sixteen times the same
        ("aB/3dE/6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6jK9", True),  # slashes: one, and one more for every twelve characters
        ("a/3/E/6/H/jK2mN5pQ8sT1vW4yZ7bC0dF3gH6jK9", False),
        ("AAAAAAAAAAAAAAb1" * 3, False),  # changes too seldom
        ("AAAAAAAAAAb1" * 4, True),
    ],
)
def test_what_is_base64_of_something_random(text: str, key: bool) -> None:
    assert scrambled(text) is key


def test_a_long_key_may_have_more_slashes() -> None:
    for length in (36, 48, 60):
        text = ("aB3dE6gH9j" * 6)[:length]
        allowed = 1 + length // 12
        cut = "/" * allowed
        assert scrambled(cut + text[allowed:]) and not scrambled("/" + cut + text[allowed + 1 :])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a@b.com", True),
        ("a@b.de", True),
        ("A@B.COM", True),
        ("a@b.рф", True),
        ("a@b.py", False),
        ("a@b.so", False),
        ("git@github.com", False),
        ("noreply@x.com", False),
        ("NoReply@x.com", False),
        ("a@b.c3", False),
        ("a@b.node", False),
        ("a@lib.so.com", True),
        ("a@b.xyz", True),
        ("hg+x@b.com", True),
    ],
)
def test_addresses(text: str, kind: bool) -> None:
    assert _address(text) is kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("10.0.12.34", True),
        ("9.255.255.255", False),
        ("10.0.0.0", True),
        ("172.16.0.1", True),
        ("2.14.227.0", False),
        ("127.0.0.1", False),
        ("0.0.0.0", False),
        ("300.1.1.1", False),
        ("::1", False),
        ("fe80::1%eth0", True),
        ("::", False),
        ("2600:1f18::1", True),
        ("x", False),
    ],
)
def test_machines(text: str, kind: bool) -> None:
    assert _machine(text) is kind


@pytest.mark.parametrize(
    "name", ["ubuntu", "ec2-user", "root", "user", "runner", "jovyan", "app", "shared", "Ubuntu", "<user-1>"]
)
def test_nobodys_names(name: str) -> None:
    assert not _someone(name)
    assert _someone("alice") and _someone(f"{name}x".strip("<"))


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("gpu-7.acme.internal", True),
        ("localhost", False),
        ("LocalHost", False),
        ("<host-1>", False),
        ("github.com", False),
        ("api.GitHub.com", False),
        ("notgithub.com", True),
        ("10.0.12.34", False),
        ("2.14.227", False),
        ("trainer", True),
    ],
)
def test_hosts_of_ones_own(host: str, own: bool) -> None:
    assert _own_host(host) is own


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
        (["password:", "  short"], []),
        (["password:", "  sixsix"], ["sixsix"]),
        (["password:", "  two words"], []),
        (["password:", "  other:"], []),
        (["password:", "  -dashed"], []),
        (["- api_key:", "    'hunter22secret',"], ["hunter22secret"]),
        (["wandb --api-key \\", "  hunter22secret \\", "  more9words"], ["hunter22secret"]),
        (["password:", APART, "  hunter22secret"], []),
        (["name:", "  hunter22secret"], []),
    ],
)
def test_pieces_of_secrets_on_lines_of_their_own(lines: list[str], found: list[str]) -> None:
    assert list(fragments("\n".join(lines))) == found


@given(st.lists(st.sampled_from([*PEM, "password: |", "  hunter22secret", "", APART, "a line of text"]), max_size=12))
def test_a_piece_is_always_a_part_of_its_line(lines: list[str]) -> None:
    assert all(any(piece in line for line in lines) for piece in fragments("\n".join(lines)))


@pytest.mark.parametrize(
    ("text", "shown", "counts"),
    [
        (f"{KEY} {KEY}", "<aws-key-id-1> <aws-key-id-1>", {"aws-key-id": 2}),
        ("a@b.com b@b.com", "<e-mail-1> <e-mail-2>", {"e-mail": 2}),
        ("password=hunter22", "password=<secret-1>", {"secret": 1}),
        ("password=hunter22, user=x", "password=<secret-1>, user=x", {"secret": 1}),
        ("password=ab<cd>ef9X!, user=x", "password=<secret-1>, user=x", {"secret": 1}),
        ("<td>password=hunter22</td>", "<td>password=<secret-1></td>", {"secret": 1}),
        ("password=<secret-1>", "password=<secret-1>", {}),
        ("password=<secret-1>;", "password=<secret-1>;", {}),
        ("password:\n  hunter22secret\nhunter22secret", "password:\n  <key-line-1>\n<key-line-1>", {"key-line": 2}),
        ("x hunter22secret\npassword=hunter22secret", "x <secret-1>\npassword=<secret-1>", {"secret": 2}),
        ("password=hunter22secret\nhunter22sec…", "password=<secret-1>\n<secret-1>…", {"secret": 2}),
        (
            "password=hunter22se\npassword=hunter22secret\n(hunter22secret) (hunter22se)",
            "password=<secret-1>\npassword=<secret-2>\n(<secret-2>) (<secret-1>)",
            {"secret": 4},
        ),
        ("password=pw12\nthe pw12 stays", "password=<secret-1>\nthe pw12 stays", {"secret": 1}),
        ("password=onlywords\nonlywords stay", "password=<secret-1>\nonlywords stay", {"secret": 1}),
        ("", "", {}),
        ("\n\n", "\n\n", {}),
    ],
)
def test_what_is_shown_and_counted(text: str, shown: str, counts: dict[str, int]) -> None:
    redactor = Redactor()
    assert redactor.text(text) == shown
    assert dict(redactor.counts) == counts


@dataclass(frozen=True)
class Pair:
    name: str
    value: Any


def test_values_within_values() -> None:
    one = Pair("a", f"{KEY}")
    shown = redacted({"password": "hunter22secret", 3: "hunter22secret", "list": [one, one, 7], "none": None})
    assert shown["password"] == "<secret-1>" and shown[3] == "<secret-1>"
    assert shown["list"] == [Pair("a", "<aws-key-id-1>")] * 2 + [7] and shown["list"][0] is shown["list"][1]
    assert shown["none"] is None
    assert (
        redacted(
            ({"a": {"password": "hunter22secret"}}, Pair("n", "password=s3cret-9-key"), "hunter22secret s3cret-9-key")
        )[2]
        == "<secret-1> <secret-2>"
    )
    assert redacted({"text=": "password=hunter22secret"}) == {"text=": "password=<secret-1>"}
    assert redacted(Pair) is Pair


def test_a_rule_as_it_is_written() -> None:
    made = rule("kind", r"^k=(?P<secret>\w+)$", "k= other")
    assert (made.kind, made.words) == ("kind", ("k=", "other"))
    found = made.pattern.search("x\nk=abc\ny")
    assert found and found.string[slice(*made.span(found))] == "abc"
    assert made.accept("abc") and not made.accept("none")
    assert rule("kind", "x", "", lambda _: True).accept("none")
    whole = rule("kind", "ab", "").pattern.search("xab")
    assert whole and rule("kind", "ab", "").span(whole) == (1, 3)


def test_levels() -> None:
    for level in (None, *LEVELS):
        check(level)
    with pytest.raises(TriageError) as refused:
        check("all")
    error = refused.value
    assert (error.reference, error.message) == ("wrong-redact", "--redact all: there is none of this name")
    assert error.expected == "none, secrets, strict"


TEXT = f"{KEY} of a@b.com on ip-10-0-12-34"


SAFE = "<aws-key-id-1> of <e-mail-1> on ip-10-0-12-34"
TWO = "note: 2 secrets taken out: 1 aws-key-id, 1 e-mail"
THREE = "note: 3 secrets taken out: 1 aws-key-id, 1 e-mail, 1 host"


@pytest.mark.parametrize(
    ("level", "to_share", "shown", "note"),
    [
        (None, False, TEXT, ""),
        ("none", True, TEXT, ""),
        (None, True, SAFE, TWO),
        ("secrets", False, SAFE, TWO),
        ("strict", False, SAFE.replace("ip-10-0-12-34", "<host-1>"), THREE),
    ],
)
def test_what_is_taken_out_at_which_level(level: str | None, to_share: bool, shown: str, note: str) -> None:
    assert prepared(TEXT, level, to_share) == (shown, note)


def test_one_secret_is_not_several() -> None:
    redactor = Redactor()
    assert noted(redactor) == ""
    redactor.text(KEY)
    assert noted(redactor) == "note: 1 secret taken out: 1 aws-key-id"
