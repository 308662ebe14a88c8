"""The list of the archive's logs."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from swfx import InputError
from swfx.archive.catalogue import ARCHIVE, LOGS, find_log
from swfx.base.compression import decompress

CHECKED = [log for log in LOGS if log.content]


@pytest.mark.parametrize(
    "name", ["KTH-SP2", "kth-sp2", "KTH-SP2-1996-2.1-cln", "KTH-SP2-1996-2.1-cln.swf.gz"]
)
def test_a_log_has_the_name_of_its_machine_or_its_file(name: str) -> None:
    assert find_log(name).url(ARCHIVE) == (
        "http://www.cs.huji.ac.il/labs/parallel/workload/l_kth_sp2/KTH-SP2-1996-2.1-cln.swf.gz"
    )


def test_an_unknown_name_has_a_nearest_one() -> None:
    with pytest.raises(InputError, match=r"no log that is named 'KTH'.*did you mean 'KTH-SP2'\?"):
        find_log("KTH")


def test_names_and_files_are_not_used_twice() -> None:
    assert len({log.name.lower() for log in LOGS}) == len(LOGS) == 35
    assert len({log.file for log in LOGS}) == len(LOGS)
    assert len({log.content.sha256 for log in CHECKED if log.content}) == 13


@pytest.mark.parametrize("log", CHECKED, ids=lambda log: log.name)
def test_what_is_known_is_so_of_the_copies_here(traces: Path, log) -> None:  # type: ignore[no-untyped-def]
    content = decompress((traces / log.file).read_bytes())
    lines = [line for line in content.splitlines() if not line.startswith(b";")]

    known = (len(lines), len(content), hashlib.sha256(content).hexdigest())
    assert known == log.content
