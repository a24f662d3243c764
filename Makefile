# BoardGamesBot. `make` lists the targets; each does the set-up it needs.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
PROTOS := $(sort $(wildcard protos/boardgamesbot/v1/*.proto))
BASELINE := protos/baseline.binpb
JOBS ?= 2
export BUF_CACHE_DIR := $(CURDIR)/$(VENV)/buf

.PHONY: help setup dev run test test-long lint format protos protos-baseline docs lock bench clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

setup: $(VENV)/.run ## make .venv with everything needed to play and serve: leaves .venv/bin/bgb

dev: $(VENV)/.dev ## the same, with the tools of the developers

run: setup ## serve everything on this machine until Ctrl-C
	exec $(BIN)/bgb serve $(ARGS)

test: dev ## run the tests
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup $(ARGS)

test-long: dev ## run the tests that take minutes
	$(BIN)/python -m pytest -m long $(ARGS)

lint: dev ## style, types, layers, dependencies, protos, generated files, deployment files
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/deptry . 2>&1 | tail -n 3
	$(BIN)/buf lint protos
	$(BIN)/buf format protos --diff --exit-code
	$(BIN)/buf breaking protos --against $(BASELINE)
	tools/check-generated.sh
	tools/check-private.sh
	$(BIN)/hadolint deploy/Dockerfile
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml

format: dev ## put code and protos into their usual shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/buf format protos --write

protos: dev ## write services/boardgamesbot/v1 anew from protos/
	tools/generate.sh services

protos-baseline: dev ## accept the protos as they are as what must not be broken any more
	$(BIN)/buf build protos --output $(BASELINE)

docs: setup ## write docs/rules anew from the rules' texts
	$(BIN)/python -m boardgamesbot.games.rulebook docs/rules

lock: dev ## choose the newest versions that fit pyproject.toml
	$(PYTHON) -m venv $(VENV)/uv
	$(VENV)/uv/bin/python -m pip install --quiet uv
	$(VENV)/uv/bin/uv pip compile --quiet --upgrade $(LOCK) pyproject.toml --output-file requirements/run.txt
	$(VENV)/uv/bin/uv pip compile --quiet --upgrade $(LOCK) pyproject.toml --group dev --output-file requirements/dev.txt
LOCK := --universal --generate-hashes --no-emit-index-url --python-version 3.11 --custom-compile-command "make lock"

bench: dev ## measure what is fast against its limit
	$(BIN)/python -m benchmarks $(ARGS)

clean: ## remove everything that make made
	rm -rf $(VENV) build .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache services/*.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Python 3.11 or later is needed; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' || { \
		echo "$(PYTHON) lacks venv; on Debian: apt install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.run: $(VENV)/.made requirements/run.txt pyproject.toml
	$(PIP) install --quiet --require-hashes --requirement requirements/run.txt
	$(PIP) install --quiet --no-deps --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements/dev.txt
	$(PIP) install --quiet --require-hashes --requirement requirements/dev.txt
	@touch $@
