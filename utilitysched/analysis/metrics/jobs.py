"""Metrics of single jobs: one value per job, shape (n,), in workload order.

Below, w is the wait (s), p the run time (s) until the job ends or is killed at its limit, q its
processors; where jobs share nodes, p is the run time when compact and p' what it was, since the
last failure of one of its nodes.
"""

import math

import numpy as np
from numpy.typing import NDArray

from swfx import InputError, Workload
from utilitysched.model.schedule import Schedule
from utilitysched.model.segments import Stop
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
    """Turnaround over run time, (w + p) / p; NaN for a job without run time, or cut short."""
    return _ratio(_completed(workload, schedule), workload.effective_run)


def expansion_factor(workload: Workload, schedule: Schedule) -> Floats:
    """LEE's name (section 1.4) for the slowdown: turnaround over run time."""
    return slowdown(workload, schedule)


def requested_expansion_factor(workload: Workload, schedule: Schedule) -> Floats:
    """Expansion factor by the requested time p~: (w + p~) / p~; NaN if that is 0, or if cut short.

    Of a job that was stopped, w is all the time in the queue.

    The figures of LEE's table 4.1 are on this scale and not on that of her definition: requests
    made accurate multiply them by four while her waits and bounded slowdowns double.
    """
    request = workload.request
    completed = np.where(schedule.cut_short(workload), np.nan, schedule.queued(workload) + request)
    return _ratio(completed, request)


def bounded_slowdown(workload: Workload, schedule: Schedule, tau: float = TAU) -> Floats:
    """Slowdown in which short jobs count as `tau` seconds long: max((w + p) / max(p, tau), 1).

    NaN for a job that was cut short.

    Raises
    ------
    InputError
        If `tau` is not positive.
    """
    return np.maximum(_completed(workload, schedule) / _bounded_run(workload, tau), 1.0)


def processor_bounded_slowdown(workload: Workload, schedule: Schedule, tau: float = TAU) -> Floats:
    """Bounded slowdown per processor: max((w + p) / (q max(p, tau)), 1); NaN if cut short.

    Raises
    ------
    InputError
        If `tau` is not positive.
    """
    normal = workload.size * _bounded_run(workload, tau)
    return np.maximum(_completed(workload, schedule) / normal, 1.0)


def _completed(workload: Workload, schedule: Schedule) -> Floats:
    """Turnaround (s); NaN for a job that was cut short: it has not completed."""
    return np.where(schedule.cut_short(workload), np.nan, turnaround(workload, schedule))


def _bounded_run(workload: Workload, tau: float) -> Floats:
    if not 0 < tau < np.inf:
        raise InputError(
            f"{tau:g} s bounds no run time", field="tau", remedy="give a positive number of seconds"
        )
    return np.maximum(workload.effective_run, tau)


SLOWED = 0.99
"""Jobs with a lower speedup count as slowed (KELLARI 2.3.2.4)."""


def realised_slowdown(workload: Workload, schedule: Schedule) -> Floats:
    """Turnaround over the run time it had, (w + p') / p'; NaN without one, or if cut short."""
    return _ratio(_completed(workload, schedule), _lasted(schedule))


def realised_bounded_slowdown(workload: Workload, schedule: Schedule, tau: float) -> Floats:
    """Turnaround over a run time of at least `tau` (s): max((w + p') / max(p', tau), 1).

    NaN for a job that was cut short.
    """
    lasted = np.maximum(_lasted(schedule), tau)
    return np.maximum(_completed(workload, schedule) / lasted, 1.0)


def job_speedup(workload: Workload, schedule: Schedule) -> Floats:
    """Compact run time over the one it had, p / p'; NaN for a job without one, or cut short."""
    speedup = _ratio(workload.effective_run, _lasted(schedule))
    return np.where(schedule.cut_short(workload), np.nan, speedup)


def _lasted(schedule: Schedule) -> Floats:
    """For how long jobs that share nodes ran (s), without what failures made them do again."""
    segments = schedule.segments
    if segments is None:
        return schedule.running_time
    return segments.per_job(segments.kept, len(schedule))


def weighted_speedup(
    workload: Workload, schedule: Schedule, counts: NDArray[np.bool_]
) -> tuple[float | None, float | None]:
    """Mean speedup of the jobs that count, weighted by processor-seconds of work; its sd."""
    used = (_lasted(schedule) * workload.size)[counts]
    speedup = job_speedup(workload, schedule)[counts]
    defined = ~np.isnan(speedup) & (used > 0)
    if not defined.any():
        return None, None
    speedup, used = speedup[defined], used[defined]
    mean = float(np.average(speedup, weights=used))
    return mean, math.sqrt(np.average((speedup - mean) ** 2, weights=used))


