"""Compiled trials: what it costs all jobs of a queue that a certain one goes first."""

from typing import NamedTuple

import numpy as np

from utilitysched.kernels.compiling import inner, kernel, leaf
from utilitysched.kernels.curves import curve_value
from utilitysched.kernels.policy import Policy
from utilitysched.kernels.progress import ALL_PASSES, FREE, Progress
from utilitysched.kernels.releases import add_ending
from utilitysched.kernels.replay import advance
from utilitysched.kernels.stream import Words, below, uniform
from utilitysched.model.forecast import Forecast, RuntimeHistory
from utilitysched.model.scheduling_pass import Plan
from utilitysched.model.state import Floats, Integers, JobTable

SHORT = 10.0
"""Run times below this (s) count as this in bounded slowdowns (CARASTAN 3.2.1)."""

SLOWDOWN, WAIT, LOST_VALUE = range(3)
"""What a job costs: its bounded slowdown, its wait (s), the value that it loses by waiting (SU)."""

AIMS = {"slowdown": SLOWDOWN, "wait": WAIT, "lost-value": LOST_VALUE}
"""The same by name."""


class TrialMachine(NamedTuple):
    """The running jobs of a trial, its clock and its free processors.

    Attributes
    ----------
    end : (n,) float64
        Ends (s) of the running jobs, the next one last.
    job : (n,) int64
        Those jobs.
    clock : (1,) float64
        Time of the last start (s).
    counts : (2,) int64
        Running jobs; free processors.
    """

    end: Floats
    job: Integers
    clock: Floats
    counts: Integers


@inner
def _idle(jobs: int, processors: int) -> TrialMachine:
    """Return a machine on which nothing runs, with room for so many jobs."""
    counts = np.array([0, processors])
    return TrialMachine(np.empty(jobs), np.empty(jobs, np.int64), np.full(1, -np.inf), counts)


@inner
def _become(machine: TrialMachine, other: TrialMachine) -> None:
    """Bring a machine to the state of another."""
    for k in range(other.counts[0]):
        machine.end[k] = other.end[k]
        machine.job[k] = other.job[k]
    machine.clock[0] = other.clock[0]
    machine.counts[:] = other.counts


@leaf
def _cost(known: JobTable, job: int, wait: float, run: float, aim: int) -> float:
    """Return what a wait costs a job."""
    if aim == WAIT:
        return wait
    if aim == LOST_VALUE:
        return curve_value(known, job, run) - curve_value(known, job, wait + run)
    return max((wait + run) / max(run, SHORT), 1.0)


@kernel
def costs(known: JobTable, jobs: Integers, wait: Floats, run: Floats, aim: int) -> Floats:
    """Return what waits (s) cost jobs that run for so long (s), (n,)."""
    cost = np.empty(len(jobs))
    for i in range(len(jobs)):
        cost[i] = _cost(known, jobs[i], wait[i], run[i], aim)
    return cost


@inner
def _started(
    known: JobTable, run: Floats, order: Integers, machine: TrialMachine, aim: int
) -> float:
    """Start jobs strictly in order, and return what that costs them in all."""
    busy, free = machine.counts
    clock, cost = machine.clock[0], 0.0
    for job in order:
        # nobody overtakes: the clock waits for arrival and for room
        clock = max(clock, known.submit[job])
        while busy > 0 and (machine.end[busy - 1] <= clock or free < known.size[job]):
            busy -= 1
            clock = max(clock, machine.end[busy])
            free += known.size[machine.job[busy]]
        add_ending(machine.end, machine.job, busy, clock + run[job], job)
        busy += 1
        free -= known.size[job]
        cost += _cost(known, job, clock - known.submit[job], run[job], aim)
    machine.clock[0] = clock
    machine.counts[0], machine.counts[1] = busy, free
    return cost


@kernel
def cost_by_first(
    known: JobTable, run: Floats, warm: int, trials: int, stream: Words, aim: int
) -> Floats:
    """Return the mean cost of a job in all trials in which a certain one goes first, summed.

    A trial starts jobs strictly in an order, none before the one in front of it and none before
    its own arrival: the warm-up jobs as they arrive, then a permutation of the others (CARASTAN
    3.2.2). Each of the others goes first in as many trials; the order behind it is drawn.

    Parameters
    ----------
    known : JobTable
        n jobs in order of arrival.
    run : (n,) float64
        Run times (s).
    warm : int
        Warm-up jobs, the first ones; their own costs do not count.
    trials : int
        For each job that goes first.
    stream : (1,) uint64
        Random stream; it advances.
    aim : int
        What a job costs: SLOWDOWN, WAIT or LOST_VALUE.

    Returns
    -------
    (n - warm,) float64
        By the job that goes first.
    """
    count = len(run) - warm
    at_first, machine = _idle(len(run), known.machine_size), _idle(len(run), known.machine_size)
    _started(known, run, np.arange(warm), at_first, aim)
    sums = np.zeros(count)
    order = np.empty(count, dtype=np.int64)
    for first in range(count):
        for i in range(count):
            order[i] = warm + i
        order[0], order[first] = warm + first, warm
        for _ in range(trials):
            # Fisher and Yates, behind the first one
            for i in range(count - 1, 1, -1):
                j = 1 + below(uniform(stream), i)
                order[i], order[j] = order[j], order[i]
            _become(machine, at_first)
            sums[first] += _started(known, run, order, machine, aim) / count
    return sums


@kernel
def mean_costs(
    run: Floats,
    known: JobTable,
    forecast: Forecast,
    history: RuntimeHistory,
    policy: Policy,
    plan: Plan,
    progress: Progress,
    candidates: Floats,
    aim: int,
) -> Floats:
    """Return the mean cost of a job under each candidate, from an empty machine, (k,).

    Nothing is forgotten between candidates but `progress`: for several of them, the policy must
    neither learn nor keep reservations.

    Parameters
    ----------
    run : (n,) float64
        Actual run times (s), at most the requests.
    policy : Policy
        Its queue order takes the numbers of each candidate; no score is fixed.
    progress : Progress
        Blank.
    candidates : (k, p) float64
        Numbers of the ordering.
    aim : int
        What a job costs: one of `utilitysched.kernels.trials.AIMS`.
    """
    jobs = np.arange(len(run))
    cost = np.empty(len(candidates))
    for k in range(len(candidates)):
        policy.primary.parameters[:] = candidates[k]
        progress.counts[:] = 0
        progress.counts[FREE] = known.machine_size
        progress.wake_up[0] = np.inf
        # numba would compile the loop anew for a literal number
        passes = int(ALL_PASSES)
        advance(run, known, forecast, history, policy, plan, progress, passes, np.inf)
        cost[k] = costs(known, jobs, progress.start - known.submit, run, aim).mean()
    return cost
