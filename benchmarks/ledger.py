"""How long it takes to post what ten thousand jobs cost."""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pricing
from benchmarks.row import Row
from pricing.ceilings import ceilings
from swfx import open_workload
from utilitysched import simulate
from utilitysched_centre.accounts import Account, Book, Claims, Terms, at_most, charged, create

JOBS = 10_000
SINGLE = 100


def measure() -> Iterator[Row]:
    """Post the same bill into ledgers in files, without holds and with them."""
    workload = open_workload(f"model:lublin,jobs={JOBS},procs=256,seed=1").workload
    schedule = simulate(workload, "easy")
    bill = pricing.charge(workload, schedule.start, schedule.end, "single-price")
    assert len(bill) == JOBS
    most = ceilings(workload, "single-price")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("without holds", "with holds"):
            create(Path(folder) / name, Terms(credit_limit=None))
            with Book(Path(folder) / name) as book:
                claims = charged(bill, book.money, month="2000-01")
                if name == "with holds":
                    held = at_most(workload, most, book.money, month="2000-01")
                    yield Row(f"ledger, {JOBS:,} holds", _seconds(book.hold_run, held), "s")
                yield Row(f"ledger, {JOBS:,} jobs {name}", _seconds(book.post, claims), "s", 5)
                yield Row(f"ledger, the same again, {name}", _seconds(book.post, claims), "s")
                assert all(check.holds for check in book.verify())
        with Book(Path(folder) / "with holds") as book:
            began = time.perf_counter()
            for number in range(SINGLE):
                book.hold(Account("user", "1"), 1, f"single-{number}")
            took = (time.perf_counter() - began) / SINGLE
            yield Row("ledger, one hold", 1000 * took, "ms", note=f"mean of {SINGLE}")


def _seconds(post: Callable[[Claims], object], claims: Claims) -> float:
    began = time.perf_counter()
    post(claims)
    return time.perf_counter() - began
