"""A disputed month killed at random moments: it ends as one that nobody killed."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.scale import many
from utilitysched_centre.accounts import INVOICE, Book, Money, Terms, create
from utilitysched_centre.adjustments import Adjustment
from utilitysched_centre.billing_config import read_config
from utilitysched_centre.billing_run import adjust, billing_run
from utilitysched_centre.register import check_register
from utilitysched_centre.report.statements.issued import content_of

KILLS = many(50, least=10)

TIMED = ("books.db", "load_report.json", "run.json", "timing.json")
"""Files that say when they were made, or from where."""

ACCOUNTS = ("optics", "climate", "genomics", "waves", "plasma", "stars")

CONFIG = """\
log = "slurm:sacct.txt"
processors = 64
mechanism = "single-price:rate=0.35"
rules = "rules.toml"
ledger = "books.db"
[[recurring]]
name = "Storage"
account = "optics"
quantity = 3
unit = "TB"
unit_price = 4.99
[[shared]]
name = "Power"
amount = 100
"""
RULES = """\
[currency]
code = "EUR"
rate = 1
[tax]
name = "VAT"
percent = 19
[invoice]
prefix = "HPC"
"""


class Step(NamedTuple):
    """A step of the month, and how often it is killed at most before it may end."""

    run: Callable[[], object]
    kills: int
    stages: bool = False


class Month(NamedTuple):
    """A centre's month in a folder."""

    folder: Path

    @property
    def ledger(self) -> Path:
        return self.folder / "books.db"

    @property
    def staged(self) -> Path:
        return self.folder / "billing" / ".staging" / "2025-10"

    def listing(self, jobs: int) -> None:
        """Write so many jobs of the accounts in turn, each of which ran for another time."""
        rows = ["JobID|JobIDRaw|User|Account|Submit|Start|End|State|AllocCPUS"]
        for job in range(jobs):
            account, day = ACCOUNTS[job % len(ACCOUNTS)], f"2025-10-{1 + job % 28:02}"
            times = f"{day}T00:00:00|{day}T00:00:00|{day}T0{job % 7}:{job % 60:02}:07"
            rows.append(f"{job}|{job}|user{job % 9}|{account}|{times}|COMPLETED|{1 + job % 5}")
        (self.folder / "sacct.txt").write_text("\n".join(rows) + "\n", "utf-8")

    def steps(self) -> Iterator[Step]:
        """Bill, adjust, credit, pay, refund in the ledger alone, bill a listing that grew, pay."""
        run = Step(self.bill, 3, stages=True)
        yield run
        yield Step(partial(self.adjust, "31", percent=Fraction(50)), 1)
        yield Step(partial(self.adjust, "32", amount=Fraction(1, 2)), 0)
        yield run
        yield Step(partial(self.pay, "HPC-2025-10-0002"), 1)
        with Book(self.ledger) as book:
            entry = next(one for one in book.history() if one.job == 33)
            book.refund(str(entry.reference), "0.25", memo="refunded by hand")
        self.listing(45)
        yield run
        yield Step(partial(self.pay, "HPC-2025-10-0020"), 1)
        yield run

    def bill(self) -> None:
        billing_run(read_config(self.folder / "billing.toml"), "2025-10", date(2025, 11, 2))

    def adjust(self, job: str, **given: Fraction) -> None:
        one = Adjustment(job, "slow node", month="2025-10", **given)  # type: ignore[arg-type]
        adjust(read_config(self.folder / "billing.toml"), one)

    def pay(self, number: str) -> None:
        with Book(self.ledger) as book:
            book.pay(number, on=date(2025, 11, 10), key=number)

    def require_sound(self) -> None:
        """Require that what is there holds, whenever a process ended."""
        with Book(self.ledger) as book:
            faults = [check.name for check in book.verify() if not check.holds]
            known = {one.number: one.content for one in book.documents()}
        assert faults in ([], ["documents"])  # the refund in the ledger alone
        for path in self.folder.glob("billing/2025-10/invoices/*.json"):
            assert known[path.stem] == content_of(path)

    def outcome(self) -> tuple[object, ...]:
        """Documents, credits, entries, open items and files, but for times."""
        with Book(self.ledger) as book:
            assert [check for check in book.verify() if not check.holds] == []
            assert check_register(self.folder / "billing", book) == []
            entries = [one._replace(posted_at="") for one in book.history()]
            items = book.open_items(date(2025, 12, 1))
            documents, lines = book.documents(), book.document_lines()
        assert not self.staged.parent.exists()
        return documents, lines, entries, items, self.files()

    def files(self) -> dict[str, bytes]:
        """Contents of all files but the ledger; none of those that have times."""
        return {
            str(path.relative_to(self.folder)): b"" if path.name in TIMED else path.read_bytes()
            for path in self.folder.rglob("*")
            if path.is_file()
        }


