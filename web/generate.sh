#!/usr/bin/env bash
# Writes the TypeScript of protos/, and of google.rpc's error details, into the folder named: generate.sh src/lib/sdk/gen
set -euo pipefail
cd "$(dirname "$0")"
out=$1
python=../.venv/bin/python
google=$("$python" -c 'import google.rpc.error_details_pb2 as m, pathlib; print(pathlib.Path(m.__file__).parents[2])')
mkdir -p "$out"
"$python" -m grpc_tools.protoc --proto_path=../protos --proto_path="$google" \
    --plugin=protoc-gen-es=node_modules/.bin/protoc-gen-es \
    --es_out="$out" --es_opt=target=ts,import_extension=js \
    ../protos/boardgamesbot/v1/*.proto google/rpc/error_details.proto
