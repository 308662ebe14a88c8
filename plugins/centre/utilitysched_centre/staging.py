"""Staging of billing runs: files of a month are made aside, and published once the ledger knows.

Whatever moment a billing run ends at, the next one settles what it had staged: files of documents
that the ledger holds are published, all others are dropped.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from swfx import InputError
from swfx.base.errors import failed
from utilitysched_centre.accounts import Document
from utilitysched_centre.register import INVOICES_FOLDER

STAGED = ".staging"
"""Folder of what is not published, beside those of the months."""

COMPLETE = "complete"
"""File that says that all files of a month are staged."""


_AGAIN = "see to that; the next billing run publishes what the ledger holds"


@dataclass(frozen=True)
class Staging:
    """Staging folder of a centre's billing runs, which one process at a time uses.

    Attributes
    ----------
    folder : Path
        Folder of the register, with a folder for each month.
    """

    folder: Path

    def month(self, month: str) -> Path:
        """Return the folder in which a month's files are staged."""
        return self.folder / STAGED / month

    def begin(self, month: str) -> Path:
        """Return the staging folder of a month, with the run of an earlier billing run in it.

        The run says when its log was first read, and keeps to that.

        Raises
        ------
        InputError
            Files could not be published: nothing is issued then.
        """
        earlier, staged = self.folder / month, self.month(month)
        for place in (earlier, earlier / INVOICES_FOLDER):
            is_folder = place.is_dir() and os.access(place, os.W_OK)
            if os.path.lexists(place) and not is_folder:
                problem = "is no folder that can be written to"
                raise InputError(problem, source=str(place), remedy="make way for a folder")
        if earlier.is_dir():
            documents = shutil.ignore_patterns(INVOICES_FOLDER)
            shutil.copytree(earlier, staged, ignore=documents)
        return staged

    def require_new(self, month: str, number: str) -> None:
        """Refuse the number of a document that has a file already.

        Raises
        ------
        InputError
            It was issued, and the ledger does not know.
        """
        path = self.folder / month / INVOICES_FOLDER / f"{number}.json"
        if path.exists():
            raise InputError(
                f"the ledger has no document {number}, and there is its file",
                source=str(path),
                remedy="name the ledger that it was issued from, or another folder",
            )

    def complete(self, month: str) -> None:
        """Say that all files of a month are staged, and on the disk."""
        staged = self.month(month)
        (staged / COMPLETE).touch()
        for path in [*staged.rglob("*"), staged]:
            _synchronise(path)

    def settle(self, documents: Iterable[Document], then: Callable[[str], object]) -> None:
        """Publish staged months whose documents the ledger has, and drop all others.

        Parameters
        ----------
        documents : iterable of Document
            Documents of the ledger.
        then : callable
            Takes each month that is published; only then it is settled.

        Raises
        ------
        InputError
            Files cannot be published, or dropped: the next billing run tries again.
        """
        contents = {one.number: one.content for one in documents}
        for staged in sorted((self.folder / STAGED).glob("*")):
            try:
                if (staged / COMPLETE).exists() and _is_known(staged, contents):
                    _publish(staged, self.folder / staged.name)
                    then(staged.name)
                shutil.rmtree(staged)
            except OSError as error:
                raise failed("cannot be settled", error, staged, _AGAIN) from error
            except InputError as error:
                raise InputError(error.message, source=error.source, remedy=_AGAIN) from error


@contextmanager
def staging(folder: Path) -> Iterator[Staging]:
    """Lock a folder of billing runs for a ``with`` block; it is made if need be.

    Raises
    ------
    InputError
        Another billing run has it, or it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise failed("cannot be made", error, folder, "name another folder") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise InputError(
            "another billing run is at work here", source=str(folder), remedy="wait for its end"
        ) from None
    try:
        yield Staging(folder)
    finally:
        for empty in (folder / STAGED, folder):
            with suppress(OSError):  # not empty
                empty.rmdir()
        os.close(lock)


def _is_known(staged: Path, contents: Mapping[str, str]) -> bool:
    """Return whether the ledger has each document that is staged, with this content."""
    return all(
        contents.get(path.stem) == hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (staged / INVOICES_FOLDER).glob("*.json")
    )


def _publish(staged: Path, folder: Path) -> None:
    """Move staged files to their places, the JSON files of documents last.

    As long as one of these is staged, the next billing run goes on.
    """
    (folder / INVOICES_FOLDER).mkdir(parents=True, exist_ok=True)
    for entry in staged.iterdir():
        if entry.name in {INVOICES_FOLDER, COMPLETE}:
            continue
        target = folder / entry.name
        if target.is_dir():
            shutil.rmtree(target)
        entry.replace(target)
    paths = sorted((staged / INVOICES_FOLDER).glob("*"), key=lambda path: path.suffix == ".json")
    for path in paths:
        path.replace(folder / INVOICES_FOLDER / path.name)
    _synchronise(folder / INVOICES_FOLDER)


def _synchronise(path: Path) -> None:
    """Wait until a file or a folder is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
