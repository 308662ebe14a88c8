"""Summary of a schedule: all metrics, with percentiles and indices of fairness, fit for JSON.

No NaN: None where a metric is not defined.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from swfx import MISSING, InputError, Workload
from swfx.eligibility import first_submission, time_held
from utilitysched.analysis.metrics import jobs as per_job
from utilitysched.analysis.metrics import machine
from utilitysched.analysis.metrics.catalogue import LEE_LEVELS, own_values
from utilitysched.analysis.metrics.jobs import (
    TAU,
    aggregate_utility,
    bounded_slowdown,
    premature,
    start_value_share,
)
from utilitysched.analysis.metrics.machine import weekly
from utilitysched.analysis.metrics.shares import share_deviation
from utilitysched.model.schedule import Schedule, recorded_machine
from utilitysched.model.segments import Stop
from utilitysched.model.state import Floats

Five = tuple[float | None, ...]


def percentiles(
    values: Floats, levels: Sequence[int], *, best_first: bool = False
) -> list[float | None]:
    """Smallest value that at least `level` % of the sample do not exceed, for each level.

    No interpolation: every percentile is the value of some job.

    Parameters
    ----------
    values : (n,) float64
        The sample; NaN = not defined for that job, left out.
    levels : sequence of int
        From 0 to 100; 0 is the smallest value, 100 the largest.
    best_first : bool, default False
        Count from the largest value downward: 25 is the largest value that a quarter of the sample
        reach, as in LEE's tables of shares of the start value.

    Returns
    -------
    list of float or None
        None for every level when the sample is empty.

    Raises
    ------
    InputError
        If a level is not within 0 to 100.

    Examples
    --------
    >>> percentiles(np.array([4.0, 1.0, 3.0, 2.0]), [25, 50, 75, 98, 100])
    [1.0, 2.0, 3.0, 4.0, 4.0]
    """
    for level in levels:
        if not 0 <= level <= 100:
            raise InputError(f"{level} is not a percentile", field="levels", remedy="use 0 to 100")
    sample = np.sort(values[~np.isnan(values)])
    if best_first:
        sample = sample[::-1]
    if len(sample) == 0:
        return [None] * len(levels)
    return [float(sample[_rank(level, len(sample))]) for level in levels]


def _rank(level: int, size: int) -> int:
    """Position, from 0, of the first value at which the empirical distribution is at `level` %."""
    return max(-(-level * size // 100) - 1, 0)


class LeeRow(NamedTuple):
    """Columns of the table, in its order.

    Attributes
    ----------
    scheduler : str
        Label.
    wait : tuple of float
        Percentiles `LEE_LEVELS` of the wait (s), ascending.
    expansion_factor : tuple of float
        The same of the expansion factor by run times, her definition.
    requested_expansion_factor : tuple of float
        The same by requested times, which her figures seem to be.
    bounded_slowdown : float
        Mean.
    start_value_share : tuple of float
        The same percentiles of the share of the start value earned (0 to 1), from the best down.
    aggregate_utility : float
        SU.
    """

    scheduler: str
    wait: Five
    expansion_factor: Five
    requested_expansion_factor: Five
    bounded_slowdown: float | None
    start_value_share: Five
    aggregate_utility: float


def lee_table_row(summary: Mapping[str, Any]) -> LeeRow:
    """Columns of LEE's tables out of a summary; None where a metric is not defined."""
    return LeeRow(
        summary["scheduler"],
        _five(summary, "wait"),
        _five(summary, "expansion_factor"),
        _five(summary, "requested_expansion_factor"),
        summary["bounded_slowdown_mean"],
        _five(summary, "start_value_share"),
        summary["aggregate_utility"],
    )


def _five(summary: Mapping[str, Any], name: str) -> Five:
    return tuple(summary[f"{name}_p{level}"] for level in LEE_LEVELS)


