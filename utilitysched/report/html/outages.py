"""Outages of processors, in the Gantt chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from bokeh.models import ColumnDataSource

from swfx import InputError
from utilitysched.engine.failure_record import FailureRecord
from utilitysched.report.html.columns import compact, stored
from utilitysched.runs import RunResults

if TYPE_CHECKING:
    from checkpoint.failures import Outages


def outages_of(run: RunResults) -> Outages | None:
    """Return the outages of a run until its last job ended.

    A run directory does not keep them: they are drawn again, by what it says of them. None if
    nothing could fail, or if they cannot be had any more as they were.
    """
    record = FailureRecord.of(run.schedule.provenance)
    if record is None:
        return None
    try:
        failures = record.again(run.schedule.machine_size)
    except InputError:
        return None
    begin, end = np.min(run.workload.submit, initial=np.inf), np.max(run.schedule.end, initial=0)
    if begin > end:
        return None
    found = failures.between(float(begin), float(end)).before(float(end))
    return found if found.digest == record.digest else None


def drawn_outages(place: int, run: RunResults, origin: float) -> list[ColumnDataSource]:
    """Return columns for the page's script: seconds since `origin`, and ranges of processors."""
    found = outages_of(run)
    if found is None:
        return []
    columns = {
        "from": compact(found.start - origin),
        "until": compact(np.minimum(found.end, np.max(run.schedule.end)) - origin),
        "low": compact(found.low),
        "high": compact(found.high),
        "cause": compact(found.cause),
    }
    names = ColumnDataSource(data={"name": list(found.causes)}, name=f"causes {place}")
    return [stored(f"outages {place}", **columns), names]
