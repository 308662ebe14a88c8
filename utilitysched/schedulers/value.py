"""Values of the queued jobs, as kernels take them, and of their plans."""

from collections.abc import Sequence

import numpy as np

from utilitysched.kernels.fitness import Worth, planned_values, readable_part
from utilitysched.model.forecast import Forecast
from utilitysched.model.plans import Plans
from utilitysched.model.state import Floats, Integers, JobTable, QueueState


def worth_of(state: QueueState, forecast: Forecast, delays: Sequence[float] = (0.0,)) -> Worth:
    """Return the values of the queued jobs as functions of the start.

    Parameters
    ----------
    state : QueueState
        k queued jobs.
    forecast : Forecast
        How long they may run: when their utility functions are read.
    delays : sequence of float
        They are read so much later (s), and the mean is taken.
    """
    known, queued = state.known, state.queued
    duration = forecast.duration[queued]
    if delays != (0.0,):
        later = duration[:, :, np.newaxis] + np.array(delays)
        duration = later.reshape(len(queued), -1)
    first, last = np.empty((2, len(queued)), dtype=np.int64)
    readable_part(state.now, queued, known, duration, first, last)
    return Worth(known.submit[queued], duration, first, last, known.times, known.values)


def valued(
    with_job: Floats, without_job: Floats, worth: Worth, job: Integers, known: JobTable
) -> Plans:
    """Return plans with the values of the jobs under each; see `Plans`.

    Parameters
    ----------
    with_job, without_job : (c, k), (k,) float64
        Planned starts (s).
    worth : Worth
        Values of the k jobs from now on.
    job : (k,) int64
        The jobs, by index in arrival order.
    known : JobTable
        Whole utility functions of all jobs.
    """
    values = np.array([_values(start, worth) for start in with_job])
    whole = worth._replace(first=known.offsets[job], last=known.offsets[job + 1])
    had = _values(worth.submit, whole)
    return Plans(with_job, without_job, values, _values(without_job, worth), had, job)


def _values(start: Floats, worth: Worth) -> Floats:
    value = np.empty(len(start))
    planned_values(start, worth, value)
    return value
