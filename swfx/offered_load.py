"""Work that a log offers its machine."""

from __future__ import annotations

import math

import numpy as np

from swfx.base.columns import Floats
from swfx.base.errors import InputError
from swfx.workload import Workload

__all__ = ["load_over", "offered_load", "processor_seconds"]


def processor_seconds(workload: Workload) -> Floats:
    """Work of each job: size x effective run time, shape (n,), 0 where one is not known.

    The effective run time is the logged one, up to the request: what the machine would do.
    """
    return np.maximum(workload.size, 0) * np.maximum(workload.effective_run, 0.0)


def load_over(work: float, machine_size: int | None, span: float) -> float | None:
    """Share of a machine that some work takes.

    Parameters
    ----------
    work : float
        Processor-seconds.
    machine_size : int or None
        Processors, if known.
    span : float
        Length of the time (s).

    Returns
    -------
    float or None
        None if the machine's size is not known, or the time is not above 0 and finite.
    """
    if machine_size is None or not 0 < span < math.inf:
        return None
    return work / (machine_size * span)


def offered_load(workload: Workload) -> float:
    """Processor-seconds of the jobs over those of the machine while jobs are submitted.

    sum(size x effective run time) / (machine size x (last submit - first submit)), where run times
    end at the request, as they do in simulations.

    Parameters
    ----------
    workload : Workload
        n jobs.

    Raises
    ------
    InputError
        The machine's size is not known, or all jobs are submitted at once.

    Examples
    --------
    >>> from swfx import Header
    >>> log = Workload.from_columns(submit=[0, 100], run=[60, 40], processors=[2, 1],
    ...                             requested_time=[90, 20], header=Header((" MaxProcs: 4",)))
    >>> offered_load(log)
    0.35
    """
    work = float(processor_seconds(workload).sum())
    span = float(np.ptp(workload.submit)) if len(workload) else 0.0
    load = load_over(work, workload.machine_size, span)
    if load is not None:
        return load
    if workload.machine_size is None:
        raise InputError(
            "the load of a machine of unknown size is unknown",
            field="MaxProcs",
            remedy="say how many processors it has",
        )
    raise InputError(
        "jobs that are all submitted at once offer no load over time",
        field="submit",
        remedy="take more jobs",
    )
