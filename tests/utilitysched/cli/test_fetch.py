"""`utilitysched fetch`, and workloads from the cache."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from swfx.archive import catalogue
from tests.swfx.archive.server import TOY, Site, serving
from tests.utilitysched.cli.conftest import Command, refused


@pytest.fixture
def site() -> Iterator[Site]:
    with serving(Site()) as site:
        yield site


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache, in which the archive's only log is a toy."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(catalogue, "LOGS", (TOY,))
    return tmp_path / "cache" / "utilitysched" / "archive"


def test_where_the_log_is_and_that_it_is_right(command: Command, site: Site, folder: Path) -> None:
    answer = command("fetch", "toy", "--from", site.base)

    assert answer.code == 0
    assert answer.out == f"{folder / TOY.file}\n"
    assert answer.err == "Toy: fetched, its 2,000 job lines have the checksum that is known\n"
    again = command("fetch", "toy", "--from", site.base)
    assert again.err == "Toy: was here, its 2,000 job lines have the checksum that is known\n"


def test_a_fetched_log_is_a_workload(command: Command, site: Site, folder: Path) -> None:
    before = command("check", "archive:Toy")
    command("fetch", "Toy", "--from", site.base)
    after = command("check", "archive:toy")

    assert before.code == 2
    assert before.err == (
        f"error: archive:Toy: is not in {folder}; get it once with: utilitysched fetch Toy\n"
    )
    assert after.code == 0
    assert "loads: 2,000 of 2,000 job lines kept" in " ".join(after.out.split())


def test_an_unknown_log(command: Command, folder: Path) -> None:
    for answer in (command("fetch", "Tony"), command("check", "archive:Tony")):
        assert answer.code == 2
        assert answer.err == (
            "error: archive: the archive has no log that is named 'Tony' here; "
            "did you mean 'Toy'? known: Toy\n"
        )


def test_no_name(command: Command) -> None:
    answer = command("fetch")

    refused(answer, "name a log, or list them with --list")


def test_json(command: Command, site: Site, folder: Path) -> None:
    document = json.loads(command("fetch", "Toy", "--from", site.base, "--json", "-q").out)

    assert document == {
        "name": "Toy",
        "path": str(folder / TOY.file),
        "sha256": TOY.content.sha256,  # type: ignore[union-attr]
        "checked": True,
        "downloaded": True,
    }


def test_the_list(command: Command, site: Site, tmp_path: Path) -> None:
    answer = command("fetch", "--list", "--cache", tmp_path)

    rows = {line.split()[0]: line.split()[1:] for line in answer.out.splitlines() if line}
    assert rows["KTH-SP2"] == ["KTH-SP2-1996-2.1-cln.swf.gz", "28,476", "2.6"]
    assert rows["CTC-SP2"] == ["CTC-SP2-1996-3.1-cln.swf.gz", "-", "-"]
    assert "Experience with\nusing the Parallel Workloads Archive" in answer.out
    assert max(map(len, answer.out.splitlines()[:-6])) <= 100


def test_the_list_says_what_is_here(command: Command, site: Site, folder: Path) -> None:
    before = json.loads(command("fetch", "--list", "--json").out)["logs"]
    command("fetch", "Toy", "--from", site.base)
    after = json.loads(command("fetch", "--list", "--json").out)["logs"]

    assert [log["path"] for log in (*before, *after)] == [None, str(folder / TOY.file)]
    assert "yes" in command("fetch", "--list").out.splitlines()[2]
