"""Idle time that wide jobs cause: processors that stand empty while a wide job waits for them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from fractions import Fraction
from heapq import heappop, heappush

import numpy as np

from pricing.outcome import Outcome
from swfx import InputError
from swfx.base.columns import Ints


def idle_hours(outcome: Outcome, width: int) -> list[Fraction]:
    """Processor-hours that stood idle before each wide job.

    At every moment the idle processors are put down to one job: of the wide jobs that wait, that
    which starts first (the earlier in the log, if two do); at most as many as it has processors.

    Parameters
    ----------
    outcome : Outcome
        All n jobs that ran.
    width : int
        Processors from which on a job is wide.

    Returns
    -------
    list of Fraction
        Of all n jobs; 0 for those that are not wide.

    Raises
    ------
    InputError
        The log does not say how many processors the machine has, or jobs were preempted: when they
        held their processors is not known here.

    References
    ----------
    LEE, section 2.2.2: charging not just for the time a job uses, but for the idle time created in
    its wake.
    """
    machine, size = _machine_size(outcome), outcome.workload.size
    wide = np.flatnonzero(size >= width)
    times, idle = _idle(outcome, machine, wide)
    seconds = [Fraction(0)] * len(outcome)
    for k, job in _first_of_the_waiting(outcome, wide, times):
        passed = Fraction(times[k + 1]) - Fraction(times[k])
        seconds[job] += max(0, min(idle[k], int(size[job]))) * passed
    return [each / 3600 for each in seconds]


def _machine_size(outcome: Outcome) -> int:
    """Return the processors of the machine, where what was idle can be known."""
    machine = outcome.workload.machine_size
    if machine is None:
        raise InputError(
            "the log does not say how large the machine is, so nothing is known to be idle",
            field="idle_wake",
            remedy="write MaxProcs in its header",
        )
    if outcome.shared or not np.array_equal(outcome.held, outcome.end - outcome.start):
        raise InputError(
            "jobs were preempted or shared nodes, so what was idle between their starts and ends is"
            " not known",
            field="idle_wake",
            remedy="leave idle_wake out of the rules",
        )
    return machine


def _idle(outcome: Outcome, machine: int, wide: Ints) -> tuple[list[float], list[int]]:
    """Return when wide jobs come and any start or end (s), and what is idle from each on."""
    submit = outcome.workload.submit[wide]
    times = np.unique(np.concatenate([outcome.start, outcome.end, submit]))
    change = np.zeros(len(times), dtype=np.int64)
    np.add.at(change, np.searchsorted(times, outcome.start), outcome.workload.size)
    np.add.at(change, np.searchsorted(times, outcome.end), -outcome.workload.size)
    return times.tolist(), (machine - np.cumsum(change)).tolist()


def _first_of_the_waiting(
    outcome: Outcome, wide: Ints, times: Sequence[float]
) -> Iterator[tuple[int, int]]:
    """Yield the places of instants from which on wide jobs wait, and which of these starts first.

    Parameters
    ----------
    outcome : Outcome
        n jobs.
    wide : (w,) int64
        The wide ones.
    times : sequence of float
        Instants, ascending (s); the last begins nothing.
    """
    submit = outcome.workload.submit
    arrivals = deque(wide[np.argsort(submit[wide], kind="stable")].tolist())
    waiting: list[tuple[float, int]] = []
    for k, now in enumerate(times[:-1]):
        while arrivals and submit[arrivals[0]] <= now:
            job = arrivals.popleft()
            heappush(waiting, (outcome.start.item(job), job))
        while waiting and waiting[0][0] <= now:
            heappop(waiting)
        if waiting:
            yield k, waiting[0][1]
