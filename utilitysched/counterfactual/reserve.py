"""A price for those who come later, learned week by week from what jobs have cost each other."""

import math
from collections.abc import Iterator

import numpy as np

from pricing.outcome import requested_hours
from swfx import Workload
from utilitysched.analysis.metrics.jobs import realised_utility
from utilitysched.counterfactual.inputs import SimulationInputs
from utilitysched.engine.engine import simulate
from utilitysched.model.state import Floats
from utilitysched.schedulers.registry import make_scheduler

WEEK = 7 * 86400.0
"""For how long a price is in force (s); the first once so much of the log is known."""

PAST = 4 * WEEK
"""How far back it is learned from (s)."""

GROUPS, ROUNDS = 20, 5
"""Groups of jobs that are left out in turn, and how often jobs are put into such groups anew: what
becomes of a schedule without some of its jobs is half chance."""

SEED = 0
"""Of the draws of these groups: the same log teaches the same price."""

STAND_IN = "value-and-delay"
"""Plays the past again where the scheduler itself would take too long, or jobs were stopped."""


def learned_prices(
    inputs: SimulationInputs, start: Floats, end: Floats, charge: Floats
) -> Iterator[tuple[float, float]]:
    """Yield the instants from which on prices hold (s), and these (SU per hour requested).

    What is known at an instant is who was submitted before and how long those ran that have ended;
    others count as if they ran for as long as requested. The past weeks are simulated with all of
    these jobs and without a twentieth of them, drawn at random, until each was left out as often.
    What the rest would have had more, less what plans have charged already, is spread over the
    processor-hours requested.

    Parameters
    ----------
    inputs : SimulationInputs
        n jobs, and who scheduled them.
    start, end : (n,) float64
        When each ran (s); NaN for one that never did.
    charge : (n,) float64
        What each was charged by plans when it started (SU).
    """
    jobs, first = inputs.workload, inputs.workload.submit.min(initial=math.inf)
    hours = requested_hours(jobs)
    last = np.nanmax(start, initial=-math.inf)
    for week in range(1, int(max(last - first, 0.0) // WEEK) + 1):
        now = first + week * WEEK
        past = (jobs.submit < now) & (jobs.submit >= now - PAST)
        known = jobs[past]
        known = known.replace(run=np.where(end[past] <= now, known.run, known.request))
        paid = math.fsum(charge[past & (start < now)])
        yield now, max(0.0, _harm(known, inputs) - paid) / max(math.fsum(hours[past]), 1.0)


def _harm(jobs: Workload, inputs: SimulationInputs) -> float:
    """Return what jobs cost each other in all (SU): the rest, without each group, has more."""
    whole, rng, more = _values(jobs, inputs), np.random.default_rng(SEED), 0.0
    for _ in range(ROUNDS):
        group = rng.permutation(len(jobs)) % GROUPS
        for left_out in range(GROUPS):
            rest = group != left_out
            more += math.fsum(_values(jobs[rest], inputs)) - math.fsum(whole[rest])
    return more / ROUNDS


def _values(jobs: Workload, inputs: SimulationInputs) -> Floats:
    own = make_scheduler(inputs.scheduler).compiled is not None and inputs.rules is None
    scheduler = inputs.scheduler if own else STAND_IN
    schedule = simulate(
        jobs, scheduler, machine_size=inputs.machine_size, classes=inputs.classes, seed=inputs.seed
    )
    return realised_utility(jobs, schedule)
