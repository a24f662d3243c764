"""The OpenAPI description of the HTTP API, made from the protos: their comments are its words.

python -m boardgamesbot.gateway.openapi DESCRIPTOR_SET FILE
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
    ServiceDescriptorProto,
)

from boardgamesbot.gateway.refusals import CONNECT_NAMES, HTTP_STATUS

PACKAGE = "boardgamesbot.v1"
API_VERSION = "v1"
OPEN_METHODS = frozenset({"RulesService", "PlayerService/CreateGuest"})
"""Services, and methods, that want no token."""

Schema = dict[str, Any]

_DESCRIPTION = """\
Two board games set in Barcelona, over plain HTTP: every method is a POST of one JSON object to `/SERVICE/METHOD`, \
with `content-type: application/json`. The same addresses speak the Connect protocol (JSON and binary) and gRPC-Web.

Names are in lowerCamelCase. 64-bit whole numbers are strings, bytes are base64, times are RFC 3339, durations are \
seconds with an `s` behind. What has its default value (0, false, an empty text or list) is left out of answers.

`CreateGuest` gives a token: send it as `authorization: Bearer TOKEN` to whatever wants one.

Methods with a stream of responses answer with one JSON object a line: `{"result": …}`, at last `{"error": …}` if the \
stream failed. An empty line says that the connection is alive."""

_ERRORS = {
    "400": "The request makes no sense (`invalid_argument`, the field is in `BadRequest`), or can't be done now "
    "(`failed_precondition`: the rule a move breaks is in `PreconditionFailure`).",
    "401": "No token, or one that is not good (any more): `unauthenticated`.",
    "403": "The caller may not do this: `permission_denied`.",
    "404": "There is no such table, ticket or code: `not_found`.",
    "409": "Somebody was first: `aborted` (the table has moved on; its version is in the metadata), `already_exists`.",
    "429": "Too much at once, or too large: `resource_exhausted`. `retry-after` says when to come again.",
    "503": "Not now: `unavailable`. The same request again after `retry-after`.",
    "504": "It took too long: `deadline_exceeded`.",
}
_DETAIL_TYPES = ("ErrorInfo", "BadRequest", "PreconditionFailure", "ResourceInfo", "QuotaFailure", "RetryInfo")

_SCALARS: Mapping[int, Schema] = {
    FieldDescriptorProto.TYPE_BOOL: {"type": "boolean"},
    FieldDescriptorProto.TYPE_STRING: {"type": "string"},
    FieldDescriptorProto.TYPE_BYTES: {"type": "string", "contentEncoding": "base64"},
    FieldDescriptorProto.TYPE_DOUBLE: {"type": "number", "format": "double"},
    FieldDescriptorProto.TYPE_FLOAT: {"type": "number", "format": "float"},
    FieldDescriptorProto.TYPE_INT32: {"type": "integer", "format": "int32"},
    FieldDescriptorProto.TYPE_SINT32: {"type": "integer", "format": "int32"},
    FieldDescriptorProto.TYPE_UINT32: {"type": "integer", "format": "uint32", "minimum": 0},
    FieldDescriptorProto.TYPE_INT64: {"type": "string", "format": "int64", "pattern": "^-?[0-9]+$"},
    FieldDescriptorProto.TYPE_SINT64: {"type": "string", "format": "int64", "pattern": "^-?[0-9]+$"},
    FieldDescriptorProto.TYPE_UINT64: {"type": "string", "format": "uint64", "pattern": "^[0-9]+$"},
}
_WELL_KNOWN: Mapping[str, Schema] = {
    ".google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    ".google.protobuf.Duration": {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]{1,9})?s$"},
}

_MESSAGE, _ENUM, _SERVICE = 4, 5, 6
_NESTED_MESSAGE, _NESTED_ENUM, _FIELD, _ONEOF, _VALUE, _METHOD = 3, 4, 2, 8, 2, 2
"""The numbers of fields in descriptor.proto, of which the paths of comments are made."""


class _Comments:
    """What is written above each thing of a file."""

    def __init__(self, file: FileDescriptorProto) -> None:
        self._texts = {
            tuple(location.path): _joined(location.leading_comments)
            for location in file.source_code_info.location
            if location.leading_comments
        }

    def of(self, *path: int) -> str:
        return self._texts.get(path, "")


def _joined(comment: str) -> str:
    """Paragraphs as one line each."""
    paragraphs = "\n".join(line.strip() for line in comment.strip().splitlines()).split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def describe(descriptors: FileDescriptorSet) -> dict[str, Any]:
    """The OpenAPI 3.1 document of all services in the files of our package."""
    files = [file for file in descriptors.file if file.package == PACKAGE]
    tags: list[Schema] = []
    paths: dict[str, Schema] = {}
    schemas: dict[str, Schema] = {}
    for file in sorted(files, key=lambda file: file.name):
        comments = _Comments(file)
        for at, service in enumerate(file.service):
            tags.append({"name": service.name, "description": comments.of(_SERVICE, at)})
            for number, method in enumerate(service.method):
                words = comments.of(_SERVICE, at, _METHOD, number)
                paths[f"/{PACKAGE}.{service.name}/{method.name}"] = {"post": _operation(service, method, words)}
        for at, message in enumerate(file.message_type):
            schemas |= _messages(message, comments, (_MESSAGE, at), "")
        for at, enum in enumerate(file.enum_type):
            schemas[enum.name] = _enum(enum, comments, (_ENUM, at))
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "BoardGamesBot",
            "version": API_VERSION,
            "description": _DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [*tags, {"name": "Gateway", "description": "The gateway itself."}],
        "paths": {**paths, **_own_paths()},
        "components": {
            "schemas": {**dict(sorted(schemas.items())), **_error_schemas()},
            "responses": {f"Refused{status}": _refused(words) for status, words in _ERRORS.items()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "From CreateGuest."}},
        },
    }


def _operation(service: ServiceDescriptorProto, method: MethodDescriptorProto, words: str) -> Schema:
    is_open = bool({service.name, f"{service.name}/{method.name}"} & OPEN_METHODS)
    response = _ref(method.output_type)
    if method.server_streaming:
        content = {"application/x-ndjson": {"schema": _line(response)}}
        answer = "One JSON object a line, as they come."
    else:
        content = {"application/json": {"schema": response}}
        answer = "Done."
    return {
        "tags": [service.name],
        "operationId": f"{service.name}_{method.name}",
        "summary": words.partition(". ")[0].partition("\n")[0].rstrip("."),
        "description": words,
        "security": [] if is_open else [{"token": []}],
        "requestBody": {"required": True, "content": {"application/json": {"schema": _ref(method.input_type)}}},
        "responses": {
            "200": {"description": answer, "content": content},
            **{
                status: {"$ref": f"#/components/responses/Refused{status}"}
                for status in _ERRORS
                if not (is_open and status in ("401", "403"))
            },
        },
    }


def _line(response: Schema) -> Schema:
    return {
        "type": "object",
        "properties": {"result": response, "error": {"$ref": "#/components/schemas/Error"}},
        "oneOf": [{"required": ["result"]}, {"required": ["error"]}],
    }


def _messages(message: DescriptorProto, comments: _Comments, path: tuple[int, ...], outer: str) -> dict[str, Schema]:
    """The schemas of a message and of all within it, by name."""
    name = outer + message.name
    found = {name: _message(message, comments, path)}
    for at, nested in enumerate(message.nested_type):
        if not nested.options.map_entry:
            found |= _messages(nested, comments, (*path, _NESTED_MESSAGE, at), f"{name}.")
    for at, enum in enumerate(message.enum_type):
        found[f"{name}.{enum.name}"] = _enum(enum, comments, (*path, _NESTED_ENUM, at))
    return found


def _message(message: DescriptorProto, comments: _Comments, path: tuple[int, ...]) -> Schema:
    maps = {nested.name: nested for nested in message.nested_type if nested.options.map_entry}
    properties = {}
    choices: dict[int, list[str]] = {}
    for at, field in enumerate(message.field):
        schema = _field(field, maps)
        words = comments.of(*path, _FIELD, at)
        properties[field.json_name] = {"description": words, **schema} if words else schema
        if field.HasField("oneof_index") and not field.proto3_optional:
            choices.setdefault(field.oneof_index, []).append(field.json_name)
    words = comments.of(*path)
    for index, names in choices.items():
        about = comments.of(*path, _ONEOF, index)
        words += f"\n\nAt most one of {', '.join(f'`{name}`' for name in names)}" + (f": {about}" if about else ".")
    return {"type": "object", "description": words, "properties": properties}


def _field(field: FieldDescriptorProto, maps: Mapping[str, DescriptorProto]) -> Schema:
    entry = maps.get(field.type_name.rpartition(".")[2]) if field.type == FieldDescriptorProto.TYPE_MESSAGE else None
    if entry is not None:
        return {"type": "object", "additionalProperties": _value(entry.field[1])}
    schema = _value(field)
    return {"type": "array", "items": schema} if field.label == FieldDescriptorProto.LABEL_REPEATED else schema


def _value(field: FieldDescriptorProto) -> Schema:
    if field.type in (FieldDescriptorProto.TYPE_MESSAGE, FieldDescriptorProto.TYPE_ENUM):
        return _ref(field.type_name)
    return dict(_SCALARS[field.type])


def _ref(type_name: str) -> Schema:
    known = _WELL_KNOWN.get(type_name)
    return dict(known) if known else {"$ref": f"#/components/schemas/{type_name.removeprefix(f'.{PACKAGE}.')}"}


def _enum(enum: EnumDescriptorProto, comments: _Comments, path: tuple[int, ...]) -> Schema:
    values = [f"- `{value.name}`: {comments.of(*path, _VALUE, at)}" for at, value in enumerate(enum.value)]
    return {
        "type": "string",
        "description": "\n".join((comments.of(*path), "", *values)),
        "enum": [value.name for value in enum.value],
    }


def _refused(words: str) -> Schema:
    return {
        "description": words,
        "headers": {"retry-after": {"description": "Seconds to wait.", "schema": {"type": "integer"}}},
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }


def _error_schemas() -> dict[str, Schema]:
    codes = [CONNECT_NAMES.get(code, code) for code in HTTP_STATUS]
    detail = {
        "type": "object",
        "description": "A detail. There is always a `google.rpc.ErrorInfo`: its `reason` is for programs.",
        "properties": {
            "type": {"type": "string", "examples": [f"google.rpc.{name}" for name in _DETAIL_TYPES]},
            "value": {"type": "string", "description": "The detail in the wire format, base64 without padding."},
            "debug": {"type": "object", "description": "The same in JSON."},
        },
        "required": ["type", "value"],
    }
    error = {
        "type": "object",
        "description": "Why a request was refused.",
        "properties": {
            "code": {"type": "string", "enum": codes, "description": "The gRPC status."},
            "message": {"type": "string", "description": "For people."},
            "details": {"type": "array", "items": {"$ref": "#/components/schemas/ErrorDetail"}},
        },
        "required": ["code"],
    }
    return {"Error": error, "ErrorDetail": detail}


def _own_paths() -> dict[str, Schema]:
    def get(name: str, words: str, kind: str, *more: tuple[str, str]) -> Schema:
        content = {kind: {"schema": {"type": "string" if kind.startswith("text/") else "object"}}}
        responses = {status: {"description": about, "content": content} for status, about in (("200", words), *more)}
        return {
            "get": {"tags": ["Gateway"], "operationId": name, "summary": words.rstrip("."), "security": [],
                    "responses": responses}
        }  # fmt: skip

    return {
        "/healthz": get("healthz", "The gateway is alive.", "text/plain"),
        "/readyz": get(
            "readyz", "Every server behind the gateway is well.", "application/json", ("503", "At least one is not.")
        ),
        "/openapi.json": get("openapi", "This description.", "application/json"),
    }


def write(document: Mapping[str, Any], file: Path) -> None:
    """Write the description as it is kept in the tree."""
    file.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", "utf-8")


def main(arguments: Sequence[str]) -> None:
    """Write the description of a descriptor set that has comments into a file."""
    source, target = map(Path, arguments)
    write(describe(FileDescriptorSet.FromString(source.read_bytes())), target)


if __name__ == "__main__":
    main(sys.argv[1:])
