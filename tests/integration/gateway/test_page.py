"""The page: built and not built, fresh and kept, packed and plain; nothing outside its folder."""

from __future__ import annotations

import gzip
import os
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.integration.gateway.conftest import NOWHERE, client_of
from tests.support.platform import gateway_server

SCRIPT = "export const seats = 4;\n" * 200
HTML = {"accept": "text/html"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A built page, as Vite leaves it."""
    built = tmp_path / "dist"
    (built / "assets").mkdir(parents=True)
    (built / "index.html").write_text("<!doctype html><title>The page</title>")
    (built / "favicon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    script = built / "assets" / "index-B7x_9aQz.js"
    script.write_text(SCRIPT)
    packed = script.with_name(script.name + ".br")
    packed.write_bytes(b"packed by brotli")
    (tmp_path / "secret.txt").write_text("secret")
    (built / ".hidden.txt").write_text("hidden")
    return built


@pytest.fixture
async def page(folder: Path) -> AsyncIterator[httpx.AsyncClient]:
    away = {"rules_address": NOWHERE, "bots_address": NOWHERE, "matchmaking_address": NOWHERE}
    async with gateway_server(page=str(folder), **away) as address, client_of(address) as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/tables/00abc", "/index.html", "/agora"])
async def test_the_page_is_behind_each_of_its_addresses(page: httpx.AsyncClient, path: str) -> None:
    answer = await page.get(path, headers=HTML)
    assert (answer.status_code, answer.text) == (200, "<!doctype html><title>The page</title>")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert not {"'unsafe-inline'", "'unsafe-eval'", "*", "https:", "http:"} & set(" ".join(policy.values()).split())
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"


async def test_what_has_a_hash_in_its_name_is_kept_for_ever(page: httpx.AsyncClient) -> None:
    answer = await page.get("/assets/index-B7x_9aQz.js", headers={"accept-encoding": "identity"})
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.text == SCRIPT
    assert (await page.get("/favicon.svg")).headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, deflate, br", "br"), ("gzip", "gzip"), ("br;q=0, gzip;q=0.5", "gzip"), ("identity", None), ("", None)],
)
async def test_files_are_packed_as_the_browser_likes(
    page: httpx.AsyncClient, accepted: str, encoding: str | None
) -> None:
    async with page.stream("GET", "/assets/index-B7x_9aQz.js", headers={"accept-encoding": accepted}) as answer:
        assert answer.headers.get("content-encoding") == encoding
        assert "accept-encoding" in answer.headers["vary"]
        body = b"".join([part async for part in answer.aiter_raw()])
    if encoding == "gzip":
        body = gzip.decompress(body)
    assert body == (b"packed by brotli" if encoding == "br" else SCRIPT.encode())


async def test_a_file_packed_before_it_was_changed_is_not_used(page: httpx.AsyncClient, folder: Path) -> None:
    script = folder / "assets" / "index-B7x_9aQz.js"
    later = script.with_name(script.name + ".br").stat().st_mtime + 10
    script.write_text(SCRIPT + "// changed")
    os.utime(script, (later, later))
    answer = await page.get("/assets/index-B7x_9aQz.js", headers={"accept-encoding": "br"})
    assert answer.text == SCRIPT + "// changed"


async def test_what_the_browser_has_is_not_sent_again(page: httpx.AsyncClient, folder: Path) -> None:
    etag = (await page.get("/")).headers["etag"]
    same = await page.get("/", headers={"if-none-match": f'"other", {etag}'})
    assert (same.status_code, same.content) == (304, b"")
    (folder / "index.html").write_text("<!doctype html><title>Built again</title>")
    changed = await page.get("/", headers={"if-none-match": etag})
    assert (changed.status_code, "Built again" in changed.text) == (200, True)


async def test_a_head_is_an_answer_without_its_body(page: httpx.AsyncClient) -> None:
    head, whole = await page.head("/"), await page.get("/")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(whole.content))


@pytest.mark.parametrize(
    "path",
    [
        "/assets/gone-12345678.js",
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/..%5c..%5csecret.txt",
        "/.hidden.txt",
        "//etc/hosts.txt",
        "/favicon.svg%00.txt",
    ],
)
async def test_there_is_nothing_else(page: httpx.AsyncClient, path: str) -> None:
    answer = await page.send(page.build_request("GET", httpx.URL(str(page.base_url), raw_path=path.encode())))
    assert answer.status_code == 404, answer.text
    assert "secret" not in answer.text


async def test_a_page_that_is_not_built_says_how_to(page: httpx.AsyncClient, folder: Path) -> None:
    index = folder / "index.html"
    text = index.read_text()
    index.unlink()
    missing = await page.get("/", headers=HTML)
    assert missing.status_code == 503
    assert "make web" in missing.text
    assert 'href="/api"' in missing.text
    assert (await page.get("/api/style.css")).status_code == 200
    index.write_text(text)
    assert (await page.get("/")).status_code == 200, "the server need not be restarted"
