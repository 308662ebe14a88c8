"""Plans of jobs that have yet to start, as pivot charges compare them."""

import math
from abc import ABC, abstractmethod
from dataclasses import replace
from typing import NamedTuple, Self

import numpy as np

from utilitysched.model.state import Decision, Floats, Integers, QueueState

_NOBODY = np.empty(0, dtype=np.int64)


class Begun(NamedTuple):
    """Jobs that start together, and stand in the way of the others together.

    Attributes
    ----------
    job : (g,) int64
        By index in arrival order; one or more.
    duration : (g,) float64
        For how long each is taken to run (s); NaN for its requested time.
    left_out : (h,) int64
        Other queued jobs of their player, which are in no plan: by index in arrival order.
    """

    job: Integers
    duration: Floats
    left_out: Integers = _NOBODY

    @classmethod
    def one(cls, job: int, duration: float = math.nan) -> Self:
        """Return a job that starts alone."""
        return cls(np.array([job]), np.array([duration]))

    @property
    def known(self) -> "Begun":
        """The begun jobs with a given duration."""
        known = ~np.isnan(self.duration)
        return self._replace(job=self.job[known], duration=self.duration[known])

    def lasting(self, request: Floats) -> Floats:
        """Return for how long each is taken to run (s), given the requested times of all jobs."""
        return np.where(np.isnan(self.duration), request[self.job], self.duration)

    def present(self, state: QueueState) -> QueueState:
        """Return the state without the left-out jobs."""
        return _without(state, self.left_out) if len(self.left_out) else state

    def absent(self, state: QueueState) -> QueueState:
        """Return the state without the begun and the left-out jobs."""
        return _without(state, np.concatenate([self.job, self.left_out]))

    def running(self, state: QueueState) -> QueueState:
        """Return the state without the left-out jobs in which the begun jobs run.

        One that lasts no time is not there.
        """
        lasts = self.lasting(state.known.request)
        job, end = self.job[lasts > 0], state.now + lasts[lasts > 0]
        jobs, ends = np.append(state.running, job), np.append(state.expected_end, end)
        by_end = np.argsort(ends, kind="stable")
        free = state.free - int(state.known.size[job].sum())
        rest, running = self.absent(state), jobs[by_end]
        pool = state.pool and state.pool.after(job)
        return replace(rest, free=free, running=running, expected_end=ends[by_end], pool=pool)


def _without(state: QueueState, jobs: Integers) -> QueueState:
    """Return the state without some of the queued jobs."""
    stays = np.ones(len(state.known.submit), np.bool_)
    stays[jobs] = False
    return replace(state, queued=state.queued[stays[state.queued]])


class Plans(NamedTuple):
    """Planned starts and values of the other jobs, with and without the begun jobs.

    A running job that goes on running starts now.

    Attributes
    ----------
    with_job : (c, k) float64
        Planned starts (s) of the jobs, in each of c >= 1 plans; the best counts.
    without_job : (k,) float64
        The same in the best plan without those in the way.
    value_with : (c, k) float64
        What the jobs are worth by these plans (SU), as the scheduler reads utility functions.
    value_without : (k,) float64
        The same in the best plan without those (SU).
    had : (k,) float64
        What each would be worth if it had started when it was submitted (SU), read likewise.
    job : (k,) int64
        The jobs, by index in arrival order: queued ones, then running ones that may be preempted.
    """

    with_job: Floats
    without_job: Floats
    value_with: Floats
    value_without: Floats
    had: Floats
    job: Integers


class Planner(ABC):
    """The plans of a scheduler that has just decided at a state.

    Attributes
    ----------
    searches : bool
        Whether plans can be searched for once more, with other draws.
    reserves : bool
        Whether what its reservations cost can be told: by `holders` and `held`.
    """

    searches = False
    reserves = False

    def deciding(self) -> None:  # noqa: B027 - most plans are made of what was decided
        """Take note that the scheduler is about to decide."""

    @abstractmethod
    def fork(self) -> Self:
        """Return plans of a scheduler that stays in the present state."""

    @abstractmethod
    def in_force(self, state: QueueState) -> Floats:
        """Return when each queued job starts by the plan decided on (s), shape (k,)."""

    @abstractmethod
    def started(self, state: QueueState, begun: Begun, seed: int | None) -> Plans:
        """Return plans of the queue with the begun jobs in the way, and without.

        The plan decided on is among them where no job is left out: it has places for these.

        Parameters
        ----------
        state : QueueState
            What the scheduler saw.
        begun : Begun
            Queued jobs that it starts now.
        seed : int or None
            Begin at the plan decided on if None, else at one drawn with this seed.
        """

    def holders(self, state: QueueState, starts: Integers) -> Integers:
        """Return the waiting jobs that hold reservations after these starts."""
        raise NotImplementedError

    def held(self, waiting: QueueState, later: float) -> Plans:
        """Return plans from `later` (s) on, and from now on, of jobs still waiting after a pass.

        A job that held a reservation in the pass is in neither, and not in `waiting`.
        """
        raise NotImplementedError


def state_after(state: QueueState, decision: Decision) -> QueueState:
    """Return the state after a pass: the started jobs run for as long as they requested.

    Preempted jobs run no more; they are in the queue from the next pass on.
    """
    known, starts = state.known, decision.starts
    stay = ~np.isin(state.running, decision.preempts)
    end = np.concatenate([state.expected_end[stay], state.now + known.request[starts]])
    freed = known.size[decision.preempts].sum() - known.size[starts].sum()
    by_end = np.argsort(end, kind="stable")
    return replace(
        state,
        free=state.free + int(freed),
        queued=state.queued[~np.isin(state.queued, starts)],
        running=np.concatenate([state.running[stay], starts])[by_end],
        expected_end=end[by_end],
        pool=state.pool and state.pool.after(starts, decision.preempts),
    )


def next_pass(state: QueueState, decision: Decision) -> QueueState:
    """Return the state at the next instant after a pass if nobody else comes.

    That is when a job ends, all as requested, when a window of the pool ends, or when the scheduler
    has asked for it; infinitely late if there is none.
    """
    after = state_after(state, decision)
    instants = [*after.expected_end[:1].tolist()]
    if decision.wake_up is not None:
        instants.append(decision.wake_up)
    if after.pool is not None:
        ends = after.pool.windows.end
        instants += ends[ends > state.now].tolist()
    now = min(instants, default=math.inf)
    over = after.expected_end <= now
    ended = after.running[over]
    return replace(
        after,
        now=now,
        free=after.free + int(state.known.size[ended].sum()),
        running=after.running[~over],
        expected_end=after.expected_end[~over],
        pool=after.pool and after.pool.after(_NOBODY, ended),
    )
