"""Futures of a scenario: what a scheduler makes of it, for each sample of how long jobs run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

import numpy as np

from utilitysched.counterfactual.holding_times import HoldingTime
from utilitysched.engine.segments_log import SegmentEntry
from utilitysched.market.quote.scenario import Scenario
from utilitysched.model.plans import Planner
from utilitysched.model.segments import Stop
from utilitysched.model.state import Floats, Integers, QueueState

Times = tuple[Floats, Floats]
"""Starts and ends of all jobs (s)."""


class Decided(NamedTuple):
    """A pass in which the job starts.

    Attributes
    ----------
    state : QueueState
        What the scheduler saw.
    starts : (s,) int64
        The jobs that start in it.
    everybody : bool
        The whole queue starts in it, and nobody is preempted.
    planner : Planner
        Of the scheduler that has just decided so.
    held : HoldingTime
        For how long it holds its processors then, where it can be stopped.
    """

    state: QueueState
    starts: Integers
    everybody: bool
    planner: Planner
    held: HoldingTime = HoldingTime()

    @classmethod
    def without_preemption(cls, state: QueueState, starts: Integers, planner: Planner) -> Self:
        """Return a pass in which nobody is preempted."""
        return cls(state, starts, len(starts) == len(state.queued), planner)


class Displacements(NamedTuple):
    """Stops for the sake of others in S trajectories, at the price that the scheduler set.

    Attributes
    ----------
    stopped : (S,) int64
        How often the job is stopped for others.
    lost : (S,) float64
        What that is taken to cost it (SU): nothing where it ran in a hole.
    taken : (S,) float64
        What those lose that are stopped for the job (SU).
    """

    stopped: Integers
    lost: Floats
    taken: Floats

    @classmethod
    def of(cls, samples: Sequence[Sequence[SegmentEntry]], job: int) -> "Displacements":
        """Return those of a job in the stretches in which jobs ran, sample by sample."""
        stops = [[each for each in one if each.stop == Stop.PREEMPTED] for one in samples]
        lost = [[each.value_lost for each in one if each.job == job] for one in stops]
        taken = [[each.value_lost for each in one if each.cause == job] for one in stops]
        return cls(np.array([len(each) for each in lost]), _sums(lost), _sums(taken))


def _sums(prices: Sequence[Sequence[float]]) -> Floats:
    """Return sums of those prices that are known."""
    return np.array([float(np.nansum(each)) for each in prices])


@dataclass(frozen=True, eq=False)
class Futures:
    """S trajectories.

    Attributes
    ----------
    scenario : Scenario
        Of n jobs.
    runs : (S, n) float64
        How long each job runs (s).
    start, end : (S, n) float64
        When each runs (s); nothing is said of jobs that ended before.
    decided : callable
        Returns the passes of a sample, given by number, in which the job starts.
    used : (S, n) float64 or None
        For how long each holds its processors and does not do it in vain (s), where jobs can be
        stopped; None where that is from start to end.
    thorough : bool
        They were made regardless of time, and are to be charged so.
    displacements : Displacements or None
        Stops of the job for others, and of others for it, where jobs can be stopped.
    """

    scenario: Scenario
    runs: Floats
    start: Floats
    end: Floats
    decided: Callable[[int], Sequence[Decided]]
    used: Floats | None = None
    thorough: bool = False
    displacements: Displacements | None = None

    def __len__(self) -> int:
        return len(self.start)

    @property
    def wait(self) -> Floats:
        """Time from the job's submission to its start (s), shape (S,)."""
        waits: Floats = self.start[:, self.scenario.job] - self.scenario.submit
        return waits

    @property
    def completion(self) -> Floats:
        """When the job completes (s), shape (S,)."""
        ends: Floats = self.end[:, self.scenario.job]
        return ends

    @property
    def turnaround(self) -> Floats:
        """Time from the job's submission to its completion (s), shape (S,)."""
        return self.completion - self.scenario.submit


class Foresight(Protocol):
    """Tells what a scheduler will do."""

    bids_matter: bool
    """Whether utility functions can change what it does."""

    def futures(self, scenario: Scenario, runs: Floats, *, roughly: bool = False) -> Futures:
        """Play a scenario with each row of run times (s); `roughly` if it need not be as good."""
        ...


def played(runs: Floats, play: Callable[[Floats], Times]) -> Times:
    """Return starts and ends in each sample, whose run times `play` takes."""
    start, end = np.empty_like(runs), np.empty_like(runs)
    for sample, run in enumerate(runs):
        start[sample], end[sample] = play(run)
    return start, end
