"""Fetching from a server of our own that fails in every way we know of."""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import swfx
from swfx import InputError
from swfx.archive.cache import ArchiveCache
from swfx.archive.catalogue import ArchiveLog
from swfx.archive.fetch import fetch
from tests.swfx.archive.server import FILE, TOY, Site, content, serving

HALF = len(FILE) // 2
PATH = "/l_toy/Toy-1999-1.swf.gz"


@pytest.fixture
def site() -> Iterator[Site]:
    with serving(Site()) as site:
        yield site


@pytest.fixture
def cache(tmp_path: Path) -> ArchiveCache:
    return ArchiveCache(tmp_path / "deep" / "archive")


def names(cache: ArchiveCache) -> list[str]:
    """Files that are there, without the notes of what was checked."""
    there = sorted(path.name for path in cache.folder.iterdir())
    return [name for name in there if not name.endswith(".checked")]


def test_a_log_arrives_whole(site: Site, cache: ArchiveCache) -> None:
    shares: list[float] = []
    fetched = fetch(TOY, cache, base=f"{site.base}/", on_progress=shares.append)

    assert fetched == (cache.folder / TOY.file, TOY.content.sha256, True)  # type: ignore[union-attr]
    assert fetched.path.read_bytes() == FILE
    assert len(swfx.read(fetched.path).workload) == 2000
    assert site.asked == [PATH]
    assert (shares, sorted(shares)[-1]) == (sorted(shares), 1.0)
    assert names(cache) == [TOY.file]


def test_a_log_that_is_here_is_not_asked_for_again(site: Site, cache: ArchiveCache) -> None:
    fetch(TOY, cache, base=site.base)
    again = fetch(TOY, cache, base=site.base)

    assert not again.downloaded
    assert len(site.asked) == 1


def test_a_cut_connection_leaves_nothing(site: Site, cache: ArchiveCache) -> None:
    site.cut = HALF
    message = f"the connection ended after {HALF:,} of {len(FILE):,} bytes; fetch again"
    with pytest.raises(InputError, match=message):
        fetch(TOY, cache, base=site.base)
    assert names(cache) == []

    assert fetch(TOY, cache, base=site.base).path.read_bytes() == FILE


def test_a_server_that_does_not_say_how_much_there_is(site: Site, cache: ArchiveCache) -> None:
    site.sized = False
    shares: list[float] = []

    assert fetch(TOY, cache, base=site.base, on_progress=shares.append).path.read_bytes() == FILE
    assert shares == []


def test_cut_without_a_size_is_noticed_when_unpacking(site: Site, cache: ArchiveCache) -> None:
    site.sized, site.cut = False, HALF

    with pytest.raises(InputError, match=r"is not a whole gzip file: compressed file ended before"):
        fetch(TOY, cache, base=site.base)
    assert names(cache) == []


def test_another_content_is_refused_and_not_kept(site: Site, cache: ArchiveCache) -> None:
    other = content(seed=2)
    site.data = gzip.compress(other)
    sums = f"SHA-256 {hashlib.sha256(other).hexdigest()}, not {TOY.content.sha256}"  # type: ignore[union-attr]

    with pytest.raises(InputError, match=f"{PATH}: is not the Toy known: its content has .*{sums}"):
        fetch(TOY, cache, base=site.base)
    assert names(cache) == []


def test_a_page_instead_of_the_file_is_refused(site: Site, cache: ArchiveCache) -> None:
    site.data = b"<html>log in first</html>"

    with pytest.raises(InputError, match="is not a whole gzip file: not a gzipped file"):
        fetch(TOY, cache, base=site.base)
    assert names(cache) == []


def test_a_file_in_the_cache_that_went_bad_is_told(site: Site, cache: ArchiveCache) -> None:
    path = fetch(TOY, cache, base=site.base).path
    path.write_bytes(FILE[:HALF])

    with pytest.raises(InputError, match=rf"{path}: is not a whole gzip file: .*remove it"):
        fetch(TOY, cache, base=site.base)


def test_a_file_that_went_bad_is_not_used(site: Site, cache: ArchiveCache) -> None:
    path = fetch(TOY, cache, base=site.base).path
    assert cache.find(TOY) == path

    path.write_bytes(FILE[:HALF])
    with pytest.raises(InputError, match=rf"{path}: is not a whole gzip file: .*remove it"):
        cache.find(TOY)
    path.write_bytes(gzip.compress(content(seed=3)))
    with pytest.raises(InputError, match="is not the Toy known: its content has the SHA-256"):
        cache.find(TOY)


def test_without_a_known_checksum_what_was_fetched_counts(site: Site, cache: ArchiveCache) -> None:
    unknown = ArchiveLog("Toy", "1999-1", "l_toy")
    path = fetch(unknown, cache, base=site.base).path

    path.write_bytes(gzip.compress(content(seed=3)))

    with pytest.raises(InputError, match="is not what was fetched: its content has the SHA-256"):
        cache.find(unknown)


def test_a_file_that_was_checked_is_not_unpacked_again(site: Site, cache: ArchiveCache) -> None:
    path = fetch(TOY, cache, base=site.base).path
    before = path.stat()
    path.write_bytes(bytes(len(FILE)))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert cache.find(TOY) == path


def test_without_a_known_checksum_the_log_is_taken_if_whole(
    site: Site, cache: ArchiveCache
) -> None:
    unknown = ArchiveLog("Toy", "1999-1", "l_toy")
    site.data = gzip.compress(content(seed=2))

    digest = hashlib.sha256(content(seed=2)).hexdigest()
    assert fetch(unknown, cache, base=site.base).sha256 == digest
    assert fetch(unknown, cache, base=site.base).sha256 == digest


def test_the_file_itself_may_be_named(site: Site, cache: ArchiveCache) -> None:
    fetch(TOY, cache, base=f"{site.base}/elsewhere/toy.gz")

    assert site.asked == ["/elsewhere/toy.gz"]


@pytest.mark.parametrize(("status", "text"), [(404, "404 Not Found"), (503, "503 Service")])
def test_a_refusal_of_the_server(site: Site, cache: ArchiveCache, status: int, text: str) -> None:
    site.status = status

    with pytest.raises(InputError, match=f"{PATH}: the server answers {text}.*--from URL"):
        fetch(TOY, cache, base=site.base)


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
