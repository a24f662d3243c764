"""Certificates of the test's own: an authority in a folder, and those it signs."""

from __future__ import annotations

from pathlib import Path

import trustme

from boardgamesbot.client import Tls


class Authority:
    """Signs certificates and keeps them in files of a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self._folder = folder
        self._ca = trustme.CA()
        self.file = folder / "ca.pem"
        self._ca.cert_pem.write_to_path(str(self.file))

    def sign(self, name: str, *hosts: str) -> tuple[Path, Path]:
        """The files of a certificate for these hosts (those of this machine, if none), and of its key."""
        certificate, key = self._folder / f"{name}.pem", self._folder / f"{name}.key"
        signed = self._ca.issue_cert(*(hosts or ("127.0.0.1", "localhost")))
        key.write_bytes(signed.private_key_pem.bytes())
        certificate.write_bytes(b"".join(blob.bytes() for blob in signed.cert_chain_pems))
        return certificate, key

    def key(self, name: str) -> str:
        """The key of a certificate that was signed, in PEM."""
        return (self._folder / f"{name}.key").read_text()

    def tls(self, name: str = "") -> Tls:
        """How a client calls servers of this authority; with a certificate of its own if it has a name."""
        return Tls.from_files(self.file, *(self.sign(name) if name else ()))

    def settings(self, name: str, *, clients: str = "any") -> dict[str, str]:
        """The settings of a service of that name."""
        certificate, key = self.sign(name)
        return {"tls_ca": str(self.file), "tls_cert": str(certificate), "tls_key": str(key), "tls_clients": clients}
