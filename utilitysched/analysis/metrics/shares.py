"""Fair share over time: what users and accounts used in each week, against their shares."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swfx import Workload
from swfx.machine import Machine, trivial_machine
from utilitysched.analysis.metrics.machine import WEEK
from utilitysched.model.machine import ShareTable
from utilitysched.model.machine_table import share_tree
from utilitysched.model.schedule import Schedule
from utilitysched.model.segments import spans
from utilitysched.model.state import Floats, Integers


class WeeklyUsage(NamedTuple):
    """Usage of users and accounts in each week, and what their shares say.

    Attributes
    ----------
    entity : tuple of str
        Accounts, and users in them; the first is all of the machine.
    users : (u,) int64
        Those that jobs are of, by number.
    start : (k,) float64
        When each week begins (s on the log's clock), from the first submission on.
    used : (k, e) float64
        Processor-seconds in each week.
    usage : (k, e) float64
        Their part of all that was used in the week, 0 to 1.
    share : (k, e) float64
        Their part by shares among those that had a job in the queue or running in the week, 0 to 1.
    deviation : (k,) float64
        Half the sum of the differences of usage and share of all users, 0 to 1: the part of the
        week's usage that others should have had. Not a number where nothing was used.
    """

    entity: tuple[str, ...]
    users: Integers
    start: Floats
    used: Floats
    usage: Floats
    share: Floats
    deviation: Floats


def usage_by_week(
    workload: Workload, schedule: Schedule, machine: Machine | None = None
) -> WeeklyUsage:
    """Return usage against share by week; usage is not decayed.

    Parameters
    ----------
    workload, schedule
        The jobs and when they ran.
    machine : Machine, optional
        Whose shares count; default: all are equal.
    """
    names, shares = share_tree(machine or trivial_machine(schedule.machine_size), workload)
    submitted = schedule.submitted(workload)
    first = submitted.min(initial=np.inf)
    weeks = int((schedule.end.max() - first) // WEEK) + 1 if len(workload) else 0
    edges = first + WEEK * np.arange(weeks + 1)
    used = _used(workload, schedule, shares, edges)
    share = _entitled(shares, _present(submitted, schedule.end, shares, edges))
    usage = used / np.where(used[:, :1] > 0.0, used[:, :1], np.nan)
    users = np.unique(shares.entity)
    deviation: Floats = np.abs(usage - share)[:, users].sum(axis=1) / 2
    return WeeklyUsage(names, users, edges[:-1], used, np.nan_to_num(usage), share, deviation)


def share_deviation(
    workload: Workload, schedule: Schedule, machine: Machine | None = None
) -> float | None:
    """Return the mean deviation of weekly usage from shares, weighted by usage.

    None where all jobs are of one user, or nothing is used. See `WeeklyUsage`.
    """
    weekly = usage_by_week(workload, schedule, machine)
    worked = ~np.isnan(weekly.deviation)
    if len(weekly.users) < 2 or not worked.any():
        return None
    return float(np.average(weekly.deviation[worked], weights=weekly.used[worked, 0]))


def _used(workload: Workload, schedule: Schedule, shares: ShareTable, edges: Floats) -> Floats:
    """Return the processor-seconds of each entity between neighbouring instants."""
    job, start, end = spans(schedule)
    leaf, size, entities = shares.entity[job], workload.size[job], len(shares.parent)
    up_to = [
        np.bincount(leaf, np.clip(edge - start, 0.0, end - start) * size, entities)
        for edge in edges.tolist()
    ]
    whole = np.reshape(np.array(up_to, np.float64), (-1, entities))
    used: Floats = whole[1:] - whole[:-1]
    for entity in range(entities - 1, 0, -1):
        used[:, shares.parent[entity]] += used[:, entity]
    return used


def _present(
    submitted: Floats, end: Floats, shares: ShareTable, edges: Floats
) -> NDArray[np.bool_]:
    """Return whether each entity had a job in the queue or running, by week."""
    weeks = len(edges) - 1
    changes = np.zeros((weeks + 1, len(shares.parent)), np.int64)
    begun = ((submitted - edges[0]) // WEEK).astype(np.int64)
    ended = np.ceil((end - edges[0]) / WEEK).astype(np.int64)
    np.add.at(changes, (begun, shares.entity), 1)
    np.add.at(changes, (np.maximum(ended, begun + 1), shares.entity), -1)
    present: NDArray[np.bool_] = changes.cumsum(axis=0)[:-1] > 0
    for entity in range(len(shares.parent) - 1, 0, -1):
        present[:, shares.parent[entity]] |= present[:, entity]
    return present


def _entitled(shares: ShareTable, present: NDArray[np.bool_]) -> Floats:
    """Return the part of each entity by shares among those that are there, by week."""
    parts = present * shares.share
    siblings = np.zeros_like(parts)
    np.add.at(siblings.T, shares.parent[1:], parts.T[1:])
    entitled = np.ones_like(parts)
    for entity in range(1, len(shares.parent)):
        parent = shares.parent[entity]
        among = siblings[:, parent]
        part = np.divide(parts[:, entity], among, out=np.zeros(len(among)), where=among > 0.0)
        entitled[:, entity] = entitled[:, parent] * part
    return entitled
