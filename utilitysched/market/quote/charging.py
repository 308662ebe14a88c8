"""Charges of a job in each future."""

import numpy as np

import pricing
from pricing.registry import PriceMechanism
from swfx import UtilityTable, Workload
from utilitysched.market.quote.futures import Futures
from utilitysched.market.quote.pivoting import QuotedPivots
from utilitysched.market.quote.readings import FutureReadings
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.state import Floats, Integers


def charges_of(
    mechanism: PriceMechanism,
    futures: Futures,
    seed: int = 0,
    rule: ForecastRule | None = None,
) -> Floats:
    """Return what the job pays in each sample (SU), shape (S,).

    A mechanism looks at as much of each future as its `scope` says, so that most are asked once
    for all samples.

    Parameters
    ----------
    mechanism : PriceMechanism
        How charges are made.
    futures : Futures
        S samples.
    seed : int
        Of further searches, where the mechanism asks for such.
    rule : ForecastRule, optional
        How the scheduler reads utility functions, where the mechanism charges by that.

    Raises
    ------
    InputError
        The mechanism cannot charge in advance.
    """
    if mechanism.scope == "job":
        return _by_job(mechanism, futures, seed, rule)
    if mechanism.scope == "round":
        return _by_round(mechanism, futures, rule)
    return _by_schedule(mechanism, futures)


def _by_job(
    mechanism: PriceMechanism, futures: Futures, seed: int, rule: ForecastRule | None
) -> Floats:
    """Price the job of every sample as if all were jobs of one workload."""
    job = futures.scenario.job
    same = np.full(len(futures), job)
    jobs = _workload(futures, same)
    asked = QuotedPivots(futures, seed, _reader(futures, rule, np.arange(len(futures)), same))
    start, end = futures.start[:, job], futures.end[:, job]
    used = None if futures.used is None else futures.used[:, job]
    return pricing.charge(jobs, start, end, mechanism, counterfactual=asked, used=used).charge


def _by_round(mechanism: PriceMechanism, futures: Futures, rule: ForecastRule | None) -> Floats:
    """Price the round of every sample, each as a queue of its own."""
    scenario, begin = futures.scenario, futures.scenario.job
    rows: list[Integers] = []
    starts: list[Floats] = []
    for start in futures.start:
        now = start[begin]
        here = scenario.contenders[_there(futures, start, now)]
        rows.append(here)
        # who waits on takes part, whenever it starts
        starts.append(np.where(start[here] == now, now, now + 1.0))
    jobs, start = np.concatenate(rows), np.concatenate(starts)
    sample = np.repeat(np.arange(len(rows)), [len(here) for here in rows])
    market = _workload(futures, jobs).replace(queue=sample)
    used = futures.end - futures.start if futures.used is None else futures.used
    lasts = np.where(jobs == begin, used[sample, jobs], 0.0)
    asked = QuotedPivots(futures, reader=_reader(futures, rule, sample, jobs))
    charged = pricing.charge(market, start, start + lasts, mechanism, counterfactual=asked).charge
    pays: Floats = charged[jobs == begin]
    return pays


def _reader(
    futures: Futures, rule: ForecastRule | None, sample: Integers, jobs: Integers
) -> FutureReadings | None:
    """Return who tells how the scheduler reads jobs in samples, None where that is not asked."""
    return None if rule is None else FutureReadings(futures, rule, sample, jobs)


def _there(futures: Futures, start: Floats, now: float) -> Integers:
    """Return the places, among the contenders, of those in the job's queue at its start."""
    scenario = futures.scenario
    jobs = scenario.contenders
    same = scenario.queue[jobs] == scenario.queue[scenario.job]
    found: Integers = np.flatnonzero(
        same & (scenario.known.submit[jobs] <= now) & (start[jobs] >= now)
    )
    return found


def _by_schedule(mechanism: PriceMechanism, futures: Futures) -> Floats:
    """Price every sample as a schedule of its own."""
    scenario = futures.scenario
    jobs = scenario.contenders
    everybody = _workload(futures, jobs)
    # running jobs count as submitted when they started
    submit = np.fmin(everybody.submit, futures.start[0][jobs])
    everybody = everybody.replace(submit=submit)
    place = int(np.flatnonzero(jobs == scenario.job)[0])
    charged = []
    for sample, (start, end) in enumerate(zip(futures.start, futures.end, strict=True)):
        used = None if futures.used is None else futures.used[sample, jobs]
        priced = pricing.charge(everybody, start[jobs], end[jobs], mechanism, used=used)
        charged.append(priced.charge[place])
    return np.array(charged)


def _workload(futures: Futures, jobs: Integers) -> Workload:
    scenario, known = futures.scenario, futures.scenario.known
    curves, request = UtilityTable(known.offsets, known.times, known.values), scenario.request
    return Workload.from_columns(
        submit=known.submit[jobs],
        run=request[jobs],
        processors=known.size[jobs],
        requested_time=request[jobs],
        queue=scenario.queue[jobs],
        utility=curves.take(jobs),
    )
