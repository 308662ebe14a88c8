"""Runs on shared nodes from their first event to their last, failures of nodes included."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from utilitysched.kernels.sharing.loop import advance_sharing
from utilitysched.kernels.sharing.outages import fail, reach
from utilitysched.kernels.sharing.placement import cores_of
from utilitysched.kernels.sharing.state import SharedRun
from utilitysched.kernels.sharing.terms import ARRIVED, ASKING, QUEUED, RUNNING, on_ticks
from utilitysched.model.segments import Segments, Stop
from utilitysched.model.state import Floats, Integers

_PASSES_AT_ONCE = 5_000
"""Between two signs of progress."""


class LostStretch(NamedTuple):
    """A stretch in which a job ran, up to a failure: number of the job, times (s), and cores."""

    job: int
    start: float
    end: float
    cores: str


class SharedPlay:
    """A run on shared nodes, played to its end.

    Parameters
    ----------
    run : SharedRun
        Before its first event.
    sockets : (s,) int64
        Cores of each socket of a node.
    first : float
        When its clock begins, on the log's clock (s).
    downtime : utilitysched.engine.outages.Downtime, optional
        Outages of cores. A node of which a core is down is down; whoever has a part of it is
        stopped, loses all work, and is in the queue again.
    scorer : callable, optional
        Scores the queue, if the policy is one's own.
    """

    def __init__(
        self,
        run: SharedRun,
        sockets: Integers,
        first: float,
        downtime: Any | None = None,
        scorer: Callable[[], None] | None = None,
    ) -> None:
        self._run, self._sockets, self._first, self._downtime = run, sockets, first, downtime
        self._scorer = scorer
        self._stopped: list[LostStretch] = []

    def finish(self, watch: Callable[[float], None], name: Callable[[int], str]) -> None:
        """Process all events.

        Parameters
        ----------
        watch : callable
            Takes the share of jobs submitted so far.
        name : callable
            Names a job, by its number, in a message.

        Raises
        ------
        InputError
            A job fails again and again, longer than it is worth to wait for its end.
        """
        counts, downtime = self._run.state.counts, self._downtime
        jobs = len(self._run.jobs.submit)
        # from one instant at which nodes fail or are repaired to the next
        while True:
            outage = np.inf if downtime is None else downtime.next_time(np.inf)
            self._run.state.until[0] = self._instant(outage)
            while not advance_sharing(*self._run, _PASSES_AT_ONCE):
                if self._scorer and counts[ASKING]:
                    self._scorer()
                watch(int(counts[ARRIVED]) / jobs)
            over = counts[ARRIVED] == jobs and not counts[[QUEUED, RUNNING]].any()
            if over or outage == np.inf:
                return
            self._repair_and_fail(downtime, outage, name)

    def _repair_and_fail(self, downtime: Any, outage: float, name: Callable[[int], str]) -> None:
        nodes, policy, jobs, _, state = self._run
        now = state.until.item()
        reach(policy, jobs, state, now)
        downtime.repair(outage)
        for low, high, repaired in downtime.failing(outage):
            waiting = None
            if state.counts[QUEUED] and not state.counts[RUNNING]:
                first = state.queue.item(0)
                waiting = name(first), jobs.size.item(first)
            downtime.count_outage(waiting, outage)
            hit = fail(nodes, policy, jobs, state, now, (low, high, self._instant(repaired)))
            for job, cores in zip(hit.tolist(), self.cores(hit), strict=True):
                downtime.count_failure(job, name(job), outage)
                self._stopped.append(LostStretch(job, state.start.item(job), now, cores))

    def _instant(self, time: float) -> float:
        """Return a time of the log on the clock of the run (s)."""
        return on_ticks(np.array([time - self._first])).item()

    def times(self) -> tuple[Floats, Floats]:
        """Return the first start and the end of each job on the log's clock (s), (n,)."""
        state = self._run.state
        start = state.start.copy()
        for job, begun, *_ in reversed(self._stopped):
            start[job] = begun
        return start + self._first, state.end + self._first

    def segments(self, order: Integers) -> Segments | None:
        """Return the stretches in which jobs ran, None if nothing fails.

        What a job did before a failure is lost, and what it did after the last one is kept.

        Parameters
        ----------
        order : (n,) int64
            Position in the workload of each job in arrival order.
        """
        if self._downtime is None:
            return None
        state = self._run.state
        # stretches that failures ended, then the last one of each job
        stopped = self._stopped
        hit = np.array([stretch.job for stretch in stopped], np.int64)
        job = np.concatenate((order[hit], order))
        start = np.concatenate(([stretch.start for stretch in stopped], state.start)) + self._first
        end = np.concatenate(([stretch.end for stretch in stopped], state.end)) + self._first
        held = [stretch.cores for stretch in stopped] + self.cores(np.arange(len(order)))
        # stable: of two that begin at one instant, the one that was stopped comes first
        last = np.arange(len(job)) >= len(hit)
        rows = np.lexsort((job, start))
        nothing, nobody = np.zeros(len(job)), np.full(len(job), -1)
        lasted = end - start
        return Segments(
            job[rows],
            start[rows],
            end[rows],
            nothing,
            np.where(last, lasted, 0.0)[rows],
            np.where(last, 0.0, lasted)[rows],
            np.where(last, Stop.COMPLETED, Stop.FAILED)[rows],
            nobody,
            tuple(held[row] for row in rows.tolist()),
        )

    def cores(self, which: Integers) -> list[str]:
        """Return the cores that some jobs had last, as ranges, for instance ``0-7 9``."""
        # loaded when a run begins, not when options are read
        from utilitysched.kernels.processors import texts  # noqa: PLC0415

        nodes, _, jobs, _, state = self._run
        return texts(*cores_of(nodes, self._sockets, jobs, state, which))
