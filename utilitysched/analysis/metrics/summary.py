"""Summary of a schedule: all metrics, ready for JSON; no NaN, None where one is not defined."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swfx import InputError, Workload
from utilitysched.analysis.metrics import jobs as per_job
from utilitysched.analysis.metrics import machine
from utilitysched.analysis.metrics.distribution import (
    LEE_LEVELS,
    gini,
    jain,
    percentiles,
    user_means,
)
from utilitysched.analysis.metrics.jobs import (
    TAU,
    aggregate_utility,
    bounded_slowdown,
    premature,
    start_value_share,
)
from utilitysched.analysis.metrics.machine import weekly
from utilitysched.model.schedule import Schedule
from utilitysched.model.segments import Stop
from utilitysched.model.state import Floats

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
        Metrics in s, SU, or shares from 0 to 1; docs/metrics.md says which is what.

    Raises
    ------
    InputError
        If `tau` or `trim` is out of range.
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
        | _value_metrics(workload, schedule, counts)
        | _kind_metrics(workload, schedule, counts, threshold)
        | _machine_metrics(workload, schedule)
        | _stop_metrics(workload, schedule, counts)
        | _sharing_metrics(workload, schedule, counts, tau)
        | _fairness_metrics(workload, schedule, counts, tau)
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
            "jobs_without_run_time": int(np.count_nonzero(np.isnan(slowdowns))),
            "jobs_over_slowdown_100": int(np.count_nonzero(slowdowns > LARGE_SLOWDOWN)),
            "weekly_bounded_slowdown_sum": _weekly_sum(workload, schedule, tau),
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


def _stop_metrics(
    workload: Workload, schedule: Schedule, counts: NDArray[np.bool_]
) -> dict[str, Any]:
    """Metrics of jobs that were stopped and went on later; none where no job could be."""
    found = schedule.segments
    if found is None:
        return {}
    preempted = per_job.preempted(schedule)
    cut = per_job.cut_short(workload, schedule)
    hours = workload.size[found.job] / SECONDS_PER_HOUR
    failed = found.stop == Stop.FAILED
    return {
        "effective_utilisation": machine.effective_utilisation(workload, schedule),
        "preemptions": int(np.count_nonzero(found.stop == Stop.PREEMPTED)),
        "preemptions_max": int(
            np.bincount(found.job[found.stop == Stop.PREEMPTED], minlength=1).max()
        ),
        "jobs_preempted": int(np.count_nonzero(preempted & counts)),
        "share_preempted": _mean(preempted[counts].astype(np.float64)),
        "jobs_cut_short": int(np.count_nonzero(cut & counts)),
        "share_cut_short": _mean(cut[counts].astype(np.float64)),
        "queued_mean": _mean(schedule.queued(workload)[counts]),
        "failures": int(np.count_nonzero(failed)),
        "processor_hours_lost": math.fsum(found.lost * hours),
        "processor_hours_lost_to_failures": math.fsum((found.lost * hours)[failed]),
        "processor_hours_overhead": math.fsum(found.overhead * hours),
    }


def _sharing_metrics(
    workload: Workload, schedule: Schedule, counts: NDArray[np.bool_], tau: float
) -> dict[str, Any]:
    """Metrics of KELLARI 2.3 of jobs that may share nodes; none where no job could."""
    if "shared" not in schedule.provenance:
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
    return sum(mean for mean in means if mean is not None) if means else None


def _percentiles(name: str, values: Floats, *, best_first: bool = False) -> dict[str, float | None]:
    found = percentiles(values, LEE_LEVELS, best_first=best_first)
    return {f"{name}_p{level}": value for level, value in zip(LEE_LEVELS, found, strict=True)}


def _mean(values: Floats) -> float | None:
    defined = values[~np.isnan(values)]
    return float(np.mean(defined)) if len(defined) else None


def _deviation(values: Floats) -> float | None:
    defined = values[~np.isnan(values)]
    return float(np.std(defined)) if len(defined) else None


def _largest(values: Floats) -> float | None:
    return float(np.max(values)) if len(values) else None


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
    found = bounded_slowdown(workload, schedule, tau)[counts]
    early = premature(workload)[counts]
    shares = {
        name: float(np.mean((found > low) & (found <= high))) if len(found) else None
        for name, (low, high) in CLASSES.items()
    }
    slowest = np.argsort(-found, kind="stable")[:SLOWEST]
    mixed = early.any() and not early.all()
    return {
        **shares,
        "premature_slowdown_ratio": float(found[early].mean() / found[~early].mean())
        if mixed
        else None,
        "slowest_size_median": float(np.median(workload.size[counts][slowest]))
        if len(found)
        else None,
    }
