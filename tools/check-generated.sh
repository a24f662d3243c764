#!/usr/bin/env bash
# Fails if a generated file is not what its source makes: the Python code of protos/, the OpenAPI description, docs/rules.
set -euo pipefail
cd "$(dirname "$0")/.."
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
tools/generate.sh "$fresh"
cp services/boardgamesbot/v1/__init__.py "$fresh/boardgamesbot/v1/"
diff --recursive --brief --exclude=__pycache__ "$fresh/boardgamesbot/v1" services/boardgamesbot/v1 || {
    echo "the code of the protos is stale: make protos" >&2; exit 1; }
diff --brief {"$fresh",services}/boardgamesbot/gateway/openapi.json || {
    echo "the OpenAPI description is stale: make protos" >&2; exit 1; }
mkdir "$fresh/rules"
.venv/bin/python -m boardgamesbot.games.rulebook "$fresh/rules"
diff --recursive --brief "$fresh/rules" docs/rules || { echo "docs/rules is stale: make docs" >&2; exit 1; }
