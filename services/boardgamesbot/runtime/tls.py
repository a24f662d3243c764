"""TLS as the settings say: what a server shows and wants of others, and how services call one another."""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

import grpc

from boardgamesbot.client.channel import Tls
from boardgamesbot.runtime import logs
from boardgamesbot.runtime.settings import BadSetting

if TYPE_CHECKING:
    from boardgamesbot.runtime.settings import Settings

log = logs.logger(__name__)

LOOK_SECONDS = 10.0
"""So often the gateway looks whether its certificate has been renewed."""
REQUIRE = "require"
"""The value of `tls_clients` that refuses callers without a certificate."""


def client_tls(settings: Settings) -> Tls | None:
    """How to call the services of this platform; None: in the clear. Raises BadSetting."""
    if not settings.tls_ca:
        return None
    try:
        return Tls.from_files(settings.tls_ca, settings.tls_cert, settings.tls_key)
    except OSError as error:
        raise _unreadable(error) from None


def server_credentials(settings: Settings) -> grpc.ServerCredentials | None:
    """What a gRPC server shows and wants; None: it speaks in the clear. Raises BadSetting.

    Certificates that are renewed in their files are shown from the next connection on.
    """
    if not settings.tls_cert:
        return None
    files = _ServerFiles(settings)
    return grpc.dynamic_ssl_server_credentials(
        files.configuration(),
        cast(Callable[[], grpc.ServerCertificateConfiguration], files.renewed),  # None, allowed too: nothing changed
        require_client_authentication=settings.tls_clients == REQUIRE,
    )


class _Files:
    """Files that are looked at again and again, whether they have changed."""

    def __init__(self, *names: str) -> None:
        self.paths = [Path(name) for name in names]
        self._seen = self.stamps()

    def stamps(self) -> list[tuple[int, int]]:
        """What changes with the files. Raises OSError."""
        return [(status.st_mtime_ns, status.st_ino) for status in (path.stat() for path in self.paths)]

    def have_changed(self, stamps: list[tuple[int, int]]) -> bool:
        return stamps != self._seen

    def seen(self, stamps: list[tuple[int, int]]) -> None:
        """They have been read as they were then."""
        self._seen = stamps


class _ServerFiles:
    """The files of a server's certificate, read again when they change."""

    def __init__(self, settings: Settings) -> None:
        names = [settings.tls_key, settings.tls_cert]
        if settings.tls_clients == REQUIRE:
            names.append(settings.tls_ca)
        try:
            self._files = _Files(*names)
            self.configuration()
        except (OSError, ssl.SSLError) as error:
            raise _unreadable(error) from None

    def configuration(self) -> grpc.ServerCertificateConfiguration:
        """What the files hold now. Raises OSError, SSLError where that does not belong together."""
        key, certificate, *ca = [path.read_bytes() for path in self._files.paths]
        _belonging(self._files.paths[1], self._files.paths[0])
        return grpc.ssl_server_certificate_configuration([(key, certificate)], *ca)

    def renewed(self) -> grpc.ServerCertificateConfiguration | None:
        """What the files hold, if that is not what was read last. Asked at every connection.

        Files that don't belong together, as in the middle of a renewal, are read again at the next one.
        """
        try:
            stamps = self._files.stamps()
            if not self._files.have_changed(stamps):
                return None
            configuration = self.configuration()
        except (OSError, ssl.SSLError) as error:
            log.warning("certificate not renewed", error=str(error))
            return None
        self._files.seen(stamps)
        log.info("certificate renewed")
        return configuration


def gateway_context(settings: Settings) -> ssl.SSLContext | None:
    """What the gateway shows to browsers; None: it speaks in the clear. Raises BadSetting."""
    if not settings.gateway_tls_cert:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(settings.gateway_tls_cert, settings.gateway_tls_key)
    except (OSError, ssl.SSLError) as error:
        raise _unreadable(error) from None
    return context


def gateway_trust(address: str) -> ssl.SSLContext | None:
    """How to ask a gateway on this machine whether it is well: by its own certificate, whatever name it is for."""
    certificate = os.environ.get("BGB_GATEWAY_TLS_CERT")
    if not address.startswith("https://") or not certificate:
        return None
    context = ssl.create_default_context(cafile=certificate)
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context


async def follow_gateway_files(settings: Settings, context: ssl.SSLContext | None) -> None:
    """Show a certificate that is renewed in its files from then on."""
    if context is None:
        return
    files = _Files(settings.gateway_tls_cert, settings.gateway_tls_key)
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            stamps = files.stamps()
            if files.have_changed(stamps):
                certificate, key = files.paths
                _belonging(certificate, key)
                context.load_cert_chain(certificate, key)
                files.seen(stamps)
                log.info("certificate renewed")
        except (OSError, ssl.SSLError) as error:
            log.warning("certificate not renewed", error=str(error))


def _belonging(certificate: Path, key: Path) -> None:
    """Raises OSError, SSLError where a file is no such thing, or the key is another certificate's."""
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)


def _unreadable(error: OSError | ssl.SSLError) -> BadSetting:
    file = getattr(error, "filename", None)
    why = f"{file}: {error.strerror}" if file else f"not a certificate and its key in PEM: {error}"
    return BadSetting(f"the files of BGB_TLS_* can't be used: {why}")
