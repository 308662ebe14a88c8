"""Columns of a run on shared nodes: cluster, jobs, speeds, policy."""

from typing import NamedTuple

import numpy as np

from utilitysched.kernels.compiling import leaf
from utilitysched.model.state import Floats, Integers, JobTable

TICK = 2.0**-20
"""Seconds; a power of two, so that sums of times below 2^33 s are exact."""

TOGETHER = 2.0**-10
"""Seconds; some hundred times what rounding to ticks can add up to in a schedule of a day."""

NOBODY = -1

SEVERAL = -1
"""Applications that a job is beside, so that its speed says nothing of any one of them."""

ARRIVAL, SHORTEST, LONGEST, LARGEST, POPULARITY, FILLER, SHORT_FILLER, POPULAR_FILLER = range(8)
VALUE, OWN = 8, 9
"""What the queue is ordered by; the last by scores from outside."""

EASY, SHADOW, UNRESERVED = range(3)
"""Which jobs may start around a stuck one: by EASY's rule, by ELiSE's, by that of ELiSE's
conservative scheduler."""

ARRIVED, QUEUED, RUNNING, PASSES, ENDED, ASKING = range(6)

_NO_POINTS = np.empty(0)
_NO_NUMBERS = np.empty(0, np.int64)
NO_CURVES = JobTable(
    0,
    _NO_POINTS,
    _NO_POINTS,
    *(_NO_NUMBERS, _NO_POINTS, _NO_NUMBERS, _NO_NUMBERS),
    np.zeros(1, np.int64),
    _NO_POINTS,
    _NO_POINTS,
)
"""Jobs of which no policy reads utility functions."""


class SharedNodes(NamedTuple):
    """A cluster of equal nodes.

    Attributes
    ----------
    nodes : int
        How many.
    cores : int
        Of a node.
    part_cores : int
        Cores of one part: its share of each socket.
    contiguous : bool
        A job has nodes that follow one another.
    parts : int
        Parts of a node, each for one job of those that share it.
    """

    nodes: int
    cores: int
    part_cores: int
    contiguous: bool
    parts: int = 2


class SharingJobs(NamedTuple):
    """Columns of all jobs in arrival order; times in whole ticks.

    Attributes
    ----------
    submit : (n,) float64
        Submit time (s).
    size : (n,) int64
        Processes.
    work : (n,) float64
        Run time when compact (s).
    known : (n,) float64
        Run time that the scheduler reckons with (s).
    limit : (n,) float64
        Run time at which it is killed (s), infinite if never.
    application : (n,) int64
        Row of the speeds.
    noise : (n,) float64
        Speed of it that is measured, as a share of the true one.
    table : JobTable
        The jobs with their utility functions, for policies that read them.
    """

    submit: Floats
    size: Integers
    work: Floats
    known: Floats
    limit: Floats
    application: Integers
    noise: Floats
    table: JobTable = NO_CURVES


class Speeds(NamedTuple):
    """Speeds of applications, compact = 1.

    Attributes
    ----------
    alone : (a,) float64
        On parts of nodes beside nobody.
    beside : (a, a) float64
        Of each beside each other.
    """

    alone: Floats
    beside: Floats

    def columns(self) -> Floats:
        """Return both in one, alone last, shape (a, a + 1)."""
        return np.column_stack((self.beside, self.alone))


class SharingPolicy(NamedTuple):
    """A policy: an order of the queue, and how jobs are placed.

    Attributes
    ----------
    order : int
        One of `ARRIVAL` to `OWN`.
    shares : bool
        Jobs are placed on parts of nodes.
    reserves : bool
        Conservative: each job holds a reservation.
    backfilling : int
        `EASY`, `SHADOW` or `UNRESERVED`.
    depth : int
        Jobs behind a stuck head that are looked at for backfilling.
    window : int
        Jobs, in order of arrival, that are put in order; later ones follow as they came.
    least_rank : int
        Jobs of lower popularity are placed compact.
    learns_ends : bool
        Whether ends of running jobs follow from their speeds, rather than being start + known run
        time.
    threshold : float
        Mean speed of a pair above which each is popular with the other.
    optimism : float
        By how much a speed that was never seen is taken to exceed its mean; by this over the root
        of 1 + n one that was seen n times.
    ranks_nodes : bool
        Jobs take the nodes on which they will be fastest, rather than the first that are free.
    tau : float
        Delay (s) whose cost is the value that a job gains by starting now.
    """

    order: int
    shares: bool
    reserves: bool
    backfilling: int
    depth: int
    window: int
    least_rank: int
    learns_ends: bool
    threshold: float
    optimism: float
    ranks_nodes: bool
    tau: float = 0.0


@leaf
def on_tick(time: float) -> float:
    """Return the nearest whole tick (s)."""
    return np.rint(time / TICK) * TICK


def on_ticks(times: Floats) -> Floats:
    """Return the nearest whole ticks of a column of times (s)."""
    ticks: Floats = np.rint(times / TICK) * TICK
    return ticks
