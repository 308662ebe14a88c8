"""What the suffix of -o means to the commands that make workloads."""

from __future__ import annotations

from pathlib import Path

import pytest

import swfx
from swfx import open_workload
from tests.utilitysched.cli.conftest import Command

SAME = "generate lublin,jobs=9,machine_size=64 --utilities default"


@pytest.mark.parametrize(
    ("verb", "name", "begins"),
    [
        ("augment", "a.json", b'{"nb_res": 8,\n"header": ['),
        ("augment", "a.csv", b"job_id,"),
        ("generate", "a.json", b'{"nb_res": 64,\n"header": ['),
        ("generate", "a.csv", b"job_id,"),
    ],
)
def test_the_suffix_chooses_the_format(
    verb: str, name: str, begins: bytes, command: Command, log: Path, tmp_path: Path
) -> None:
    what = {"augment": ["augment", log], "generate": SAME.split()}[verb]

    answer = command(*what, "-o", tmp_path / name)

    assert (tmp_path / name).read_bytes().startswith(begins)
    assert f"to {tmp_path / name}\n" in answer.err


def test_curves_are_kept_in_other_formats(command: Command, tmp_path: Path) -> None:
    command(*SAME.split(), "-o", tmp_path / "a.json")

    read = open_workload(f"batsim:{tmp_path / 'a.json'}").workload
    assert read.utility.defined.all()


@pytest.mark.parametrize("name", ["a.swf", "a.swfx", "a.swf.gz"])
def test_swf_is_extended_where_jobs_need_it(name: str, command: Command, tmp_path: Path) -> None:
    command(*SAME.split(), "-o", tmp_path / name)

    assert swfx.read(tmp_path / name).workload.utility.defined.all()


def test_a_format_that_is_named_overrules_the_suffix(
    command: Command, log: Path, tmp_path: Path
) -> None:
    answer = command("augment", log, "-o", tmp_path / "a.swf", "--to", "swf")

    assert not swfx.read(tmp_path / "a.swf").workload.has_utilities
    assert "SWF has no place for utility functions (60 jobs)" in answer.err
    command("augment", log, "-o", tmp_path / "a.txt", "--to", "swfx")
    assert swfx.read(tmp_path / "a.txt").workload.has_utilities


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a.doc", "a.doc: no output format has the suffix '.doc'; name the format (batsim, "),
        ("a", "a: has no suffix; name the format (batsim, "),
        ("a.bz2", "a.bz2: files cannot be packed as .bz2; end the name in .gz, .xz or .zst"),
        ("a.swf.lz4", "a.swf.lz4: files cannot be packed as .lz4; end the name in .gz, .xz or"),
    ],
)
@pytest.mark.parametrize("what", ["augment no-such-log", "generate lublin,jobs=9"])
def test_suffixes_that_stand_for_nothing_are_refused_before_any_work(
    what: str, name: str, message: str, command: Command, tmp_path: Path
) -> None:
    answer = command(*what.split(), "-o", tmp_path / name)

    assert (answer.code, list(tmp_path.iterdir())) == (2, [])
    assert answer.err.startswith(f"error: {tmp_path}/{message}")


def test_one_job_is_one_job(command: Command, log: Path, tmp_path: Path) -> None:
    for verb in ("augment", "convert"):
        answer = command(verb, log, "-o", tmp_path / "a.swf", "--jobs", "0:1")
        assert answer.err.endswith(f"wrote 1 job to {tmp_path / 'a.swf'}\n")
