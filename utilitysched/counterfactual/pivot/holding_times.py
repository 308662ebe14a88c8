"""Holding times of processors, start by start."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from utilitysched.engine.simulation import Simulation
from utilitysched.model.segments import Stop


class HoldingTime(NamedTuple):
    """From one start of a job until it ended or was stopped.

    Attributes
    ----------
    lasted : float
        How long that was (s); NaN if it is not known.
    stopped_after : float
        The same if it was stopped, else NaN.
    kept : float
        Work done in it that was not lost (s); NaN if it is not known.
    """

    lasted: float = math.nan
    stopped_after: float = math.nan
    kept: float = math.nan


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
        """Return those of the starts that a simulation of jobs that can be stopped has made.

        A job that still runs holds its processors up to its end.
        """
        times = cls()
        assert simulation.restarts is not None
        for entry in simulation.restarts.entries:
            lasted = entry.end - entry.start
            stopped_after = math.nan if entry.stop == Stop.COMPLETED else lasted
            times._add(entry.job, HoldingTime(lasted, stopped_after, entry.kept))
        for end, job in simulation.completions:
            times._add(job, HoldingTime(end - simulation.start.item(job)))
        return times

    def of(self, job: int, start: int) -> HoldingTime:
        """Return the time after one of the starts of a job, counted from 0."""
        times = self.of_job.get(job, ())
        return times[start] if start < len(times) else HoldingTime()

    def _add(self, job: int, time: HoldingTime) -> None:
        self.of_job.setdefault(job, []).append(time)