def user_means(workload: Workload, values: Floats) -> Floats:
    """Mean of a per-job metric for each user, ascending by user number.

    Parameters
    ----------
    workload : Workload
        n jobs; those without a user are left out.
    values : (n,) float64
        Metric of each job; NaN = not defined, left out.

    Returns
    -------
    (users,) float64
    """
    counted = (workload.user != MISSING) & ~np.isnan(values)
    _, member = np.unique(workload.user[counted], return_inverse=True)
    jobs = np.bincount(member)
    return np.bincount(member, weights=values[counted]) / jobs


def jain(shares: Floats) -> float | None:
    """Jain's index (sum x)^2 / (n sum x^2): 1 = all equal, 1/n = one has everything.

    None without users; 1 if all have nothing.

    References
    ----------
    Jain, Chiu, Hawe 1984.

    Examples
    --------
    >>> jain(np.array([1.0, 1.0, 4.0]))
    0.6666666666666666
    """
    if len(shares) == 0:
        return None
    squares = float(np.sum(shares**2))
    return 1.0 if squares == 0 else float(np.sum(shares) ** 2 / (len(shares) * squares))


def gini(shares: Floats) -> float | None:
    """Gini coefficient, mean absolute difference over twice the mean: 0 = all equal.

    None without users; 0 if all have nothing.

    Examples
    --------
    >>> gini(np.array([1.0, 1.0, 4.0]))
    0.3333333333333333
    """
    users = len(shares)
    if users == 0:
        return None
    total = float(np.sum(shares))
    if total == 0:
        return 0.0
    ranks = 2 * np.arange(1, users + 1) - users - 1
    return float(np.sum(ranks * np.sort(shares)) / (users * total))


LARGE_SLOWDOWN = 100.0
SECONDS_PER_HOUR = 3600.0


def measured(workload: Workload, trim: float = 0.0) -> NDArray[np.bool_]:
    """Which jobs count in means, percentiles and shares of jobs, shape (n,).

    Parameters
    ----------
    workload : Workload
        n jobs.
    trim : float, default 0
        Share of the jobs left out at either end, by order of submission (then of position): those
        of the warm-up and the cool-down. LEE leaves out about 0.01. The order is the log's even
        where jobs are submitted after others have ended, so that the same jobs are measured under
        every scheduler, and can be paired.

    Raises
    ------
    InputError
        If `trim` is not at least 0 and below one half.
    """
    if not 0 <= trim < 0.5:
        raise InputError(
            f"{trim:g} leaves no jobs", field="trim", remedy="give a share from 0 to below 0.5"
        )
    jobs = len(workload)
    cut = int(trim * jobs)
    counts = np.zeros(jobs, np.bool_)
    counts[np.argsort(workload.submit, kind="stable")[cut : jobs - cut]] = True
    return counts


def summary(
    workload: Workload,
    schedule: Schedule,
    *,
    tau: float = TAU,
    threshold: float | None = None,
    trim: float = 0.0,
) -> dict[str, Any]:
    """Every metric of one schedule, by name.

    Parameters
    ----------
    workload, schedule
        n jobs and when they ran.
    tau : float, default 10
        Bound of the bounded slowdowns (s).
    threshold : float, optional
        Wait over which a job is starved (s); without it the scheduler's own starvation threshold,
        or three times the longest request if it has none.
    trim : float, default 0
        Share of the jobs at either end that means, percentiles and counts of jobs leave out.
        Makespan, utilisation, aggregate utility and the weekly sum are over all jobs.

    Returns
    -------
    dict
        Metrics in s, SU, or shares from 0 to 1; docs/metrics.md says which is what. Those of
        plug-ins are last.

    Raises
    ------
    InputError
        If `tau` or `trim` is out of range, or a metric of a plug-in returns no number.
    """
    counts = measured(workload, trim)
    return (
        {
            "scheduler": schedule.scheduler,
            "jobs": len(workload),
            "jobs_measured": int(np.count_nonzero(counts)),
            "trim": trim,
            "tau": tau,
        }
        | _time_metrics(workload, schedule, counts, tau)
        | _submission_metrics(workload, schedule, counts, tau)
        | _value_metrics(workload, schedule, counts)
        | _kind_metrics(workload, schedule, counts, threshold)
        | _machine_metrics(workload, schedule)
        | _held_metrics(workload, schedule, counts)
        | _share_metrics(workload, schedule)
        | _stop_metrics(workload, schedule, counts)
        | _sharing_metrics(workload, schedule, counts, tau)
        | _fairness_metrics(workload, schedule, counts, tau)
        | own_values(workload, schedule, counts)
    )


