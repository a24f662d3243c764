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
JOBS ?= 4
PAGE := web/dist/index.html
PAGE_SOURCES := $(shell find web/src web/public -type f -not -name '*.test.ts' 2>/dev/null) $(wildcard web/index.html web/*.config.*)
PAGE_TOOLS := web/node_modules/.package-lock.json
PEERS_SERVER := benchmarks/peers_server/node_modules/.package-lock.json
export BUF_CACHE_DIR := $(CURDIR)/$(VENV)/buf

.PHONY: help setup dev run web web-if-possible dev-web compile pure test test-web test-redis test-long faults leaks fuzz test-compiled chromium screenshots \
	lint audit format protos protos-baseline docs lock bench bench-peers bench-beside traffic clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

setup: $(VENV)/.run web-if-possible ## make .venv with everything needed to play and serve: leaves .venv/bin/bgb

dev: $(VENV)/.dev ## the same, with the tools of the developers

run: setup ## serve everything on this machine until Ctrl-C
	@echo "Starting everything (some seconds; it says when it is ready) …"
	@exec $(BIN)/bgb serve $(ARGS)

web: $(PAGE) ## build the page, with a Node out of a wheel where there is none
	@:

web-if-possible: $(VENV)/.run
	@$(MAKE) --no-print-directory web || { \
		echo; echo "The page could not be built; everything else works without it. To try again: make web"; echo; } >&2

dev-web: $(PAGE_TOOLS) ## serve the page as it is being written, in front of `make run`
	web/with-node npm run dev

compile: dev ## compile the engines in place, beside their sources: bots think several times faster
	$(BIN)/python tools/compile.py

pure: ## remove what `make compile` made
	$(PYTHON) tools/compile.py --pure

test: dev web chromium ## run the tests
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup $(ARGS)

test-web: dev web chromium ## run the tests of the page alone
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup tests/browser $(ARGS)

screenshots: dev web chromium ## keep a picture of every main view in build/screenshots
	$(BIN)/python -m tests.browser.screenshots build/screenshots

chromium: # a browser for the tests: the distribution's, where we may install it
	@command -v chromium chromium-browser google-chrome >/dev/null || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			{ apt-get install -y -qq chromium || { apt-get update -qq && apt-get install -y -qq chromium; }; } >/dev/null; \
		fi; } || true
	@command -v chromium chromium-browser google-chrome >/dev/null || \
		echo "no Chromium: the tests in a browser are skipped; on Debian: apt install chromium" >&2

test-redis: dev ## run the store's tests on a master behind Sentinels and on a Cluster, waiting for a replica
	STORE_TESTS_ON=sentinel $(BIN)/python -m pytest -q tests/integration/store $(ARGS)
	STORE_TESTS_ON=cluster $(BIN)/python -m pytest -q tests/integration/store $(ARGS)

test-long: dev ## run the tests that take minutes
	$(BIN)/python -m pytest -m long $(ARGS)

faults: dev ## kill programs of a platform KILLS times while it is played on, and see that nothing is lost
	$(BIN)/python -m tests.faults.run --kills $(or $(KILLS),1000) --seed $(or $(SEED),1) --json build/faults.json $(ARGS)
	$(BIN)/python -m pytest -m long tests/faults/test_rolling_restart.py

leaks: dev ## look for secrets in all that anybody is sent in GAMES games, and NETWORK over the network
	$(BIN)/python -m tests.faults.leaks --games $(or $(GAMES),1000) --network $(or $(NETWORK),20) $(ARGS)

fuzz: dev ## send what nobody should send to every decoder and every method, for so many MINUTES
	$(BIN)/python -m tests.fuzz --minutes $(or $(MINUTES),10) --from-seed $(or $(SEED),1000) $(ARGS)

test-compiled: dev ## compile the engines into a folder of its own and have them play the same games
	$(BIN)/python -m pytest -m long tests/compiled $(ARGS)

lint: dev $(PAGE_TOOLS) ## style, types, layers, dependencies, protos, generated files, deployment files
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/deptry . 2>&1 | tail -n 3
	$(BIN)/buf lint protos
	$(BIN)/buf format protos --diff --exit-code
	$(BIN)/buf breaking protos --against $(BASELINE)
	tools/check-generated.sh
	web/with-node ./check-generated.sh
	web/with-node npm run --silent check
	tools/check-private.sh
	$(BIN)/hadolint deploy/Dockerfile
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml deploy/compose.*.yml
	$(BIN)/python tools/check_deployment.py

audit: dev $(PAGE_TOOLS) ## ask the advisories of PyPI and npm about what is shipped; fails on what they know
	$(BIN)/python tools/audit.py $(ARGS)

format: dev ## put code and protos into their usual shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/buf format protos --write

protos: dev ## write the code of protos/ anew: services/boardgamesbot/v1, and the page's
	tools/generate.sh services
	$(MAKE) --no-print-directory $(PAGE_TOOLS)
	web/with-node npm run --silent generate

protos-baseline: dev ## accept the protos as they are as what must not be broken any more
	$(BIN)/buf build protos --output $(BASELINE)

docs: setup ## write what is generated in docs/, and the dashboards, anew from what they are about
	$(BIN)/python -m boardgamesbot.games.rulebook docs/rules
	$(BIN)/python tools/settings_table.py
	$(BIN)/python tools/metrics_table.py
	$(BIN)/python tools/dashboards.py

lock: dev ## choose the newest versions that fit pyproject.toml
	$(PYTHON) -m venv $(VENV)/uv
	$(VENV)/uv/bin/python -m pip install --quiet uv
	$(VENV)/uv/bin/uv pip compile --quiet --upgrade $(LOCK) pyproject.toml --output-file requirements/run.txt
	$(VENV)/uv/bin/uv pip compile --quiet --upgrade $(LOCK) pyproject.toml --all-extras --output-file requirements/image.txt
	$(VENV)/uv/bin/uv pip compile --quiet --upgrade $(LOCK) pyproject.toml --group dev --output-file requirements/dev.txt
	$(VENV)/uv/bin/uv pip compile --quiet --upgrade $(LOCK) web/node.in --output-file requirements/node.txt
	$(VENV)/uv/bin/uv pip compile --quiet --upgrade $(LOCK) --group peers --output-file requirements/peers.txt
LOCK := --universal --generate-hashes --no-emit-index-url --python-version 3.11 --custom-compile-command "make lock"

bench: dev ## measure what is fast against its limit
	$(BIN)/python -m benchmarks $(ARGS)

bench-peers: dev $(VENV)/.peers ## random moves a second of our engines, pure and compiled, beside engines of others
	$(BIN)/python -m benchmarks.peers $(ARGS)

bench-beside: dev $(PEERS_SERVER) ## moves a second beside boardgame.io
	$(BIN)/python -m benchmarks.beside $(ARGS)

traffic: dev ## offer a platform moves at a rate: ARGS='--ramp', or --minutes 60 for a soak
	$(BIN)/python -m benchmarks.traffic $(ARGS)

clean: pure ## remove everything that make made
	rm -rf $(VENV) build web/dist web/node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache services/*.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Python 3.11 or later is needed; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' || { \
		echo "$(PYTHON) lacks venv; on Debian: apt install python3-venv" >&2; exit 1; }
	@echo "Making a Python environment in $(VENV) …"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.run: $(VENV)/.made requirements/run.txt pyproject.toml
	@echo "Setting up Python's packages (once, a minute or two) …"
	@$(PIP) install --quiet --require-hashes --requirement requirements/run.txt
	@$(PIP) install --quiet --no-deps --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements/dev.txt
	@echo "Setting up the developers' tools (once, some minutes) …"
	@$(PIP) install --quiet --require-hashes --requirement requirements/dev.txt
	@touch $@

$(PAGE_TOOLS): web/package.json web/package-lock.json web/.npmrc | $(VENV)/.run
	@echo "Setting up what the page is built with (once, about half a minute) …"
	@web/with-node npm ci --loglevel error --no-audit --no-fund --fetch-retries=2 --fetch-timeout=30000
	@touch $@

$(PAGE): $(PAGE_TOOLS) $(PAGE_SOURCES)
	@echo "Building the page (about half a minute) …"
	@web/with-node npm run --silent build -- --logLevel warn

$(PEERS_SERVER): benchmarks/peers_server/package.json benchmarks/peers_server/package-lock.json | $(VENV)/.run
	web/with-node npm --prefix ../benchmarks/peers_server ci --ignore-scripts --loglevel error --no-audit --no-fund
	@touch $@

$(VENV)/.peers: $(VENV)/.made requirements/peers.txt
	$(PYTHON) -m venv --clear $(VENV)/peers
	$(VENV)/peers/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes --requirement requirements/peers.txt
	@touch $@
