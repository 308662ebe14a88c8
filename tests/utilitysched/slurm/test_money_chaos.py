"""Money of a market that is killed at any moment: each run is charged once, nothing stays held."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from pricing.accounts import Account, Book, Money, Terms, create
from tests.scale import many
from tests.utilitysched.slurm.fake import FakeSlurm
from tests.utilitysched.slurm.test_driver_chaos import NODES, Centre, Fragile, in_trouble
from utilitysched.slurm.holds import HoldRule
from utilitysched.slurm.money import Treasury
from utilitysched.slurm.open_runs import OpenRun

PHYSICS = Account("account", "physics")
WORTH = 40_000_000
"""Of the jobs that say what they are worth, in minor units."""


class FragileBooks(Fragile):
    """A cluster whose accounting may kill who asks, too."""

    def accounted(self, keys: Sequence[str]) -> str:
        self._dies()
        return super().accounted(keys)


class Paid(Centre):
    """A cluster whose jobs are paid for, by a treasury that dies with the driver."""

    def __init__(self, folder: Path, slurm: Fragile, seed: int) -> None:
        super().__init__(folder, slurm, seed)
        create(folder / "books.db", Terms(Money("SU", 6), payer="account", credit_limit=0))
        self.book = Book(folder / "books.db")
        self.book.endow(PHYSICS, "1000000")
        self._treasury: Treasury | None = None

    def purse(self) -> Treasury:
        rule = HoldRule("first-price")
        self._treasury = Treasury(self._folder, self.book, rule, self.slurm, "lab")
        return self._treasury

    def kill(self) -> None:
        super().kill()
        if self._treasury is not None:
            self._treasury.close()
            self._treasury = None

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        self.book.close_connections()

    def attack(self) -> None:
        self.slurm.by_user("cancel", self.random.choice(list(self.slurm.jobs) or ["1"]))

    @property
    def opened(self) -> list[OpenRun]:
        """What is to be charged yet."""
        assert self._treasury is not None
        return list(self._treasury.open)

    def charges(self) -> Counter[str]:
        """What was charged in all, by reference."""
        found: Counter[str] = Counter()
        for line in self.book.history():
            if line.kind == "charge" and line.account == PHYSICS:
                found[str(line.reference)] -= line.available + line.held
        return found


def payable(slurm: FakeSlurm) -> list[str]:
    """References of the runs after which a job that was worth something was over."""
    found, before = [], Counter[tuple[str, int]]()
    for run in slurm.runs:
        job = run.job
        if run.start and run.state in {"COMPLETED", "CANCELLED"} and job.comment:
            found.append(f"slurm:lab:{job.key}@{job.born}#{before[job.key, job.born]}")
        before[job.key, job.born] += bool(run.start)
    return found


@pytest.mark.parametrize("seed", range(many(3, 2)))
def test_each_run_is_charged_once_and_nothing_stays_held(tmp_path: Path, seed: int) -> None:
    slurm = FragileBooks(NODES, holds_new=True)
    with Paid(tmp_path, slurm, seed) as centre:
        in_trouble(centre)
        centre.cycle()

        # of one that Slurm has forgotten nobody says that it will not run until its number comes up
        kept = [run.units for run in centre.opened if (run.key, run.submit) in slurm.forgotten]
        assert len(kept) == len(centre.opened)
        assert centre.charges() == dict.fromkeys(payable(slurm), WORTH)
        [balance] = centre.book.balances([PHYSICS])
        assert balance.held == sum(kept)
        assert balance.available == 10**12 - WORTH * len(payable(slurm)) - sum(kept)
