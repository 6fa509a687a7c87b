# Two commands on a fresh machine: `make demo` and `make test`. Both set up everything they need.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
SUDO = $(shell test "$$(id -u)" = 0 || echo sudo)
SAMPLE = samples/compiler-internal/ten404-loop.log

.PHONY: browser demo test test-fast lint format bench eval fit fuzz docs site release clean

$(BIN)/neurontriage: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/dev: pyproject.toml $(BIN)/neurontriage
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

# torch with torch-xla (7 GB) for the repro tests, Ray for sweeps over hosts; a real browser for the HTML tests.
$(VENV)/xla: $(VENV)/dev
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[xla,fleet]'
	touch $@

browser:
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || \
	  { $(SUDO) apt-get update -q && $(SUDO) apt-get install -q -y chromium chromium-driver; } >/dev/null

demo: $(BIN)/neurontriage
	$(BIN)/neurontriage explain $(SAMPLE) --fail-on never

test: $(VENV)/dev $(VENV)/xla browser
	$(BIN)/python -m pytest -n 2

# Everything without torch and without a browser.
test-fast: $(VENV)/dev
	$(BIN)/python -m pytest -q -n 4 -m "not browser and not xla"

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
	$(BIN)/python eval/score.py $(CORPUS) $(NEED)

# The ranker's weights anew, with cross-validated figures; needs NumPy and SciPy (the extra `xla`).
fit: $(VENV)/xla
	$(BIN)/python eval/fit.py $(CORPUS) --write

# Coverage-guided fuzzing of all targets, SECONDS each.
SECONDS ?= 60
fuzz: $(VENV)/dev
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[fuzz]'
	$(BIN)/python fuzz/run.py $(SECONDS)

docs: $(BIN)/neurontriage
	$(BIN)/neurontriage kb pages docs/catalogue

# The page that explains a log in the browser, with the catalogue; needs npm for Pyodide.
site: $(VENV)/dev
	PYTHONHASHSEED=0 $(BIN)/python docs/site/build.py build/site

# Wheel and source twice with the same digest, an SBOM of what a user installs, and the digests.
release: $(VENV)/dev
	bash .github/release $(BIN)

# The versions that CI uses: those of this environment.
constraints.txt: $(VENV)/dev
	echo "# The versions that CI installs, on Python 3.11 and Linux; \`make constraints.txt\` writes it anew." >$@
	$(BIN)/pip freeze --exclude-editable | grep == | grep -v -i -E '^(torch|torch-xla|nvidia-.*|triton)==' >>$@

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
