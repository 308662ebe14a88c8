"""Classes of jobs, by queue, user or size: positions; an InputError where there are none."""

from collections.abc import Sequence

import numpy as np

from swfx import InputError, Workload
from swfx.labels import field_labels
from utilitysched.model.state import Integers


def numbered(workload: Workload, numbers: Sequence[int]) -> list[int]:
    """Return the positions of the jobs with these numbers; the first where several share one."""
    first = {number: place for place, number in reversed(list(enumerate(workload.job_id.tolist())))}
    for number in numbers:
        if number not in first:
            raise InputError(
                f"no job has the number {number}",
                field="--job",
                remedy=f"numbers go from {min(first, default=0)} to {max(first, default=0)}",
            )
    return [first[number] for number in numbers]


def of_size(workload: Workload, least: int, most: int) -> Integers:
    """Return the positions of the jobs of `least` to `most` processors."""
    found = np.flatnonzero((workload.size >= least) & (workload.size <= most))
    if len(found) == 0:
        sizes = workload.size.tolist() or [0]
        raise InputError(
            f"no job has {least} to {most} processors",
            field="--size",
            remedy=f"jobs have {min(sizes)} to {max(sizes)}",
        )
    return found


def named_classes(
    workload: Workload,
    queues: Sequence[str],
    users: Sequence[str],
    sizes: Sequence[tuple[int, int]],
) -> dict[str, Integers]:
    """Return classes of jobs by their titles; all jobs as one where none is chosen.

    Queues and users are numbers or names.
    """
    found: dict[str, Integers] = {}
    for field, chosen in (("queue", queues), ("user", users)):
        known = field_labels(workload, field)
        for number in map(known.number, chosen):
            found[known.title(number)] = np.flatnonzero(known.numbers == number)
    for least, most in sizes:
        one = "1 processor" if most == 1 else f"{most} processors"
        text = one if least == most else f"{least} to {most} processors"
        found[text] = of_size(workload, least, most)
    return found or {"all": np.arange(len(workload))}
