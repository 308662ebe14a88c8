"""How much work a log offers its machine."""

from __future__ import annotations

import numpy as np

from swfx.errors import InputError
from swfx.workload import Workload

__all__ = ["offered_load"]


def offered_load(workload: Workload, *, as_simulated: bool = False) -> float:
    """Processor-seconds of the jobs over those of the machine while jobs are submitted.

    sum(size x run time) / (machine size x (last submit - first submit)), over the jobs with a size
    and a run time above 0.

    Parameters
    ----------
    workload : Workload
        n jobs.
    as_simulated : bool
        Count run times up to the request, at which the engine ends a job, in place of the log's.

    Raises
    ------
    InputError
        The machine's size is not known, or all jobs are submitted at once.

    Examples
    --------
    >>> from swfx import Header
    >>> log = Workload.from_columns(submit=[0, 100], run=[60, 40], processors=[2, 1],
    ...                             header=Header((" MaxProcs: 4",)))
    >>> offered_load(log)
    0.4
    """
    if workload.machine_size is None:
        raise InputError(
            "the load of a machine of unknown size is unknown",
            field="MaxProcs",
            remedy="say how many processors it has",
        )
    span = float(workload.submit.max() - workload.submit.min())
    if span <= 0:
        raise InputError(
            "jobs that are all submitted at once offer no load over time",
            field="submit",
            remedy="take more jobs",
        )
    run = workload.effective_run if as_simulated else workload.run
    area = float(np.sum(np.maximum(workload.size, 0) * np.maximum(run, 0.0)))
    return area / (workload.machine_size * span)
