"""Fetching a log of the archive into the cache."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from swfx.archive.catalogue import ARCHIVE, ArchiveCache, ArchiveLog, digest_of
from swfx.base.atomic import atomic_write
from swfx.base.errors import InputError, failed

__all__ = ["Fetched", "fetch"]

PATIENCE = 30.0
"""Seconds without a byte after which a server is given up."""

CHUNK = 1 << 16
"""Bytes between two reports of progress."""

AGAIN = "fetch again"


class Fetched(NamedTuple):
    """A log in the cache.

    Attributes
    ----------
    path : Path
        Its file.
    sha256 : str
        Digest (hex) of its content, unpacked.
    downloaded : bool
        It was not here before.
    """

    path: Path
    sha256: str
    downloaded: bool


def fetch(
    log: ArchiveLog,
    cache: ArchiveCache,
    *,
    base: str = ARCHIVE,
    on_progress: Callable[[float], None] = lambda _: None,
) -> Fetched:
    """Download a log unless it is in the cache already, and check its content.

    Whatever ends the download leaves the cache with the whole file or without it.

    Parameters
    ----------
    log : ArchiveLog
        Which.
    cache : ArchiveCache
        Where to; its folder is made if absent.
    base : str
        Address of the archive, of a mirror with the same folders, or of the file itself.
    on_progress : callable
        Called with the share received so far, if the server says how much there is.

    Raises
    ------
    InputError
        The file cannot be had, is broken, or is not the log known by this name.
    """
    path = cache.path(log)
    if cache.holds(log):
        with path.open("rb") as stream:
            return Fetched(path, digest_of(log, stream, str(path)), downloaded=False)
    try:
        cache.folder.mkdir(parents=True, exist_ok=True)
        url = log.url(base)
        data = _downloaded(url, on_progress)
        digest = digest_of(log, io.BytesIO(data), url)
        with atomic_write(path) as target:
            target.write(data)
    except OSError as error:
        raise failed(
            "cannot be written", error, cache.folder, "name another folder with `cache`"
        ) from error
    return Fetched(path, digest, downloaded=True)


def _downloaded(url: str, on_progress: Callable[[float], None]) -> bytes:
    """Download a file: logs of the archive have some megabytes."""
    data = bytearray()
    with _answer(url) as response:
        length = response.headers.get("Content-Length", "")
        size = int(length) if length.isdecimal() else -1
        for chunk in _chunks(url, response):
            data += chunk
            if size > 0:
                on_progress(len(data) / size)
    if size >= 0 and len(data) != size:
        message = f"the connection ended after {len(data):,} of {size:,} bytes"
        raise InputError(message, source=url, remedy=AGAIN)
    return bytes(data)


def _answer(url: str) -> HTTPResponse:
    if not url.startswith(("http://", "https://")):
        raise InputError("is no address that begins with http:// or https://", source=url)
    headers = {"User-Agent": "utilitysched", "Accept-Encoding": "identity"}
    try:
        response: HTTPResponse = urlopen(Request(url, headers=headers), timeout=PATIENCE)
    except HTTPError as error:
        raise InputError(
            f"the server answers {error.code} {error.reason}",
            source=url,
            remedy="is the address right? `base=URL` names a mirror of the archive",
        ) from error
    except (URLError, HTTPException, OSError, ValueError) as error:
        raise InputError(
            f"cannot be reached: {_reason(error)}",
            source=url,
            remedy="try again when there is a connection, or name a mirror with `base=URL`",
        ) from error
    return response


def _chunks(url: str, response: HTTPResponse) -> Iterator[bytes]:
    while True:
        try:
            data = response.read1(CHUNK)
        except (HTTPException, OSError) as error:
            message = f"the connection broke: {_reason(error)}"
            raise InputError(message, source=url, remedy=AGAIN) from error
        if not data:
            return
        yield data


def _reason(error: Exception) -> str:
    reason = getattr(error, "reason", error)
    return (getattr(reason, "strerror", None) or str(reason) or type(reason).__name__).lower()
