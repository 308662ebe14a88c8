"""One job after the other left out."""

import math
from typing import NamedTuple

import numpy as np

from utilitysched.counterfactual.replays.course import Course, standing
from utilitysched.counterfactual.replays.question import Question
from utilitysched.counterfactual.replays.trunk import Trunk, trunk_of
from utilitysched.counterfactual.replays.window import Window
from utilitysched.kernels.realised import realised_values
from utilitysched.model.state import Floats, Integers


class Difference(NamedTuple):
    """What one pair of replays has shown.

    Attributes
    ----------
    end : float
        When the window closed (s).
    recoupled : bool
        Because both replays were the same again.
    others : int
        Other jobs in the window.
    having, lacking : float
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
    having: float
    lacking: float
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
        self._trunk, self._now = self._beginning()

    def without(self, job: int) -> Absence:
        """Return what would have been without a job, given by index in arrival order."""
        submit = self.arrivals.known.submit
        if submit[job] < self._now:
            self._trunk, self._now = self._beginning()
        self._now = submit.item(job)
        self._trunk.advance(self._now)
        closes = self._now + self.question.rule.horizon
        window = Window(job, submit, self._trunk.present(), closes)
        if self.question.rule.literal:
            return Absence(job, (self._literal(window),))
        seeds = (None, *self.question.seeds[1:])  # the draws of the first are those in force
        return Absence(job, tuple(self._pair(window, seed) for seed in seeds))

    def _beginning(self) -> tuple[Trunk, float]:
        return trunk_of(self.question, self.arrivals), -math.inf

    def _pair(self, window: Window, seed: int | None) -> Difference:
        having = self._trunk.having(seed)
        lacking = self._trunk.lacking(window.job, seed, len(window.submit))
        now, same = math.inf, False
        for now in window.looks(self._trunk.realised.end.item(window.job)):
            having.advance(now)
            lacking.advance(now)
            same = self._is_the_same(window, having, lacking, now)
            if same:
                break
        return self._difference(window, (having, lacking), now, recoupled=same)

    def _literal(self, window: Window) -> Difference:
        """Compare what happened with a replay in which nobody comes once the job has ended."""
        realised = self._trunk.realised
        ended = realised.end.item(window.job)
        last = int(np.searchsorted(window.submit, ended, side="right")) - 1
        lacking = self._trunk.lacking(window.job, None, last)
        lacking.advance(math.inf)
        until = Window(window.job, window.submit[: last + 1], window.present, math.inf)
        return self._difference(until, (realised, lacking), math.inf, recoupled=False)

    def _is_the_same(self, window: Window, having: Course, lacking: Course, now: float) -> bool:
        """Whether both replays will be equal from `now` on."""
        if not having.end[window.job] < now:
            return False
        others = window.others(now)
        alike = np.array_equal(standing(having, others, now), standing(lacking, others, now))
        return alike and (now == math.inf or having.memory() == lacking.memory())

    def _difference(
        self, window: Window, courses: tuple[Course, Course], now: float, *, recoupled: bool
    ) -> Difference:
        others = window.others(now)
        having, lacking = (self._values(course, others, now) for course in courses)
        loss = lacking - having
        begun, begun_without = (np.fmin(course.start[others], now) for course in courses)
        delay = begun - begun_without
        changed = np.flatnonzero((loss != 0) | (delay != 0))
        end = now if now < math.inf else _last_end(courses, others, window.opens)
        return Difference(
            float(end),
            bool(recoupled),
            len(others),
            math.fsum(having),
            math.fsum(lacking),
            tuple(others[changed].tolist()),
            tuple(loss[changed].tolist()),
            tuple(delay[changed].tolist()),
        )

    def _values(self, course: Course, jobs: Integers, now: float) -> Floats:
        value = np.empty(len(jobs))
        completion = course.completions(jobs, self.arrivals.run, now)
        realised_values(jobs, completion, self.arrivals.known, value)
        return value


def _last_end(courses: tuple[Course, Course], jobs: Integers, opens: float) -> float:
    """Return when the last of these jobs ended (s), all having ended in both courses."""
    return max(float(course.end[jobs].max(initial=opens)) for course in courses)
