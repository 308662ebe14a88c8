"""The queue of a real machine at a moment, as quotes take it."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import UtilityFunction
from swfx.accounting.annotations import Annotations
from tests.scale import many
from tests.utilitysched.slurm.clusters import job, recorded, worthless
from utilitysched.market.quote import quote
from utilitysched.market.quote.inquiry import Inquiry
from utilitysched.model.scheduler import Setting
from utilitysched.schedulers.registry import make_scheduler
from utilitysched.slurm.moment import snapshot_of
from utilitysched.slurm.queue import LiveQueue
from utilitysched.slurm.reading import ProcessorPool, SlurmJob, read_jobs, read_pool

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


def test_jobs_and_nodes_that_were_recorded_are_quoted() -> None:
    jobs, pool = read_jobs(recorded("queue")), read_pool(recorded("nodes"))
    moment = snapshot_of(LATE, jobs, pool, worthless, "easy")

    assert (moment.machine_size, moment.free) == (16, 2)
    assert [each.id for each in moment.queued] == [14]
    made = quote(moment, Inquiry(2, 60.0), {"": UtilityFunction([0, 60], [9, 0])})
    assert made.offers[0].now.wait.mean == 0
