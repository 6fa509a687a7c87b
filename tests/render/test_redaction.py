"""What is made to be shared holds no secrets; what is no secret stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from neurontriage import cli, reports
from neurontriage.render.redaction import redacted

KEY = "AKIA" + "IOSFODNN7EXAMPLE"
SECRETS = {
    f"key {KEY} used": KEY,
    "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG": "wJalrXUtnFEMI",
    "Authorization: Bearer abcdef0123456789abcdef": "abcdef0123456789abcdef",
    "token hf_" + "abcdefghijklmnopqrstuvwxyz": "hf_abcdefghij",
    "https://b.s3.amazonaws.com/x?X-Amz-Credential=c1&X-Amz-Signature=0011aabb22": "0011aabb22",
    "arn:aws:iam::123456789012:role/train": "123456789012",
    "123456789012.dkr.ecr.us-west-2.amazonaws.com/neuron": "123456789012",
    "mail me.too@example.com now": "me.too@example.com",
    '"password": "hunter22"': "hunter22",
}
PLAIN = [
    "2024-08-15T14:01:19Z [TEN404] Internal tensorizer error: InferIntrinsicOnCC",
    "MODULE_12338015013531573548+00875417",
    "Needed 33,771,172,352 bytes (31 GB) vs. available 25,769,803,776 bytes",
    "/var/tmp/neuron-compile-cache/neuronxcc-2.11.0.34+c5231f848/MODULE_1503437627695910288+d41d8cd9/model.neff",
]


@pytest.mark.parametrize("text", SECRETS)
def test_secrets_go(text: str) -> None:
    assert SECRETS[text] not in redacted(text)


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redacted(text) == text


@given(st.recursive(st.text() | st.integers() | st.none(), lambda inner: st.lists(inner).map(tuple), max_leaves=8))
def test_any_value_keeps_its_shape(value: object) -> None:
    assert type(redacted(value)) is type(value)
    assert redacted(redacted(value)) == redacted(value)


@pytest.mark.parametrize("format", reports.names())
def test_shared_formats_hold_no_key(format: str, tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text(f"starting with {KEY}\n[TEN404] Internal tensorizer error: InferIntrinsicOnCC {KEY}\n")
    result = CliRunner().invoke(cli.build("explain"), ["explain", str(log), "--format", format])
    assert (KEY in result.output) == (format in ("terminal", "json"))
