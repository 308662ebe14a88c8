"""Replays of list schedulers in the compiled event loop."""

import math

import numpy as np

from utilitysched.counterfactual.replays.baseline import Realised, Trajectory, unbroken
from utilitysched.engine.compiled import LoopParts
from utilitysched.kernels.progress import ARRIVED, QUEUED, RUNNING, Progress
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.history import memory_of
from utilitysched.schedulers.list_scheduler import ListScheduler

_NO_LIMIT = np.iinfo(np.int64).max


class CompiledBaseline:
    """The simulation of a list scheduler, played again from event to event.

    Columns of branches are allocated once and cleared where a branch has been, so that a replay
    takes as long in a large log as in a small one; `branch` would copy the columns of the whole log
    for each.

    Parameters
    ----------
    arrivals : Arrivals
        The jobs.
    scheduler : ListScheduler
        Prepared.
    realised : Realised
        What happened.
    """

    def __init__(self, arrivals: Arrivals, scheduler: ListScheduler, realised: Realised) -> None:
        self.realised = realised
        self.baseline = CompiledBranch(arrivals, LoopParts.of(arrivals, scheduler), scheduler.rule)
        parts = self.baseline.parts
        self.remembers = parts.policy.keeps_reservations or parts.policy.learns
        self._with_job, self._without_job = (
            CompiledBranch(arrivals, LoopParts.of(arrivals, scheduler), scheduler.rule)
            for _ in range(2)
        )

    def advance(self, until: float) -> None:
        """Process the events before `until` (s)."""
        self.baseline.advance(until)

    def present(self) -> Integers:
        """Return the jobs in the queue or running, ascending."""
        return self.baseline.present()

    def with_job(self, seed: int | None) -> Trajectory:  # noqa: ARG002 - nothing is drawn
        """Return what comes with the next job: what happened."""
        if not self.remembers:
            return self.realised
        self._with_job.follow(self.baseline)
        return self._with_job

    def without_job(self, job: int, seed: int | None, last: int) -> Trajectory:  # noqa: ARG002
        """Return what comes without `job`, the next one, if `last` is the last to arrive."""
        self._without_job.follow(self.baseline)
        self._without_job.leave_out(job, last)
        return self._without_job


class CompiledBranch:
    """An event loop that can go on from where another one is; see `Trajectory`."""

    def __init__(self, arrivals: Arrivals, parts: LoopParts, rule: ForecastRule) -> None:
        self.arrivals = arrivals
        self.parts = parts
        self.rule = rule
        self.progress = Progress.blank(len(arrivals.run), arrivals.known.machine_size)
        self.start = self.progress.start
        self.end = self.progress.end
        self._last_of_user = _last_of_each(arrivals.known.user, len(parts.history.completed))
        self._all = arrivals
        self._first = 0

    def advance(self, until: float) -> None:
        """Process the events before `until` (s)."""
        self.parts.advance(self.arrivals, self.progress, _NO_LIMIT, until)

    def present(self) -> Integers:
        """Return the jobs in the queue or running, ascending."""
        return np.sort(np.concatenate([self._queued(), self._running()]))

    def follow(self, other: "CompiledBranch") -> None:
        """Go on from where another branch is, and forget this one."""
        self._clear()
        mine, theirs = self.progress, other.progress
        running, present = other._running(), other.present()
        queued = other._queued()
        mine.counts[:] = theirs.counts
        mine.wake_up[:] = theirs.wake_up
        mine.queue[: len(queued)] = queued
        for name in ("ends", "ending", "release_end", "release_job"):
            getattr(mine, name)[: len(running)] = getattr(theirs, name)[: len(running)]
        for name in ("start", "end"):
            getattr(mine, name)[running] = getattr(theirs, name)[running]
        self._first = int(present.min(initial=mine.counts.item(ARRIVED)))
        self._remember(other, present)

    def leave_out(self, job: int, last: int) -> None:
        """Let `job`, one of the next to arrive, never come; nobody comes after `last`."""
        counts, wake_up, queue = self.progress.counts, self.progress.wake_up, self.progress.queue
        known = self._all.known
        before = np.arange(counts[ARRIVED], job)
        if len(before):  # those of the same instant make an event, which the job alone does not
            wake_up[0] = min(wake_up[0], known.submit[job])
        queue[counts[QUEUED] : counts[QUEUED] + len(before)] = before
        counts[QUEUED] += len(before)
        counts[ARRIVED] = job + 1
        if last + 1 < len(known.submit):
            self.arrivals = self._all.first(last + 1)

    def completions(self, jobs: Integers, run: Floats, until: float) -> Floats:
        """See `Trajectory`."""
        return unbroken(self.start[jobs], run[jobs], until)

    def memory(self) -> object:
        """Return the reservations and the history of run times, None if there is none of either."""
        policy, wake_up = self.parts.policy, self.progress.wake_up.item()
        reservations = self._reservations() if policy.keeps_reservations else None
        history = self._history() if policy.learns else None
        memory = wake_up, reservations, history
        return None if memory == (math.inf, None, None) else memory

    def _queued(self) -> Integers:
        return self.progress.queue[: self.progress.counts[QUEUED]]

    def _running(self) -> Integers:
        return self.progress.ending[: self.progress.counts[RUNNING]]

    def _clear(self) -> None:
        used = slice(self._first, int(self.progress.counts[ARRIVED]))
        self.progress.start[used] = np.nan
        self.progress.end[used] = np.nan
        self.parts.plan.reserved[used] = np.inf
        self.arrivals = self._all

    def _remember(self, other: "CompiledBranch", present: Integers) -> None:
        self.parts.plan.reserved[present] = other.parts.plan.reserved[present]
        profile, source = self.parts.plan.profile, other.parts.plan.profile
        steps = int(source.steps[0])
        profile.steps[0] = steps
        profile.time[:steps] = source.time[:steps]
        profile.free[:steps] = source.free[:steps]
        if self.parts.policy.learns:
            for mine, theirs in zip(self.parts.history, other.parts.history, strict=True):
                mine[:] = theirs

    def _reservations(self) -> tuple[bytes, ...]:
        """Return the reservations; the profile follows from them and the running jobs."""
        reserved = self.parts.plan.reserved
        return reserved[self._queued()].tobytes(), reserved[np.sort(self._running())].tobytes()

    def _history(self) -> tuple[bytes, ...]:
        """Return what is known of the users who are in the queue or still to come."""
        to_come = self._last_of_user >= self.progress.counts[ARRIVED]
        waiting = self.arrivals.known.user[self._queued()]
        to_come[waiting[waiting >= 0]] = True
        return memory_of(self.parts.history, self.rule, to_come)


def _last_of_each(user: Integers, users: int) -> Integers:
    """Return the last job of each user, -1 without one."""
    last = np.full(users, -1, dtype=np.int64)
    known = np.flatnonzero(user >= 0)
    last[user[known]] = known
    return last
