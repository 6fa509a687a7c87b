"""What is made to be shared holds no secret, whole or in part; what is no secret stays."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

import pytest
from detect_secrets import plugins
from detect_secrets.plugins.base import RegexBasedDetector
from hypothesis import given
from hypothesis import strategies as st
from planted import Planted, planted
from pumping import growth
from typer.testing import CliRunner

from neurontriage import cli, reports
from neurontriage.commands.explain import KEPT_AS_IT_IS
from neurontriage.render.redaction import Redactor, redacted
from neurontriage.render.redaction.named import NAMED
from neurontriage.render.redaction.people import HOSTS, PEOPLE
from neurontriage.render.redaction.rule import Rule
from neurontriage.render.redaction.tokens import ISSUED, TOKENS
from neurontriage.triage import explain_text

LINEAR = 1.6
"""As in tests/lines/test_pumps.py."""
PLANTED = planted()
RULES = (*TOKENS, *NAMED, *PEOPLE)
SHARED = [name for name in reports.names() if name not in KEPT_AS_IT_IS]
PLAIN = (Path(__file__).parent / "no_secrets.txt").read_text(encoding="utf-8").splitlines()
STRICT = {
    "host ip-10-0-12-35 is down": "ip-10-0-12-35",
    "/fsx/users/alice.smith/x": "alice.smith",
    "cd /home/alice.smith": "alice.smith",
    "ssh -v -p22 alice@gpu": "alice",
    "bucket: acme-data": "acme-data",
    "host ip-10-0-12-34.ec2.internal is down": "ip-10-0-12-34",
    "ec2-54-12-34-56.compute-1.amazonaws.com": "54-12-34-56",
    "connect to 10.0.12.34:43215 failed": "10.0.12.34",
    "from 2600:1f18:abcd::1 port 22": "2600:1f18:abcd::1",
    "instance i-0abcd1234ef567890 stopped": "0abcd1234ef567890",
    "/home/alice.smith/project/train.py": "alice.smith",
    "/Users/alice/x.py": "alice",
    "/tmp/alice/neuroncc_compile_workdir/x": "alice",
    "s3://acme-secret-project/weights/": "acme-secret-project",
    "https://acme-data.s3.us-west-2.amazonaws.com/x": "acme-data",
    "arn:aws:s3:::acme-data/x": "acme-data",
    "arn:aws:iam::123456789012:role/AcmeTrainer": "AcmeTrainer",
    "MASTER_ADDR=trainer-0.acme.example": "trainer-0",
    "https://gitlab.acme.example/x/y": "gitlab.acme.example",
    "node gpu-7.acme.internal: lost": "gpu-7",
    "USER=alice": "alice",
    "AWS_PROFILE=acme-prod": "acme-prod",
}


def test_there_are_seventy_kinds() -> None:
    assert len(PLANTED) >= 70


def kept(text: str, missing: Rule | None, strict: bool = False) -> str:
    """What is left of a text, when one rule is missing."""
    redactor = Redactor(strict)
    redactor._rules = tuple(one for one in (*RULES, *(HOSTS if strict else ())) if one is not missing)
    return re.sub(r"<[a-z-]+-\d+>", "<>", redactor.text(text))


@pytest.mark.parametrize("number", range(len(RULES)))
def test_every_rule_takes_out_what_no_other_does_or_spares_what_another_would_take(number: int) -> None:
    assert any(kept(one.text, RULES[number]) != kept(one.text, None) for one in PLANTED)


@pytest.mark.parametrize("number", range(len(HOSTS)))
def test_every_strict_rule_takes_out_what_no_other_does(number: int) -> None:
    assert any(owner in kept(text, HOSTS[number], strict=True) for text, owner in STRICT.items())


@pytest.mark.parametrize("shape", ISSUED)
def test_every_issued_shape_is_planted(shape: str) -> None:
    assert any(re.search(shape, one.secret) or re.search(shape, one.text) for one in PLANTED)


@pytest.mark.parametrize("one", PLANTED, ids=lambda one: one.kind)
def test_secrets_go_whole_and_in_part(one: Planted) -> None:
    shown = redacted(one.text)
    assert not one.leaked(shown), shown
    assert redacted(shown) == shown
    assert not one.leaked("".join(redacted(tuple(one.text.split("\n")))))


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redacted(text) == text


@pytest.mark.parametrize("text", STRICT)
def test_strict_takes_out_whose_machine_it_was(text: str) -> None:
    assert STRICT[text] not in redacted(text, strict=True)
    assert STRICT[text] in redacted(text)


@pytest.mark.parametrize("text", PLAIN)
def test_strict_keeps_what_a_diagnosis_needs(text: str) -> None:
    assert redacted(text, strict=True) == text


@given(st.recursive(st.text() | st.integers() | st.none(), lambda inner: st.lists(inner).map(tuple), max_leaves=8))
def test_any_value_keeps_its_shape(value: object) -> None:
    assert type(redacted(value)) is type(value)
    assert redacted(redacted(value)) == redacted(value)


def test_a_secret_goes_wherever_it_stands_and_keeps_its_name() -> None:
    secret = PLANTED[2].secret
    lines = (
        f"upload with {secret[:30]}…",
        f"AWS_SECRET_ACCESS_KEY={secret}",
        f"echo:{secret}:",
        "AWS_SECRET_ACCESS_KEY=" + "z9" * 20,
    )
    shown = redacted(lines)
    assert shown == (
        "upload with <secret-1>…",
        "AWS_SECRET_ACCESS_KEY=<secret-1>",
        "echo:<secret-1>:",
        "AWS_SECRET_ACCESS_KEY=<secret-2>",
    )


def test_what_was_taken_out_is_counted_by_kind() -> None:
    redactor = Redactor()
    redactor.text("mail a@example.com and a@example.com, password=hunter22")
    assert dict(redactor.counts) == {"e-mail": 2, "secret": 1}


def test_the_end_of_a_key_goes_although_its_beginning_is_not_shown() -> None:
    key = next(one for one in PLANTED if one.kind == "private key")
    assert not key.leaked(redacted("\n".join(key.text.split("\n")[2:])))


def test_a_key_that_is_cut_off_takes_nothing_else_with_it() -> None:
    key = next(one for one in PLANTED if one.kind == "private key")
    begun = "\n".join(key.text.split("\n")[:2])
    for text in (begun, begun.split("\n")[0]):
        diagnosis = explain_text(f"{text}\n[TEN404] Internal tensorizer error: Foo {text}\n")
        shown = redacted(diagnosis)
        same = [(f.id, f.severity, f.role, f.layer) for f in diagnosis.findings]
        assert [(f.id, f.severity, f.role, f.layer) for f in shown.findings] == same


def test_a_named_value_goes_with_its_name() -> None:
    assert redacted({"password": "hunter22", "op": "add"}) == {"password": "<secret-1>", "op": "add"}


@pytest.mark.parametrize("unit", ["a", "token", "=", "://", "a@", "-", "eyJ."])
def test_a_long_hostile_line_is_read_in_linear_time(unit: str) -> None:
    """As the expressions by themselves (tests/lines/test_pumps.py): only growth is judged, the least of three."""
    assert min(growth(lambda text: redacted(text, strict=True), ("", unit, "")) for _ in range(3)) < LINEAR


DIGEST = re.compile(r'"(?:fingerprint|finding/v1)": "[0-9a-f]+"')


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Every shared format of a log that holds all secrets: in lines that fail and in the lines around them."""
    folder = tmp_path_factory.mktemp("planted")
    for number, one in enumerate(PLANTED):
        stated = one.text.split("\n")[0]
        lines = [*one.text.split("\n"), f"[TEN404] Internal tensorizer error: Pass{number}: {stated}", "end"]
        (folder / f"{number:03}.log").write_text("\n".join(lines), encoding="utf-8")
    out = {}
    for format in SHARED:
        result = CliRunner().invoke(cli.build("explain"), ["explain", str(folder), "--format", format])
        assert result.exit_code in (0, 1), result.output
        out[format] = DIGEST.sub("", result.output)  # a digest may hold any six characters
    return out


