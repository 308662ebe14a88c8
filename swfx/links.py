"""Links between jobs: the preceding job (field 17) and the think time after it (field 18)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Bools, Ints
from swfx.fields import MISSING
from swfx.job_names import JOB_KEY
from swfx.workload import Workload

__all__ = ["Linked", "chosen", "cut", "on_cycles", "renumbered"]


class Linked(NamedTuple):
    """A workload whose links hold, and how many had to be taken out."""

    workload: Workload
    cut: int


def chosen(workload: Workload, which: slice | Bools | Ints) -> Linked:
    """Choose some jobs of a workload, and cut links to those that are not among them.

    Examples
    --------
    >>> log = Workload.from_columns(submit=[0, 5, 9], preceding_job=[-1, 1, 2])
    >>> some = chosen(log, slice(1, 3))
    >>> some.workload.preceding_job.tolist(), some.cut
    ([-1, 2], 1)
    """
    kept = workload[which]
    leads = kept.preceding_job
    lost = leads > 0
    if lost.any():
        lost &= np.isin(leads, workload.job_id) & ~np.isin(leads, kept.job_id)
    return _without(kept, lost)


def cut(workload: Workload, gone: npt.ArrayLike) -> Linked:
    """Take out the links to jobs of the numbers `gone`."""
    linked = workload.preceding_job > 0
    if not linked.any():
        return Linked(workload, 0)
    return _without(workload, linked & np.isin(workload.preceding_job, gone))


def renumbered(workload: Workload, group: Ints | None = None) -> Linked:
    """Give the jobs the numbers 1 to n, without names; links follow, within their group.

    Parameters
    ----------
    workload : Workload
        n jobs. Where a number repeats within a group, links lead to the first job that has it.
    group : ndarray of int64, shape (n,), optional
        Jobs of different groups have numbers of different logs; by default there is one group.
    """
    numbers = np.arange(1, len(workload) + 1)
    groups = np.zeros(len(workload), np.int64) if group is None else group
    workload = workload.replace(header=workload.header.without(JOB_KEY))
    workload = _parts_renumbered(workload, groups, numbers)
    linked = np.flatnonzero(workload.preceding_job > 0)
    if not len(linked):
        return Linked(workload.replace(job_id=numbers), 0)
    known: dict[tuple[int, int], int] = {}
    for key, number in zip(_pairs(groups, workload.job_id), numbers.tolist(), strict=True):
        known.setdefault(key, number)
    leads = workload.preceding_job.copy()
    wanted = _pairs(groups[linked], workload.preceding_job[linked])
    leads[linked] = [known.get(key, MISSING) for key in wanted]
    lost = (leads == MISSING) & (workload.preceding_job > 0)
    return _without(workload.replace(job_id=numbers, preceding_job=leads), lost)


def on_cycles(predecessor: Ints) -> Bools:
    """Return a mask of the jobs that wait for themselves, directly or through others.

    Parameters
    ----------
    predecessor : ndarray of int64, shape (n,)
        Position of the job that each job waits for; -1 for none.

    Examples
    --------
    >>> on_cycles(np.array([1, 0, 1, -1])).tolist()
    [True, True, False, False]
    """
    nowhere = len(predecessor)
    following = np.append(np.where(predecessor < 0, nowhere, predecessor), nowhere)
    for _ in range(nowhere.bit_length()):  # ways as long as there are jobs end on cycles
        following = following[following]
    cyclic = np.zeros(nowhere + 1, np.bool_)
    cyclic[following] = True
    return cyclic[:nowhere]


def _parts_renumbered(workload: Workload, groups: Ints, numbers: Ints) -> Workload:
    """Have parts of one heterogeneous job go by the first of their new numbers."""
    parts = np.flatnonzero(workload.part_of > 0)
    if not len(parts):
        return workload
    part_of, first = workload.part_of.copy(), dict[tuple[int, int], int]()
    for place, key in zip(parts.tolist(), _pairs(groups[parts], part_of[parts]), strict=True):
        part_of[place] = first.setdefault(key, int(numbers[place]))
    return workload.replace(part_of=part_of)


def _pairs(group: Ints, number: Ints) -> list[tuple[int, int]]:
    return list(zip(group.tolist(), number.tolist(), strict=True))


def _without(workload: Workload, lost: Bools) -> Linked:
    if not lost.any():
        return Linked(workload, 0)
    return Linked(
        workload.replace(
            preceding_job=np.where(lost, MISSING, workload.preceding_job),
            think_time=np.where(lost, MISSING, workload.think_time),
        ),
        int(lost.sum()),
    )
