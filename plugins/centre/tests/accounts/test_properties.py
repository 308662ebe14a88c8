"""Whatever is done in whatever order: a ledger is what a few dictionaries say it is."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plugins.centre.tests.accounts.conftest import NOW, cents
from swfx import InputError
from tests.scale import many
from utilitysched_centre.accounts import Account, Book, create

USERS = [Account("user", name) for name in "789"]
JOBS = ["a", "b", "c", "d"]

users, jobs, units = st.sampled_from(USERS), st.sampled_from(JOBS), st.integers(1, 5000)


class Job(NamedTuple):
    """What is held for a job, and what it paid."""

    account: Account
    held: int = 0
    charged: int = 0


class Model:
    """The readable twin of a ledger: refuses by returning False."""

    def __init__(self) -> None:
        self.available = dict.fromkeys(USERS, 0)
        self.limits: dict[Account, int | None] = dict.fromkeys(USERS, 0)
        self.jobs: dict[str, Job] = {}

    def endow(self, account: Account, units: int) -> bool:
        return self._take(account, -units)

    def set_limit(self, account: Account, units: int | None) -> bool:
        if units is not None and self.available[account] < -units:
            return False
        self.limits[account] = units
        return True

    def hold(self, account: Account, units: int, reference: str) -> bool:
        job = self.jobs.get(reference)
        if job is not None and (job.held or job.charged):
            return (job.held, job.account) == (units, account)
        if not self._take(account, units):
            return False
        self.jobs[reference] = Job(account, held=units)
        return True

    def capture(self, reference: str, units: int) -> bool:
        job = self.jobs.get(reference)
        if job is None or not job.held:
            return job is not None and job.charged == units
        if not self._take(job.account, units - job.held):
            return False
        self.jobs[reference] = Job(job.account, charged=units)
        return True

    def refund(self, reference: str, units: int | None) -> bool:
        job = self.jobs.get(reference)
        if job is None or not (job.held or job.charged):
            return False
        if units is not None and (job.held or units > job.charged):
            return False
        back = job.charged if units is None else units
        self._take(job.account, -back - job.held)
        self.jobs[reference] = Job(job.account, charged=job.charged - back)
        return True

    def _take(self, account: Account, units: int) -> bool:
        limit = self.limits[account]
        left = self.available[account] - units
        if units > 0 and limit is not None and left < -limit:
            return False
        self.available[account] = left
        return True


steps = st.one_of(
    st.tuples(st.just("endow"), users, units),
    st.tuples(st.just("set_limit"), users, st.none() | units),
    st.tuples(st.just("hold"), users, units, jobs),
    st.tuples(st.just("capture"), jobs, units | st.just(0)),
    st.tuples(st.just("refund"), jobs, st.none() | units),
)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with accounts and nothing in them."""
    path = tmp_path_factory.mktemp("ledger") / "empty.db"
    create(path, cents())
    with Book(path) as book:
        for account in USERS:
            book.set_limit(account, 1)
            book.set_limit(account, 0)
    return path


@pytest.mark.slow
@settings(
    max_examples=many(40),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(steps, max_size=25))
def test_any_sequence(empty: Path, tmp_path: Path, sequence: list[tuple[object, ...]]) -> None:
    shutil.copy(empty, tmp_path / "a.db")
    model = Model()
    with Book(tmp_path / "a.db", clock=lambda: NOW) as book:
        for name, *arguments in sequence:
            assert done(book, str(name), arguments) == getattr(model, str(name))(*arguments)
            balances = {one.account: one for one in book.balances()}
            for account in USERS:
                held = sum(j.held for j in model.jobs.values() if j.account == account)
                found = balances[account]
                limit = model.limits[account]
                assert found == (account, model.available[account], held, limit)
                assert limit is None or found.available >= -limit
        assert [check for check in book.verify() if not check.holds] == []
        paid = sum(one.charged - one.refunded for one in book.income())
        has = sum(one.available + one.held for one in book.balances())
        assert has + paid == book.endowed()


def done(book: Book, name: str, arguments: list[object]) -> bool:
    """Do something, amounts in minor units, twice if that must change nothing; False: refused."""
    given = [book.money.plain(value) if isinstance(value, int) else value for value in arguments]
    try:
        getattr(book, name)(*given)
    except InputError:
        return False
    if name in {"set_limit", "hold", "capture"}:
        before = book.history()
        getattr(book, name)(*given)
        assert book.history() == before
    return True
