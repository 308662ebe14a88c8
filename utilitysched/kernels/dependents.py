"""Releases of jobs that come once others have ended."""

from typing import NamedTuple

import numpy as np
from numba import njit

from utilitysched.kernels.releases import add_ending
from utilitysched.model.state import Floats, Integers


class Dependents(NamedTuple):
    """Jobs that are still to come, and who waits for whom; jobs by place in arrival order.

    Attributes
    ----------
    submit : (n,) float64
        Submit times in the log (s).
    time, place : (n,)
        Releases (s) that are known and still to come, which come first, and the jobs; the next one
        last.
    offsets : (n+1,) int64
        Who waits for job i: ``waiting[offsets[i]:offsets[i+1]]``, for as long after its end as
        ``think_time`` says there (s).
    waiting, think_time : (w,)
        See `offsets`.
    number : (n,) int64
        How many came before each job, of those that have come: ties go by it.
    came : (n,) int64
        The jobs by number.
    begin : (1,) float64
        When the first one came (s).
    """

    submit: Floats
    time: Floats
    place: Integers
    offsets: Integers
    waiting: Integers
    think_time: Floats
    number: Integers
    came: Integers
    begin: Floats

    @classmethod
    def of(cls, submit: Floats, waits_for: Integers, think_time: Floats) -> "Dependents":
        """Return the releases before the first event.

        Parameters
        ----------
        submit : (n,) float64
            Submit times in arrival order (s).
        waits_for : (n,) int64
            The job that each waits for, negative for none.
        think_time : (n,) float64
            For how long after its end (s).
        """
        jobs = len(submit)
        free = np.flatnonzero(waits_for < 0)[::-1]
        time, place = np.empty(jobs), np.empty(jobs, np.int64)
        time[: len(free)], place[: len(free)] = submit[free], free
        waiting = np.argsort(waits_for, kind="stable")[len(free) :]
        offsets = np.searchsorted(waits_for[waiting], np.arange(jobs + 1))
        number, came = np.empty(jobs, np.int64), np.empty(jobs, np.int64)
        order = offsets.astype(np.int64), waiting, think_time[waiting]
        return cls(submit, time, place, *order, number, came, np.zeros(1))


@njit(cache=True, inline="always")
def release_waiting(dependents: Dependents, pending: int, job: int, now: float) -> int:
    """Let come, in due time, who waits for a job that ends now; return how many are pending."""
    offsets, waiting = dependents.offsets, dependents.waiting
    for k in range(offsets[job], offsets[job + 1]):
        who = waiting[k]
        release = max(dependents.submit[who], now + dependents.think_time[k])
        add_ending(dependents.time, dependents.place, pending, release, who)
        pending += 1
    return pending
