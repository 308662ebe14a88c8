"""Fetching from a server of our own that fails in every way we know of."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import swfx
from swfx import InputError
from swfx.archive.catalogue import ArchiveCache, ArchiveLog
from swfx.archive.fetch import fetch
from tests.swfx.archive.server import CONTENT, FILE, TOY, Site, content, serving

HALF = len(FILE) // 2
PATH = "/l_toy/Toy-1999-1.swf.gz"
OTHER = content(seed=2)
DIGEST, OTHER_DIGEST = (hashlib.sha256(text).hexdigest() for text in (CONTENT, OTHER))


@pytest.fixture
def site() -> Iterator[Site]:
    with serving(Site()) as site:
        yield site


@pytest.fixture
def cache(tmp_path: Path) -> ArchiveCache:
    return ArchiveCache(tmp_path / "deep" / "archive")


def test_a_log_arrives_whole_and_once(site: Site, cache: ArchiveCache) -> None:
    shares: list[float] = []
    fetched = fetch(TOY, cache, base=f"{site.base}/", on_progress=shares.append)

    assert fetched == (cache.folder / TOY.file, DIGEST, True)
    assert fetched.path.read_bytes() == FILE
    assert cache.find(TOY) == fetched.path
    assert len(swfx.read(fetched.path).workload) == 2000
    assert (shares, shares[-1]) == (sorted(shares), 1.0)
    assert [*cache.folder.iterdir()] == [fetched.path]
    assert not fetch(TOY, cache, base=site.base).downloaded
    assert site.asked == [PATH]


def test_a_server_that_does_not_say_how_much_there_is(site: Site, cache: ArchiveCache) -> None:
    site.sized = False
    shares: list[float] = []

    assert fetch(TOY, cache, base=site.base, on_progress=shares.append).path.read_bytes() == FILE
    assert shares == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cut": HALF}, f"the connection ended after {HALF:,} of {len(FILE):,} bytes; fetch again"),
        (
            {"cut": HALF, "sized": False},
            "is not a whole gzip file: compressed file ended before",
        ),
        (
            {"data": gzip.compress(OTHER)},
            f"is not the Toy known: its content has the SHA-256 {OTHER_DIGEST}, not {DIGEST}",
        ),
        (
            {"data": b"<html>log in first</html>"},
            "is not a whole gzip file: not a gzipped file",
        ),
        ({"status": 404}, "the server answers 404 Not Found"),
        ({"status": 503}, "the server answers 503 Service"),
    ],
)
def test_a_failed_download_leaves_nothing(
    changes: dict[str, object], message: str, site: Site, cache: ArchiveCache
) -> None:
    for name, value in changes.items():
        setattr(site, name, value)

    with pytest.raises(InputError, match=f"{PATH}: {message}"):
        fetch(TOY, cache, base=site.base)
    assert not [*cache.folder.iterdir()]


@pytest.mark.parametrize("again", [fetch, lambda log, cache: cache.find(log)])
def test_a_file_that_went_bad_is_not_used(again, site: Site, cache: ArchiveCache) -> None:  # type: ignore[no-untyped-def]
    path = fetch(TOY, cache, base=site.base).path

    path.write_bytes(FILE[:HALF])
    with pytest.raises(InputError, match=rf"{path}: is not a whole gzip file: .*remove it"):
        again(TOY, cache)
    path.write_bytes(gzip.compress(OTHER))
    with pytest.raises(InputError, match="is not the Toy known: its content has the SHA-256"):
        again(TOY, cache)


def test_without_a_known_checksum_the_log_is_taken_if_whole(
    site: Site, cache: ArchiveCache
) -> None:
    unknown = ArchiveLog("Toy", "1999-1", "l_toy")
    site.data = gzip.compress(OTHER)

    assert fetch(unknown, cache, base=f"{site.base}/elsewhere/toy.gz").sha256 == OTHER_DIGEST
    assert fetch(unknown, cache, base=site.base).sha256 == OTHER_DIGEST
    assert site.asked == ["/elsewhere/toy.gz"]


def test_nobody_answers(cache: ArchiveCache) -> None:
    with serving(Site()) as gone:
        base = gone.base

    with pytest.raises(InputError, match=r"cannot be reached: connection refused; try again when"):
        fetch(TOY, cache, base=base)


@pytest.mark.parametrize("base", ["ftp://example.org", "file:///tmp", "example.org", ""])
def test_an_address_of_another_kind(base: str, cache: ArchiveCache) -> None:
    with pytest.raises(InputError, match="is no address that begins with http"):
        fetch(TOY, cache, base=base)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(InputError, match=r"file: cannot be written: .*name another folder"):
        fetch(TOY, ArchiveCache(tmp_path / "file"), base="http://127.0.0.1:9")
