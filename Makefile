# `make demo` and `make test` do all the set-up by themselves; nothing else needs to be installed first but Python
# 3.11 or newer with pip and venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test check bench clean
.DELETE_ON_ERROR:

demo: $(VENV)/ready-to-run
	$(BIN)/python -m generators.number --size 4 --ops 12

test: check
	$(BIN)/python -m pytest -n auto

check: $(VENV)/ready-to-test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/ready-to-test
	$(BIN)/python -m tests.benchmarks.bench

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/ready-to-run: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install --constraint constraints.txt --editable .
	touch $@

$(VENV)/ready-to-test: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install --constraint constraints.txt --editable '.[test]'
	touch $@ $(VENV)/ready-to-run

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
