#!/usr/bin/env bash
# Writes the Python code of protos/ into the source root named: generate.sh services
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1
bin=.venv/bin
"$bin/python" -m grpc_tools.protoc --proto_path=protos \
    --plugin=protoc-gen-mypy="$bin/protoc-gen-mypy" --plugin=protoc-gen-mypy_grpc="$bin/protoc-gen-mypy_grpc" \
    --python_out="$out" --grpc_python_out="$out" --mypy_out=quiet:"$out" --mypy_grpc_out=quiet:"$out" \
    protos/boardgamesbot/v1/*.proto
for proto in protos/boardgamesbot/v1/*.proto; do
    if ! grep -q '^service ' "$proto"; then
        rm -f "$out/boardgamesbot/v1/$(basename "$proto" .proto)"_pb2_grpc.py*
    fi
done
