"""The documents of the API: `/openapi.json`, and `/api`, which says the same to people, without a script."""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Any

from boardgamesbot.gateway.asgi import Request, Response
from boardgamesbot.gateway.codec import pack

OPENAPI = "openapi.json"

_EXAMPLES = {
    "integer": 0,
    "number": 0.5,
    "boolean": True,
    "string": "…",
}


class Documents:
    """Files that are the same for everybody, packed once."""

    def __init__(self) -> None:
        folder = resources.files("boardgamesbot.gateway")
        openapi = (folder / OPENAPI).read_bytes()
        description = json.loads(openapi)
        compact = json.dumps(description, ensure_ascii=False, separators=(",", ":")).encode()
        self._documents = {
            "/openapi.json": _Document(compact, "application/json"),
            "/api": _Document(page(description).encode(), "text/html; charset=utf-8"),
            "/api/style.css": _Document((folder / "api.css").read_bytes(), "text/css; charset=utf-8"),
        }
        self.paths = tuple(self._documents)

    async def answer(self, request: Request) -> Response:
        """One of the documents."""
        return self._documents[request.path].answer(request)


class _Document:
    def __init__(self, content: bytes, content_type: str) -> None:
        self._content = content
        self._packed = pack(content)
        self._headers = {
            "content-type": content_type,
            "etag": f'"{hashlib.sha256(content).hexdigest()[:20]}"',
            "cache-control": "no-cache",
            "vary": "accept-encoding",
        }

    def answer(self, request: Request) -> Response:
        if request.headers.get("if-none-match", "").removeprefix("W/") == self._headers["etag"]:
            return Response(304, headers=self._headers)
        if request.accepts_encoding("gzip"):
            return Response(200, self._packed, {**self._headers, "content-encoding": "gzip"})
        return Response(200, self._content, self._headers)


def page(description: Mapping[str, Any]) -> str:
    """The page that shows an OpenAPI description."""
    schemas = description["components"]["schemas"]
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>BoardGamesBot: HTTP API</title>',
            '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/api/style.css"></head>',
            f"<body><main><h1>{html.escape(description['info']['title'])}: HTTP API</h1>",
            _words(description["info"]["description"]),
            '<p>For programs: <a href="/openapi.json">openapi.json</a>.</p>',
            "<nav><ul>",
            *(_contents(description, tag["name"]) for tag in description["tags"]),
            '<li><a href="#messages">Messages</a></li></ul></nav>',
            *(part for tag in description["tags"] for part in _service(description, tag)),
            '<h2 id="messages">Messages</h2>',
            *(_schema(name, schema) for name, schema in schemas.items()),
            "</main></body></html>",
        )
    )


def _operations(description: Mapping[str, Any], tag: str) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for path, operations in description["paths"].items():
        for verb, operation in operations.items():
            if tag in operation["tags"]:
                yield path, verb.upper(), operation


def _contents(description: Mapping[str, Any], tag: str) -> str:
    links = " · ".join(
        f'<a href="#{operation["operationId"]}">{path.rpartition("/")[2]}</a>'
        for path, _, operation in _operations(description, tag)
    )
    return f'<li><a href="#{tag}">{tag}</a>: {links}</li>'


def _service(description: Mapping[str, Any], tag: Mapping[str, str]) -> Iterator[str]:
    yield f'<h2 id="{tag["name"]}">{tag["name"]}</h2>{_words(tag["description"])}'
    for path, verb, operation in _operations(description, tag["name"]):
        yield f'<section id="{operation["operationId"]}"><h3>{path.rpartition("/")[2]}</h3>'
        yield f"<p><code>{verb} {path}</code></p>{_words(operation.get('description', operation['summary']))}"
        if "requestBody" in operation:
            yield _call(description, path, operation)
        yield "</section>"


def _call(description: Mapping[str, Any], path: str, operation: Mapping[str, Any]) -> str:
    request = operation["requestBody"]["content"]["application/json"]["schema"]
    ((kind, answer),) = operation["responses"]["200"]["content"].items()
    is_stream = kind == "application/x-ndjson"
    response = answer["schema"]["properties"]["result"] if is_stream else answer["schema"]
    name = request["$ref"].rpartition("/")[2]
    example = json.dumps(_example(description["components"]["schemas"], name), ensure_ascii=False)
    lines = [f"curl {'-N ' if is_stream else ''}-H 'content-type: application/json'"]
    if operation["security"]:
        lines.append('-H "authorization: Bearer $TOKEN"')
    lines.append(f"-d '{example}' $HOST{path}")
    stream = "a stream of " if is_stream else ""
    shown = " \\\n    ".join(lines)
    return f"<p>{_type(request)} → {stream}{_type(response)}</p><pre>{html.escape(shown)}</pre>"


def _example(schemas: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A request with its simple fields, to be filled in."""
    return {
        field: schema.get("examples", [_EXAMPLES[schema["type"]]])[0]
        for field, schema in schemas[name]["properties"].items()
        if schema.get("type") in _EXAMPLES
    }


def _schema(name: str, schema: Mapping[str, Any]) -> str:
    head = f'<section id="{name}"><h3>{name}</h3>{_words(schema["description"])}'
    fields = schema.get("properties")
    if not fields:
        return f"{head}</section>"
    rows = "".join(
        f"<tr><td><code>{field}</code></td><td>{_type(about)}</td><td>{_words(about.get('description', ''))}</td></tr>"
        for field, about in fields.items()
    )
    return f"{head}<table><tr><th>field</th><th>type</th><th>what</th></tr>{rows}</table></section>"


def _type(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#{name}">{name}</a>'
    if schema["type"] == "array":
        return f"list of {_type(schema['items'])}"
    if "additionalProperties" in schema:
        return f"object of {_type(schema['additionalProperties'])}"
    kind = schema.get("format") or schema.get("contentEncoding") or ""
    return f"{schema['type']} ({kind})" if kind else str(schema["type"])


def _words(text: str) -> str:
    """Paragraphs, lists and `code` in HTML."""
    blocks = []
    for block in text.strip().split("\n\n"):
        lines = [re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(line)) for line in block.splitlines()]
        if lines and all(line.startswith("- ") for line in lines):
            blocks.append("<ul>" + "".join(f"<li>{line[2:]}</li>" for line in lines) + "</ul>")
        elif lines:
            blocks.append(f"<p>{' '.join(lines)}</p>")
    return "".join(blocks)
