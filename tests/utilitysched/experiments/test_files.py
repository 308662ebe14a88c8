from __future__ import annotations

import os
from pathlib import Path

import pytest

from swfx import InputError
from swfx.reading.located import located, located_source
from utilitysched.experiments import files
from utilitysched.experiments.files import (
    NamedFile,
    check_unchanged,
    named_files,
    without_paths,
)

ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
"""sha256 of "abc"."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.swf"
    path.write_bytes(b"abc")
    return path


def test_files_are_found_wherever_options_name_them(file: Path) -> None:
    found = (NamedFile(str(file), ABC),)

    assert named_files(str(file)) == found
    assert named_files(f"slurm:{file}") == found
    assert named_files(f"merge:log={file},users=same") == found
    assert named_files(f"merge:log=[slurm,tz=UTC:{file}],users=same") == found
    assert named_files("model:lublin,jobs=3") == ()
    assert named_files("x" * 5000) == ()


def test_a_name_is_no_file_whatever_lies_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("accurate", "a.swf"):
        (tmp_path / name).write_bytes(b"abc")

    assert named_files("accurate") == ()
    assert named_files("a.swf") == (NamedFile("a.swf", ABC),)


def test_a_path_may_look_like_options(tmp_path: Path) -> None:
    path = tmp_path / "a,b=c:d.swf"
    path.write_bytes(b"abc")

    assert without_paths(str(path), named_files(str(path))) == f"sha256 {ABC}"


@pytest.mark.parametrize("folder", ["a=b", "a:b", "a,b", "[a]", "sub/day=1"])
def test_so_may_a_folder_of_a_file_that_options_name(folder: str, tmp_path: Path) -> None:
    path = tmp_path / folder / "other=1.swf"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"abc")
    text = f"merge:log={path},users=same"

    assert named_files(text) == (NamedFile(str(path), ABC),)
    assert without_paths(text, named_files(text)) == f"merge:log=sha256 {ABC},users=same"


def test_files_of_a_folder_become_absolute(file: Path) -> None:
    (file.parent / "log").write_bytes(b"abc")

    assert located("slurm:log", file.parent) == f"slurm:{file.parent}/log"
    assert located("merge:log=a.swf,users=same", file.parent) == f"merge:log={file},users=same"
    assert located("merge:log=[log:a.swf]", file.parent) == f"merge:log=[log:{file}]"
    assert located_source("a.swf", file.parent) == str(file)
    assert located_source("model:log", file.parent) == "model:log"


def test_files_that_fit_a_pattern_go_by_the_bytes_of_all(tmp_path: Path) -> None:
    for name in ("day-1", "day-2"):
        (tmp_path / name).write_text(name)
    text = located_source("pbs:day-*", tmp_path)
    assert text == f"pbs:{tmp_path}/day-*"
    (before,) = named_files(text)
    assert before.text == f"{tmp_path}/day-*"

    (tmp_path / "day-2").write_text("another day")
    assert named_files(text) != (before,)
    (tmp_path / "day-2").unlink()
    assert named_files(text) != (before,)


def test_a_log_of_the_archive_goes_by_its_bytes(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "swf_file", lambda _: file)

    for text in ("archive:KTH-SP2", "merge:log=archive:KTH-SP2,users=same"):
        found = named_files(text)
        assert found == (NamedFile("archive:KTH-SP2", ABC),)
        assert "KTH" not in without_paths(text, found)
        check_unchanged(found)


def test_a_file_that_changed_is_noticed(file: Path) -> None:
    found = named_files(str(file))
    check_unchanged(found)
    file.write_bytes(b"abd")

    with pytest.raises(InputError, match=r"a\.swf: has changed, or cannot be found"):
        check_unchanged(found)
    file.unlink()
    with pytest.raises(InputError, match=r"a\.swf: has changed, or cannot be found"):
        check_unchanged(found)


def test_a_file_touched_is_the_same_file(file: Path) -> None:
    found = named_files(str(file))
    os.utime(file, (0, 0))

    check_unchanged(found)
