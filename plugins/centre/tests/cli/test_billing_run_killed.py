"""A disputed month killed at random moments: it ends as one that nobody killed."""

from __future__ import annotations

import random
import shutil
import signal
import time
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.scale import many
from tests.utilitysched.cli.conftest import Command
from tests.warm import Started
from utilitysched_centre.accounts import INVOICE, Book
from utilitysched_centre.register import check_register

KILLS = min(many(50, least=10), 50)

MONTH = ("--month", "2025-10", "--issued", "2025-11-02", "--quiet")
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
    """A command of the month, and how often it is killed at most before it may end."""

    words: tuple[object, ...]
    kills: int


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
        config = self.folder / "billing.toml"
        run = Step(("billing-run", config, *MONTH), 3)
        reason = ("--month", "2025-10", "--reason", "slow node", "--quiet")
        pay = ("--on", "2025-11-10", "--json")
        yield run
        yield Step(("billing-run", "adjust", config, "31", "--percent", 50, *reason), 1)
        yield Step(("billing-run", "adjust", config, "32", "--amount", "0.5", *reason), 0)
        yield run
        yield Step(("ledger", "pay", self.ledger, "HPC-2025-10-0002", "--key", "a", *pay), 1)
        with Book(self.ledger) as book:
            entry = next(one for one in book.history() if one.job == 33)
            book.refund(str(entry.reference), "0.25", memo="refunded by hand")
        self.listing(45)
        yield run
        yield Step(("ledger", "pay", self.ledger, "HPC-2025-10-0020", "--key", "b", *pay), 1)
        yield run

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
        billing = self.folder / "billing"
        issued = [*billing.glob("2025-10/invoices/*"), *billing.glob("2025-10/*.*")]
        paths = [self.folder / "adjustments.toml", billing / "register.csv", *issued]
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in paths
            if path.name != "load_report.json"  # which has times
        }


@pytest.fixture
def month(command: Command, tmp_path: Path) -> Month:
    folder = tmp_path / "new"
    folder.mkdir()
    terms = ("--unit", "EUR", "--decimals", 2, "--credit", "any", "--payer", "project")
    assert command("ledger", "init", folder / "books.db", *terms).code == 0
    (folder / "billing.toml").write_text(CONFIG, "utf-8")
    (folder / "rules.toml").write_text(RULES, "utf-8")
    Month(folder).listing(40)
    return Month(folder)


def copied(month: Month, name: str) -> Month:
    """The month in another folder."""
    return Month(Path(shutil.copytree(month.folder, month.folder.with_name(name))))


class Lasted(NamedTuple):
    """How long a step took, and how long of it files were staged (s)."""

    whole: float
    staged: float


def wait_for_files(process: Started, month: Month) -> None:
    """Wait until a billing run stages files, or ends."""
    while process.poll() is None and not month.staged.exists():
        time.sleep(0.0005)


def ended(step: Step, month: Month) -> Lasted:
    """Run a step to its end."""
    began = time.monotonic()
    process = Started(*step.words)
    wait_for_files(process, month)
    staged = time.monotonic()
    _, err = process.communicate()
    assert process.wait() == 0, err
    return Lasted(time.monotonic() - began, time.monotonic() - staged)


def killed(step: Step, month: Month, moment: float, *, staged: bool) -> bool:
    """Kill a step after so many seconds, or so many after files are staged; if it was alive."""
    process = Started(*step.words)
    if staged:
        wait_for_files(process, month)
    time.sleep(moment)
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


@pytest.mark.slow
def test_a_killed_month_ends_as_one_that_nobody_killed(month: Month) -> None:
    chance = random.Random(1)
    reference = copied(month, "reference")
    lasted = [ended(step, reference) for step in reference.steps()]
    expected = reference.outcome()
    documents, _, entries, *_ = expected
    invoices = [one for one in documents if one.kind == INVOICE]  # type: ignore[attr-defined]
    assert len(invoices) == 2 * len(ACCOUNTS)

    kills, seen = 0, Counter[str]()
    for number in range(KILLS):
        if kills >= KILLS:
            break
        again = copied(month, str(number))
        for step, seconds in zip(again.steps(), lasted, strict=True):
            for _ in range(step.kills):
                is_run = step.words[1] == again.folder / "billing.toml" and kills % 4 > 0
                moment = chance.uniform(0, seconds[is_run])
                seen["alive"] += killed(step, again, moment, staged=is_run)
                kills += 1
                seen["staged"] += again.staged.exists()
                seen["complete"] += (again.staged / "complete").exists()
                with Book(again.ledger) as book:
                    assert [check.name for check in book.verify() if not check.holds] in (
                        [],
                        ["documents"],  # the refund in the ledger alone
                    )
            ended(step, again)
        for part, wanted in zip(again.outcome(), expected, strict=True):
            assert part == wanted
    print(f"{kills} kills, {dict(seen)}, {len(entries)} entries")
    assert seen["staged"] > kills / 4
