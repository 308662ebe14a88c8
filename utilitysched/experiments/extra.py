"""Measures of a schedule that are taken where they are asked for, besides those of all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from swfx import Workload
from utilitysched.analysis.metrics import slowdown_metrics, weekly
from utilitysched.model.schedule import Schedule

OVER_TIME = "over_time"
SLOWDOWNS = "slowdowns"


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
