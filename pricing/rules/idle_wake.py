"""Idle time that wide jobs cause: processors that stand empty while a wide job waits for them."""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush

import numpy as np

from pricing.outcome import Outcome
from swfx import InputError


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
        The log does not say how many processors the machine has, or jobs were bumped: when they
        held their processors is not known here.

    References
    ----------
    LEE, section 2.2.2: charging not just for the time a job uses, but for the idle time created in
    its wake.
    """
    machine = outcome.workload.machine_size
    if machine is None:
        raise InputError(
            "the log does not say how large the machine is, so nothing is known to be idle",
            field="idle_wake",
            remedy="write MaxProcs in its header",
        )
    if not np.array_equal(outcome.held, outcome.end - outcome.start):
        raise InputError(
            "jobs were bumped, so what was idle between their starts and ends is not known",
            field="idle_wake",
            remedy="leave idle_wake out of the rules",
        )
    size = outcome.workload.size
    wide = np.flatnonzero(size >= width)
    wide = wide[np.argsort(outcome.workload.submit[wide], kind="stable")]
    times = np.unique(np.concatenate([outcome.start, outcome.end, outcome.workload.submit[wide]]))
    change = np.zeros(len(times), dtype=np.int64)
    np.add.at(change, np.searchsorted(times, outcome.start), size)
    np.add.at(change, np.searchsorted(times, outcome.end), -size)
    idle = (machine - np.cumsum(change)).tolist()
    submit, starts = outcome.workload.submit, outcome.start
    seconds = [Fraction(0)] * len(outcome)
    waiting: list[tuple[float, int]] = []
    arriving = 0
    for k, (now, then) in enumerate(zip(times[:-1].tolist(), times[1:].tolist(), strict=True)):
        while arriving < len(wide) and submit[wide[arriving]] <= now:
            job = int(wide[arriving])
            heappush(waiting, (float(starts[job]), job))
            arriving += 1
        while waiting and waiting[0][0] <= now:
            heappop(waiting)
        if waiting:
            job = waiting[0][1]
            seconds[job] += max(0, min(idle[k], int(size[job]))) * (Fraction(then) - Fraction(now))
    return [each / 3600 for each in seconds]
