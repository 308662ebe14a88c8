"""Money of a market that is killed at any moment: each run is charged once, nothing stays held."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from plugins.slurm.tests.fake import FakeSlurm
from plugins.slurm.tests.test_driver_chaos import EVERY, NODES, Centre, Fragile, in_trouble
from tests.scale import many
from utilitysched_centre.accounts import Account, Book, Money, Terms, create
from utilitysched_slurm import money
from utilitysched_slurm.holds import HoldRule
from utilitysched_slurm.money import Treasury
from utilitysched_slurm.open_runs import OpenRun

PHYSICS = Account("account", "physics")
FORGOTTEN, LAGS = 30.0, 120
"""s for which a job is gone before it is taken to be forgotten; accounting may lag longer."""

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
        self.told: list[str] = []
        self._treasury: Treasury | None = None

    def purse(self) -> Treasury:
        rule = HoldRule("first-price")
        self._treasury = Treasury(
            self._folder, self.book, rule, self.slurm, "lab", self.told.append
        )
        return self._treasury

    def kill(self) -> None:
        super().kill()
        if self._treasury is not None:
            self._treasury.close()
            self._treasury = None

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        self.book.close_connections()

    def trouble(self) -> None:
        if self.random.random() < 0.3:
            self.slurm.no_accounting(*(self.random.randrange(LAGS // 2) for _ in "ab"))
        else:
            super().trouble()

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
def test_each_run_is_charged_once_and_nothing_stays_held(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(money, "FORGOTTEN", FORGOTTEN)
    slurm = FragileBooks(NODES, holds_new=True, remembers=EVERY)
    with Paid(tmp_path, slurm, seed) as centre:
        in_trouble(centre)
        slurm.advance(LAGS)
        slurm.submit(cpus=sum(NODES.values()) + 1)
        centre.driver.cycle()
        slurm.crash()
        for _ in range(40):
            centre.cycle()

        assert centre.opened == []
        said = {line.partition(":")[0] for line in centre.told if "has forgotten it" in line}
        assert set() < said <= {f"job {key}" for key, _ in slurm.forgotten}
        assert centre.charges() == dict.fromkeys(payable(slurm), WORTH)
        [balance] = centre.book.balances([PHYSICS])
        assert balance.held == 0
        assert balance.available == 10**12 - WORTH * len(payable(slurm))
