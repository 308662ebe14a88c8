"""Holding times of processors: known ones, start by start, and those assumed for charges."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

import numpy as np

from utilitysched.engine.simulation import Simulation
from utilitysched.model.segments import Stop
from utilitysched.model.state import Floats


class HoldingTime(NamedTuple):
    """Time from one start of a job to its end or its next stop.

    Attributes
    ----------
    lasted : float
        Its length (s); NaN if it is not known.
    stopped_after : float
        Its length if the job was stopped, else NaN.
    """

    lasted: float = math.nan
    stopped_after: float = math.nan


def assumed_durations(
    held: Sequence[HoldingTime], expected: Floats | None, run: Floats | None
) -> Floats:
    """Return how long starting jobs are taken to be in the way of others (s); NaN for as planned.

    A start after which the job was stopped counts for as long as the job held its processors.

    Parameters
    ----------
    held : sequence of HoldingTime
        Known holding times of the starts of k jobs.
    expected : (k,) float64 or None
        Expected run times, where these are to be taken (s).
    run : (k,) float64 or None
        Actual run times, where these are to be taken (s).
    """
    durations = np.full(len(held), np.nan)
    if run is not None:
        lasted = np.array([each.lasted for each in held])
        durations = np.where(np.isnan(lasted), run, lasted)
    if expected is not None:
        durations = expected
    stopped = np.array([each.stopped_after for each in held])
    return np.where(np.isnan(stopped), durations, stopped)


@dataclass(frozen=True)
class HoldingTimes:
    """Known holding times of jobs that were stopped or could have been.

    Attributes
    ----------
    of_job : dict of int to list of HoldingTime
        By number in the simulation, one for each start.
    """

    of_job: dict[int, list[HoldingTime]] = field(default_factory=dict)

    @classmethod
    def of_simulation(cls, simulation: Simulation) -> Self:
        """Return the holding times in a simulation of jobs that can be stopped.

        A job that still runs holds its processors up to its end.
        """
        times = cls()
        assert simulation.restarts is not None
        for entry in simulation.restarts.entries:
            lasted = entry.end - entry.start
            stopped_after = math.nan if entry.stop == Stop.COMPLETED else lasted
            times._add(entry.job, HoldingTime(lasted, stopped_after))
        for end, job in simulation.completions:
            times._add(job, HoldingTime(end - simulation.start.item(job)))
        return times

    def of(self, job: int, start: int) -> HoldingTime:
        """Return the holding time of a start of a job, counted from 0."""
        times = self.of_job.get(job, ())
        return times[start] if start < len(times) else HoldingTime()

    def _add(self, job: int, time: HoldingTime) -> None:
        self.of_job.setdefault(job, []).append(time)
