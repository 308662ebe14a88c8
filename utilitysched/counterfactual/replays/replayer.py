"""Replays of one job after the other, left out."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from utilitysched.counterfactual.branch import Change, branch
from utilitysched.counterfactual.replays.baseline import Trajectory, baseline_of, standing
from utilitysched.counterfactual.replays.question import Question
from utilitysched.kernels.curves import realised_values
from utilitysched.model.state import Floats, Integers

_LOOKS = 4
"""Jobs submitted between two looks whether the replays are the same again, at first; each look
comes a quarter later than the one before, so that looking takes little of the time."""


class Difference(NamedTuple):
    """Difference between one pair of replays.

    Attributes
    ----------
    end : float
        When the window closed (s).
    recoupled : bool
        Because both replays were the same again.
    others : int
        Other jobs in the window.
    with_job, without_job : float
        Their aggregate utility with and without the job (SU).
    victims : tuple of int
        Those with another utility or another start, by index in arrival order.
    losses : tuple of float
        What they have more without the job (SU).
    delays : tuple of float
        How much later they start with it (s); one that has not started yet counts as if it started
        at the end of the window.
    """

    end: float
    recoupled: bool
    others: int
    with_job: float
    without_job: float
    victims: tuple[int, ...]
    losses: tuple[float, ...]
    delays: tuple[float, ...]


class Absence(NamedTuple):
    """What would have been without a job.

    Attributes
    ----------
    job : int
        Index in arrival order.
    differences : tuple of Difference
        One per seed.
    """

    job: int
    differences: tuple[Difference, ...]


@dataclass(frozen=True, eq=False)
class ReplayWindow:
    """The time after the submission of a job.

    Attributes
    ----------
    job : int
        Index in arrival order.
    submit : (n,) float64
        Submit times of all jobs (s).
    present : (k,) int64
        Jobs in the queue or running just before the job's submission.
    closes : float
        When it closes at the latest (s), infinite if it need not.
    """

    job: int
    submit: Floats
    present: Integers
    closes: float

    @property
    def opens(self) -> float:
        """Submission of the job, at which the window opens (s)."""
        return self.submit.item(self.job)

    def others(self, now: float) -> Integers:
        """Return the other jobs in it that are submitted before `now` (s), ascending."""
        first, last = np.searchsorted(self.submit, [self.opens, now])
        return np.concatenate(
            [self.present, np.arange(first, self.job), np.arange(self.job + 1, last)]
        )

    def looks(self, ended: float) -> Iterator[float]:
        """Yield when to look whether the replays are the same again (s).

        Parameters
        ----------
        ended : float
            When the job ended (s): earlier looks are of no use.
        """
        jobs, gap = len(self.submit), float(_LOOKS)
        look = int(np.searchsorted(self.submit, ended, side="right"))
        now = -math.inf
        while now < self.closes:
            now = min(self.submit.item(look) if look < jobs else math.inf, self.closes)
            yield now
            later = int(np.searchsorted(self.submit, now, side="right"))
            look = max(look + int(gap), later)
            gap *= 1.25


class Replayer:
    """Answers a question for one job after the other; fastest in arrival order.

    Parameters
    ----------
    question : Question
        What is replayed.
    """

    def __init__(self, question: Question) -> None:
        self.question = question
        self.arrivals = question.arrivals()
        self._now = math.inf

    def without(self, job: int) -> Absence:
        """Return what would have been without a job, given by index in arrival order."""
        submit = self.arrivals.known.submit
        if submit[job] < self._now:
            self._begin()
        self._now = submit.item(job)
        self._baseline.advance(self._now)
        closes = self._now + self.question.rule.horizon
        present = np.sort(np.asarray(self._baseline.present(), dtype=np.int64))
        window = ReplayWindow(job, submit, present, closes)
        if self.question.rule.literal:
            return Absence(job, (self._literal(window),))
        seeds = (None, *self.question.seeds[1:])  # the draws of the first are those in force
        return Absence(job, tuple(self._pair(window, seed) for seed in seeds))

    def _begin(self) -> None:
        baseline = baseline_of(self.question, self.arrivals)
        self._baseline, self._realised, self._realised_tells = baseline
        self._now = -math.inf

    def _pair(self, window: ReplayWindow, seed: int | None) -> Difference:
        known = seed is None and self._realised_tells
        with_job = self._realised if known else branch(self._baseline, Change(seed))
        without_job = branch(self._baseline, Change(seed, window.job))
        now, same = math.inf, False
        for now in window.looks(self._realised.end.item(window.job)):
            with_job.advance(now)
            without_job.advance(now)
            same = self._is_the_same(window, with_job, without_job, now)
            if same:
                break
        difference = self._difference(window, (with_job, without_job), now, recoupled=same)
        with_job.give_back()
        without_job.give_back()
        return difference

    def _literal(self, window: ReplayWindow) -> Difference:
        """Compare what happened with a replay in which nobody comes once the job has ended."""
        realised = self._realised
        ended = realised.end.item(window.job)
        last = int(np.searchsorted(window.submit, ended, side="right")) - 1
        without_job = branch(self._baseline, Change(None, window.job, last))
        without_job.advance(math.inf)
        until = ReplayWindow(window.job, window.submit[: last + 1], window.present, math.inf)
        difference = self._difference(until, (realised, without_job), math.inf, recoupled=False)
        without_job.give_back()
        return difference

    def _is_the_same(
        self, window: ReplayWindow, with_job: Trajectory, without_job: Trajectory, now: float
    ) -> bool:
        """Whether both replays will be equal from `now` on."""
        if not with_job.end[window.job] < now:
            return False
        others = window.others(now)
        alike = np.array_equal(standing(with_job, others, now), standing(without_job, others, now))
        return alike and (now == math.inf or with_job.memory() == without_job.memory())

    def _difference(
        self,
        window: ReplayWindow,
        trajectories: tuple[Trajectory, Trajectory],
        now: float,
        *,
        recoupled: bool,
    ) -> Difference:
        others = window.others(now)
        with_job, without_job = (
            self._values(trajectory, others, now) for trajectory in trajectories
        )
        loss = without_job - with_job
        begun, begun_without = (
            np.fmin(trajectory.start[others], now) for trajectory in trajectories
        )
        delay = begun - begun_without
        changed = np.flatnonzero((loss != 0) | (delay != 0))
        end = now if now < math.inf else _last_end(trajectories, others, window.opens)
        return Difference(
            float(end),
            bool(recoupled),
            len(others),
            math.fsum(with_job),
            math.fsum(without_job),
            tuple(others[changed].tolist()),
            tuple(loss[changed].tolist()),
            tuple(delay[changed].tolist()),
        )

    def _values(self, trajectory: Trajectory, jobs: Integers, now: float) -> Floats:
        value = np.empty(len(jobs))
        completion = trajectory.ends_of(jobs, now)
        realised_values(jobs, completion, self.arrivals.known, value)
        return value


def _last_end(trajectories: tuple[Trajectory, Trajectory], jobs: Integers, opens: float) -> float:
    """Return when the last of these jobs ended (s), all with_job ended in both trajectories."""
    return max(float(trajectory.end[jobs].max(initial=opens)) for trajectory in trajectories)
