"""What the queued jobs are worth, as kernels take it."""

import numpy as np

from utilitysched.kernels.fitness import Worth, readable_part
from utilitysched.model.forecast import Forecast
from utilitysched.model.state import QueueState


def worth_of(state: QueueState, forecast: Forecast) -> Worth:
    """Return what each queued job is worth if it starts at some time from now on.

    Parameters
    ----------
    state : QueueState
        k queued jobs.
    forecast : Forecast
        How long they may run: when their utility functions are read.
    """
    known, queued = state.known, state.queued
    duration = forecast.duration[queued]
    first, last = np.empty((2, len(queued)), dtype=np.int64)
    readable_part(state.now, queued, known, duration, first, last)
    return Worth(known.submit[queued], duration, first, last, known.times, known.values)
