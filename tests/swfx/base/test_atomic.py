import errno
import os
from pathlib import Path

import pytest

from swfx import InputError
from swfx.base.atomic import append, atomic_write, prove_writable


def test_file_appears_when_complete(tmp_path):
    with atomic_write(tmp_path / "a") as stream:
        stream.write(b"new")
        assert not (tmp_path / "a").exists()
    assert (tmp_path / "a").read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("interruption", [ValueError, KeyboardInterrupt])
def test_failure_leaves_the_old_file_and_nothing_else(tmp_path, interruption):
    (tmp_path / "a").write_bytes(b"old")

    def fail() -> None:
        with atomic_write(tmp_path / "a") as stream:
            stream.write(b"half")
            raise interruption

    with pytest.raises(interruption):
        fail()
    assert (tmp_path / "a").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_full_disk_is_an_input_error(tmp_path):
    def fail() -> None:
        with atomic_write(tmp_path / "a"):
            raise OSError(28, "No space left on device")

    with pytest.raises(InputError, match="a: cannot be written: no space left on device"):
        fail()
    assert not list(tmp_path.iterdir())


def test_a_file_grows_at_its_end(tmp_path):
    append(tmp_path / "a", b"1")
    append(tmp_path / "a", b"2")
    assert (tmp_path / "a").read_bytes() == b"12"
    with pytest.raises(InputError, match="no/a: cannot be written: no such file or directory"):
        append(tmp_path / "no" / "a", b"1")


def test_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError) as caught, atomic_write(tmp_path / "no" / "a"):
        pass
    assert str(caught.value) == (
        f"{tmp_path}/no/a: cannot be written: no such file or directory;"
        " give a file in a folder that exists and that you may write to"
    )


def test_folder_that_may_not_be_searched_is_refused(tmp_path, monkeypatch):
    def deny(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", deny)
    with pytest.raises(InputError, match="permission denied"), atomic_write(tmp_path / "a"):
        pass


def test_name_that_is_too_long_is_refused(tmp_path):
    with pytest.raises(InputError, match="name too long"), atomic_write(tmp_path / ("a" * 300)):
        pass


def test_folder_as_target_is_refused(tmp_path):
    with (
        pytest.raises(InputError, match="cannot be written: is a directory"),
        atomic_write(tmp_path),
    ):
        pass
    assert tmp_path.is_dir()


def test_device_is_written_in_place():
    with atomic_write("/dev/null") as stream:
        stream.write(b"gone")
    assert not Path("/dev/null").is_file()


def test_file_gets_ordinary_permissions(tmp_path):
    mask = os.umask(0o022)
    try:
        with atomic_write(tmp_path / "a") as stream:
            stream.write(b"x")
    finally:
        os.umask(mask)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o644


def test_folders_are_made_where_asked_for(tmp_path: Path):
    path = tmp_path / "no" / "such" / "a"

    with atomic_write(path, parents=True) as stream:
        stream.write(b"one")

    assert path.read_bytes() == b"one"


@pytest.mark.parametrize(
    ("number", "advice"),
    [(errno.ENOSPC, "make room there"), (errno.EDQUOT, "make room there"), (errno.EFBIG, "ulimit")],
)
def test_a_full_disk_is_no_matter_of_folders(tmp_path, number, advice):
    path = tmp_path / "a"

    with pytest.raises(InputError, match=advice), atomic_write(path):
        raise OSError(number, os.strerror(number))

    assert not path.exists()


def test_what_can_be_written_leaves_nothing_behind(tmp_path):
    (tmp_path / "old").write_bytes(b"old")

    prove_writable(tmp_path / "new")
    prove_writable(tmp_path / "old")
    prove_writable("/dev/null")

    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert (tmp_path / "old").read_bytes() == b"old"


@pytest.mark.parametrize(
    ("path", "reason"),
    [("none/a", "no such file or directory"), (".", "is a directory"), ("old/a", "not a dir")],
)
def test_what_cannot_be_written_is_refused(tmp_path, path, reason):
    (tmp_path / "old").write_bytes(b"old")

    with pytest.raises(InputError, match=f"cannot be written: {reason}"):
        prove_writable(tmp_path / path)
