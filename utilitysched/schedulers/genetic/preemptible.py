"""The running jobs that may be preempted, and what that would mean for each."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.model.forecast import Forecast
from utilitysched.model.state import Floats, Integers, QueueState
from utilitysched.schedulers.genetic.options import GeneticOptions
from utilitysched.schedulers.history import History


class Preemptible(NamedTuple):
    """Columns of b running jobs, in order of arrival.

    Attributes
    ----------
    job : (b,) int64
        Index in arrival order.
    ran : (b,) float64
        Time since its last start (s).
    left : (b,) float64
        Requested time left if the job goes on running (s).
    later : (b,) float64
        Requested time left if it is preempted now, the restart overhead included (s); at least
        `left`.
    wasted : (b,) float64
        Work that a preemption loses, and the overhead (s).
    """

    job: Integers
    ran: Floats
    left: Floats
    later: Floats
    wasted: Floats

    def spares(self, jobs: Integers) -> NDArray[np.bool_]:
        """Mask of `jobs` that are absent from the victims."""
        if len(self.job) == 0:
            return np.ones(len(jobs), np.bool_)
        place = np.searchsorted(self.job, jobs).clip(max=len(self.job) - 1)  # half of np.isin
        spared: NDArray[np.bool_] = self.job[place] != jobs
        return spared


NOBODY = Preemptible(np.empty(0, dtype=np.int64), *np.empty((4, 0)))


def find_preemptible(state: QueueState, options: GeneticOptions) -> Preemptible:
    """Return who may be preempted, and what is left of each (semantics, section 7).

    Those that can go on from somewhere, and were preempted less often than the limit.
    """
    rules = state.preemption
    if rules is None:
        return NOBODY
    running = state.running
    ran = state.now - _since(state)
    may = (rules.interval[running] >= 0.0) & (rules.preemptions[running] < options.preemptions)
    if not may.any():
        return NOBODY
    chosen = np.flatnonzero(may)[np.argsort(running[may])]
    job, ran, left = running[chosen], ran[chosen], state.expected_end[chosen] - state.now
    overhead, paid = rules.overhead[job], rules.paid[job]
    work = np.maximum(0.0, ran - paid)
    lost = _lost(work, rules.interval[job])
    later = state.known.request[job] - paid - (work - lost) + overhead
    # only where an overhead is interrupted, or by rounding, would a preemption take less
    return Preemptible(job, ran, left, np.maximum(later, left), lost + overhead)


def forecast_beside(history: History, state: QueueState) -> Forecast:
    """Return the forecast of the queued jobs, and of what running ones have still to do."""
    running = state.running
    forecast = history.forecast(replace(state, queued=np.concatenate([state.queued, running])))
    ran = state.now - _since(state)
    duration, occupancy = forecast.duration[running], forecast.occupancy[running]
    forecast.duration[running] = np.maximum(0.0, duration - ran[:, np.newaxis])
    forecast.occupancy[running] = np.maximum(0.0, occupancy - ran)
    return forecast


def _since(state: QueueState) -> Floats:
    """Return when the running jobs last started (s)."""
    if state.preemption is not None:
        return state.preemption.last_start[state.running]
    started: Floats = state.expected_end - state.known.request[state.running]
    return started


def _lost(work: Floats, interval: Floats) -> Floats:
    """Return the work since the last checkpoint (s), none where a preemption writes one."""
    periodic = interval > 0.0
    since = np.fmod(work, np.where(periodic, interval, 1.0))
    lost: Floats = np.where(periodic, since, 0.0)
    return lost
