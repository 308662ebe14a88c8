"""Readings of utility functions by a scheduler, from the schedule that it made alone."""

from dataclasses import dataclass

import numpy as np

from pricing.reader import WorkStarts
from swfx import InputError, Workload
from swfx.machine import Machine
from utilitysched.kernels.history import forecasts_then
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.forecast import ForecastRule, RuntimeHistory
from utilitysched.model.scheduler import Scheduler
from utilitysched.model.segments import Segments
from utilitysched.model.state import Floats, Integers


def reading_of(scheduler: Scheduler, machine: Machine | None = None) -> ForecastRule:
    """Return by which forecast a scheduler reads utility functions when it ranks jobs.

    Raises
    ------
    InputError
        It reads none, or does not say; or each pool of the machine learns a forecast of its own.
    """
    if scheduler.reading is None:
        raise InputError(
            f"{scheduler.label} ranks jobs by no reading of utility functions that it declares",
            field="reading",
            remedy="leave reading out, or charge by single-price, multi-queue or vcg",
        )
    learnt = scheduler.reading._replace(occupancy="requested").learns
    if learnt and machine is not None and len(machine.pools) > 1:
        raise InputError(
            f"{scheduler.label} learns of each pool by itself, which charges do not repeat",
            field="duration",
            remedy="charge by single-price, multi-queue or vcg",
        )
    return scheduler.reading


@dataclass(frozen=True, eq=False)
class ScheduleReadings:
    """What a scheduler took jobs to be worth; see `pricing.reader.CurveReader`.

    Attributes
    ----------
    workload : Workload
        n jobs.
    rule : ForecastRule
        By which forecast it read utility functions.
    start, end : (n,) float64
        When each first started, and ended (s).
    machine_size : int
        Processors.
    segments : Segments or None
        The stretches in which jobs ran, where some could be stopped. A job without any ran, or will
        run, from its start to its end.
    overhead : (n,) float64 or None
        Restart overhead that a start after a stop is expected to take (s); None where no job could
        be stopped.
    """

    workload: Workload
    rule: ForecastRule
    start: Floats
    end: Floats
    machine_size: int
    segments: Segments | None = None
    overhead: Floats | None = None

    def starts(self, jobs: Integers) -> WorkStarts:
        """Return the starts of these jobs."""
        if self.segments is None:
            return WorkStarts(jobs, self.start[jobs])
        ran = self.segments
        mine = np.flatnonzero(np.isin(ran.job, jobs))
        whole = jobs[~np.isin(jobs, ran.job)]
        columns = (
            np.concatenate([ran.job[mine], whole]),
            np.concatenate([ran.start[mine], self.start[whole]]),
        )
        by_job = np.lexsort((columns[1], columns[0]))
        return WorkStarts(*(column[by_job] for column in columns))

    def forecasts(self, jobs: Integers, at: Floats) -> Floats:
        """Return the durations at which the scheduler read the curves of starting jobs (s)."""
        limit = self._limits(jobs, at)
        if self.rule.duration == "zero":
            return np.zeros((len(jobs), 1))
        if self.rule.duration == "fraction":
            return self.rule.fraction * limit[:, np.newaxis]
        if self.rule.duration == "requested":
            return limit[:, np.newaxis]
        return self._learnt(jobs, at, limit)

    def _limits(self, jobs: Integers, at: Floats) -> Floats:
        """Return the requested times of starts (s): of jobs that go on, what is left of them."""
        request: Floats = self.workload.request[jobs]
        if self.segments is None or self.overhead is None:
            return request
        ran = self.segments
        stopped = np.flatnonzero(~ran.last)
        # by job and time; who is asked about at the instant of a start is asked about that start
        job = np.concatenate([jobs, ran.job[stopped]])
        time = np.concatenate([at, ran.start[stopped]])
        kept = np.concatenate([np.zeros(len(jobs)), ran.kept[stopped]])
        order = np.lexsort((np.arange(len(job)), time, job))
        first = np.searchsorted(job[order], job[order])
        rank = np.empty(len(job), dtype=np.int64)
        rank[order] = np.arange(len(job))
        stops = np.concatenate([[0], np.cumsum(order >= len(jobs))])
        work = np.concatenate([[0.0], np.cumsum(kept[order])])
        here = rank[: len(jobs)]
        before = work[here] - work[first[here]]
        again = stops[here] > stops[first[here]]
        left: Floats = request - before + np.where(again, self.overhead[jobs], 0.0)
        return left

    def _learnt(self, jobs: Integers, at: Floats, limit: Floats) -> Floats:
        """Return forecasts of jobs from the jobs that had ended by then."""
        arrivals = Arrivals.of(self.workload, self.machine_size)
        known, number = arrivals.known, np.argsort(arrivals.order)
        end, since = self.end[arrivals.order], self._last_starts()[arrivals.order]
        ended = np.lexsort((np.arange(len(end)), since == end, end))
        ended = ended[np.isfinite(end[ended])]
        by_time = np.argsort(at, kind="stable")
        durations = np.empty((len(jobs), self.rule.samples))
        forecasts_then(
            ended,
            self._done()[arrivals.order][ended],
            since[ended],
            end[ended],
            number[jobs[by_time]],
            at[by_time],
            limit[by_time],
            known,
            RuntimeHistory.blank(max(len(end), 1)),
            self.rule.codes,
            self.rule.blank(len(end)),
            durations,
        )
        learnt = np.empty_like(durations)
        learnt[by_time] = durations
        return learnt

    def _last_starts(self) -> Floats:
        since = self.start.copy()
        if self.segments is not None:
            last = self.segments.last
            since[self.segments.job[last]] = self.segments.start[last]
        return since

    def _done(self) -> Floats:
        """Return the work that each job did (s): all of it, unless it was killed at its limit."""
        run: Floats = self.workload.effective_run
        if self.segments is None:
            return run
        kept = self.segments.per_job(self.segments.kept, len(run))
        ran = np.bincount(self.segments.job, minlength=len(run)) > 0
        return np.where(ran & ~np.isclose(kept, run), kept, run)
