"""An archive that is a bucket of an S3-like store."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from boardgamesbot.archive.base import Archive, ArchiveUnavailable
from boardgamesbot.archive.places import BadArchive, Bucket

if TYPE_CHECKING:
    from obstore.store import S3Config, S3Store

TRY_SECONDS = 20
"""For so long a call is tried again before the store counts as unavailable."""

PROBE = "probe"
"""An empty object, written to see whether objects can be."""

NO_BUCKET = "NoSuchBucket"
"""What the store calls it, to tell it from an object that is not there."""


class BucketArchive(Archive):
    """Objects below a prefix. The credentials are those of the environment, AWS_*, or of the machine's role."""

    def __init__(self, bucket: Bucket) -> None:
        """Raises BadArchive where the extra `s3` is not installed, or the environment makes no sense."""
        self._name = f"s3://{bucket.name}/{bucket.prefix}"
        self._store = _open(bucket)

    async def put(self, name: str, data: bytes) -> None:
        from obstore.exceptions import BaseError

        try:
            await self._store.put_async(name, data)
        except (BaseError, OSError) as error:
            raise self._unavailable(error) from error

    async def get(self, name: str) -> bytes | None:
        from obstore.exceptions import BaseError

        try:
            found = await self._store.get_async(name)
            return bytes(await found.bytes_async())
        except (BaseError, OSError) as error:
            if isinstance(error, FileNotFoundError) and NO_BUCKET not in str(error):
                return None
            raise self._unavailable(error) from error

    async def check(self) -> None:
        await self.put(PROBE, b"")

    def _unavailable(self, error: Exception) -> ArchiveUnavailable:
        """Of what the store said the first line is enough; the others would fill the log."""
        said = "there is no such bucket" if NO_BUCKET in str(error) else str(error).splitlines()[0][:300]
        return ArchiveUnavailable(f"{self._name}: {said}")


def _open(bucket: Bucket) -> S3Store:
    try:
        from obstore.exceptions import BaseError
        from obstore.store import S3Store
    except ImportError:
        raise BadArchive("an archive in a bucket needs the extra: pip install 'boardgamesbot[s3]'") from None
    config: S3Config = {}
    if bucket.endpoint:
        config["endpoint"], config["virtual_hosted_style_request"] = bucket.endpoint, False
    if bucket.region:
        config["region"] = bucket.region
    try:
        return S3Store(
            bucket.name,
            prefix=bucket.prefix or None,
            config=config,
            client_options={
                "allow_http": bucket.endpoint.startswith("http://"),
                "timeout": "10s",
                "connect_timeout": "2s",
            },
            retry_config={"max_retries": 5, "retry_timeout": timedelta(seconds=TRY_SECONDS)},
        )
    except BaseError as error:
        raise BadArchive(str(error).splitlines()[0]) from error
