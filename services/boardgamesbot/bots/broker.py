"""The store's addresses in the words of Celery's transport."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit


def broker(url: str) -> tuple[str, dict[str, Any]]:
    """What Celery is to connect to, and the transport's options for it.

    It knows Sentinels by a URL each, with the name of the master and what they want for a password beside them.
    """
    parts = urlsplit(url)
    if parts.scheme != "redis+sentinel":
        return url, {}
    master, _, database = parts.path.strip("/").partition("/")
    credentials, at, hosts = parts.netloc.rpartition("@")
    given = dict(parse_qsl(parts.query))
    to_sentinels = {
        word: given[f"sentinel_{word}"] for word in ("username", "password") if given.get(f"sentinel_{word}")
    }
    urls = ";".join(f"sentinel://{credentials}{at}{host}/{database or 0}" for host in hosts.split(","))
    return urls, {"master_name": unquote(master), "sentinel_kwargs": to_sentinels}
