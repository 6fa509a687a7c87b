"""The judgements of redaction one by one, at their edges: what is a value, an address, a machine, a piece of a key."""

from __future__ import annotations

import pytest

from neurontriage.errors import TriageError
from neurontriage.render.redaction import Redactor
from neurontriage.render.redaction.people import _address, _machine, _own_host, _someone
from neurontriage.render.redaction.rule import random_looking, real, rule, scrambled
from neurontriage.render.redaction.sharing import LEVELS, check, noted, prepared

PEM_HEAD = "-----BEGIN RSA PRIVATE KEY-----"
KEY = "AKIA" + "IOSFODNN7EXAMPLE"


VALUES = "abc hunter22 'hunter22' x=f(1) a.b.c my-password-1 self Xx1 k==y(a) token=abc ab(cd=1"
NONE = """
ab 'ab' <secret-1> {token} (x) [1] ***** $TOKEN ${TOKEN} $(cat %s %(x)s %{x} &lt;x ... …abc xxx XXXXX ---- ____ ••••
/dev/null None REQUIRED invalid. token hf_token self.password os.environ['X'] getenv( args.key config[x get_token()
str(x) f(x) f[x] a_b(c credentials, s3cr3t( p(a[ss
self.x args.x config.x cfg.x os.x env.x environ.x settings.x kwargs.x opt.x str.x getenv.x getpass.x get_it.x
db_password passwd) secret] api_key, auths credential A.b( _x[0
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
        (
            "password=aB3+dE/6g=H9.jK%2m~N5-pQ_9x\n(aB3+dE/6g=H9.jK%2m~N5-pQ…",
            "password=<secret-1>\n(<secret-1>…",
            {"secret": 2},
        ),
        ("password=ONLY_WORDS\nONLY_WORDS stay", "password=<secret-1>\nONLY_WORDS stay", {"secret": 1}),
        ("password=20250101.5\n20250101.5 stays", "password=<secret-1>\n20250101.5 stays", {"secret": 1}),
        ("password=only-wo.r/d_s\nonly-wo.r/d_s stay", "password=<secret-1>\nonly-wo.r/d_s stay", {"secret": 1}),
        ("password=pw12\nthe pw12 stays", "password=<secret-1>\nthe pw12 stays", {"secret": 1}),
        ("password=onlywords\nonlywords stay", "password=<secret-1>\nonlywords stay", {"secret": 1}),
        ("password=pw9X, user=x", "password=<secret-1>, user=x", {"secret": 1}),
        ("password=pass9wrd\nx pass9wrd", "password=<secret-1>\nx <secret-1>", {"secret": 2}),
        (
            "password=hunter22secret\ntoken=other33secret\nxhunter22secretx xother33secretx",
            "password=<secret-1>\ntoken=<secret-2>\nx<secret-1>x x<secret-2>x",
            {"secret": 4},
        ),
        (
            f"{PEM_HEAD}\n-----BEGIN CERTIFICATE-----",
            "<private-key-1>\n-----BEGIN CERTIFICATE-----",
            {"private-key": 1},
        ),
        ("on ip-10-0-12-34", "on ip-10-0-12-34", {}),
        ("", "", {}),
        ("\n\n", "\n\n", {}),
    ],
)
def test_what_is_shown_and_counted(text: str, shown: str, counts: dict[str, int]) -> None:
    redactor = Redactor()
    assert redactor.text(text) == shown
    assert dict(redactor.counts) == counts


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
