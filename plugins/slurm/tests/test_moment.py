"""The queue of a real machine at a moment, as quotes take it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from plugins.slurm.tests.clusters import job, recorded, worthless
from plugins.slurm.tests.fake import FakeSlurm
from swfx import UtilityFunction
from swfx.accounting.annotations import Annotations
from tests.scale import many
from utilitysched.market.quote import QuotedJob, QuoteTerms, quote
from utilitysched.market.quote.scenario import KnownStops
from utilitysched.model.scheduler import Setting
from utilitysched.model.state import Preemption
from utilitysched.schedulers.registry import make_scheduler
from utilitysched_slurm.commands import Action
from utilitysched_slurm.driver import Driver, DriverTerms
from utilitysched_slurm.moment import snapshot_of
from utilitysched_slurm.queue import LiveQueue
from utilitysched_slurm.reading import ProcessorPool, SlurmJob, read_jobs, read_pool
from utilitysched_slurm.submission import market_moment
from utilitysched_slurm.worth import worth_by

NOW = 1000.0
LATE = 1_795_464_500.0
"""After all that was recorded."""


def drawn(seed: int) -> tuple[list[SlurmJob], ProcessorPool]:
    """Some jobs that run, wait, wait for what no plan can express, or have ended; nodes down."""
    draw = np.random.default_rng(seed)
    jobs = [
        job(
            number,
            state,
            submit=float(draw.integers(1, 900)),
            start=0.0 if state == "PENDING" else 950.0,
            end=990.0 if state == "COMPLETED" else 0.0,
            limit=float(draw.integers(1, 9)) * 60,
            processors=int(draw.integers(1, 5)),
            held=bool(draw.random() < 0.2),
            user=f"user{draw.integers(3)}",
            restarts=int(draw.integers(3)),
            rerunnable=bool(draw.random() < 0.7),
        )
        for number, state in enumerate(
            draw.choice(["PENDING", "PENDING", "RUNNING", "COMPLETED"], 20), 1
        )
    ]
    used = sum(each.processors for each in jobs if each.holds)
    return jobs, ProcessorPool(used + 8, 6)


@pytest.mark.parametrize("scheduler", ["fcfs", "easy", "value-density"])
def test_a_scheduler_decides_on_it_as_on_the_queue(scheduler: str) -> None:
    def worth(each: SlurmJob) -> Annotations:
        return Annotations(utility=UtilityFunction([0, 9000], [each.number, 0]))

    for seed in range(many(8)):
        jobs, pool = drawn(seed)
        look = LiveQueue(make_scheduler(scheduler), worth, since=0.0).look(NOW, jobs, pool)
        chosen = make_scheduler(scheduler)
        moment = snapshot_of(NOW, jobs, pool, worth)
        chosen.prepare(Setting(moment.machine_size, 540.0, 0))
        decided = chosen.decide(moment.state()).starts

        assert look.state is not None
        assert (moment.machine_size, moment.free) == (look.size, look.state.free)
        wanted = [look.keys[place] for place in look.decision.starts]
        assert [str(moment.queued[place].id) for place in decided] == wanted


def test_it_says_of_preemptions_what_the_queue_says() -> None:
    def worth(each: SlurmJob) -> Annotations:
        every, cost = (-1.0, -1.0) if each.number % 3 else (60.0, 7.0)
        curve = UtilityFunction([0, 9000], [each.number, 0])
        return Annotations(checkpoint_interval=every, restart_overhead=cost, utility=curve)

    compared = 0
    for seed in range(many(8)):
        jobs, pool = drawn(seed)
        queue = LiveQueue(make_scheduler("ga:preempt=true"), worth, since=0.0)
        look = queue.look(NOW, jobs, pool)
        assert look.state is not None
        seen = look.state.preemption
        assert seen is not None
        moment = snapshot_of(NOW, jobs, pool, worth, preempts=True)
        told = {str(each.id): each for each in (*moment.queued, *moment.running)}
        mine = [told.get(key) for key in look.keys]
        stops = KnownStops.of([*mine, told["0"]], moment.preemption).seen
        for place, each in enumerate(mine):
            if each is not None:
                for name in Preemption._fields:
                    wanted, found = (getattr(stated, name)[place] for stated in (seen, stops))
                    assert found == wanted or np.isnan([found, wanted]).all(), name
                assert each.submit == look.state.known.submit[place]
                assert each.utility == worth(jobs[each.id - 1]).utility
                compared += 1
        assert stops.interval[-1] == -1
    assert compared > many(8) * 8


BID = "0:{0},1h:{0},2h:0"
URGENT = UtilityFunction([0, 3600, 3601], [1000, 1000, 0])


@pytest.mark.parametrize("admits", [True, False])
def test_a_quote_knows_whom_the_market_may_stop(tmp_path: Path, *, admits: bool) -> None:
    slurm = FakeSlurm({"n1": 2})
    terms = DriverTerms(clock=slurm.clock, sleep=slurm.sleep)
    slurm.submit(cpus=2, work=7200, minutes=120, comment=BID.format(1))
    worth = worth_by("none", 0)
    with Driver(tmp_path, slurm, make_scheduler("easy"), worth, terms) as market:
        if admits:
            market.cycle()
        slurm.advance(60)
        moment = market_moment(slurm, slurm.clock(), worth, "ga:preempt=true")

    assert [each.processors for each in moment.running] == [2]
    asked = QuoteTerms("ga:preempt=true", ("first-price",), samples=2)
    prospect = quote(moment, QuotedJob(2, 600.0, curves={"": URGENT}), asked).offers[0].now
    assert (prospect.wait.mean == 0) == admits
    assert (prospect.worth.mean > 0) == admits


def test_a_curve_begins_with_the_first_submission(tmp_path: Path) -> None:
    slurm = FakeSlurm({"n1": 2})
    terms = DriverTerms(clock=slurm.clock, sleep=slurm.sleep)
    job, born = slurm.submit(cpus=2, comment=BID.format(1)), slurm.now
    worth = worth_by("none", 0)
    with Driver(tmp_path, slurm, make_scheduler("easy"), worth, terms) as market:
        market.cycle()
        slurm.apply([Action("requeue", job)])
        slurm.advance(30)
        moment = market_moment(slurm, slurm.clock(), worth, "easy")

    assert [each.submit for each in moment.queued] == [born]


def test_jobs_and_nodes_that_were_recorded_are_quoted() -> None:
    jobs, pool = read_jobs(recorded("queue")), read_pool(recorded("nodes"))
    moment = snapshot_of(LATE, jobs, pool, worthless, "easy")

    assert (moment.machine_size, moment.free) == (16, 2)
    assert [each.id for each in moment.queued] == [14]
    made = quote(moment, QuotedJob(2, 60.0, curves={"": UtilityFunction([0, 60], [9, 0])}))
    assert made.offers[0].now.wait.mean == 0
