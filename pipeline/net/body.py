"""A response body, unpacked while it arrives so that its decoded size is capped at every step."""

from __future__ import annotations

import zlib
from typing import Any

from pipeline.errors import FetchError


class Body:
    """A body as it arrives: transfer encoding taken off, refused once it is larger than `cap` bytes decoded."""

    def __init__(self, encoding: str, cap: int) -> None:
        self._cap = cap
        self._parts: list[bytes] = []
        self._size = 0
        self._encoding = encoding.strip().lower()
        if self._encoding in ("gzip", "x-gzip"):
            self._unzip: Any = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        elif self._encoding == "deflate":
            self._unzip = zlib.decompressobj()
        elif self._encoding in ("", "identity"):
            self._unzip = None
        else:
            raise FetchError(
                f"the answer is packed as {self._encoding!r}, which was not asked for", status="bad response"
            )

    def add(self, chunk: bytes) -> None:
        if self._unzip is not None:
            chunk = self._unpacked(chunk)
        self._parts.append(chunk)
        self._size += len(chunk)
        if self._size > self._cap:
            raise FetchError(f"the answer is larger than {self._cap / 1e6:.0f} MB", status="bad response")

    def _unpacked(self, chunk: bytes) -> bytes:
        room = self._cap - self._size + 1
        try:
            return bytes(self._unzip.decompress(chunk, room))
        except zlib.error as error:
            if self._encoding == "deflate" and not self._size:  # some servers send it without zlib's header
                self._unzip = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
                self._encoding = "raw deflate"
                return self._unpacked(chunk)
            raise FetchError(f"the answer can't be unpacked: {error}", status="bad response") from None

    def bytes(self) -> bytes:
        return b"".join(self._parts)
