"""What users try against a market in command, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from plugins.slurm.tests.fake import BEGAN, FakeSlurm
from plugins.slurm.tests.test_comments import RUBBISH
from swfx import UtilityFunction
from swfx.accounting.annotations import Annotations
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm.admission import MOST_ADMITTED, MOST_AMENDED
from utilitysched_slurm.driver import Driver, DriverTerms
from utilitysched_slurm.money import Settlement
from utilitysched_slurm.reading import SlurmJob
from utilitysched_slurm.worth import worth_by

BID = "0:{0},1d:{0},2d:0"


@dataclass
class FakePurse:
    """Sets aside ten times what a job is worth at first, as far as it has money."""

    money: float = 1e9
    held: dict[str, float] = field(default_factory=dict)

    def has(self, job: SlurmJob) -> bool:
        return job.key in self.held

    def admit(self, jobs: Sequence[tuple[SlurmJob, Annotations]], moment: object) -> dict[str, str]:
        found = {job.key: self.amend(job, said, moment) for job, said in jobs}
        return {key: why for key, why in found.items() if why}

    def amend(self, job: SlurmJob, said: Annotations, _: object) -> str:
        curve = said.utility
        more = 0.0 if curve is None else 10 * curve.start_value - self.held.get(job.key, 0.0)
        if more > self.money:
            return "cannot pay"
        self.held[job.key] = self.held.get(job.key, 0.0) + max(more, 0.0)
        self.money -= max(more, 0.0)
        return ""

    def curves(self) -> list[tuple[str, UtilityFunction | None]]:
        return []

    def decided(self, found: object) -> None:
        pass

    def settle(self, *_: object) -> Settlement:
        return Settlement()

    def held_money(self) -> float:
        return sum(self.held.values())


Market = Callable[..., Driver]


@pytest.fixture
def slurm() -> FakeSlurm:
    """Two processors, which a job of ten hours has."""
    cluster = FakeSlurm({"n1": 2})
    cluster.submit(cpus=2, work=36_000, minutes=600, comment=BID.format(1000), user="root")
    return cluster


@pytest.fixture
def market(slurm: FakeSlurm, tmp_path: Path) -> Iterator[Market]:
    with ExitStack() as opened:

        def command(
            purse: FakePurse | None = None, echo: Callable[[str], None] = lambda _: None
        ) -> Driver:
            notes: list[str] = []
            terms = DriverTerms(notes=notes, echo=echo, clock=slurm.clock, sleep=slurm.sleep)
            worth = worth_by("none", 0, on_note=notes.append)
            chosen = make_scheduler("value-density")
            driver = opened.enter_context(Driver(tmp_path, slurm, chosen, worth, terms, purse))
            cycles(driver, 2)
            return driver

        yield command


def cycles(driver: Driver, count: int = 1) -> None:
    for _ in range(count):
        driver.cycle()
        driver.terms.sleep(5.0)


def value(driver: Driver, key: str) -> float:
    curve = driver.store.active[key].said.utility
    return 0.0 if curve is None else float(curve.start_value)


def test_a_comment_changed_later_changes_nothing(slurm: FakeSlurm, market: Market) -> None:
    driver = market()
    honest, greedy = (slurm.submit(comment=BID.format(worth)) for worth in (9, 4))
    cycles(driver)
    slurm.by_user("comment", greedy, BID.format(999))
    cycles(driver)
    slurm.by_user("cancel", "1")
    slurm.by_user("comment", honest, "")
    cycles(driver, 2)

    assert [value(driver, key) for key in (honest, greedy)] == [9.0, 4.0]


def test_nobody_starts_by_a_release_or_a_nice_value(slurm: FakeSlurm, market: Market) -> None:
    driver = market()
    jobs = [slurm.submit(comment=BID.format(worth), cpus=2) for worth in (9, 8)]
    cycles(driver)
    for _ in range(3):
        for verb, text in (("release", ""), ("nice", "1"), ("nice", "-1")):
            slurm.by_user(verb, jobs[1], text)
        slurm.jobs[jobs[1]].hold = ""  # as Nice does in 22.05
        slurm.jobs[jobs[1]].priority = 2
        cycles(driver)

    assert {slurm.jobs[job].hold for job in jobs} == {"JobHeldAdmin"}
    slurm.by_user("cancel", "1")
    cycles(driver, 3)
    assert [slurm.jobs[job].state for job in jobs] == ["RUNNING", "PENDING"]


def test_jobs_that_come_past_the_script_are_told_of_and_counted(
    slurm: FakeSlurm, market: Market, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[str]()
    driver = market(echo=told.append)

    def drift_of(count: int) -> int:
        for _ in range(count):
            slurm.submit(cpus=2)
        slurm.submit(cpus=2, hold="JobHeldUser", admin_comment="")
        driver.beat(tmp_path / "heartbeat")
        cycles(driver)
        assert driver.report is not None
        return driver.report.drift

    assert drift_of(1) == 0  # the script sees the market from now on
    monkeypatch.setattr(slurm, "_holds_new", True)
    assert (drift_of(2), told) == (0, [])
    monkeypatch.setattr(slurm, "_holds_new", False)  # as where another script is in force
    assert (drift_of(2), drift_of(1)) == (2, 1)
    [line] = told
    assert line.endswith(" and 1 other: not given to the market by the script in force;"
                         " utilitysched slurm check says why")  # fmt: skip


def test_a_job_cancelled_and_submitted_again_is_a_new_one(slurm: FakeSlurm, market: Market) -> None:
    purse = FakePurse()
    driver = market(purse)
    first = slurm.submit(comment="deadline=1h,value=9")
    cycles(driver)
    slurm.by_user("cancel", first)
    cycles(driver)
    again = slurm.submit(comment="deadline=1h,value=3")
    cycles(driver)

    assert first not in driver.store.active
    entry = driver.store.active[again]
    assert entry.submit > BEGAN
    assert value(driver, again) == 3.0


@pytest.mark.parametrize("text", RUBBISH, ids=range(len(RUBBISH)))
def test_rubbish_is_worth_nothing_and_told(slurm: FakeSlurm, market: Market, text: str) -> None:
    driver = market()
    job = slurm.submit(comment=text)
    cycles(driver)
    slurm.by_user("comment", job, f"amend {text}"[:1024])
    cycles(driver, 2)

    assert value(driver, job) == 0.0
    assert len(slurm.jobs[job].admin_comment) < 4000


def test_a_flood_is_held_at_once_and_admitted_in_parts(slurm: FakeSlurm, market: Market) -> None:
    driver = market()
    flood = [slurm.submit(comment="0:1,1d:0", user="mallory") for _ in range(10_000)]
    bob = slurm.submit(comment=BID.format(50), user="bob")
    slurm.by_user("cancel", "1")
    driver.cycle()

    assert len(driver.store.active.keys() & {*flood, bob}) == MOST_ADMITTED
    assert slurm.jobs[bob].hold == "JobHeldAdmin"
    slurm.advance(10)
    driver.cycle()
    assert slurm.jobs[bob].state == "RUNNING"
    assert {slurm.jobs[key].hold for key in flood} <= {"JobHeldAdmin", ""}
    assert sum(not slurm.jobs[key].hold for key in flood) <= 1


def amend(slurm: FakeSlurm, driver: Driver, key: str, worth: float) -> str:
    """Ask for other terms, and return what the market has to say of it."""
    slurm.by_user("comment", key, f"amend {BID.format(worth)}")
    cycles(driver, 2)
    return driver.store.active[key].note


def test_terms_may_rise_and_are_paid_for(slurm: FakeSlurm, market: Market) -> None:
    purse = FakePurse(1e6)
    driver = market(purse)
    dear, cheap = (slurm.submit(comment=BID.format(worth), cpus=2) for worth in (9, 4))
    cycles(driver)

    assert amend(slurm, driver, cheap, 20) == ""
    assert purse.held[cheap] == 200.0
    slurm.by_user("cancel", "1")
    cycles(driver, 3)
    assert [slurm.jobs[job].state for job in (dear, cheap)] == ["PENDING", "RUNNING"]


def test_terms_that_are_lower_anywhere_or_too_dear_are_refused(
    slurm: FakeSlurm, market: Market
) -> None:
    purse = FakePurse(2e4)
    driver = market(purse)
    job = slurm.submit(comment=BID.format(9))
    cycles(driver)

    for worth, why in ((8, "worth less than before 0 s after"), (9e6, "cannot pay")):
        assert why in amend(slurm, driver, job, worth)
        assert (value(driver, job), purse.held[job]) == (9.0, 90.0)
    slurm.by_user("comment", job, "amend 0:99,1h:99")
    cycles(driver)
    assert "worth less than before 3600 s after" in driver.store.active[job].note
    assert "worth less than before 3600 s" in slurm.jobs[job].admin_comment


def test_a_job_that_runs_keeps_its_terms(slurm: FakeSlurm, market: Market) -> None:
    driver = market()

    assert amend(slurm, driver, "1", 2000).endswith(": it runs")
    assert value(driver, "1") == 1000.0


def test_a_job_that_nobody_pays_for_may_come_down(slurm: FakeSlurm, market: Market) -> None:
    driver = market(FakePurse(2e4))
    job = slurm.submit(comment=BID.format(9e6))
    cycles(driver)
    assert driver.store.active[job].refused == "cannot pay"

    assert amend(slurm, driver, job, 9) == ""
    assert driver.store.active[job].refused == ""


def test_a_flood_of_other_terms_keeps_nobody_waiting(slurm: FakeSlurm, market: Market) -> None:
    driver = market()
    flood = [slurm.submit(comment=BID.format(1), user="mallory") for _ in range(3 * MOST_AMENDED)]
    bob = slurm.submit(comment=BID.format(1), user="bob")
    cycles(driver)
    for key in (*flood, bob):
        slurm.by_user("comment", key, f"amend {BID.format(2)}")
    cycles(driver)

    amended = [key for key in (*flood, bob) if value(driver, key) == 2.0]
    assert len(amended) == MOST_AMENDED
    assert bob in amended


def test_a_driver_that_begins_again_knows_the_terms(slurm: FakeSlurm, market: Market) -> None:
    purse = FakePurse()
    driver = market(purse)
    job = slurm.submit(comment=BID.format(9))
    cycles(driver)
    amend(slurm, driver, job, 20)
    driver.__exit__()

    again = market(purse)

    assert value(again, job) == 20.0
    assert purse.held[job] == 200.0
