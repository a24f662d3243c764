#!/usr/bin/env bash
# Fails if the TypeScript of the contract is not what protos/ make.
set -euo pipefail
cd "$(dirname "$0")"
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
./generate.sh "$fresh"
diff --recursive --brief "$fresh" src/lib/sdk/gen || { echo "the page's code of the protos is stale: make protos" >&2; exit 1; }
