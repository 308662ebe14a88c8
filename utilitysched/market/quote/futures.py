"""Futures of a scenario: what a scheduler makes of it, for each sample of how long jobs run."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from utilitysched.market.quote.scenario import Scenario
from utilitysched.model.plans import Planner
from utilitysched.model.state import Floats, QueueState

Times = tuple[Floats, Floats]
"""Starts and ends of all jobs (s)."""


class Decided(NamedTuple):
    """The pass in which the job starts.

    Attributes
    ----------
    state : QueueState
        What the scheduler saw.
    everybody : bool
        The whole queue starts in it.
    planner : Planner
        Of the scheduler that has just decided so.
    """

    state: QueueState
    everybody: bool
    planner: Planner


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
        Returns the pass of a sample, given by number, in which the job starts.
    thorough : bool
        They were made regardless of time, and are to be charged so.
    """

    scenario: Scenario
    runs: Floats
    start: Floats
    end: Floats
    decided: Callable[[int], Decided]
    thorough: bool = False

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
