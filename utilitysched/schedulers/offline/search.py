"""Search for the schedule that is worth most, by one who knows all jobs and their run times."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from utilitysched.kernels.hindsight import PlacedJobs, improve, place_serially
from utilitysched.kernels.profile import occupy
from utilitysched.kernels.realised import realised_values
from utilitysched.kernels.stream import decision_stream
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.offline.clearing import (
    ClearingProblem,
    Watch,
    clearing_prices,
    part_of,
)

BLOCK = 5000
"""Jobs that are looked at together, with those that still wait at the first one's submission."""

GUIDE = 40
"""Steps to the prices that one of the first orders goes by."""

_AT_ONCE = 5000
"""Moves between two signs of progress."""


class _Block(NamedTuple):
    """Jobs that are placed together.

    Attributes
    ----------
    jobs : (k,) int64
        Which.
    now : float
        What began before stays as it is (s).
    until : float
        The next block's `now`, infinite for the last (s).
    """

    jobs: Integers
    now: float
    until: float


class OfflineSearch:
    """Serial generation in several orders, then moves that improve the best of them.

    Jobs are placed at their earliest feasible starts: by when they were submitted, by value, by
    value and by profit at market-clearing prices for the time their processors are held. A move
    takes out a job that lost value and some of those in its way, and puts them back in another
    order (large neighbourhood search). Jobs that would be worth nothing are placed last, where they
    delay no other. A long log is searched in blocks: what began before the first submission of
    a block stays.

    Parameters
    ----------
    arrivals : Arrivals
        At least one job.
    moves : int
        A job.
    seed : int
        Of the moves. The same seed and moves give the same schedule on every machine.
    """

    def __init__(self, arrivals: Arrivals, moves: int, seed: int) -> None:
        self.arrivals = arrivals
        self.moves = moves
        self.seed = seed
        self.start = np.full(len(arrivals.run), math.inf)
        prices = clearing_prices(ClearingProblem.of(arrivals), GUIDE)
        self.profit = prices.profit

    def found(self, watch: Watch) -> Floats:
        """Return the start of each job (s), in arrival order."""
        submit, count = self.arrivals.known.submit, len(self.start)
        for first in range(0, count, BLOCK):
            last = min(first + BLOCK, count)
            now = float(submit[first])
            earlier = np.flatnonzero(self.start[:first] >= now)
            until = float(submit[last]) if last < count else math.inf
            jobs = np.append(earlier, np.arange(first, last))
            self._place(
                _Block(jobs, now, until), part_of(watch, first / count, (last - first) / count)
            )
        return self.start

    def _place(self, block: _Block, watch: Watch) -> None:
        """Place the jobs of a block beside what runs already."""
        jobs, known = block.jobs, self.arrivals.known.of(block.jobs)
        run, release = self.arrivals.run[jobs], np.maximum(known.submit, block.now)
        best = np.empty(len(jobs))
        realised_values(np.arange(len(jobs)), release + run, known, best)
        begun = np.flatnonzero(self.start < block.now)
        running = begun[self.start[begun] + self.arrivals.run[begun] > block.now]
        orders = self._orders(jobs, best, run * known.size)
        tried = [self._empty(running, block.now, len(jobs)) for _ in orders]
        for order, placed in zip(orders, tried, strict=True):
            place_serially(order, known, run, release, placed, -math.inf)
        placed = max(tried, key=lambda each: math.fsum(each.value))
        draws = np.zeros(1, np.uint64)
        decision_stream(self.seed, block.now, draws)
        left = self.moves * len(jobs)
        while left > 0:
            improve(min(left, _AT_ONCE), draws, known, run, release, best, placed)
            left -= _AT_ONCE
            watch(1 - max(left, 0) / (self.moves * len(jobs)))
        out = np.flatnonzero(np.isinf(placed.start))
        place_serially(out, known, run, release, placed, block.until)
        self.start[jobs] = placed.start

    def _orders(self, jobs: Integers, best: Floats, area: Floats) -> list[Integers]:
        """Return the orders that are tried at first."""
        profit, held = self.profit[jobs], np.maximum(area, 1.0)
        keys = (self.arrivals.known.submit[jobs], -best, -best / held, -profit, -profit / held)
        return [np.argsort(key, kind="stable") for key in keys]

    def _empty(self, running: Integers, now: float, jobs: int) -> PlacedJobs:
        """Return a machine on which only these jobs run from now on, with room for so many."""
        room = 2 * (jobs + len(running)) + 8
        placed = PlacedJobs(
            np.empty(room),
            np.empty(room, np.int64),
            np.ones(1, np.int64),
            np.full(jobs, math.inf),
            np.zeros(jobs),
        )
        placed.time[0], placed.free[0] = now, self.arrivals.known.machine_size
        for job in running.tolist():
            end = float(self.start[job] + self.arrivals.run[job])
            size = int(self.arrivals.known.size[job])
            occupy(placed.time, placed.free, placed.steps, now, end, size)
        return placed
