"""Files that appear complete or not at all, or grow at their end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EDQUOT, EFBIG, EISDIR, ENOSPC
from pathlib import Path
from typing import BinaryIO

from swfx.base.errors import InputError, failed

__all__ = ["append", "atomic_write", "prove_writable", "write_whole"]


@contextmanager
def atomic_write(
    path: str | Path, *, parents: bool = False, private: bool = False
) -> Iterator[BinaryIO]:
    """Binary stream to a temporary file beside `path`, renamed to it if the block succeeds.

    A device or pipe is written in place. On any exception nothing is left behind and an existing
    file keeps its content.

    Parameters
    ----------
    path : str or Path
        Where to.
    parents : bool
        Make the folder, too, where there is none.
    private : bool
        Let nobody but the owner read the file.

    Raises
    ------
    InputError
        If the file cannot be made or written.
    """
    target = Path(path)
    temporary = None
    try:
        if parents:
            target.parent.mkdir(parents=True, exist_ok=True)
        special = target.exists() and not target.is_file()
        if not special:
            temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        with open(temporary or target, "wb", opener=_private if private else None) as stream:
            yield stream
        if temporary:
            temporary.replace(target)
    except BaseException as error:
        if temporary:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise _refusal(path, error) from error
        raise


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def write_whole(path: Path, content: str | bytes) -> Path:
    """Write a file by `atomic_write`, its folder, too, where there is none; return its path."""
    with atomic_write(path, parents=True) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)
    return path


def append(path: str | Path, content: bytes, remedy: str | None = None) -> None:
    """Write at the end of a file.

    Parameters
    ----------
    path : str or Path
        The file, made if need be.
    content : bytes
        What is added.
    remedy : str, optional
        Where else it could be; default: as `atomic_write` says.

    Raises
    ------
    InputError
        If it cannot be written; part of `content` may be in it.
    """
    try:
        with Path(path).open("ab") as stream:
            stream.write(content)
    except OSError as error:
        if remedy:
            raise failed("cannot be written", error, path, remedy) from error
        raise _refusal(path, error) from error


def prove_writable(path: str | Path) -> None:
    """Refuse a file that `atomic_write` cannot make, before the work that would fill it.

    Raises
    ------
    InputError
        If its folder does not exist or may not be written to, or it is a folder.
    """
    target = Path(path)
    probe = target.with_name(f".{target.name}.{os.getpid()}.probe")
    try:
        if target.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        if target.is_file() or not target.exists():
            probe.touch()
            probe.unlink()
    except OSError as error:
        raise _refusal(path, error) from error


def _refusal(path: str | Path, error: OSError) -> InputError:
    remedy = "give a file in a folder that exists and that you may write to"
    if error.errno in (ENOSPC, EDQUOT):
        remedy = "make room there, or give a file on another disk"
    elif error.errno == EFBIG:
        remedy = "raise the limit on the size of files (ulimit -f)"
    return failed("cannot be written", error, path, remedy)
