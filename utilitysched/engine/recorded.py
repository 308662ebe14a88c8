"""Schedules that a log tells of."""

from typing import NamedTuple

import numpy as np

from swfx import InputError
from utilitysched.engine.outages import Downtime
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.schedule import SimulationOutcome
from utilitysched.model.scheduler import RecordedTimes
from utilitysched.model.state import Floats, Integers, JobTable


class Occupation(NamedTuple):
    """How full a schedule has the machine.

    Attributes
    ----------
    most : int
        The most processors in use at a time.
    since : float
        When they first were (s on the log's clock).
    beyond : float
        For how long more were in use than the machine has (s).
    """

    most: int
    since: float
    beyond: float


def recorded_outcome(
    times: RecordedTimes, arrivals: Arrivals, downtime: Downtime | None
) -> SimulationOutcome:
    """Return what a log tells as a simulation would: no scheduling passes are known of.

    A job counts as backfilled if it started before one that was submitted earlier.
    """
    start, end = times.start[arrivals.order], times.end[arrivals.order]
    earlier = np.maximum.accumulate(start)
    backfilled = start < earlier
    # what broke after the last job is not part of the schedule
    last = float(end.max(initial=-np.inf))
    outages = None if downtime is None else downtime.outages.before(last)
    return SimulationOutcome(
        start, end, backfilled, passes=0, segments=times.segments, outages=outages
    )


def conditions(
    times: RecordedTimes, outcome: SimulationOutcome, known: JobTable
) -> dict[str, object]:
    """Return for provenance on what terms jobs shared nodes, or else how full the machine was."""
    if times.shared is not None:
        return {"shared": dict(times.shared)}
    full = occupation(outcome.start, outcome.end, known.size, known.machine_size)
    return {"recorded": full._asdict()}


def refuse_changes(label: str, **changes: object) -> None:
    """Refuse what would change a schedule that is settled.

    Raises
    ------
    InputError
        Any of these is wanted.
    """
    for name, wanted in changes.items():
        if wanted:
            raise InputError(
                f"{label} takes what happened as it is: no {name}",
                field=name,
                remedy="leave it out, or simulate a scheduler",
            )


def occupation(start: Floats, end: Floats, size: Integers, machine_size: int) -> Occupation:
    """Return how full a machine is; who ends at an instant makes room for those that start.

    Parameters
    ----------
    start, end : (n,) float64
        Of each job (s).
    size : (n,) int64
        Its processors.
    machine_size : int
        Processors of the machine.
    """
    lasting = np.flatnonzero(end > start)
    if not len(lasting):
        return Occupation(0, 0.0, 0.0)
    # ends before starts: a stable sort keeps them so at one instant
    time = np.concatenate([end[lasting], start[lasting]])
    change = np.concatenate([-size[lasting], size[lasting]])
    order = np.argsort(time, kind="stable")
    time, used = time[order], np.cumsum(change[order])
    fullest = int(np.argmax(used))
    lasts = np.append(np.diff(time), 0.0)
    beyond = float(lasts[used > machine_size].sum())
    return Occupation(int(used[fullest]), float(time[fullest]), beyond)
