"""Metrics of a bill: of a schedule charged by one mechanism."""

from __future__ import annotations

import math

import numpy as np

import pricing
from pricing import Charges
from swfx import Workload
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.engine.segments_log import waste_of
from utilitysched.model.schedule import Schedule

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
        By the names of `utilitysched.experiments.metric_names.BILL_METRICS`; None is not defined.

    Raises
    ------
    InputError
        The mechanism cannot price this schedule.
    """
    asked = Counterfactuals.of(workload, schedule)
    used = None if schedule.segments is None else schedule.running_time
    if "shared" in schedule.provenance:
        used = pricing.unslowed(workload, schedule.start, schedule.end)
    charges = pricing.charge(
        workload,
        schedule.start,
        schedule.end,
        mechanism,
        counterfactual=asked,
        used=used,
        waste=waste_of(schedule.segments),
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
