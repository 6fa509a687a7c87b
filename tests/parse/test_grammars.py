"""Each grammar: whatever is printed in a field comes back from the parse, and no input raises."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neurontriage import resources
from neurontriage.knowledge.catalog import Catalog
from neurontriage.parse.family import Family, read_families


@pytest.fixture(scope="module")
def families() -> dict[str, Family]:
    return {family.name: family for family in read_families(resources.grammars())}


NAMES = sorted(one.stem for one in resources.grammars().glob("*.lark") if "//! unknown" in one.read_text("utf-8"))

word = st.text(string.ascii_letters + "_", min_size=1, max_size=12)
number = st.integers(0, 99_999).map(str)
two = st.integers(0, 59).map("{:02}".format)
message = st.text(string.ascii_letters + string.digits + " .:,()'[]<>=%/", min_size=1, max_size=60).map(
    lambda text: "m" + " ".join(text.split())
)
path = st.lists(word, min_size=1, max_size=4).map(lambda parts: "/" + "/".join(parts))
version = st.tuples(st.integers(0, 30), st.integers(0, 99999)).map(lambda v: f"2.{v[0]}.{v[1]}.0")

clock = st.tuples(two, two, two).map(lambda t: f"{int(t[0]) % 24:02}:{t[1]}:{t[2]}")
nrt_time = clock.map(lambda c: f"2025-Oct-01 {c}.002205")
iso = clock.map(lambda c: f"2025-10-31T{c}Z")
wrapper_time = clock.map(lambda c: f"2025-10-31 {c}.000464")
us_time = clock.map(lambda c: f"06/18/2021 {c} AM")
code = st.sampled_from(["TEN404", "NCC_EVRF001", "NCC_IXRO002", "XTP002", "F137", "NLA001"])
component = st.sampled_from(["NRT", "TDRV", "NMGR", "ENC", "ENCD", "HAL", "KMGR"])
name = word.filter(lambda w: w != "nrt_infodump")
status = st.sampled_from(["NRT_RESOURCE", "NRT_EXEC_OOB", "NRT_TIMEOUT", "NRT_FAILURE"])
operator = word.map(lambda w: f"aten::{w}")
exception = word.map(lambda w: f"{w}Error")
passname = word.map(lambda w: f"P{w}")

# family, expected kind, the line as it is printed, one strategy per field
PRINTED = [
    ("nrt", "failure", "{time} {pid}:{tid} ERROR  {component}:{function}    {message}",
     {"time": nrt_time, "pid": number, "tid": number, "component": component, "function": name,
      "message": message}),
    ("nrt", "failure", "ERROR  {component}:{function}  [ND {device}][NC {core}] {message}",
     {"component": component, "function": name, "device": number, "core": number, "message": message}),
    ("nrt", "exit", "{time} {pid}:{tid} ERROR   NRT:nrt_infodump   Failure: {status} in {call}()",
     {"time": nrt_time, "pid": number, "tid": number, "status": status, "call": word}),
    ("nrt", "warning", "{time} {pid}:{tid}   WARN   {component}:{function}  {message}",
     {"time": nrt_time, "pid": number, "tid": number, "component": component, "function": name, "message": message}),
    ("errno", "missing", "{exception}: {message}",
     {"exception": st.sampled_from(["python3", "cp", "/bin/ls", "./run.sh"]),
      "message": path.map(lambda p: f"no se puede abrir '{p}': [Errno 2] No existe el fichero o el directorio")}),
    ("nrtucode", "leak", "nrtucode: internal error: {objects} object(s) leaked, improper teardown",
     {"objects": number}),
    ("ofi", "warning", "{time} {pid}:{tid} [{core}] {source}:{source_line} CCOM WARN {message}",
     {"time": nrt_time, "pid": number, "tid": number, "core": number, "source_line": number, "message": message,
      "source": word.map(lambda w: f"{w}.cc")}),
    ("neuron_cc_wrapper", "call", "{time}:  {pid}  INFO ||NEURON_CC_WRAPPER||: Call compiler with cmd: neuronx-cc {x}",
     {"time": wrapper_time, "pid": number, "x": word}),
    ("neuron_cc_wrapper", "cached", "{time}:  {pid}  [INFO]: Using a cached neff at {cache_path}. Exiting with success",
     {"time": wrapper_time, "pid": number, "cache_path": path}),
    ("neuron_cc_wrapper", "failed", "{time}:  {pid}  ERROR ||NEURON_CC_WRAPPER||: Compilation failed for {path} after "
     "{retries} retries.", {"time": wrapper_time, "pid": number, "path": path, "retries": number}),
    ("neuron_cc_wrapper", "cached_failed", "{time}:  {pid}  ERROR ||NEURON_CC_WRAPPER||: Got a cached failed neff at "
     "{cache_path}. Will skip compilation", {"time": wrapper_time, "pid": number, "cache_path": path}),
    ("neuron_cc_wrapper", "failed_with", "{time}:  {pid}  [ERROR]: Failed compilation with ['neuronx-cc', '{x}']: "
     "{message}", {"time": wrapper_time, "pid": number, "message": message, "x": word}),
    ("neuronx_cc", "tensorizer", "{time} [{code}] ({op}) Internal tensorizer error: {pass}:{message}",
     {"time": iso, "code": code, "pass": passname, "message": message, "op": word}),
    ("neuronx_cc", "code", "[ERROR] [{code}] {message}", {"code": code, "message": message}),
    ("neuronx_cc", "exit", "Subcommand returned with exitcode={exit_status}",
     {"exit_status": st.integers(1, 255).map(str)}),
    ("neuron_cc", "message", "{time} ERROR {pid} [neuron-cc]: Error message:  {message}",
     {"time": us_time, "pid": number, "message": message}),
    ("neuron_cc", "error_class", "{time} ERROR [neuron-cc]: Error class:    {error_class}",
     {"time": us_time, "error_class": word}),
    ("torch_neuron", "operator", "INFO:Neuron: => {operator}: {count} [not supported]",
     {"operator": operator, "count": number}),
    ("torch_neuron", "percent", "INFO:Neuron:Number of arithmetic operators (post-compilation) before = {before}, "
     "compiled = {compiled}, percent compiled = {percent}", {"before": number, "compiled": number,
                                                               "percent": number.map(lambda n: f"{n}.5%")}),
    ("torch_neuron", "conversion", "INFO:Neuron:PyTorch to TF conversion failed to resolve function on {operator} with "
     "inputs {message}", {"operator": operator, "message": message}),
    ("pjrt", "failure", "2025-10-31 07:17:12.123456: E {source}:{source_line}] {message}",
     {"source": path, "source_line": number, "message": message}),
    ("pjrt", "fatal", "F0000 00:00:17.5 {pid} {source}:{source_line}] {message}",
     {"pid": number, "source": path.map("{}.cc".format), "source_line": number, "message": message}),
    ("klog", "failure", "E0302 08:11:04.123456    {pid} {source}:{source_line}] {message}",
     {"pid": number, "source": word.map("{}.go".format), "source_line": number, "message": message}),
    ("crash", "thrown", "/srv/{file}.rb:88:in `read': {message}", {"file": word, "message": message}),
    ("crash", "oops", "BUG: {message}", {"message": message}),
    ("absl", "failure", "E0302 08:11:04.123456 {pid} {source}:{source_line}] {message}",
     {"pid": number, "source": path.map("{}.py".format), "source_line": number, "message": message}),
    ("kernel", "hardware", "NEURON_HW_ERR={fault} {message}", {"fault": word, "message": message}),
    ("torchrun", "exitcode", "exitcode  : {exit_status} (pid: 7)", {"exit_status": st.integers(-64, 255).map(str)}),
    ("installer", "dkms", "Error! {message}", {"message": message}),
    ("python", "exception", "{exception}: {message}", {"exception": exception, "message": message}),
    ("python", "frame", 'File "{file}", line {line_number}, in {function}',
     {"file": path, "line_number": number, "function": word}),
    ("kubernetes", "event", "Warning  {reason}  {message}", {"reason": passname, "message": message}),
    ("xla_debug", "cause", "Compilation Analysis:   {cause}", {"cause": message}),
    ("xla_debug", "graph", "Execution Analysis:   Graph Hash: {hash}", {"hash": number}),
    ("xla_debug", "frame", "Compilation Analysis:   {frame}",
     {"frame": st.tuples(word, path, number).map(lambda parts: f"{parts[0]} ({parts[1]}:{parts[2]})")}),
    ("xla_debug", "recompiled", "[__recompiles] Recompiling function {function} in {site}",
     {"function": word, "site": path}),
    ("xla_debug", "guard", "[__recompiles]     - {entry}: {guard}", {"entry": st.just("0/1"), "guard": message}),
    ("xla_debug", "counter", "Counter: {name}", {"name": operator}),
    ("xla_debug", "value", "Value: {number}", {"number": number}),
    ("xla_debug", "finished", "Finished Compilation for {job} in {took} seconds", {"job": word, "took": number}),
    ("xla_debug", "storm", "compile statistics: storm: {count} graphs compiled at {place}",
     {"count": number, "place": path}),
    ("build", "status", "make[1]: *** [x.o] Error {exit_status}", {"exit_status": number}),
    ("build", "rule", "make: *** {message}", {"message": message}),
    ("build", "ninja", "ninja: error: {message}", {"message": message}),
    ("build", "cmake", "CMake Error at CMakeLists.txt:3 (find_package): {message}", {"message": message}),
    ("build", "linker", "/usr/bin/ld: {message}", {"message": message}),
    ("build", "linked", "collect2: error: ld returned {message}", {"message": message}),
    ("build", "step", "ERROR: failed to solve: {message}", {"message": message}),
    ("torch_neuron", "trace_error", "WARNING:Neuron:torch.neuron.trace error: {message}", {"message": message}),
    ("plain", "symbol", "x.so: undefined symbol: {symbol}", {"symbol": word}),
]  # fmt: skip


@pytest.mark.parametrize("printed", PRINTED, ids=lambda p: f"{p[0]}-{p[1]}")
def test_printed_fields_come_back(
    printed: tuple[str, str, str, dict[str, st.SearchStrategy[str]]], families: dict[str, Family]
) -> None:
    name, kind, line, strategies = printed
    family = families[name]

    @settings(max_examples=25, deadline=None)
    @given(st.fixed_dictionaries(strategies))
    def check(values: dict[str, str]) -> None:
        text = line.format(**values)
        result = family.parse(text)
        assert result is not None
        assert result[0] == kind
        fields = {name: text[start:end].strip() for name, start, end in result[1]}
        for name in values.keys() & set(line_fields(family)):
            assert fields[name] == values[name].strip()

    check()


def line_fields(family: Family) -> set[str]:
    return {terminal.name.lower() for terminal in family.grammar.parser.terminals if not terminal.name.startswith("_")}


@pytest.mark.parametrize("name", NAMES)
def test_no_input_raises(name: str, families: dict[str, Family]) -> None:
    family = families[name]

    @settings(max_examples=40, deadline=None)
    @given(st.text(max_size=200))
    def check(text: str) -> None:
        result = family.parse(text)
        assert result is None or isinstance(result[0], str)

    check()


def test_every_family_has_a_round_trip(families: dict[str, Family]) -> None:
    assert {printed[0] for printed in PRINTED} == set(families) == set(NAMES)


def test_a_stored_table_parses_like_a_fresh_one(catalog: Catalog, families: dict[str, Family]) -> None:
    line = "2025-10-31T07:17:12Z [TEN404] (a.1) Internal tensorizer error: InferIntrinsicOnCC"
    stored = next(family for family in catalog.families if family.name == "neuronx_cc")
    assert stored.grammar.stored is not None
    assert stored.grammar.table == families["neuronx_cc"].grammar.table
    assert stored.parse(line) == families["neuronx_cc"].parse(line)


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("the reasons for it:", True),
        ("the reasons for it: \t", True),
        ('{"log":"the reasons for it:\\n","stream":"stderr"}', True),
        ("the reasons for it: hello", False),
        ("[x][FTL] a", True),
        ("level=crit msg=a", True),
        ('{"level":60,"msg":"a"}', True),
        ("E1120 03:00:01.100000 88 a.cc:9] b", True),
        ("<2>Nov 20 a", True),
        ("[エラー] a", True),
        ("<9> a", False),
        ("the alert level is 60", False),
    ],
)
def test_levels_and_heads_are_looked_for_in_every_line(catalog: Catalog, line: str, seen: bool) -> None:
    hits = {number for _, number in catalog.engine.scan(f"row\n{line}\nrow\n".encode())}
    assert any(kind == "payload" for hit in hits for kind, _, _ in catalog.owners[hit]) == seen