def _time_metrics(
    workload: Workload, schedule: Schedule, counts: NDArray[np.bool_], tau: float
) -> dict[str, Any]:
    waits = per_job.wait(workload, schedule)[counts]
    slowdowns = per_job.slowdown(workload, schedule)[counts]
    bounded = per_job.bounded_slowdown(workload, schedule, tau)[counts]
    requested = per_job.requested_expansion_factor(workload, schedule)[counts]
    per_processor = per_job.processor_bounded_slowdown(workload, schedule, tau)[counts]
    return (
        {"wait_mean": _mean(waits)}
        | _percentiles("wait", waits)
        | {
            "turnaround_mean": _mean(per_job.turnaround(workload, schedule)[counts]),
            "slowdown_mean": _mean(slowdowns),
            "bounded_slowdown_mean": _mean(bounded),
            "bounded_slowdown_max": _largest(bounded),
            "processor_bounded_slowdown_mean": _mean(per_processor),
        }
        | _percentiles("expansion_factor", slowdowns)
        | _percentiles("requested_expansion_factor", requested)
        | {
            "jobs_without_run_time": int(np.count_nonzero(workload.effective_run[counts] <= 0)),
            "jobs_over_slowdown_100": int(np.count_nonzero(slowdowns > LARGE_SLOWDOWN)),
            "weekly_bounded_slowdown_sum": _weekly_sum(workload, schedule, tau),
        }
    )


def _submission_metrics(
    workload: Workload, schedule: Schedule, counts: NDArray[np.bool_], tau: float
) -> dict[str, Any]:
    """Metrics from the users' submissions on; none where all jobs are submitted then."""
    first = first_submission(workload)
    late = (workload.submitted_before > 0) | (time_held(workload) > 0)
    if not (late & (schedule.submitted(workload) > first)).any():
        return {}
    since = replace(schedule, release=first)
    waits = per_job.wait(workload, since)[counts]
    return (
        {"submission_wait_mean": _mean(waits)}
        | _percentiles("submission_wait", waits)
        | {
            "submission_turnaround_mean": _mean(per_job.turnaround(workload, since)[counts]),
            "submission_slowdown_mean": _mean(per_job.slowdown(workload, since)[counts]),
            "submission_bounded_slowdown_mean": _mean(
                per_job.bounded_slowdown(workload, since, tau)[counts]
            ),
        }
    )


def _value_metrics(
    workload: Workload, schedule: Schedule, counts: NDArray[np.bool_]
) -> dict[str, Any]:
    shares = start_value_share(workload, schedule)[counts]
    offered = float(np.sum(workload.utility.start_values))
    earned = aggregate_utility(workload, schedule)
    return {
        "aggregate_utility": earned,
        "start_value": offered,
        "aggregate_share": earned / offered if offered > 0 else None,
        "start_value_share_mean": _mean(shares),
        **_percentiles("start_value_share", shares, best_first=True),
        "jobs_without_utility": int(np.count_nonzero(~workload.utility.defined)),
    }


def _kind_metrics(
    workload: Workload,
    schedule: Schedule,
    counts: NDArray[np.bool_],
    threshold: float | None,
) -> dict[str, Any]:
    limit = per_job.starvation_threshold(workload, schedule, threshold)
    groups = {
        "run_at_once": per_job.at_once(workload, schedule),
        "premature": per_job.premature(workload),
        "backfilled": schedule.backfilled,
        "starved": per_job.starved(workload, schedule, limit),
    }
    metrics: dict[str, Any] = {"starvation_threshold": limit}
    for name, members in groups.items():
        metrics[f"jobs_{name}"] = int(np.count_nonzero(members & counts))
        metrics[f"share_{name}"] = _mean(members[counts].astype(np.float64))
    return metrics


