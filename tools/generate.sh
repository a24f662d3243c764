#!/usr/bin/env bash
# Writes the Python code of protos/, and the OpenAPI description, into the source root named: generate.sh services
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1
bin=.venv/bin
descriptors=$(mktemp)
trap 'rm -f "$descriptors"' EXIT
"$bin/python" -m grpc_tools.protoc --proto_path=protos \
    --plugin=protoc-gen-mypy="$bin/protoc-gen-mypy" --plugin=protoc-gen-mypy_grpc="$bin/protoc-gen-mypy_grpc" \
    --python_out="$out" --grpc_python_out="$out" --mypy_out=quiet:"$out" --mypy_grpc_out=quiet:"$out" \
    --descriptor_set_out="$descriptors" --include_source_info \
    protos/boardgamesbot/v1/*.proto
for proto in protos/boardgamesbot/v1/*.proto; do
    if ! grep -q '^service ' "$proto"; then
        rm -f "$out/boardgamesbot/v1/$(basename "$proto" .proto)"_pb2_grpc.py*
    fi
done
mkdir -p "$out/boardgamesbot/gateway"
PYTHONPATH=services "$bin/python" -m boardgamesbot.gateway.openapi "$descriptors" "$out/boardgamesbot/gateway/openapi.json"
