"""Waits of groups of jobs: of a partition, an account, a QOS, or the submissions of a week."""

from typing import NamedTuple

import numpy as np

from swfx import Workload
from swfx.offered_load import processor_seconds
from utilitysched.analysis.metrics.machine import WEEK
from utilitysched.analysis.metrics.summary import measured, percentiles
from utilitysched.model.schedule import Schedule
from utilitysched.model.state import Floats, Integers

WEEKS = "week"
"""Kind of the groups of jobs submitted in the same week."""

LABELS = ("partition", "account", "qos", "queue")
"""Kinds of labels by which waits are told."""


class GroupWaits(NamedTuple):
    """Waits of a group of jobs.

    Attributes
    ----------
    name : str
        Name of the label; number of the week, from 0, which begins with the first submission.
    jobs : int
        Jobs that were measured.
    share_of_work : float or None
        Share of the processor-hours of all jobs measured; None where there are none.
    wait_mean, wait_p50, wait_p90 : float
        Mean, median and 90th percentile of their waits (s).
    """

    name: str
    jobs: int
    share_of_work: float | None
    wait_mean: float
    wait_p50: float
    wait_p90: float


def wait_kinds(workload: Workload) -> tuple[str, ...]:
    """Return the kinds of groups that a workload has: labels of any job, and weeks."""
    return (*(kind for kind in LABELS if kind in workload.labels.kinds), WEEKS)


def waits_by(
    workload: Workload, schedule: Schedule, kind: str, *, trim: float = 0.0, most: int | None = None
) -> list[GroupWaits]:
    """Return waits by group, labels with most processor-hours first, weeks in order.

    Parameters
    ----------
    workload, schedule
        The jobs and when they ran.
    kind : str
        Kind of label, such as ``account``; ``week`` for the week of the submission.
    trim : float
        Share of the jobs at either end that are left out; see `measured`.
    most : int, optional
        Labels that have a group of their own; jobs of all others are one group, the last.

    Raises
    ------
    InputError
        No job has a label of the kind, or `trim` is out of range.
    """
    counts = measured(workload, trim)
    work = processor_seconds(workload)[counts]
    if kind == WEEKS:
        submitted = schedule.submitted(workload)
        week = (submitted - submitted.min(initial=np.inf)) // WEEK
        member = week[counts].astype(np.int64)
        names = [str(number) for number in range(int(member.max(initial=-1)) + 1)]
    else:
        labels = workload.labels.required(kind)
        numbers, label = np.unique(labels.numbers[counts], return_inverse=True)
        order = np.argsort(-np.bincount(label, work, len(numbers)), kind="stable")
        names, member = _listed([labels.name(number) for number in numbers[order].tolist()], most)
        member = member[np.argsort(order)[label]]
    jobs = np.bincount(member, minlength=len(names))
    shares = np.bincount(member, work, len(names)) / (float(work.sum()) or np.nan)
    waits = schedule.wait(workload)[counts][np.argsort(member, kind="stable")]
    parts = np.split(waits, np.cumsum(jobs)[:-1])
    return [
        GroupWaits(name, len(part), None if np.isnan(share) else share, *_waits(part))
        for name, share, part in zip(names, shares.tolist(), parts, strict=True)
        if len(part)
    ]


def _listed(names: list[str], most: int | None) -> tuple[list[str], Integers]:
    """Return the names of groups, and the group of each label; the last ones share a group."""
    group = np.arange(len(names))
    if most is None or len(names) <= most:
        return names, group
    return [*names[:most], f"{len(names) - most:,} others"], np.minimum(group, most)


def _waits(waits: Floats) -> tuple[float, float, float]:
    """Return mean, median and 90th percentile of the waits of a job or more."""
    half, most = percentiles(waits, (50, 90))
    assert half is not None, "a group has a job"
    assert most is not None, "a group has a job"
    return float(waits.mean()), half, most