@pytest.mark.parametrize("format", SHARED)
def test_no_shared_format_holds_any_planted_secret(format: str, shared: dict[str, str]) -> None:
    everything = "\n".join(one.text for one in PLANTED)
    for one in PLANTED:
        pieces = [piece for piece in one.leaked(shared[format]) if everything.count(piece) == one.secret.count(piece)]
        assert not pieces, one.kind


def detectors() -> list[RegexBasedDetector]:
    """All detectors of detect-secrets that know a token by its shape: a second opinion that is not ours."""
    for module in pkgutil.iter_modules(plugins.__path__):
        importlib.import_module(f"detect_secrets.plugins.{module.name}")
    unsure = {
        "PrivateKeyDetector",
        "IPPublicDetector",
        "ArtifactoryDetector",
        "IbmCloudIamDetector",
        "IbmCosHmacDetector",
    }
    found = [one for one in RegexBasedDetector.__subclasses__() if one.__name__ not in unsure]
    return [one() for one in found if not one.__abstractmethods__]


@pytest.mark.parametrize("format", SHARED)
def test_a_secret_scanner_finds_nothing_in_a_shared_format(format: str, shared: dict[str, str]) -> None:
    assert sum(bool(set(d.analyze_string(one.text))) for d in detectors() for one in PLANTED) > 15
    lines = shared[format].splitlines()
    assert not {
        (d.secret_type, s) for d in detectors() for line in lines for s in d.analyze_string(line) if "<" not in s
    }


@pytest.mark.parametrize("format", KEPT_AS_IT_IS)
def test_who_has_the_log_sees_the_log(format: str, tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text(f"[TEN404] Internal tensorizer error: InferIntrinsicOnCC {PLANTED[0].text}\n")
    shown = CliRunner().invoke(cli.build("explain"), ["explain", str(log), "--format", format]).output
    assert PLANTED[0].secret in "".join(shown.split())


def test_the_level_can_be_chosen(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text(f"[TEN404] Internal tensorizer error: InferIntrinsicOnCC {PLANTED[0].text} on ip-10-0-12-34\n")
    shown = {}
    for level in ("none", "secrets", "strict"):
        result = CliRunner().invoke(cli.build("explain"), ["explain", str(log), "--format", "json", "--redact", level])
        shown[level] = (
            PLANTED[0].secret in result.stdout,
            "ip-10-0-12-34" in result.stdout,
            "taken out" in result.stderr,
        )
    assert shown == {"none": (True, True, False), "secrets": (False, True, True), "strict": (False, False, True)}
    assert cli.run(cli.build("explain"), ["explain", str(log), "--redact", "all"]) == 2


def test_a_password_of_signs_alone_is_one() -> None:
    assert Redactor().text("PASSWORD=!!--**##!!--") == "PASSWORD=<secret-1>"
