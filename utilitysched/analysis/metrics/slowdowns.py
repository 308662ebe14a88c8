"""Distribution of slowdowns: by class, by size, by how long jobs were expected to run."""

import numpy as np

from swfx import Workload
from utilitysched.analysis.metrics.kinds import premature
from utilitysched.analysis.metrics.summary import measured
from utilitysched.analysis.metrics.times import TAU, bounded_slowdown
from utilitysched.model.schedule import Schedule

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
