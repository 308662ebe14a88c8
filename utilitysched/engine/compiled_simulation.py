"""A simulation in the compiled event loop that can go on otherwise from where it is."""

import math
from copy import copy

import numpy as np

from utilitysched.engine.conditions import StopTerms
from utilitysched.engine.tables import Moment
from utilitysched.kernels.history import learn
from utilitysched.kernels.policy import Policy
from utilitysched.kernels.progress import ARRIVED, QUEUED, RUNNING, Progress
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.forecast import RuntimeHistory
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.history import memory_of
from utilitysched.schedulers.list_scheduler import ListScheduler, withdraw_reserved
from utilitysched.schedulers.loop_parts import LoopParts

_NO_LIMIT = np.iinfo(np.int64).max


class CompiledSimulation:
    """Jobs of a workload under a list scheduler, from event to event, where no job is stopped.

    It goes on otherwise as `Simulation` does. Columns of forks that are given back are used again,
    cleared where a fork has been: the next one takes as long in a large log as in a small one.

    Parameters
    ----------
    arrivals : Arrivals
        The jobs.
    scheduler : ListScheduler
        Prepared.
    """

    def __init__(self, arrivals: Arrivals, scheduler: ListScheduler) -> None:
        self.scheduler = scheduler
        self.parts = LoopParts.of(arrivals, scheduler)
        self.progress = Progress.blank(len(arrivals.run), arrivals.known.machine_size)
        self.arrivals = self._all = arrivals
        self._last_of_user = _last_of_each(arrivals.known.user, len(self.parts.history.completed))
        self._first = 0
        self._free: list[CompiledSimulation] = []

    @property
    def start(self) -> Floats:
        """Start of each job (s), not a number if it has not started."""
        return self.progress.start

    @property
    def end(self) -> Floats:
        """End of each job (s), likewise."""
        return self.progress.end

    def advance(self, until: float) -> None:
        """Process the events before `until` (s)."""
        self.parts.advance(self.arrivals, self.progress, _NO_LIMIT, until)

    def make_passes(self, passes: int) -> bool:
        """Process events until so many passes are made; return whether there may be more."""
        return not self.parts.advance(self.arrivals, self.progress, passes)

    # Going on otherwise

    def fork(self, *, seed: int | None = None) -> "CompiledSimulation":  # noqa: ARG002 - nothing is drawn
        """Return a simulation that goes on from here."""
        other = self._free.pop() if self._free else self._blank()
        other._follow(self)
        return other

    def give_back(self) -> None:
        """Let another fork have the columns."""
        self._free.append(self)

    def go_on_from(self, moment: Moment) -> None:
        """Come to a moment, before the first event; the next one is a pass at it."""
        running = moment.running, moment.start, moment.end
        self.progress = Progress.resumed(self._all.known, moment.now, moment.queued, running)
        self._first = 0

    def learn(self, jobs: Integers, run: Floats) -> None:
        """Enter the run times of jobs that ended before the simulation began."""
        known = self._all.known
        for job, lasted in zip(jobs.tolist(), run.tolist(), strict=True):
            learn(self.parts.history, known.user[job], lasted, known.request[job])

    def decide_by(self, policy: Policy) -> None:
        """Let a policy decide from now on."""
        self.parts = self.parts._replace(policy=policy)

    def expect(self, arrivals: Arrivals, terms: StopTerms | None = None) -> None:  # noqa: ARG002
        """Replace the run times of all jobs to come."""
        self.arrivals = self._all = arrivals

    def leave_out(self, job: int) -> None:
        """Let `job`, one of the next to arrive, never come."""
        counts, wake_up, queue = self.progress.counts, self.progress.wake_up, self.progress.queue
        before = np.arange(counts[ARRIVED], job)
        if len(before):  # those of the same instant make an event, which the job alone does not
            wake_up[0] = min(wake_up[0], self._all.known.submit[job])
        queue[counts[QUEUED] : counts[QUEUED] + len(before)] = before
        counts[QUEUED] += len(before)
        counts[ARRIVED] = job + 1

    def end_arrivals(self, count: int) -> None:
        """Let no jobs come but the first `count`; those that have come stay."""
        if count < len(self._all.known.submit):
            self.arrivals = self._all.first(count)

    def withdraw(self, jobs: Integers) -> None:
        """Take queued jobs back."""
        withdraw_reserved(self.parts.plan, jobs, self._all.known)
        stays = self._queued()[~np.isin(self._queued(), jobs)]
        self.progress.queue[: len(stays)] = stays
        self.progress.counts[QUEUED] = len(stays)

    # What there is

    def present(self) -> Integers:
        """Return the jobs in the queue, and those that run."""
        return np.concatenate([self._queued(), self._running()])

    def ends_of(self, jobs: Integers, until: float) -> Floats:
        """Return the end of each job (s); waiting jobs count as started at `until`."""
        ended: Floats = np.fmin(self.start[jobs], until) + self._all.run[jobs]
        return ended

    @property
    def remembers(self) -> bool:
        """Whether anything but the queue and the running jobs matters."""
        return self.parts.policy.keeps_reservations or self.parts.policy.learns

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

    def _blank(self) -> "CompiledSimulation":
        """Return a simulation before the first event with columns of its own."""
        other, known = copy(self), self._all.known
        other._first = 0
        other.progress = Progress.blank(len(known.submit), known.machine_size)
        other.parts = self.parts._replace(
            history=RuntimeHistory._make(column.copy() for column in self.parts.history),
            plan=self.scheduler.placement.blank_plan(len(known.submit), known.machine_size),
        )
        return other

    def _follow(self, other: "CompiledSimulation") -> None:
        """Copy the state of another simulation over the present state."""
        self._clear()
        self.arrivals = self._all = other._all
        self.parts = self.parts._replace(policy=other.parts.policy)
        # only rows of jobs in the queue or running differ from a blank state
        mine, theirs = self.progress, other.progress
        queued, running, present = other._queued(), other._running(), other.present()
        mine.counts[:] = theirs.counts
        mine.wake_up[:] = theirs.wake_up
        mine.queue[: len(queued)] = queued
        for name in ("ends", "ending", "release_end", "release_job"):
            getattr(mine, name)[: len(running)] = getattr(theirs, name)[: len(running)]
        for name in ("start", "end"):
            getattr(mine, name)[running] = getattr(theirs, name)[running]
        self._first = int(present.min(initial=mine.counts.item(ARRIVED)))
        self._remember(other, present)

    def _clear(self) -> None:
        used = slice(self._first, int(self.progress.counts[ARRIVED]))
        self.progress.start[used] = np.nan
        self.progress.end[used] = np.nan
        self.parts.plan.reserved[used] = np.inf

    def _remember(self, other: "CompiledSimulation", present: Integers) -> None:
        self.parts.plan.reserved[present] = other.parts.plan.reserved[present]
        # the profile in use, not all its room
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
        return memory_of(self.parts.history, self.scheduler.rule, to_come)


def _last_of_each(user: Integers, users: int) -> Integers:
    """Return the last job of each user, -1 without one."""
    last = np.full(users, -1, dtype=np.int64)
    known = np.flatnonzero(user >= 0)
    last[user[known]] = known
    return last
