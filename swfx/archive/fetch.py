"""Fetching a log of the archive into the cache."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, NamedTuple

from swfx.archive.cache import ArchiveCache
from swfx.archive.catalogue import ARCHIVE, ArchiveLog
from swfx.archive.content import digest_of, remember
from swfx.archive.download import CHUNK, download
from swfx.archive.partial import locked
from swfx.base.atomic import atomic_write
from swfx.base.errors import InputError, failed

__all__ = ["Fetched", "fetch"]


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
    on_wait: Callable[[], None] = lambda: None,
) -> Fetched:
    """Download a log unless it is in the cache already, and check its content.

    Whatever ends the download leaves the cache with the whole file or without it; what arrived
    is kept in a ``.part`` file, and the next attempt goes on from there. Two processes that fetch
    the same log do so one after the other, and the second finds it there.

    Parameters
    ----------
    log : ArchiveLog
        Which.
    cache : ArchiveCache
        Where to; its folder is made if absent.
    base : str
        Address of the archive, of a mirror with the same folders, or of the file itself.
    on_progress : callable
        Called with the share received so far.
    on_wait : callable
        Called before waiting for another process that fetches the log.

    Raises
    ------
    InputError
        The file cannot be had, is broken, or is not the log known by this name.
    """
    if cache.holds(log):
        return _kept(log, cache)
    try:
        cache.folder.mkdir(parents=True, exist_ok=True)
        with locked(cache.partial(log), on_wait) as part:
            if cache.holds(log):
                cache.partial(log).unlink()
                return _kept(log, cache)
            url = log.url(base)
            download(url, part, on_progress)
            digest = _checked(log, cache, part.content(), url)
            with atomic_write(cache.path(log)) as target:
                shutil.copyfileobj(part.content(), target, CHUNK)
            cache.partial(log).unlink()
    except OSError as error:
        raise failed(
            "cannot be written", error, cache.folder, "name another folder with --cache"
        ) from error
    remember(cache.path(log), digest)
    return Fetched(cache.path(log), digest, downloaded=True)


def _kept(log: ArchiveLog, cache: ArchiveCache) -> Fetched:
    path = cache.path(log)
    with path.open("rb") as stream:
        return Fetched(path, digest_of(log, stream, str(path)), downloaded=False)


def _checked(log: ArchiveLog, cache: ArchiveCache, stream: BinaryIO, url: str) -> str:
    try:
        return digest_of(log, stream, url)
    except InputError:
        cache.partial(log).unlink()  # nothing good comes of it
        raise
