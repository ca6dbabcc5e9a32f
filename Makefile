# `make test` and `make demo` work on a fresh machine with Python (3.10 or newer) and nothing else installed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
RUNS := $(VENV)/.runs
# SLOW=1 also runs the tests marked slow.
MARKS := $(if $(SLOW),,-m "not slow")
WORKERS ?= 2

.PHONY: demo test lint types unit docs bench clean

demo: $(RUNS)
	@$(BIN)/autograd-hazards check --exit-zero --statistics examples
	@echo; echo "And mended (check --fix would write it):"; echo
	@$(BIN)/autograd-hazards check --exit-zero --diff --unsafe-fixes examples

test: lint types unit

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
	rm -rf $(VENV) .autograd_hazards_cache .mypy_cache .ruff_cache .pytest_cache
