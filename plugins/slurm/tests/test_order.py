"""Jobs that are held until their turn, or ordered and placed by Slurm: what that costs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from plugins.slurm.tests.fake import BEGAN, FakeSlurm
from plugins.slurm.tests.test_attacks import FakePurse
from plugins.slurm.tests.test_preconditions import CONFIG
from swfx import InputError
from tests.scale import many
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm.driver import Driver, DriverTerms
from utilitysched_slurm.market import MarketTerms, open_market
from utilitysched_slurm.preconditions import require_multifactor
from utilitysched_slurm.reconcile import PREFERRED
from utilitysched_slurm.worth import worth_by

NODES = {"n1": 8, "n2": 8}


def driven(folder: Path, slurm: FakeSlurm, *, hold: bool) -> Driver:
    terms = DriverTerms(hold=hold, clock=slurm.clock, sleep=slurm.sleep)
    return Driver(folder, slurm, make_scheduler("value-density"), worth_by("none", 0), terms)


def arrivals(seed: int) -> list[dict[str, int | str]]:
    """Jobs of a busy day, with the second at which each comes."""
    draw = Random(seed)
    jobs: list[dict[str, int | str]] = []
    for number in range(60):
        minutes = draw.choice((2, 5, 10, 20))
        late = draw.choice((10, 30, 120))
        jobs.append(
            {
                "at": 15 * number,
                "cpus": draw.choice((1, 2, 4, 8)),
                "minutes": minutes,
                "work": int(60 * minutes * draw.uniform(0.3, 1.0)),
                "comment": f"0:{draw.choice((2, 20, 60))},{late}min:0",
            }
        )
    return jobs


def earned(slurm: FakeSlurm, cycle: Callable[[], object], seed: int) -> float:
    """Sum of what all jobs are worth when they end (SU)."""
    coming = arrivals(seed)
    while coming or any(job.state in {"PENDING", "RUNNING"} for job in slurm.jobs.values()):
        while coming and int(coming[0]["at"]) <= slurm.now - BEGAN:
            slurm.submit(**{name: value for name, value in coming.pop(0).items() if name != "at"})
        cycle()
        slurm.advance(5)
    worth = 0.0
    for run in slurm.runs:
        value, late = run.job.comment.removeprefix("0:").removesuffix("min:0").split(",")
        worth += float(value) * max(0.0, 1 - (run.end - run.job.born) / (60 * float(late)))
    return worth


@pytest.mark.slow
def test_what_order_by_priority_costs(tmp_path: Path) -> None:
    worth: dict[str, float] = {}
    for seed in range(many(1)):
        alone = FakeSlurm(NODES)
        worth["slurm"] = worth.get("slurm", 0.0) + earned(alone, lambda: None, seed)
        for hold in (True, False):
            slurm = FakeSlurm(NODES, holds_new=True)
            with driven(tmp_path / f"{hold}{seed}", slurm, hold=hold) as driver:
                name = "hold" if hold else "priority"
                worth[name] = worth.get(name, 0.0) + earned(slurm, driver.cycle, seed)
    print({name: round(value) for name, value in worth.items()})

    assert worth["slurm"] < worth["priority"] < 1.1 * worth["hold"]
    assert worth["priority"] > 0.8 * worth["hold"]


def test_nothing_is_held_and_what_is_to_start_comes_first(tmp_path: Path) -> None:
    slurm = FakeSlurm({"n1": 2}, holds_new=True)
    slurm.submit(cpus=2, work=100, minutes=2)
    with driven(tmp_path, slurm, hold=False) as driver:
        driver.cycle()
        slurm.advance(10)
        cheap = slurm.submit(cpus=2, work=50, minutes=1, comment="0:1,1h:0")
        dear = slurm.submit(cpus=2, work=50, minutes=1, comment="0:99,1h:0")
        for _ in range(60):
            driver.cycle()
            slurm.advance(5)
            assert not any(job.hold for job in slurm.jobs.values())
            assert all(job.nice in {0, PREFERRED} for job in slurm.jobs.values())

    starts = {run.job.key: run.start for run in slurm.runs}
    assert starts.keys() == {"1", cheap, dear}
    assert starts[dear] < starts[cheap]


def test_nobody_comes_first_any_more_once_the_market_has_ended(tmp_path: Path) -> None:
    slurm = FakeSlurm({"n1": 2}, holds_new=True)
    slurm.submit(cpus=2, work=1000, minutes=20)
    with driven(tmp_path, slurm, hold=False) as driver:
        driver.cycle()
        slurm.advance(10)
        slurm.submit(cpus=1, work=50, minutes=1, comment="0:99,1h:0")
        slurm.submit(cpus=2, work=50, minutes=1, comment="0:1,1h:0")
        driver.cycle()
        assert any(job.nice == PREFERRED for job in slurm.jobs.values())
        assert driver.release_all() == {}

    assert {job.nice for job in slurm.jobs.values() if job.state == "PENDING"} == {0}


def test_who_cannot_pay_stays_held(tmp_path: Path) -> None:
    slurm = FakeSlurm({"n1": 2}, holds_new=True)
    poor = slurm.submit(cpus=1, comment="0:9,1h:0")
    terms = DriverTerms(hold=False, clock=slurm.clock, sleep=slurm.sleep)
    purse = FakePurse(money=0.0)
    scheduler = make_scheduler("easy")
    with Driver(tmp_path, slurm, scheduler, worth_by("none", 0), terms, purse) as driver:  # type: ignore[arg-type]
        driver.cycle()
        slurm.advance(30)
        driver.cycle()

    assert slurm.jobs[poor].hold == "JobHeldAdmin"


def test_order_by_priority_needs_multifactor_and_nobody_who_preempts(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="PriorityType: priority/basic: Slurm would order"):
        require_multifactor(CONFIG)
    require_multifactor(CONFIG.replace("priority/basic", "priority/multifactor"))
    terms = MarketTerms(tmp_path, "priority-preempt", hold=False)
    with pytest.raises(InputError, match="needs jobs that are held"), open_market(terms):
        pass
