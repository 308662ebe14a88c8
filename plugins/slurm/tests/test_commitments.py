"""Commitments of a market: published at admission, and held against its bids when it goes on."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from plugins.slurm.tests.fake import FakeSlurm
from pricing.commitments import read_commitments
from swfx import InputError, UtilityFunction
from utilitysched.runs.commitments import SECRET, secret_of
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm.commitments import BidJournal, CommittedBid, changed_bids
from utilitysched_slurm.driver import Driver, DriverTerms
from utilitysched_slurm.store import MarketStore
from utilitysched_slurm.worth import worth_by

DAY = 86_400
BID = "0:9,1h:0"


@contextmanager
def market(folder: Path, slurm: FakeSlurm) -> Iterator[Driver]:
    terms = DriverTerms(clock=slurm.clock, sleep=slurm.sleep)
    with Driver(folder, slurm, make_scheduler("easy"), worth_by("none", 0), terms) as driver:
        yield driver


def cells(path: Path) -> list[list[str]]:
    with path.open(newline="") as file:
        return list(csv.reader(file))


def published(folder: Path) -> list[str]:
    """Return the jobs of commitments.csv, and an empty text for the line of a day."""
    return [row[1] for row in cells(folder / "commitments.csv")[2:]]


def test_bids_are_committed_to_at_admission_and_when_they_are_amended(tmp_path: Path) -> None:
    slurm = FakeSlurm({"n1": 1}, holds_new=True)
    with market(tmp_path, slurm) as driver:
        running = slurm.submit(cpus=1, work=3 * DAY, minutes=5000)
        driver.cycle()
        waiting = slurm.submit(cpus=1, work=5, comment=BID)
        driver.cycle()
        assert published(tmp_path) == [running, waiting]
        slurm.by_user("comment", waiting, "amend 0:20,2h:0")
        driver.cycle()
        driver.cycle()
        assert published(tmp_path) == [running, waiting, waiting]
        slurm.advance(DAY)
        driver.cycle()
        assert published(tmp_path) == [running, waiting, waiting, ""]
        later = slurm.submit(cpus=1, work=5, comment=BID)
        driver.cycle()

    assert published(tmp_path) == [running, waiting, waiting, "", later]
    kept = read_commitments(tmp_path / "commitments.csv")
    assert len(kept.days) == 1
    assert kept.pending is not None
    assert kept.pending.job == [later]
    assert [row[-1] for row in cells(tmp_path / "bids.csv")[1:]] == [
        "[]",
        "[[0.0, 9.0], [3600.0, 0.0]]",
        "[[0.0, 20.0], [7200.0, 0.0]]",
        "[[0.0, 9.0], [3600.0, 0.0]]",
    ]


def bids(count: int) -> list[CommittedBid]:
    return [
        CommittedBid(f"{n}_1", f"=user {n}", n + 0.5, n + 1, 60.0 * n, falling(n))
        for n in range(count)
    ]


def falling(worth: float) -> UtilityFunction:
    return UtilityFunction([0, 9], [worth, 0])


def test_a_market_that_goes_on_continues_the_chain(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    steps = [(0.0, bids(3)), (5.0, bids(1)), (DAY, []), (2 * DAY + 1, bids(2)), (3 * DAY, [])]
    with BidJournal(one):
        pass
    (other).mkdir()
    (other / "commitments.secret").write_bytes((one / "commitments.secret").read_bytes())

    with BidJournal(one) as journal:
        for now, some in steps:
            journal.add(now, some)
    for now, some in steps:
        with BidJournal(other) as journal:
            journal.add(now, some)

    texts = [(folder / "commitments.csv").read_text() for folder in (one, other)]
    assert texts[0] == texts[1]
    assert [day.date for day in read_commitments(one / "commitments.csv").days] == [
        "1970-01-01",
        "1970-01-03",
    ]
    assert changed_bids(one, secret_of(one)) == []


def test_what_was_not_committed_to_after_a_crash_is_no_fault(tmp_path: Path) -> None:
    with BidJournal(tmp_path) as journal:
        journal.add(0.0, bids(2))
    file = tmp_path / "commitments.csv"
    file.write_text(file.read_text()[:-40])

    with BidJournal(tmp_path) as journal:
        journal.add(0.0, bids(2)[1:])

    assert published(tmp_path) == ["0_1", "1_1"]
    assert changed_bids(tmp_path, secret_of(tmp_path)) == []


FORGERIES: dict[str, Callable[[str], str]] = {
    "curve": lambda row: row.replace("2.0]", "6.0]"),
    "submission": lambda row: row.replace(",2.5,", ",2.25,"),
    "user": lambda row: row.replace("user 2", "user 9"),
    "processors": lambda row: row.replace(",3,", ",4,"),
    "request": lambda row: row.replace(",120.0,", ",60.0,"),
    "number": lambda row: row.replace("2_1", "2_7"),
    "the row": lambda _: "",
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_market_whose_bids_were_changed_does_not_go_on(tmp_path: Path, what: str) -> None:
    with BidJournal(tmp_path) as journal:
        journal.add(0.0, bids(4))
        journal.add(DAY, [])
    file = tmp_path / "bids.csv"
    rows = file.read_text().splitlines(keepends=True)
    forged = FORGERIES[what](rows[3])
    file.write_text("".join([*rows[:3], forged, *rows[4:]]))

    assert forged != rows[3]
    with pytest.raises(
        InputError,
        match="job 2_1: its utility function is not the one committed to on 1970-01-01",
    ):
        BidJournal(tmp_path)


def test_a_market_goes_on_with_its_secret_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SECRET, "a secret of the centre")
    with BidJournal(tmp_path) as journal:
        journal.add(0.0, bids(1))

    assert not (tmp_path / "commitments.secret").exists()
    monkeypatch.setenv(SECRET, "another one of the centre")
    with pytest.raises(InputError, match="was made with another secret"):
        BidJournal(tmp_path)


def test_secrets_of_markets_differ_and_are_private(tmp_path: Path) -> None:
    for name in ("a", "b"):
        with BidJournal(tmp_path / name) as journal:
            journal.add(0.0, bids(1))

    files = [tmp_path / name / "commitments.secret" for name in ("a", "b")]
    assert files[0].read_bytes() != files[1].read_bytes()
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in files)


def test_a_market_that_would_plan_by_other_bids_does_not_go_on(tmp_path: Path) -> None:
    slurm = FakeSlurm({"n1": 1}, holds_new=True)
    with market(tmp_path, slurm) as driver:
        slurm.submit(cpus=1, work=600, comment=BID)
        driver.cycle()
        job = slurm.submit(cpus=1, work=5, comment=BID)
        driver.cycle()
        honest = driver.store.active[job]
    with MarketStore(tmp_path, 0.0) as store:
        store.keep([replace(honest, bid=honest.bid.replace("9.0", "27.0"))])

    with (
        pytest.raises(InputError, match=f"job {job}: its utility function is not the one commit"),
        market(tmp_path, slurm),
    ):
        pass


def test_jobs_of_a_time_before_commitments_go_on(tmp_path: Path) -> None:
    with BidJournal(tmp_path) as journal:
        journal.add(0.0, bids(2))
        journal.require([("0_1", falling(0), 0.0), ("17", falling(17), 3600.0)])
        with pytest.raises(InputError, match=r"job 1_1: .* committed to on 1970-01-01"):
            journal.require([("0_1", falling(0), 0.0), ("1_1", None, math.nan)])
        with pytest.raises(InputError, match="job 17: nothing was committed to"):
            journal.require([("17", falling(17), 2 * 86_400.0)])
