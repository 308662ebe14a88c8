"""Terms on which a scheduler takes processors back, and its memory of having done so."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from utilitysched.model.state import Floats, Integers

BINS = 48
"""Half octaves of run times from 1 s, about 190 days."""

CLASSES = 12
"""Octaves of requested times from `SHORTEST_CLASS`, the last one open."""

SHORTEST_CLASS = 300.0
"""Requested time up to twice which jobs are in the first class (s)."""


class RuntimeHistogram(NamedTuple):
    """Run times of completed jobs by half octaves, changed in place as jobs end.

    Attributes
    ----------
    below, spent : (13, 49) float64
        Completed jobs below each edge of the bins, by class of request and in all, and the sum of
        their run times, each taken to be the middle of its bin (s).
    """

    below: Floats
    spent: Floats

    @classmethod
    def blank(cls) -> Self:
        """Return the histogram of no jobs."""
        below, spent = np.zeros((2, CLASSES + 1, BINS + 1))
        return cls(below, spent)

    def copy(self) -> Self:
        """Return the same, to go on separately."""
        return type(self)(*(column.copy() for column in self))


class RestartTerms(NamedTuple):
    """Terms of holes and of priced restarts (semantics of restarts, section 1).

    Attributes
    ----------
    holes : bool
        Jobs may start softly on processors that nobody may have yet.
    restarts : bool
        Jobs may be killed for others that are worth it.
    valued : bool
        Utility functions say what a job is worth; else every job is worth 1, less in proportion to
        its turnaround, until that is `EVERYBODY_WAITS`.
    kills : int
        How often one job may be killed.
    theta : float
        Share of what a processor-second earns at which lost work is charged.
    alpha, tau : float
        Weight of the value that is lost by a delay of `tau` (s) where holes are filled.
    horizon : float
        A displacing job's gain is over this many times the wait that is expected without.
    protection : float
        For how long who displaced others is not killed (s).
    age : float
        Longest run that is killed of a job without checkpoints (s).
    area : float
        Most work that is lost to one kill (processor-seconds).
    """

    holes: bool
    restarts: bool
    valued: bool
    kills: int
    theta: float
    alpha: float
    tau: float
    horizon: float
    protection: float
    age: float
    area: float


class RestartMemory(NamedTuple):
    """What a scheduler that takes processors back remembers of n jobs; changed in place.

    Attributes
    ----------
    requested : (n,) float64
        Requested time of a job before it ever ran (s).
    kills : (n,) int64
        How often it was killed.
    outlasted : (n,) float64
        It is known to run for longer than this (s).
    soft : (n,) bool
        It runs in a hole.
    tried : (n,) bool
        It has displaced others, or is worth nothing any more.
    protected : (n,) float64
        It is not killed before this time (s).
    histogram : RuntimeHistogram
        How long completed jobs ran.
    earned : (3,) float64
        Completed jobs, their value (SU), and their processor-seconds.
    """

    requested: Floats
    kills: Integers
    outlasted: Floats
    soft: NDArray[np.bool_]
    tried: NDArray[np.bool_]
    protected: Floats
    histogram: RuntimeHistogram
    earned: Floats

    @classmethod
    def blank(cls, jobs: int) -> Self:
        """Return the memory of jobs that never ran."""
        return cls(
            np.zeros(jobs),
            np.zeros(jobs, np.int64),
            np.zeros(jobs),
            np.zeros(jobs, np.bool_),
            np.zeros(jobs, np.bool_),
            np.full(jobs, -np.inf),
            RuntimeHistogram.blank(),
            np.zeros(3),
        )

    def longer(self, jobs: int) -> Self:
        """Return a copy with room for so many jobs."""
        other = self.blank(jobs)
        histogram, larger = self.histogram, other.histogram
        columns = (*self[:6], *histogram, self.earned)
        for old, new in zip(columns, (*other[:6], *larger, other.earned), strict=True):
            new[: len(old)] = old
        return other
