"""Good and bad result.json files: both schemas, and one clear message with a JSON path for all that is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neurontriage.analysis import document
from neurontriage.analysis.result import Result, load, of_document
from neurontriage.errors import Exit, TriageError


def read(data: bytes) -> Result:
    return of_document("r.json", document.parse("r.json", data))


BAD = {
    "empty": (b" \n", "the file is empty"),
    "a-log": (b"2025-10-01 ERROR ||NEURON_CC_WRAPPER||: x", "not JSON at line 1"),
    "not-text": (b"\x1f\x8b\x08\x00\xff\xfe", "not text"),
    "truncated-object": (b'{"supported_operators": {"aten::mul": 1', "truncated"),
    "truncated-string": (b'{"supported_operators": {"aten::m', "truncated"),
    "a-list": (b"[]", "$: expected an object, found a list"),
    "another-kind": (b'{"name": "x", "version": "1"}', "not an analyze report"),
    "count-is-text": (b'{"supported_operators": {"aten::mul": "1"}}', "$.supported_operators['aten::mul']"),
    "count-is-bool": (b'{"supported_operators": {"aten": {"a": true}}}', "$.supported_operators.aten.a"),
    "count-is-negative": (b'{"supported_operators": {"a": -1}}', "$.supported_operators.a"),
    "count-is-fraction": (b'{"supported_operators": {"a": 1.5}}', "$.supported_operators.a"),
    "nan": (b'{"supported_operators": {"a": NaN}}', "$.supported_operators.a: nan is not a number in JSON"),
    "infinity": (b'{"supported_operators": {}, "x": [1, -Infinity]}', "$.x[1]: -inf is not a number in JSON"),
    "overflow": (b'{"supported_operators": {"a": 1e999}}', "$.supported_operators.a: inf"),
    "no-kind": (b'{"unsupported_operators": [{"failureAt": "neuronx-cc"}]}', "$.unsupported_operators[0].kind"),
    "wrong-list": (b'{"unsupported_operators": {"aten": {}}}', "$.unsupported_operators.aten"),
    "wrong-xla": (b'{"supported_operators": {"aten": {}, "xla": [1]}}', "$.supported_operators.xla[0]"),
    "hlo-without-text": (b'{"unsupported_operators": {"xla": [{}]}}', "$.unsupported_operators.xla[0].hlo_instruction"),
    "operators-is-number": (b'{"supported_operators": 5}', "$.supported_operators"),
    "version-is-number": (b'{"supported_operators": {}, "neuronx_cc_version": 2}', "$.neuronx_cc_version"),
    "percentage-is-list": (b'{"supported_operators": {}, "support_percentage": []}', "$.support_percentage"),
    "nothing-said": (b'{"supported_operators": null, "unsupported_operators": null}', "the report says nothing"),
    "nothing-in-both": (b'{"supported_operators": {"aten": null}, "unsupported_operators": {}}', "says nothing"),
    "key-twice": (b'{"supported_operators": {}, "supported_operators": {}}', "stands twice"),
    "deep": (b"[" * 100_000, "nested deeper"),
    "deep-but-whole": (b'{"supported_operators":' + b"[" * 90 + b"]" * 90 + b"}", "nested deeper"),
    "huge-number": (b'{"supported_operators": {"a": ' + b"9" * 5000 + b"}}", "not JSON"),
}


@pytest.mark.parametrize(("data", "message"), BAD.values(), ids=BAD.keys())
def test_bad_input_is_refused_with_its_place(data: bytes, message: str) -> None:
    with pytest.raises(TriageError) as caught:
        read(data)
    assert caught.value.exit_code is Exit.USAGE
    assert "r.json" in caught.value.message
    assert message in caught.value.message
    assert "result.json" in caught.value.expected


def test_several_faults_are_told_at_once() -> None:
    data = {"supported_operators": {f"aten::x{n}": "1" for n in range(9)}}
    with pytest.raises(TriageError, match=r"… and 4 more"):
        of_document("r.json", data)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(TriageError, match="no such file"):
        load(tmp_path / "nothing.json")
    with pytest.raises(TriageError, match="holds no"):
        load(tmp_path)
    inner = tmp_path / "model_analysis_result"
    inner.mkdir()
    (inner / "result.json").write_text('{"supported_operators": {"aten::mul": 1}, "unsupported_operators": []}')
    assert load(tmp_path).supported == {"aten::mul": 1}


def test_unknown_fields_are_kept_by_their_path() -> None:
    data = {
        "supported_operators": {"aten": {}, "mlir": []},
        "unsupported_operators": {"aten": [{"kind": "aten::mul", "graph id": 3}]},
        "elapsed": 2,
    }
    expected = {"$.elapsed", "$.supported_operators.mlir", "$.unsupported_operators.aten[0]['graph id']"}
    assert set(of_document("r.json", data).unknown) == expected


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("60.00%", 60.0),
        ("100%", 100.0),
        (" 7.5 % ", 7.5),
        (33.3, 33.3),
        (0, 0.0),
        ("abc", None),
        ("101%", None),
        ("", None),
        ("-1%", None),
        (None, None),
    ],
)
def test_percentage(printed: object, value: float | None) -> None:
    found = of_document("r.json", {"support_percentage": printed, "supported_operators": {}})
    assert found.percentage == value


def test_missing_is_not_empty() -> None:
    missing = of_document("r.json", {"supported_operators": {"aten": {}}})
    empty = of_document(
        "r.json", {"supported_operators": {"aten": {}}, "unsupported_operators": {"aten": [], "xla": []}}
    )
    assert (missing.refused, missing.refused_hlo) == (None, None)
    assert (empty.refused, empty.refused_hlo) == ((), ())


def test_a_lone_surrogate_becomes_printable() -> None:
    found = read(b'{"supported_operators": {"a\\ud800": 1}}')
    assert found.supported is not None
    "".join(found.supported).encode("utf-8")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "supported_operators",
                        "unsupported_operators",
                        "aten",
                        "xla",
                        "kind",
                        "call",
                        "hlo_instruction",
                        "x",
                    ]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_any_json_is_a_report_or_refused(data: object) -> None:
    try:
        assert isinstance(read(json.dumps(data).encode()), Result)
    except TriageError as error:
        assert error.exit_code is Exit.USAGE
