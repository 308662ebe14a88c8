"""Waits and slowdowns of jobs.

Below, w is the wait (s), p the run time (s) until the job ends or is killed at its limit, q its
processors. All return one value per job, shape (n,), in workload order.
"""

import numpy as np

from swfx import InputError, Workload
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Floats

TAU = 10.0
"""Run times below this (s) count as this in bounded slowdowns (Feitelson and others)."""


def wait(workload: Workload, schedule: Schedule) -> Floats:
    """First start less submission (s)."""
    return schedule.wait(workload)


def turnaround(workload: Workload, schedule: Schedule) -> Floats:
    """Completion less submission (s)."""
    return schedule.turnaround(workload)


def slowdown(workload: Workload, schedule: Schedule) -> Floats:
    """Turnaround over run time, (w + p) / p; NaN for a job without run time."""
    run = workload.effective_run
    factor = np.full(len(workload), np.nan)
    np.divide(turnaround(workload, schedule), run, out=factor, where=run > 0)
    return factor


def expansion_factor(workload: Workload, schedule: Schedule) -> Floats:
    """LEE's name (section 1.4) for the slowdown: turnaround over run time."""
    return slowdown(workload, schedule)


def requested_expansion_factor(workload: Workload, schedule: Schedule) -> Floats:
    """Expansion factor by the requested time p~: (w + p~) / p~; NaN for a request of 0.

    Of a job that was stopped, w is all the time in the queue.

    The figures of LEE's table 4.1 are on this scale and not on that of her definition: requests
    made accurate multiply them by four while her waits and bounded slowdowns double.
    """
    request = workload.request
    factor = np.full(len(workload), np.nan)
    np.divide(schedule.queued(workload) + request, request, out=factor, where=request > 0)
    return factor


def bounded_slowdown(workload: Workload, schedule: Schedule, tau: float = TAU) -> Floats:
    """Slowdown in which short jobs count as `tau` seconds long: max((w + p) / max(p, tau), 1).

    Raises
    ------
    InputError
        If `tau` is not positive.
    """
    return np.maximum(turnaround(workload, schedule) / _bounded_run(workload, tau), 1.0)


def processor_bounded_slowdown(workload: Workload, schedule: Schedule, tau: float = TAU) -> Floats:
    """Bounded slowdown per processor: max((w + p) / (q max(p, tau)), 1).

    Raises
    ------
    InputError
        If `tau` is not positive.
    """
    normal = workload.size * _bounded_run(workload, tau)
    return np.maximum(turnaround(workload, schedule) / normal, 1.0)


def _bounded_run(workload: Workload, tau: float) -> Floats:
    if not 0 < tau < np.inf:
        raise InputError(
            f"{tau:g} s bounds no run time", field="tau", remedy="give a positive number of seconds"
        )
    return np.maximum(workload.effective_run, tau)