@pytest.fixture
def month(tmp_path: Path) -> Month:
    folder = tmp_path / "new"
    folder.mkdir()
    create(folder / "books.db", Terms(Money("EUR", 2), "project", None))
    (folder / "billing.toml").write_text(CONFIG, "utf-8")
    (folder / "rules.toml").write_text(RULES, "utf-8")
    Month(folder).listing(40)
    return Month(folder)


def copied(month: Month, name: str) -> Month:
    """The month in another folder."""
    return Month(Path(shutil.copytree(month.folder, month.folder.with_name(name))))


def started(step: Step, event: int = 0) -> int:
    """Start a step in a process of its own, which ends at its `event`-th call of the system."""
    left = event

    def count(*_: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    if child := os.fork():
        return child
    try:
        if event:
            sys.addaudithook(count)
        step.run()
        os._exit(0)
    finally:
        os._exit(1)


def ended(child: int) -> bool:
    """Wait for the end of a process; return whether it was killed."""
    status = os.waitpid(child, 0)[1]
    assert status in {0, signal.SIGKILL}
    return status != 0


def events_of(step: Step) -> int:
    """Run a step in this process, and count the calls of the system that are told of."""
    seen = 0
    is_on = True

    def count(*_: object) -> None:
        nonlocal seen
        seen += is_on

    sys.addaudithook(count)
    step.run()
    is_on = False  # a hook stays
    return seen


def killed(step: Step, month: Month, moment: float) -> bool:
    """Kill a step after so many seconds, of a billing run after its first file; if it was alive."""
    child = started(step)
    while step.stages and not month.staged.exists():
        time.sleep(0.0005)
        if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            break
    time.sleep(moment)
    os.kill(child, signal.SIGKILL)
    return ended(child)


@pytest.mark.slow
def test_a_killed_month_ends_as_one_that_nobody_killed(month: Month) -> None:
    chance = random.Random(1)
    reference = copied(month, "reference")
    began, events, lasted = 0.0, [], []
    for step in reference.steps():
        began = time.monotonic()
        events.append(events_of(step))
        lasted.append(time.monotonic() - began)
    expected = reference.outcome()
    documents, _, entries, *_ = expected
    invoices = [one for one in documents if one.kind == INVOICE]  # type: ignore[attr-defined]
    assert len(invoices) == 2 * len(ACCOUNTS)

    kills, seen = 0, Counter[str]()
    for number in range(KILLS):
        if kills >= KILLS:
            break
        again = copied(month, str(number))
        for step, seconds, calls in zip(again.steps(), lasted, events, strict=True):
            for _ in range(step.kills):
                if kills % 2:
                    was_alive = killed(step, again, chance.uniform(0, seconds))
                else:
                    was_alive = ended(started(step, chance.randint(1, calls)))
                kills += 1
                seen["alive"] += was_alive
                seen["staged"] += again.staged.exists()
                seen["complete"] += (again.staged / "complete").exists()
                again.require_sound()
            assert not ended(started(step))
        for part, wanted in zip(again.outcome(), expected, strict=True):
            assert part == wanted
    print(f"{kills} kills, {dict(seen)}, {len(entries)} entries")
    assert seen["staged"] > kills / 4
