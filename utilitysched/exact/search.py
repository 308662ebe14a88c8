"""The search behind the plan of a genetic scheduler at a moment, and what it changed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from utilitysched.kernels.fitness import worth_of_order
from utilitysched.model.scheduler import Scheduler
from utilitysched.model.state import Floats, Integers
from utilitysched.runs.snapshot import Snapshot
from utilitysched.schedulers.genetic.genome_map import Memory
from utilitysched.schedulers.genetic.scheduler import LAST, GeneticScheduler, LatestSearch

ARRIVAL = "arrival"
"""What a search begins with the order of in place of a plan last decided on, if there is none."""


class ExplainedSearch(NamedTuple):
    """How the plan of a moment was bred, and what sets it apart from the order it is drawn to.

    Attributes
    ----------
    jobs : int
        Queued jobs that were put in order; others follow.
    trace : (generations + 1, 5) float64
        `utilitysched.kernels.evolution.RECORD` of each generation.
    first : str
        Name of the order that the prior draws plans to, the first that the search began with.
    ancestors : tuple of str
        Names of the orders that the best one descends from.
    born : int
        Generation in which it appeared.
    starts, leaves : (s,), (l,) int64
        Ids of jobs that the plan starts now and that of `first` would not; the other way round.
    gained : float
        What the plan is worth more than that of `first`, as the search reads values (SU).
    pull : float
        What the prior takes from that, as the order is another (SU).
    """

    jobs: int
    trace: Floats
    first: str
    ancestors: tuple[str, ...]
    born: int
    starts: Integers
    leaves: Integers
    gained: float
    pull: float

    @property
    def generations(self) -> int:
        """Generations bred."""
        return len(self.trace) - 1


def explained_search(
    snapshot: Snapshot, scheduler: Scheduler, start: Floats
) -> ExplainedSearch | None:
    """Return the latest search of a scheduler, explained; None without a search.

    Parameters
    ----------
    snapshot : Snapshot
        The moment.
    scheduler : Scheduler
        It has been asked there, by `planned`.
    start : (k,) float64
        The starts that it planned (s), in the order of the queue.
    """
    if not isinstance(scheduler, GeneticScheduler) or scheduler.latest is None:
        return None
    search = scheduler.latest
    first, evolved = search.first, search.evolved
    names = [ARRIVAL if name == LAST else name for name in first.names]
    now = snapshot.now
    planned, by_first = start <= now, _starts_of_first(snapshot, scheduler, search) <= now
    return ExplainedSearch(
        len(search.job),
        evolved.trace,
        names[first.origin[0]],
        tuple(dict.fromkeys(name for i, name in enumerate(names) if evolved.ancestry >> i & 1)),
        evolved.born,
        snapshot.ids[planned & ~by_first],
        snapshot.ids[by_first & ~planned],
        evolved.value - worth_of_order(first.orders[0], search.decision.problem),
        evolved.value - evolved.fitness,
    )


def _starts_of_first(
    snapshot: Snapshot, scheduler: GeneticScheduler, search: LatestSearch
) -> Floats:
    """Return when each queued job would start if the search had kept its first order (s).

    Jobs that were not searched follow as they follow the plan decided on.
    """
    decided = scheduler.memory.order
    behind = decided[~np.isin(decided, search.job)]
    order = np.concatenate([search.job[search.first.orders[0]], behind])
    return scheduler.whole_plan(snapshot.state(), Memory(order=order))
