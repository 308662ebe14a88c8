"""Holding times of jobs in plans, where these are less than they requested."""

import numpy as np

from utilitysched.kernels.plan import PlannedQueue
from utilitysched.model.forecast import Forecast
from utilitysched.model.state import Floats, Integers, QueueState
from utilitysched.schedulers.genetic.genome_map import GenomeMap


def expected_queue(
    queue: PlannedQueue, state: QueueState, line: GenomeMap, forecast: Forecast
) -> PlannedQueue:
    """Return a queue in which every job, queued or running, takes what it is expected to.

    Parameters
    ----------
    queue : PlannedQueue
        The same by requested times.
    state, line : QueueState, GenomeMap
        The jobs.
    forecast : Forecast
        Samples of how long queued jobs may run and running ones may go on running.
    """
    preemptible = line.preemptible
    request = _expected(state, line.job, queue.request, forecast)
    later = request[len(request) - len(preemptible.job) :] + preemptible.wasted
    fixed = preemptible.spares(state.running)
    running, left = state.running[fixed], state.expected_end[fixed] - state.now
    end = state.now + _expected(state, running, left, forecast)
    by_end = np.argsort(end, kind="stable")
    return queue._replace(
        request=request,
        later=later,
        release_time=end[by_end],
        release_size=state.known.size[running][by_end],
    )


def _expected(state: QueueState, jobs: Integers, left: Floats, forecast: Forecast) -> Floats:
    """Return the mean of the samples that are not over yet (s).

    The requested time left where none of them is, and of jobs of nobody in particular, such as
    processors that are down.
    """
    samples = forecast.duration[jobs]
    ahead = np.count_nonzero(samples > 0.0, axis=1)
    mean = samples.sum(axis=1) / np.maximum(ahead, 1)
    unknown = (ahead == 0) | (state.known.user[jobs] < 0)
    expected: Floats = np.where(unknown, left, np.minimum(mean, left))
    return expected
