"""Plans of schedulers beside the best schedule."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from swfx import InputError
from swfx.base.options import nearest
from utilitysched.exact.optimum import Optimum
from utilitysched.exact.orders import best_order
from utilitysched.exact.planned import planned
from utilitysched.exact.problem import StaticProblem
from utilitysched.model.forecast import DURATIONS, ForecastRule
from utilitysched.model.scheduler import Scheduler
from utilitysched.model.state import Floats
from utilitysched.runs.snapshot import Snapshot


class Compared(NamedTuple):
    """The best schedule, and what plans are worth by the same reading.

    Attributes
    ----------
    best : Optimum
        Of all schedules.
    orders : float or None
        What the best order's plan is worth (SU), None of long queues.
    plans : dict of str to float
        What each scheduler's plan is worth (SU), by label.
    """

    best: Optimum
    orders: float | None
    plans: dict[str, float]


def problem_for(snapshot: Snapshot, scheduler: Scheduler, duration: str | None) -> StaticProblem:
    """Return the problem of a snapshot, values read as named or else as the scheduler does.

    Raises
    ------
    InputError
        There is no such duration.
    """
    if duration is None:
        return StaticProblem(snapshot, scheduler.rule)
    if duration not in DURATIONS:
        raise InputError(
            f"{duration!r} is no duration", field="read", remedy=nearest(duration, DURATIONS)
        )
    return StaticProblem(snapshot, ForecastRule(duration))


def compare(
    problem: StaticProblem,
    schedulers: Sequence[Scheduler],
    seed: int,
    search: Callable[..., Optimum],
) -> Compared:
    """Ask schedulers for plans, and `search` for the best schedule from the best of them on."""
    starts = {one.label: planned(problem.snapshot, one, seed) for one in schedulers}
    ordered = best_order(problem)
    known = [*starts.values(), *([] if ordered is None else [ordered])]
    hint = max(known, key=lambda start: _worth(problem, start), default=None)
    return Compared(
        search(problem, hint=hint),
        None if ordered is None else _worth(problem, ordered),
        {label: _worth(problem, start) for label, start in starts.items()},
    )


def _worth(problem: StaticProblem, start: Floats) -> float:
    return math.fsum(problem.values(start))
