"""Jobs that are otherwise: charged as in a schedule made of them from the beginning."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import pricing
from swfx import Workload
from tests.queues import random_workload
from tests.scale import enough, many
from utilitysched import simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.counterfactual.otherwise import ChangedJobs
from utilitysched.market.audit.misreport import Misreport
from utilitysched.market.audit.misreports.delay import Delay
from utilitysched.market.audit.misreports.request import Request
from utilitysched.market.audit.misreports.scale import Scale
from utilitysched.market.audit.reported import tell

LIES = (Delay(by=7), Request(factor=0.5), Scale(factor=0.5), Scale(factor=1.0))


def whole_bill(jobs: Workload, processors: int, scheduler: str, mechanism: str) -> pricing.Charges:
    schedule = simulate(jobs, scheduler, machine_size=processors)
    asked = Counterfactuals.of(jobs, schedule)
    return pricing.charge(jobs, schedule.start, schedule.end, mechanism, counterfactual=asked)


@pytest.mark.parametrize(
    ("scheduler", "mechanism"),
    [
        ("easy", "vcg:settle=end,players=users"),
        ("easy", "vcg:reservations=true"),
        ("conservative", "vcg:duration=expected"),
        ("easy", "vcg:method=replay,horizon=recoupled"),
        ("ga:generations=3", "vcg"),
        ("ga:generations=3", "vcg:method=replay"),
    ],
)
def test_a_changed_job_is_charged_as_in_the_bill_of_a_log_that_has_it_so(
    scheduler: str, mechanism: str
) -> None:
    rng, differs = Random(f"{scheduler} {mechanism}"), 0
    made = pricing.make_mechanism(mechanism)
    rule = made.replays or made.pivots
    assert rule is not None
    for _ in range(many(9, 4)):
        jobs, processors = random_workload(rng)
        jobs = jobs[np.argsort(jobs.submit, kind="stable")]
        if not jobs.has_utilities:
            continue
        before = whole_bill(jobs, processors, scheduler, mechanism)
        paying = (before.charge > 0) & jobs.utility.defined
        asked = before.outcome.counterfactual
        assert isinstance(asked, Counterfactuals)
        changes = ChangedJobs(asked.inputs(), rule)
        for job in np.flatnonzero(paying)[:1].tolist():
            for lie in LIES:
                differs += _holds(
                    changes, jobs, job, lie, (processors, scheduler, mechanism), before
                )
    assert differs >= enough(1)


def _holds(
    changes: ChangedJobs,
    jobs: Workload,
    job: int,
    lie: Misreport,
    how: tuple[int, str, str],
    before: pricing.Charges,
) -> bool:
    told = tell(jobs, {job: lie}, None)
    place = int(np.flatnonzero(told.owner == job)[0])

    found = changes.charged(job, told.workload, place)

    wanted = whole_bill(told.workload, *how)
    assert found.charge == wanted.charge[place]
    assert found.start == wanted.outcome.start[place]
    if lie == Scale(factor=1.0):
        assert found.charge == before.charge[job]
    return found.charge != before.charge.item(job)
