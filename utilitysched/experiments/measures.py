"""Measures of a schedule that are taken where they are asked for: bills, and more metrics."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import pricing
from pricing import Charges
from swfx import Workload
from utilitysched.analysis.metrics import slowdown_metrics, weekly
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.engine.segments_log import waste_of
from utilitysched.model.schedule import Schedule

OVER_TIME = "over_time"
SLOWDOWNS = "slowdowns"

BillMetrics = dict[str, float | None]


def bill_metrics(workload: Workload, schedule: Schedule, mechanism: str) -> BillMetrics:
    """Charge a schedule and sum it up.

    Parameters
    ----------
    workload : Workload
        What was simulated.
    schedule : Schedule
        As `simulate` made it.
    mechanism : str
        Name and options.

    Returns
    -------
    dict of str to float or None
        By the names of `utilitysched.analysis.metrics.catalogue.BILL_METRICS`; None is not defined.

    Raises
    ------
    InputError
        The mechanism cannot price this schedule.
    """
    counterfactual = Counterfactuals.of(workload, schedule)
    used = None if schedule.segments is None else schedule.running_time
    charges = pricing.charge(
        workload,
        schedule.start,
        schedule.end,
        mechanism,
        counterfactual=counterfactual,
        used=used,
        waste=waste_of(schedule.segments),
        cut_short=schedule.cut_short(workload),
        shared=schedule.shared,
    )
    return bill_summary(charges)


def bill_summary(charges: Charges) -> BillMetrics:
    """Sum up a bill."""
    jobs = len(charges)
    broken = pricing.individual_rationality(charges)
    free, over = int(np.count_nonzero(charges.charge <= 0)), len(broken.job_ids)
    value = math.fsum(charges.outcome.utility)
    hours = math.fsum(charges.outcome.processor_hours)
    return {
        "jobs_billed": jobs,
        "revenue": charges.total,
        "revenue_share": _ratio(charges.total, value),
        "revenue_per_hour": _ratio(charges.total, hours),
        "jobs_free": free,
        "share_free": _ratio(free, jobs),
        "jobs_overcharged": over,
        "share_overcharged": _ratio(over, broken.judged),
        "overcharge": broken.overcharge,
        "charge_error": _mean_error(charges),
    }


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _mean_error(charges: Charges) -> float | None:
    """Return the mean standard error of a charge (SU); None where nobody was asked twice."""
    errors = getattr(charges.evidence, "error", np.empty(0))
    known = errors[np.isfinite(errors)]
    return math.fsum(known) / len(known) if len(known) else None


def over_time(
    workload: Workload,
    schedule: Schedule,
    tau: float,  # noqa: ARG001 - slowdowns do not count
    trim: float,  # noqa: ARG001 - all jobs do
) -> dict[str, Any]:
    """Return sums of waits by week of submission (s), and what a selection chose.

    Returns
    -------
    dict
        ``over_time`` with ``wait``, a sum for each week, and ``chosen``, a name for each day from
        the first submission to the last; empty where nothing was chosen.
    """
    waits = [week.jobs * (week.wait or 0.0) for week in weekly(workload, schedule)]
    choices = list(schedule.provenance.get("choices", []))  # type: ignore[call-overload]
    days = np.arange(workload.submit.min(), workload.submit.max(), 86_400.0)
    last = np.searchsorted([begin for begin, _ in choices], days, side="right") - 1
    chosen = [choices[place][1] for place in last.tolist()] if choices else []
    return {OVER_TIME: {"wait": waits, "chosen": chosen}}


EXTRA: Mapping[str, Callable[[Workload, Schedule, float, float], Mapping[str, Any]]] = {
    OVER_TIME: over_time,
    SLOWDOWNS: slowdown_metrics,
}
"""By name: functions of workload, schedule, tau and trim."""
