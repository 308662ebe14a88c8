"""Classes of jobs, by queue, user or size, and their utility functions on one scale."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swfx import InputError, UtilityFunction, Workload
from utilitysched.model.state import Floats, Integers

POINTS = 101
ENOUGH = 10_000
"""Curves of larger classes are not all looked at: quartiles are within one part in a hundred."""

QUARTILES = (25.0, 50.0, 75.0)


class Band(NamedTuple):
    """Where the curves of a class lie.

    Attributes
    ----------
    time : (k,) float64
        Turnaround over the deadline, 0 to 1.
    low, median, high : (k,) float64
        Quartiles of the share of the start value that is left then.
    jobs : int
        Of the class, each with a start value above 0.
    """

    time: Floats
    low: Floats
    median: Floats
    high: Floats
    jobs: int


def valued(workload: Workload, chosen: NDArray[np.bool_]) -> Integers:
    """Positions of the chosen jobs, (n,) bool, that have a curve with a start value above 0."""
    return np.flatnonzero(chosen & (workload.utility.start_values > 0))


def deadlines(workload: Workload, jobs: Integers) -> Floats:
    """Last time of the curve of each job (s since submission); the jobs have one."""
    ends: Integers = workload.utility.offsets[1:][jobs] - 1
    return workload.utility.times[ends]


def band(workload: Workload, jobs: Integers, points: int = POINTS) -> Band:
    """Quartiles of normalised curves.

    Curves differ in height and length by orders of magnitude. Divided by start value and by
    deadline they can be laid over each other. Of more than `ENOUGH` jobs, so many are looked at.

    Parameters
    ----------
    workload : Workload
        Has the curves.
    jobs : (m,) int64
        Positions, as from `valued`; at least one.
    points : int, default 101
        Times at which the quartiles are taken.
    """
    looked_at = sample(jobs, ENOUGH)
    table = workload.utility.take(looked_at)
    start, deadline = table.start_values, deadlines(workload, looked_at)
    time = np.linspace(0, 1, points)
    left = np.stack([table.evaluate(share * deadline) / start for share in time])
    low, median, high = np.percentile(left, QUARTILES, axis=1)
    return Band(time, low, median, high, len(jobs))


def sample(jobs: Integers, count: int) -> Integers:
    """At most `count` jobs spread evenly over those given: the same each time."""
    if len(jobs) <= count:
        return jobs
    return jobs[np.linspace(0, len(jobs) - 1, count).astype(np.int64)]


def normalised(curve: UtilityFunction) -> tuple[Floats, Floats]:
    """Return times over the deadline and values over the start value, which is above 0."""
    return curve.times / curve.deadline, curve.values / curve.start_value


def numbered(workload: Workload, jobs: Sequence[int | str]) -> list[int]:
    """Return the positions of jobs by number or name; the first of a number that occurs twice.

    Raises
    ------
    InputError
        A job is not there, or a name stands for several.
    """
    return list(map(workload.job_names.position, jobs))


def of_size(workload: Workload, least: int, most: int) -> Integers:
    """Return the positions of the jobs of `least` to `most` processors."""
    jobs = np.flatnonzero((workload.size >= least) & (workload.size <= most))
    if len(jobs) == 0:
        sizes = workload.size.tolist() or [0]
        raise InputError(
            f"no job has {least} to {most} processors",
            remedy=f"jobs have {min(sizes)} to {max(sizes)}",
        )
    return jobs


def named_classes(
    workload: Workload,
    queues: Sequence[str],
    users: Sequence[str],
    sizes: Sequence[tuple[int, int]],
) -> dict[str, Integers]:
    """Return classes of jobs by title; a single class of all jobs by default.

    Queues and users are numbers or names.
    """
    classes: dict[str, Integers] = {}
    for field, chosen in (("queue", queues), ("user", users)):
        known = workload.labels.in_field(field)
        for number in map(known.number, chosen):
            classes[known.title(number)] = np.flatnonzero(known.numbers == number)
    for least, most in sizes:
        one = "1 processor" if most == 1 else f"{most} processors"
        text = one if least == most else f"{least} to {most} processors"
        classes[text] = of_size(workload, least, most)
    return classes or {"all": np.arange(len(workload))}
