"""The page: the files that the build of `web/` left, each packed once, kept by the browser for as long as it may."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boardgamesbot.gateway.asgi import Request, Response, text_response
from boardgamesbot.gateway.codec import PACKED_FROM_BYTES, pack

if TYPE_CHECKING:
    from boardgamesbot.runtime.settings import Settings

_SOURCE_TREE = Path(__file__).parents[3]
_INDEX = "index.html"
_HASHED = re.compile(r"[-.][A-Za-z0-9_-]{8,}\.\w+$")
_CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".geojson": "application/geo+json",
    ".map": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".wasm": "application/wasm",
    ".woff2": "font/woff2",
    ".png": "image/png",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".ico": "image/x-icon",
}
_PACKED_ALREADY = {".woff2", ".png", ".webp", ".avif"}
_ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""In the order in which they are preferred, with the ending of a file that the build has packed so."""

NOT_BUILT = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>BoardGamesBot</title><link rel="stylesheet" href="/api/style.css"></head>
<body><main>
<h1>The page is not built yet</h1>
<p>In the folder of the sources:</p>
<pre>make web</pre>
<p>then load this again; the server need not be restarted. It needs no Node of yours: one comes with the tools.
A page that is built elsewhere is named with <code>--page FOLDER</code> or <code>BGB_PAGE</code>.</p>
<p>Everything else is here: <a href="/api">the HTTP API</a>, and <code>bgb play</code> in the terminal.</p>
</main></body>
</html>
"""


@dataclass(frozen=True)
class _File:
    """A file as it was read."""

    stamp: tuple[int, int]
    """When it was changed, and its size: what tells whether it is still the same."""
    content_type: str
    etag: str
    bodies: dict[str, bytes]
    """By encoding; "" is the file as it is."""


class Page:
    """The files of a folder. It may be built, or built again, while the gateway runs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[Path, _File] = {}

    @property
    def is_built(self) -> bool:
        """Whether there is a page to serve."""
        return (self._folder / _INDEX).is_file()

    def answer(self, request: Request) -> Response:
        """The file that the path names; for the page's own addresses, index.html."""
        if not self.is_built:
            self._files.clear()
            return Response(503, NOT_BUILT.encode(), {"content-type": "text/html; charset=utf-8", **_fresh()})
        path = self._find(request.path)
        if path is None:
            return text_response(404, "there is no such file\n", _fresh())
        file = self._file(path)
        headers = {"etag": file.etag, "vary": "accept-encoding", **_cache(path)}
        if file.etag in [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]:
            return Response(304, headers=headers)
        encoding = next((e for e in _ENCODINGS if e in file.bodies and request.accepts_encoding(e)), "")
        if encoding:
            headers["content-encoding"] = encoding
        return Response(200, file.bodies[encoding], {**headers, "content-type": file.content_type})

    def _find(self, path: str) -> Path | None:
        """The file of a path; index.html for a path that is none of a file; None where a file is missing."""
        parts = path.strip("/").split("/")
        if any(part in ("", ".", "..") or part.startswith(".") or "\0" in part or "\\" in part for part in parts):
            return self._folder / _INDEX if path == "/" else None
        file = self._folder.joinpath(*parts)
        if file.suffix in _CONTENT_TYPES:
            return file if file.is_file() else None
        return self._folder / _INDEX

    def _file(self, path: Path) -> _File:
        found = path.stat()
        stamp = (found.st_mtime_ns, found.st_size)
        file = self._files.get(path)
        if file is None or file.stamp != stamp:
            file = self._files[path] = _read(path, stamp)
        return file


def _read(path: Path, stamp: tuple[int, int]) -> _File:
    content = path.read_bytes()
    bodies = {"": content}
    if path.suffix not in _PACKED_ALREADY and len(content) >= PACKED_FROM_BYTES:
        for encoding, ending in _ENCODINGS.items():
            packed = path.with_name(path.name + ending)
            if packed.is_file() and packed.stat().st_mtime_ns >= stamp[0]:
                bodies[encoding] = packed.read_bytes()
        bodies.setdefault("gzip", pack(content))
    etag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    return _File(stamp, _CONTENT_TYPES[path.suffix], etag, bodies)


def _cache(path: Path) -> dict[str, str]:
    """A file whose name holds a hash of what is in it never changes; the others are asked for every time."""
    if path.parent.name == "assets" and _HASHED.search(path.name):
        return {"cache-control": "public, max-age=31536000, immutable"}
    return _fresh()


def _fresh() -> dict[str, str]:
    return {"cache-control": "no-cache"}


def folder_of(settings: Settings) -> Path:
    """Where the built page is, or will be."""
    return Path(settings.page) if settings.page else _SOURCE_TREE / "web" / "dist"
