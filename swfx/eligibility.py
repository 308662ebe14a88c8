"""Eligibility: when jobs could start at the earliest, after begin times, holds and dependencies."""

from __future__ import annotations

import numpy as np

from swfx.base.columns import Floats
from swfx.dependencies import dependencies as dependencies_of
from swfx.fields import MISSING
from swfx.workload import Workload

__all__ = ["first_submission", "submitted_when_eligible", "time_held"]


def time_held(workload: Workload) -> Floats:
    """Return the time (s) from submission until each job could start, (n,); 0 where unknown.

    No longer than the wait in the log: a job that has started was eligible.

    Examples
    --------
    >>> log = Workload.from_columns(wait=[60, 60, -1], eligible=[50, 90, 90])
    >>> time_held(log).tolist()
    [50.0, 60.0, 90.0]
    """
    held = np.maximum(workload.eligible, 0.0)
    return np.where(workload.wait >= 0, np.minimum(held, workload.wait), held)


def submitted_when_eligible(workload: Workload, *, dependencies: bool = False) -> Workload:
    """Return the workload with each job submitted when it became eligible.

    Waits in the log become shorter by as much, and `submitted_before` keeps it. Jobs stay in their
    order. The same workload is returned where no job was held.

    Parameters
    ----------
    workload : Workload
        n jobs.
    dependencies : bool, default False
        Dependencies are simulated: a job with a preceding job keeps its submission, as that one
        decides how long it is held.

    Examples
    --------
    >>> log = Workload.from_columns(submit=[0, 5], wait=[10, 60], eligible=[0, 50])
    >>> moved = submitted_when_eligible(log)
    >>> moved.submit.tolist(), moved.wait.tolist(), moved.submitted_before.tolist()
    ([0.0, 55.0], [10.0, 10.0], [0.0, 50.0])
    """
    held = time_held(workload)
    if dependencies and held.any():
        held = np.where(dependencies_of(workload).predecessor == MISSING, held, 0.0)
    if not held.any():
        return workload
    return workload.replace(
        submit=workload.submit + held,
        wait=np.where(workload.wait >= 0, workload.wait - held, workload.wait),
        eligible=np.full(len(workload), MISSING),
        submitted_before=np.maximum(workload.submitted_before, 0.0) + held,
    )


def first_submission(workload: Workload) -> Floats:
    """Return when users submitted each job (s), (n,), if jobs are submitted when eligible or not.

    Examples
    --------
    >>> log = Workload.from_columns(submit=[0, 5], eligible=[0, 50])
    >>> first_submission(submitted_when_eligible(log)).tolist()
    [0.0, 5.0]
    """
    return workload.submit - np.maximum(workload.submitted_before, 0.0)
