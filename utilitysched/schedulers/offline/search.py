"""Search for the schedule that is worth most, by one who knows all jobs and their run times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from utilitysched.kernels.curves import realised_values
from utilitysched.kernels.hindsight import PlacedJobs, improve, place_serially, reorder
from utilitysched.kernels.profile import occupy
from utilitysched.kernels.stream import Words, decision_stream
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.state import Floats, Integers, JobTable
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

ROUNDS = 4
"""Times that a schedule to begin with is reordered, and then improved by moves."""

TRIALS, MOST_PLACED = 12, 400_000
"""Orders tried in all rounds, a job and move; at most so many jobs are placed for it, a move."""

MOST_OFTEN, SHORT = 10, 3600
"""Moves of all rounds, as a multiple of those from nothing; at most as many as these for so many
jobs, or half of them."""

_AT_ONCE = 5000
"""Moves between two signs of progress."""

_OWN_SHARE = 0.3
"""Of the time, before a schedule to begin with is improved."""


class _Block(NamedTuple):
    """A block of jobs placed together.

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


class _Placing(NamedTuple):
    """Jobs to be placed, by their numbers in a block, and where.

    Attributes
    ----------
    known, run, release, best
        As `utilitysched.kernels.hindsight.improve` takes them.
    empty : PlacedJobs
        The machine without them.
    """

    known: JobTable
    run: Floats
    release: Floats
    best: Floats
    empty: PlacedJobs

    def serial(self, order: Integers) -> PlacedJobs:
        """Return the jobs placed in an order."""
        time, free, steps, start, value = self.empty
        placed = PlacedJobs(time.copy(), free.copy(), steps.copy(), start.copy(), value.copy())
        place_serially(order, self.known, self.run, self.release, placed, -math.inf)
        return placed

    def reordered(self, placed: PlacedJobs, trials: int, draws: Words) -> PlacedJobs:
        """Return the schedule of the best order found from the present order of starts."""
        known, run, release, best, empty = self
        order = np.argsort(placed.start, kind="stable")
        plan = self.serial(order)
        reorder(trials, draws, order, known, run, release, best, empty, plan)
        return plan

    def improve(self, placed: PlacedJobs, moves: int, draws: Words, watch: Watch) -> None:
        """Improve a schedule by a number of moves of large neighbourhood search."""
        for done in range(0, moves, _AT_ONCE):
            count = min(moves - done, _AT_ONCE)
            improve(count, draws, self.known, self.run, self.release, self.best, placed)
            watch((done + count) / moves)


def best_found(
    arrivals: Arrivals, moves: int, seed: int, known_start: Floats | None, watch: Watch
) -> Floats:
    """Return the start of each job (s), in arrival order, in the best schedule found.

    What is found from nothing and a schedule that is known are where a second search begins. None
    of the three is worth more than what is returned.

    Parameters
    ----------
    arrivals : Arrivals
        At least one job.
    moves, seed
        As `OfflineSearch` takes them.
    known_start : (n,) float64 or None
        When each job starts in a schedule that can be carried out (s).
    watch : callable
        Takes the share that is done.
    """
    plans = [OfflineSearch(arrivals, moves, seed).found(part_of(watch, 0.0, _OWN_SHARE))]
    if known_start is not None:
        plans.append(known_start)
    rest = part_of(watch, _OWN_SHARE, 1 - _OWN_SHARE)
    plans.append(OfflineSearch(arrivals, moves, seed, plans).found(rest))
    return max(reversed(plans), key=lambda start: _worth(arrivals, start))


def _worth(arrivals: Arrivals, start: Floats) -> float:
    """Return the value of a schedule (SU)."""
    value = np.empty(len(start))
    realised_values(np.arange(len(start)), start + arrivals.run, arrivals.known, value)
    return math.fsum(value)


class OfflineSearch:
    """Serial generation in several orders, then moves that improve the best of them.

    Jobs are placed at their earliest feasible starts: by when they were submitted, by value, by
    value and by profit at market-clearing prices for the time their processors are held. A move
    takes out a job that lost value and some of those in its way, and puts them back in another
    order (large neighbourhood search). Jobs that would be worth nothing are placed last, where they
    delay no other. A long log is searched in blocks: what began before the first submission of
    a block stays.

    With schedules to begin with, these say the orders. Moves see some jobs at a time, and leave the
    others where they are; so they take turns with trials of other orders, after which all are
    placed anew.

    Parameters
    ----------
    arrivals : Arrivals
        At least one job.
    moves : int
        A job.
    seed : int
        Of the moves. The same seed and moves give the same schedule on every machine.
    begun : sequence of (n,) float64
        When each job starts in schedules to begin with (s).
    """

    def __init__(
        self, arrivals: Arrivals, moves: int, seed: int, begun: Sequence[Floats] = ()
    ) -> None:
        self.arrivals = arrivals
        self.moves = moves
        self.seed = seed
        self.begun = begun
        self.start = np.full(len(arrivals.run), math.inf)
        if not begun:
            self.profit = clearing_prices(ClearingProblem.of(arrivals), GUIDE).profit

    def found(self, watch: Watch) -> Floats:
        """Return the start of each job (s), in arrival order."""
        submit, count = self.arrivals.known.submit, len(self.start)
        for first in range(0, count, BLOCK):
            last = min(first + BLOCK, count)
            now = float(submit[first])
            # jobs of the block, and earlier ones that had not begun
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
        # machine with the jobs that run on
        begun = np.flatnonzero(self.start < block.now)
        running = begun[self.start[begun] + self.arrivals.run[begun] > block.now]
        placing = _Placing(known, run, release, best, self._empty(running, block.now, len(jobs)))
        orders = self._orders(jobs, best, run * known.size)
        # best serial schedule of several orders
        tried = [placing.serial(order) for order in orders]
        placed = max(tried, key=lambda each: math.fsum(each.value))
        draws = np.zeros(1, np.uint64)
        decision_stream(self.seed, block.now, draws)
        # improvement by moves, in turns with other orders where there is a schedule
        if self.begun:
            placed = self._in_turns(placing, placed, draws, watch)
        else:
            placing.improve(placed, self.moves * len(jobs), draws, watch)
        # jobs worth nothing, last
        out = np.flatnonzero(np.isinf(placed.start))
        place_serially(out, known, run, release, placed, block.until)
        self.start[jobs] = placed.start

    def _in_turns(
        self, placing: _Placing, placed: PlacedJobs, draws: Words, watch: Watch
    ) -> PlacedJobs:
        """Return a schedule improved by trials of other orders and by moves, in turns."""
        count = len(placed.start)
        trials = self.moves * min(TRIALS * count, MOST_PLACED // count) // ROUNDS
        moves = self.moves * min(MOST_OFTEN * count, max(SHORT, count // 2)) // ROUNDS
        for turn in range(ROUNDS):
            placed = placing.reordered(placed, trials, draws)
            part = part_of(watch, turn / ROUNDS, 1 / ROUNDS)
            placing.improve(placed, moves, draws, part)
        return placed

    def _orders(self, jobs: Integers, best: Floats, area: Floats) -> list[Integers]:
        """Return the orders that are tried at first."""
        if self.begun:
            keys = [start[jobs] for start in self.begun]
        else:
            profit, held = self.profit[jobs], np.maximum(area, 1.0)
            submit = self.arrivals.known.submit[jobs]
            keys = [submit, -best, -best / held, -profit, -profit / held]
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