def _ratio(above: Floats, below: Floats) -> Floats:
    ratio = np.full(len(below), np.nan)
    np.divide(above, below, out=ratio, where=below > 0)
    return ratio


def realised_utility(workload: Workload, schedule: Schedule) -> Floats:
    """Each job's utility function at its turnaround time (SU), shape (n,).

    0 without a utility function, and for a job that was cut short.
    """
    return schedule.utility(workload)


def aggregate_utility(workload: Workload, schedule: Schedule) -> float:
    """Sum of the realised utilities (SU), exact and rounded once.

    `pricing` sums charges by the same rule, so a bill by ``first-price:reading=end`` adds up to it.

    References
    ----------
    LEE, section 2.5.
    """
    return math.fsum(realised_utility(workload, schedule))


def start_value_share(workload: Workload, schedule: Schedule) -> Floats:
    """Share of its start value that each job earned, u(turnaround) / u(0); shape (n,).

    NaN for a job without utility function, or whose start value is 0.
    """
    start = workload.utility.start_values
    share = np.full(len(workload), np.nan)
    np.divide(realised_utility(workload, schedule), start, out=share, where=start > 0)
    return share


def lost_utility(workload: Workload, schedule: Schedule) -> Floats:
    """Value (SU) that each job lost by waiting, shape (n,)."""
    at_once = workload.utility.evaluate(workload.effective_run)
    return np.maximum(at_once - realised_utility(workload, schedule), 0.0)


def effective_losers(workload: Workload, schedule: Schedule) -> float | None:
    """Effective number of jobs that lose utility: (sum of losses)^2 / sum of their squares.

    As many jobs with equal losses would be as concentrated. None where no job loses anything.
    """
    lost = lost_utility(workload, schedule)
    most = float(lost.max(initial=0.0))
    if most == 0:
        return None
    shares = lost / most  # squares of tiny losses are no zeros then
    return math.fsum(shares) ** 2 / math.fsum(shares**2)


PREMATURE_RATIO = 100.0
STARVATION_FACTOR = 3.0


def at_once(workload: Workload, schedule: Schedule) -> NDArray[np.bool_]:
    """Whether a job started the instant it was submitted."""
    return np.equal(schedule.wait(workload), 0)


def premature(workload: Workload) -> NDArray[np.bool_]:
    """Whether a job ended long before its limit: a stated request of at least 100 run times.

    References
    ----------
    CARASTAN, table 4.3.
    """
    stated = workload.requested_time > 0
    return stated & (workload.request >= PREMATURE_RATIO * workload.effective_run)


def preempted(schedule: Schedule) -> NDArray[np.bool_]:
    """Whether a job was preempted while it ran, by a scheduler; none where none can be."""
    segments = schedule.segments
    if segments is None:
        return np.zeros(len(schedule), np.bool_)
    return segments.per_job((segments.stop == Stop.PREEMPTED).astype(np.float64), len(schedule)) > 0


def cut_short(workload: Workload, schedule: Schedule) -> NDArray[np.bool_]:
    """Whether a job was killed with work left that its request would have had time for.

    Its neighbours slowed it (`coscheduled` with ``kill=true``), or a restart took longer than its
    request was extended by; see `checkpoint.PreemptionRules`. It has not succeeded: it is worth
    nothing, and has neither slowdown nor speedup.
    """
    return schedule.cut_short(workload)


def starved(
    workload: Workload, schedule: Schedule, threshold: float | None = None
) -> NDArray[np.bool_]:
    """Whether a job waited longer than the starvation threshold.

    Parameters
    ----------
    workload, schedule
        The jobs and when they ran.
    threshold : float, optional
        Seconds; without it, the scheduler's own, or three times the longest request of the
        workload if it has none.
    """
    return schedule.wait(workload) > starvation_threshold(workload, schedule, threshold)


def starvation_threshold(
    workload: Workload, schedule: Schedule, threshold: float | None = None
) -> float:
    """`threshold` if given, else the scheduler's own, else three times the longest request (s)."""
    if threshold is not None:
        return threshold
    if schedule.starvation_threshold < math.inf:
        return schedule.starvation_threshold
    return STARVATION_FACTOR * float(np.max(workload.request, initial=0.0))
