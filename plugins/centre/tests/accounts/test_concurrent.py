"""Several processes at once: one after the other, as far as the ledger is concerned."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from plugins.centre.tests.accounts.competing import HOLDS, NINE, PHYSICS, RUN, compete
from plugins.centre.tests.accounts.runs import EIGHT, SEVEN
from utilitysched_centre.accounts import Balance, Book

PROCESSES = 4


@pytest.mark.slow
def test_four_processes(book: Book, location: str) -> None:
    odd = sum(job.units for job in RUN.jobs if job.user == 7)
    even = sum(job.units for job in RUN.jobs if job.user == 8)
    book.endow(SEVEN, book.money.plain(odd))
    book.endow(PHYSICS, book.money.plain(even + 1))
    book.endow(NINE, 60)

    context = get_context("forkserver")  # what they need is imported once
    context.set_forkserver_preload([compete.__module__])
    with ProcessPoolExecutor(PROCESSES, mp_context=context) as pool:
        achieved = list(pool.map(compete, [location] * PROCESSES, range(PROCESSES)))

    assert sum(one.posted for one in achieved) == 1
    assert sum(one.endowed for one in achieved) == 1
    assert sum(one.held for one in achieved) == 60 < PROCESSES * HOLDS
    assert book.balances() == [
        Balance(PHYSICS, 1, 0, 0),
        Balance(SEVEN, 0, 0, 0),
        Balance(EIGHT, 100000, 0, 0),
        Balance(NINE, 0, 6000, 0),
    ]
    assert book.reconcile(RUN).total == odd + even
    assert [check for check in book.verify() if not check.holds] == []
