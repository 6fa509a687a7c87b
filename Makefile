# Two commands on a fresh machine: `make demo` and `make test`. Both set up everything they need.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
PIP = $(BIN)/pip install --quiet --disable-pip-version-check
SUDO = $(shell test "$$(id -u)" = 0 || echo sudo)

.PHONY: browser demo test test-fast lint format bench eval fit fuzz mutate docs site release lock clean

$(BIN)/neurontriage: EXTRAS =
$(BIN)/neurontriage: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(INSTALL)
	touch $@

# LOCK=.github/lock.txt: these versions and digests and no others, which CI does. It holds all extras.
LOCK ?=
INSTALL = $(if $(LOCK),$(PIP) --require-hashes -r $(LOCK) && $(PIP) --no-deps --no-build-isolation -e .,$(PIP) -e '.$(EXTRAS)')
$(VENV)/dev: EXTRAS = [dev]
$(VENV)/dev: pyproject.toml $(BIN)/neurontriage
	$(INSTALL)
	touch $@

# torch with torch-xla (7 GB) for the repro tests, Ray for sweeps over hosts; a real browser for the HTML tests.
$(VENV)/xla: EXTRAS = [xla,fleet]
$(VENV)/xla: $(VENV)/dev
	$(INSTALL)
	touch $@

browser:
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || \
	  { $(SUDO) apt-get update -q && $(SUDO) apt-get install -q -y chromium chromium-driver; } >/dev/null

demo: $(BIN)/neurontriage
	$(BIN)/neurontriage demo

test: $(VENV)/dev $(VENV)/xla browser
	$(BIN)/python -m pytest -n 2

# Two minutes on two cores: everything without torch, without a browser, and without what takes long by its nature.
test-fast: $(VENV)/dev
	$(BIN)/python -m pytest -q -n auto -m "not browser and not xla and not slow"

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/neurontriage kb lint
	$(BIN)/python -m pytest -q tests/test_structure.py

format: $(VENV)/dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/dev
	$(BIN)/python benchmarks/run.py

# How well root causes are found in real logs: plain, and with each log's own entries switched off. CORPUS has the logs.
CORPUS ?= ../shared/corpus
NEED ?=
eval: $(VENV)/dev
	$(BIN)/python eval/score.py $(CORPUS) --table docs/measured/accuracy.json $(NEED)

# The ranker's weights anew, with cross-validated figures; needs NumPy and SciPy (the extra `xla`).
fit: $(VENV)/xla
	$(BIN)/python eval/fit.py $(CORPUS) --write --table docs/measured/calibration.json

# Whether the tests notice changed code, in the rooms of tests/mutation/rooms.yaml.
MUTATE ?=
mutate: $(VENV)/dev
	$(PIP) mutmut
	$(BIN)/python tests/mutation/mutate.py $(MUTATE)
	$(BIN)/python tests/mutation/mutate.py $(MUTATE) --by-hand

# Coverage-guided fuzzing of all targets, SECONDS each, JOBS at a time.
SECONDS ?= 60
JOBS ?= 2
fuzz: $(VENV)/dev
	$(PIP) -e '.[fuzz]'
	$(BIN)/python fuzz/run.py $(SECONDS) --jobs $(JOBS)

docs: $(BIN)/neurontriage
	$(BIN)/neurontriage kb pages docs/catalogue

# The page that explains a log in the browser, with the catalogue; needs npm for Pyodide.
site: $(VENV)/dev
	PYTHONHASHSEED=0 $(BIN)/python docs/site/build.py build/site

# Wheel and source twice with the same digest, an SBOM of what a user installs, and the digests.
release: $(VENV)/dev
	bash .github/release $(BIN)

# What CI installs, with digests: the versions stay where pyproject.toml permits them, but UPGRADE=--upgrade takes the newest.
UPGRADE ?=
lock: $(VENV)/dev
	$(PIP) uv
	$(BIN)/uv pip compile pyproject.toml --quiet --extra dev --extra xla --extra fleet --extra agents --extra notebook \
	  --generate-hashes --python-platform linux --python-version 3.11 --no-header --no-annotate --no-emit-index-url \
	  $(UPGRADE) --output-file .github/lock.txt
	sed -i '1i # What CI installs: all extras, every version with the digests of its files, for Python 3.11 on Linux. `make lock` writes it.' .github/lock.txt

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
