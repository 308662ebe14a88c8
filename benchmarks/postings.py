"""Many postings, one after the other: time, and no drift from whole numbers."""

import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks.row import Row
from utilitysched_centre.accounts import Account, Book, Money, Terms, create

POSTINGS = 100_000
ACCOUNTS = 20
DECIMALS = 9


def measure(postings: int = POSTINGS) -> Iterator[Row]:
    """Hold and capture, hold and give back, and hold the sums against those of Python."""
    random, jobs = Random(1), postings // 2
    spent: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.db"
        create(path, Terms(Money("SU", DECIMALS), credit_limit=None))
        began = time.perf_counter()
        with Book(path) as book:
            for job in range(jobs):
                account = Account("user", str(random.randrange(ACCOUNTS)))
                held, cost = random.randrange(1, 10**12), random.randrange(10**12)
                book.hold(account, book.money.plain(held), f"job-{job}")
                if job % 10:
                    book.capture(f"job-{job}", book.money.plain(cost))
                    spent[account.name] += cost
                else:
                    book.refund(f"job-{job}")
        took = time.perf_counter() - began
        yield Row(
            f"ledger, {postings:,} postings",
            took,
            "s",
            note=f"{1000 * took / postings:.1f} ms each",
        )
        with Book(path) as book:
            found = {one.account.name: -one.available for one in book.balances()}
            assert found == {name: spent[name] for name in found}, "sums have drifted"
            assert not any(one.held for one in book.balances())
            began = time.perf_counter()
            assert all(check.holds for check in book.verify())
            yield Row(f"ledger, verify {postings:,} postings", time.perf_counter() - began, "s")
