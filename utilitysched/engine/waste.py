"""Costs of the stops of a schedule, as prices take them."""

import numpy as np

from pricing import Waste
from utilitysched.model.segments import Segments, Stop


def waste_of(segments: Segments | None) -> Waste | None:
    """Return what was lost where jobs were stopped; None where none could be.

    The work that a segment lost belongs to the stop at its end, the overhead at the head of the
    next one to the same stop.

    Parameters
    ----------
    segments : Segments or None
        Of a schedule.

    Examples
    --------
    >>> waste_of(None) is None
    True
    """
    if segments is None:
        return None
    by_job = np.argsort(segments.job, kind="stable")
    again = np.diff(segments.job[by_job]) == 0
    stopped, resumed = by_job[:-1][again], by_job[1:][again]
    return Waste(
        segments.job[stopped],
        segments.cause[stopped],
        segments.stop[stopped] == Stop.PREEMPTED,
        segments.lost[stopped],
        segments.overhead[resumed],
        None if segments.value_lost is None else segments.value_lost[stopped],
    )