def _machine_metrics(workload: Workload, schedule: Schedule) -> dict[str, Any]:
    return {
        "machine_size": schedule.machine_size,
        "makespan": machine.makespan(workload, schedule),
        "utilisation": machine.utilisation(workload, schedule),
        "submission_utilisation": machine.submission_utilisation(workload, schedule),
        "passes": schedule.passes,
    }


def _held_metrics(
    workload: Workload, schedule: Schedule, counts: NDArray[np.bool_]
) -> dict[str, Any]:
    """Metrics of jobs that waited for limits and windows; none without a machine file."""
    if schedule.held is None:
        return {}
    limit, window = (wait[counts] for wait in schedule.held)
    waits = {
        "room": schedule.queued(workload)[counts] - limit - window,
        "limit": limit,
        "window": window,
    }
    metrics: dict[str, Any] = {
        f"{name}_wait_hours": math.fsum(wait) / SECONDS_PER_HOUR for name, wait in waits.items()
    }
    for name in ("limit", "window"):
        held = waits[name] > 0
        metrics[f"jobs_held_by_{name}s"] = int(np.count_nonzero(held))
        metrics[f"share_held_by_{name}s"] = _mean(held.astype(np.float64))
    return metrics


def _share_metrics(workload: Workload, schedule: Schedule) -> dict[str, Any]:
    """Metrics of usage against shares; none without a machine file."""
    recorded = recorded_machine(schedule.provenance)
    if recorded is None:
        return {}
    return {"share_deviation": share_deviation(workload, schedule, recorded)}


def _stop_metrics(
    workload: Workload, schedule: Schedule, counts: NDArray[np.bool_]
) -> dict[str, Any]:
    """Metrics of jobs that were stopped and went on later; none where no job could be."""
    segments = schedule.segments
    if segments is None:
        return {}
    preempted = per_job.preempted(schedule)
    hours = workload.size[segments.job] / SECONDS_PER_HOUR
    failed = segments.stop == Stop.FAILED
    return {
        "effective_utilisation": machine.effective_utilisation(workload, schedule),
        "preemptions": int(np.count_nonzero(segments.stop == Stop.PREEMPTED)),
        "preemptions_max": int(
            np.bincount(segments.job[segments.stop == Stop.PREEMPTED], minlength=1).max()
        ),
        "jobs_preempted": int(np.count_nonzero(preempted & counts)),
        "share_preempted": _mean(preempted[counts].astype(np.float64)),
        **_cut_metrics(workload, schedule, counts),
        "queued_mean": _mean(schedule.queued(workload)[counts]),
        "failures": int(np.count_nonzero(failed)),
        "processor_hours_lost": math.fsum(segments.lost * hours),
        "processor_hours_lost_to_failures": math.fsum((segments.lost * hours)[failed]),
        "processor_hours_overhead": math.fsum(segments.overhead * hours),
    }


def _cut_metrics(
    workload: Workload, schedule: Schedule, counts: NDArray[np.bool_]
) -> dict[str, Any]:
    cut = per_job.cut_short(workload, schedule)[counts]
    return {
        "jobs_cut_short": int(np.count_nonzero(cut)),
        "share_cut_short": _mean(cut.astype(np.float64)),
    }


def _sharing_metrics(
    workload: Workload, schedule: Schedule, counts: NDArray[np.bool_], tau: float
) -> dict[str, Any]:
    """Metrics of KELLARI 2.3 of jobs that may share nodes; none where no job could."""
    if not schedule.shared:
        return {}
    slowdowns = per_job.realised_slowdown(workload, schedule)[counts]
    per_processor = slowdowns / workload.size[counts]
    speedups = per_job.job_speedup(workload, schedule)[counts]
    bounded = per_job.realised_bounded_slowdown(workload, schedule, tau)[counts]
    weighted, weighted_deviation = per_job.weighted_speedup(workload, schedule, counts)
    slowed = speedups[~np.isnan(speedups)] < per_job.SLOWED
    return {
        "realised_slowdown_mean": _mean(slowdowns),
        "realised_slowdown_sd": _deviation(slowdowns),
        "realised_bounded_slowdown_mean": _mean(bounded),
        "realised_bounded_slowdown_sd": _deviation(bounded),
        "processor_slowdown_mean": _mean(per_processor),
        "processor_slowdown_sd": _deviation(per_processor),
        "job_speedup_mean": _mean(speedups),
        "job_speedup_sd": _deviation(speedups),
        "job_speedup_weighted": weighted,
        "job_speedup_weighted_sd": weighted_deviation,
        "jobs_slowed": int(np.count_nonzero(slowed)),
        "share_slowed": _mean(slowed.astype(np.float64)),
        **_cut_metrics(workload, schedule, counts),
    }


