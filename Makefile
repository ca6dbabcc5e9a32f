# `make test` and `make demo` work on a fresh machine with Python (3.10 or newer); with Node (20 or newer) they also build
# the VS Code extension, and with Linux and Chromium (installed if it can be) test it in real VS Codes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
RUNS := $(VENV)/.runs
# SLOW=1 also runs the tests marked slow.
MARKS := $(if $(SLOW),,-m "not slow")
WORKERS ?= 2

# NEED=1: what a missing tool would leave out is an error (continuous integration).
NEED ?=
NODE_MODULES := node_modules/.package-lock.json

.PHONY: demo test lint types unit docs bench clean client vsix demo-vsix test-client test-editor test-extension

demo: $(RUNS)
	@$(BIN)/autograd-hazards check --exit-zero --statistics examples
	@echo; echo "And mended (check --fix would write it):"; echo
	@$(BIN)/autograd-hazards check --exit-zero --diff --unsafe-fixes examples
	@NEED=$(NEED) tools/with_node.sh "the VS Code extension" $(MAKE) --no-print-directory demo-vsix

# The tests in Python come last: their closing line is the one that a reader looks for.
test: lint types test-extension unit

test-extension: $(STAMP)
	@NEED=$(NEED) tools/with_node.sh "the tests of the VS Code extension" $(MAKE) --no-print-directory test-client test-editor

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

unit: $(STAMP)
	$(BIN)/pytest -q -n $(WORKERS) $(MARKS)

docs: $(STAMP)
	$(BIN)/python tools/messages.py
	$(BIN)/python tools/gen_docs.py
	$(BIN)/python tools/gen_package.py

# The extension: its packages for all platforms, and the one without a server, into dist/.
vsix: $(RUNS) $(NODE_MODULES)
	$(BIN)/python tools/build_vsix.py

# Builds the package for this machine and installs it into VS Code where there is one.
demo-vsix: $(RUNS) $(NODE_MODULES)
	@$(BIN)/python tools/build_vsix.py --targets here
	@$(BIN)/python tools/install_vsix.py

client: $(NODE_MODULES)
	node client/build.mjs

test-client: $(NODE_MODULES)
	npm run --silent check
	npm test --silent

test-editor: $(STAMP) $(NODE_MODULES)
	$(BIN)/python tools/build_vsix.py --targets linux-x64 universal
	$(BIN)/pytest -q tests/packaging/check_vsix.py
	NEED=$(NEED) PYTHON=$(CURDIR)/$(BIN)/python tests/editor/run.sh

$(NODE_MODULES): package-lock.json
	npm ci --ignore-scripts --no-fund --no-audit --no-update-notifier --loglevel=error
	@touch $@

bench: $(STAMP)
	$(BIN)/python bench/bench_check.py

# The stamp is newer than pyproject.toml exactly when the environment holds what it asks for.
$(STAMP): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -e '.[dev,torch]'
	@$(BIN)/python -m compileall -q server/autograd_hazards
	@touch $@

# The demo needs the package alone: neither torch nor the tools of the tests.
$(RUNS): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -e .
	@touch $@

clean:
	rm -rf $(VENV) node_modules out build dist .autograd_hazards_cache .mypy_cache .ruff_cache .pytest_cache
