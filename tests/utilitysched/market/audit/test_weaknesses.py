"""What a bill names as a weakness pays in a small market, and what it does not name does not."""

from __future__ import annotations

import numpy as np
import pytest

from pricing import charge, make_mechanism
from pricing.weaknesses import BillConditions, weaknesses
from swfx import UtilityTable
from tests.utilitysched.market.audit.markets import PROCESSORS, crowd, scenario_of
from utilitysched import make_scheduler, simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.market.audit import Design
from utilitysched.market.audit.trial import Auditor, Trial

JOBS = (4, 9, 14, 19, 24)


def named(scheduler: str, mechanism: str, scenario: str) -> bool:
    """Whether a bill names the scenario."""
    made = make_scheduler(scheduler)
    read_at = None if made.reading is None else made.reading.duration
    reserve = float(str(made.options.get("reserve", 0)))
    conditions = BillConditions(make_mechanism(mechanism), read_at, reserve)
    return scenario in {weakness.scenario for weakness in weaknesses(conditions)}


def trials(scheduler: str, mechanism: str, *lies: str) -> list[Trial]:
    jobs = crowd(3, jobs=30)
    alone = jobs.replace(user=np.arange(len(jobs)))  # so that added jobs delay others alone
    scenario = scenario_of(alone, scheduler, mechanism)
    auditor = Auditor(scenario, Design(horizon="recoupled", draws=1, lies=lies))
    return [auditor.trial(job) for job in JOBS]


def gains(scheduler: str, mechanism: str, *lies: str) -> list[float]:
    """What each lie brings the users of all sampled jobs together (SU)."""
    total = sum(trial.scored[0] for trial in trials(scheduler, mechanism, *lies))
    return list(np.asarray(total).tolist())


@pytest.mark.parametrize("mechanism", ["first-price:reading=end", "vcg", "single-price"])
def test_who_understates(mechanism: str) -> None:
    lie = "scale:factor=0.1"
    (gain,) = gains("easy", mechanism, lie)

    assert (gain > 1) == named("easy", mechanism, lie)


@pytest.mark.parametrize(
    ("scheduler", "reading"),
    [
        ("value-density", "end"),
        ("value-density", "scheduler"),
        ("value-density:duration=requested", "end"),
    ],
)
def test_cliffs(scheduler: str, reading: str) -> None:
    # who says nothing is ranked last, and pays nothing
    mechanism = f"first-price:reading={reading}"
    cliff, nothing = gains(scheduler, mechanism, "cliff", "scale:factor=1e-9")

    assert (cliff > nothing + 1) == named(scheduler, mechanism, "cliff")


@pytest.mark.parametrize(
    ("scheduler", "mechanism"),
    [("easy", "vcg"), ("easy", "vcg:reserve=2000"), ("easy:reserve=1,idle=1", "vcg")],
)
def test_worthless_jobs(scheduler: str, mechanism: str) -> None:
    found = trials(scheduler, mechanism, "worthless-rerunnable:jobs=4,lasts=1min")
    harm = sum(trial.others[0, 0] - trial.others[0, 1] for trial in found)
    cost = -sum(trial.scored.item() for trial in found)

    assert (harm > cost + 1) == named(scheduler, mechanism, "worthless-rerunnable")


@pytest.mark.parametrize("mechanism", ["vcg:fair=0", "vcg"])
def test_shills(mechanism: str) -> None:
    found = trials("easy", mechanism, "shill:request=5min")
    honest, shilled = sum(trial.others[1] for trial in found)

    assert (shilled > 1.1 * honest) == named("easy", mechanism, "shill")


@pytest.mark.parametrize("mechanism", ["vcg", "second-price", "single-price"])
def test_tripled_curves_of_others(mechanism: str) -> None:
    jobs = crowd(3, jobs=30)
    schedule = simulate(jobs, "easy", machine_size=PROCESSORS)
    mine = jobs.user == jobs.user[JOBS[0]]
    table = UtilityTable(jobs.utility.offsets, jobs.utility.times, 3 * jobs.utility.values)
    both = UtilityTable.stacked([jobs.utility, table])
    place = np.arange(len(jobs)) + np.where(mine, 0, len(jobs))
    changed = jobs.replace(utility=both.take(place))

    bills = [
        charge(
            each,
            schedule.start,
            schedule.end,
            mechanism,
            counterfactual=Counterfactuals.of(each, schedule),
        ).charge[mine]
        for each in (jobs, changed)
    ]

    assert (bills[1].sum() > 1.1 * bills[0].sum()) == named("easy", mechanism, "tripled")
