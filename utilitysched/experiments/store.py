"""Store of results on disk: a cell that is there is never run again."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Self

from swfx.base.atomic import atomic_write
from swfx.base.errors import failed
from utilitysched.experiments.cell import Cell, CellResult, canonical
from utilitysched.model.versions import versions
from utilitysched.runs.files import unwritable
from utilitysched.runs.target import prove_writable

FORMAT = "utilitysched cell 1"
CELLS = "cells"

CLAIMS = "claims.lock"
"""Name of the file on which processes lock a byte for each cell that they run."""

WITHOUT_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP)
"""Errors of file systems that know no locks: there each process runs all that is missing."""

Say = Callable[[str], None]


class Store:
    """A directory of results that several processes may share.

    ``cells/ab/abcd....json`` is the result of the cell with that key; it holds the digest of its
    own content. Cells that are being run are locked in the file `CLAIMS`, a byte each: the system
    frees the locks of a process that dies, on other machines of a shared file system, too.

    Parameters
    ----------
    path : Path
        Made by the first claim if absent; reading makes nothing.
    say : callable
        Takes a line for people.
    """

    def __init__(self, path: Path, say: Say = lambda _: None) -> None:
        self.path = path
        self.say = say
        self._told: set[str] = set()
        self._claimed: set[str] = set()
        self._locks: IO[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the store; what is claimed and not finished is free for others."""
        self._claimed.clear()
        if self._locks is not None:
            self._locks.close()
            self._locks = None

    def missing(self, cells: Iterable[Cell]) -> list[Cell]:
        """Return the cells without a result, in their order."""
        return [cell for cell in cells if self.get(cell) is None]

    def get(self, cell: Cell) -> CellResult | None:
        """Return a result; None if there is none, or if it is damaged, which is told once."""
        file = self.file(cell)
        try:
            content = file.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise failed("cannot be read", error, file) from error
        document = _intact(content, cell.key)
        if document is None:
            if cell.key not in self._told:
                self._told.add(cell.key)
                self.say(f"{file} is damaged, and counts as not run")
            return None
        metrics = document["figures"]
        return CellResult(metrics, document["workload"], seconds=document["seconds"])

    def claim(self, cell: Cell) -> bool:
        """Return whether this process is to run a cell: neither finished nor another's.

        Raises
        ------
        InputError
            The store cannot be written.
        """
        if cell.key in self._claimed:
            return False
        try:
            fcntl.lockf(self._open(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _byte(cell))
        except (BlockingIOError, PermissionError):
            return False
        except OSError as error:
            if error.errno not in WITHOUT_LOCKS:
                raise unwritable(self.path, error) from error
        self._claimed.add(cell.key)
        if self.get(cell) is not None:  # finished by another since it was found missing
            self.release(cell)
            return False
        return True

    def put(self, cell: Cell, result: CellResult) -> None:
        """Keep the result of a claimed cell, and give up the claim; after an error only that.

        Raises
        ------
        InputError
            The store cannot be written.
        """
        if result.error is None:
            file = self.file(cell)
            with atomic_write(file, parents=True) as stream:
                stream.write(_sealed(_document(cell, result)))
            for left in file.parent.glob(f".{file.name}.*"):  # by who was killed writing it
                left.unlink(missing_ok=True)
        self.release(cell)

    def release(self, cell: Cell) -> None:
        """Give up a claim."""
        self._claimed.discard(cell.key)
        with suppress(OSError):
            fcntl.lockf(self._open(), fcntl.LOCK_UN, 1, _byte(cell))

    def file(self, cell: Cell) -> Path:
        """Where the result of a cell is, or would be."""
        return self.path / CELLS / cell.key[:2] / f"{cell.key}.json"

    def _open(self) -> IO[bytes]:
        """Return the file of the locks; it stays open, as closing it would free them."""
        if self._locks is None:
            prove_writable(self.path / CELLS)
            try:
                self._locks = (self.path / CLAIMS).open("ab")
            except OSError as error:
                raise unwritable(self.path, error) from error
        return self._locks


def _byte(cell: Cell) -> int:
    """Return the place of the byte that stands for a cell; the file need not be that long."""
    return int(cell.key[:15], 16)


def _document(cell: Cell, result: CellResult) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "key": cell.key,
        "cell": json.loads(cell.to_json()),
        "workload": result.workload,
        "figures": dict(result.metrics),
        "seconds": dict(result.seconds),
        "versions": versions(),
    }


def _sealed(document: dict[str, Any]) -> bytes:
    """Return a document as a line of JSON that holds the digest of the rest of it."""
    return canonical(document | {"sha256": _seal(document)}) + b"\n"


def _intact(content: bytes, key: str) -> dict[str, Any] | None:
    """Return the document of a file, or None if it is not as it was written, or of another cell."""
    try:
        document: dict[str, Any] = dict(json.loads(content))
        seal = document.pop("sha256")
    except (ValueError, KeyError, TypeError):
        return None
    intact = seal == _seal(document) and document["format"] == FORMAT and document["key"] == key
    return document if intact else None


def _seal(document: dict[str, Any]) -> str:
    return hashlib.sha256(canonical(document)).hexdigest()
