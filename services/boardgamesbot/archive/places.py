"""The place an archive is at, as the setting names it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_BUCKET_PARAMETERS = {"endpoint", "region"}


class BadArchive(Exception):
    """The setting names no place an archive can be at; the message says why."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of this machine, or one that all machines mount at the same path."""

    path: Path


@dataclass(frozen=True, slots=True)
class Bucket:
    """A bucket of an S3-like store."""

    name: str
    prefix: str = ""
    """What the name of every object begins with, without a slash at its end."""
    endpoint: str = ""
    """Where the store is; empty: AWS."""
    region: str = ""
    """Empty: as the environment says."""


Place = Folder | Bucket


def place_of(setting: str) -> Place | None:
    """The place a setting names; None where it names none. Raises BadArchive.

    A path or `file:///FOLDER`, which must be absolute: programs start in folders of their own. Or
    `s3://BUCKET/PREFIX?endpoint=URL&region=NAME`, with the credentials in the usual variables AWS_*.
    """
    if not setting:
        return None
    parts = urlsplit(setting)
    if parts.scheme == "s3":
        return _bucket(setting)
    if parts.scheme == "file" and (parts.netloc or parts.query or parts.fragment):
        raise BadArchive(f"{setting!r} is not file:///FOLDER")
    if parts.scheme not in ("", "file"):
        raise BadArchive(f"there are no archives of the kind {parts.scheme}://, only folders and s3://")
    path = Path(unquote(parts.path) if parts.scheme else setting)
    if not path.is_absolute():
        raise BadArchive(f"the folder must be named from the root on, not {setting!r}")
    return Folder(path)


def _bucket(setting: str) -> Bucket:
    parts = urlsplit(setting)
    if parts.username is not None or parts.password is not None:
        raise BadArchive("credentials belong in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, not in the address")
    if not _BUCKET.fullmatch(parts.netloc):
        raise BadArchive(f"{parts.netloc!r} can't be the name of a bucket")
    given = parse_qs(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    if parts.fragment or not given.keys() <= _BUCKET_PARAMETERS or any(len(values) > 1 for values in given.values()):
        raise BadArchive(
            "a bucket is s3://BUCKET/PREFIX?endpoint=URL&region=NAME, the prefix and what follows optional"
        )
    endpoint = given.get("endpoint", [""])[0]
    if endpoint and (urlsplit(endpoint).scheme not in ("http", "https") or not urlsplit(endpoint).netloc):
        raise BadArchive(f"the endpoint must be http://HOST:PORT or https://HOST, not {endpoint!r}")
    prefix = unquote(parts.path).strip("/")
    if ".." in prefix.split("/"):
        raise BadArchive("a prefix goes down only")
    return Bucket(parts.netloc, prefix, endpoint.rstrip("/"), given.get("region", [""])[0])
