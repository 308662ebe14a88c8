"""One way that things may go after a job is submitted, or not."""

from typing import Protocol

import numpy as np

from utilitysched.model.state import Floats, Integers


class Course(Protocol):
    """A simulation that goes on from a trunk; jobs by index in arrival order."""

    @property
    def start(self) -> Floats:
        """Start of each job (s), (n,); NaN, or later than now, if it has not started."""
        ...

    @property
    def end(self) -> Floats:
        """Completion of each job (s), (n,), like `start`."""
        ...

    def advance(self, until: float) -> None:
        """Process the events before `until` (s)."""
        ...

    def memory(self) -> object:
        """Return what of the past, but the queue and the running jobs, can still matter."""
        ...

    def completions(self, jobs: Integers, run: Floats, until: float) -> Floats:
        """Return when each of some jobs ends (s), (k,).

        Parameters
        ----------
        jobs : (k,) int64
            Which.
        run : (n,) float64
            Run times of all jobs (s).
        until : float
            One that has not started before this time counts as if it started then (s).
        """
        ...


class Unbroken:
    """Jobs run from their start to their end."""

    start: Floats

    def completions(self, jobs: Integers, run: Floats, until: float) -> Floats:
        """See `Course`."""
        ended: Floats = np.fmin(self.start[jobs], until) + run[jobs]
        return ended


class Realised(Unbroken):
    """What happened, for a scheduler that decides by the queue and the running jobs alone."""

    def __init__(self, start: Floats, end: Floats) -> None:
        self.start = start
        self.end = end

    def advance(self, until: float) -> None:
        """Do nothing: all of it is known."""

    def memory(self) -> object:
        """Return that nothing matters."""
        return None


def standing(course: Course, jobs: Integers, now: float) -> Floats:
    """Return how each of these jobs stands before the events at `now`.

    Returns
    -------
    (k,) float64
        Infinite while it waits, its start while it runs, minus infinity once it has ended (s).
    """
    start, end = course.start[jobs], course.end[jobs]
    began, over = start < now, end < now
    return np.where(began, np.where(over, -np.inf, start), np.inf)
