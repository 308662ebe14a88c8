"""An open ledger that many threads ask, one after another."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from utilitysched_centre.accounts import Book
from utilitysched_centre.payment import open_book

Answer = TypeVar("Answer")


class LedgerReader:
    """Asks a ledger in a thread of its own.

    A connection to an SQLite file belongs to the thread that has opened it, and to open one for
    each page takes longer than what is asked.

    Parameters
    ----------
    ledger : str
        A file, or the address of a database.
    """

    def __init__(self, ledger: str) -> None:
        self._ledger = ledger
        self._thread = ThreadPoolExecutor(1, "ledger")
        self._book: Book | None = None

    def ask(self, question: Callable[[Book], Answer]) -> Answer:
        """Return what a question has for an answer; it must not write.

        Raises
        ------
        InputError
            The ledger cannot be opened or read.
        """
        return self._thread.submit(self._asked, question).result()

    def close(self) -> None:
        """Let go of the ledger."""
        self._thread.submit(self._closed).result()
        self._thread.shutdown()

    def _asked(self, question: Callable[[Book], Answer]) -> Answer:
        if self._book is None:
            self._book = open_book(self._ledger)
        return question(self._book)

    def _closed(self) -> None:
        if self._book is not None:
            self._book.close_connections()