def _fairness_metrics(
    workload: Workload, schedule: Schedule, counts: NDArray[np.bool_], tau: float
) -> dict[str, Any]:
    bounded = per_job.bounded_slowdown(workload, schedule, tau)
    per_user = user_means(workload, np.where(counts, bounded, np.nan))
    return {
        "users": len(per_user),
        "jain_user_bounded_slowdown": jain(per_user),
        "gini_user_bounded_slowdown": gini(per_user),
    }


def _weekly_sum(workload: Workload, schedule: Schedule, tau: float) -> float | None:
    means = [week.bounded_slowdown for week in weekly(workload, schedule, tau)]
    return math.fsum(mean for mean in means if mean is not None) if means else None


def _percentiles(name: str, values: Floats, *, best_first: bool = False) -> dict[str, float | None]:
    values_at = percentiles(values, LEE_LEVELS, best_first=best_first)
    return {f"{name}_p{level}": value for level, value in zip(LEE_LEVELS, values_at, strict=True)}


def _mean(values: Floats) -> float | None:
    defined = values[~np.isnan(values)]
    return float(np.mean(defined)) if len(defined) else None


def _deviation(values: Floats) -> float | None:
    defined = values[~np.isnan(values)]
    return float(np.std(defined)) if len(defined) else None


def _largest(values: Floats) -> float | None:
    defined = values[~np.isnan(values)]
    return float(np.max(defined)) if len(defined) else None


CLASSES = {
    "share_slowdown_1": (0.0, 1.0),
    "share_slowdown_to_10": (1.0, 10.0),
    "share_slowdown_to_100": (10.0, 100.0),
    "share_slowdown_over_100": (100.0, np.inf),
}
"""Bounded slowdowns above the first number and up to the second (CARASTAN, figure 4.3)."""

SLOWEST = 100
"""Jobs with the largest bounded slowdowns that are looked at (CARASTAN, figure 4.2)."""


def slowdown_metrics(
    workload: Workload, schedule: Schedule, tau: float = TAU, trim: float = 0.0
) -> dict[str, float | None]:
    """Return how bounded slowdowns are distributed.

    Parameters
    ----------
    workload, schedule, tau, trim
        As `utilitysched.analysis.metrics.summary` takes them.

    Returns
    -------
    dict
        Shares of the jobs by class; mean bounded slowdown of the premature jobs over that of all
        others (None without either); median processors of the hundred slowest jobs, of equally
        slow ones those submitted first.

    References
    ----------
    CARASTAN 4.3: figures 4.2 and 4.3, table 4.4.
    """
    counts = measured(workload, trim)
    counts &= ~schedule.cut_short(workload)
    slowdowns = bounded_slowdown(workload, schedule, tau)[counts]
    early = premature(workload)[counts]
    shares = {
        name: float(np.mean((slowdowns > low) & (slowdowns <= high))) if len(slowdowns) else None
        for name, (low, high) in CLASSES.items()
    }
    slowest = np.argsort(-slowdowns, kind="stable")[:SLOWEST]
    mixed = early.any() and not early.all()
    return {
        **shares,
        "premature_slowdown_ratio": float(slowdowns[early].mean() / slowdowns[~early].mean())
        if mixed
        else None,
        "slowest_size_median": float(np.median(workload.size[counts][slowest]))
        if len(slowdowns)
        else None,
    }
