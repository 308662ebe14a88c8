"""Readings of utility functions: what each job was taken to be worth when it was ranked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pricing.outcome import Outcome
from pricing.reader import CurveReader, Readings
from pricing.registry import PriceMechanism
from swfx import InputError, Workload
from swfx.base.columns import Floats, Ints
from swfx.base.configured import choice

REQUESTED, SCHEDULER, END = "requested", "scheduler", "end"


@dataclass(frozen=True)
class ReadingMechanism(PriceMechanism):
    """Base of those that charge by readings of utility functions.

    Attributes
    ----------
    reading : {"requested", "scheduler", "end"}
        Time at which a utility function is read: the requested end, that by which the scheduler
        ranked the job, or the realised end.
    """

    reading: str = choice((REQUESTED, SCHEDULER, END), REQUESTED)

    @property
    def promises(self) -> frozenset[str]:  # type: ignore[override]  # an option decides
        """That nobody pays more than the job turned out to be worth, unless that is not read."""
        return frozenset() if self.ranks else frozenset({"rationality"})

    @property
    def ranks(self) -> bool:
        """Whether charges go by how the scheduler read utility functions when it ranked jobs."""
        return self.reading == SCHEDULER

    def reader(self, outcome: Outcome) -> CurveReader:
        """Return who tells how the scheduler read utility functions.

        Raises
        ------
        InputError
            Nobody does.
        """
        if outcome.counterfactual is None:
            raise InputError(
                f"{self.name} charges by what the scheduler that made the schedule read",
                field="reading",
                remedy="bill a run's directory with `utilitysched bill`, give counterfactual=, or"
                " leave reading out",
            )
        return outcome.counterfactual

    def refuse_cap(self) -> None:
        """Refuse to cut charges to realised values.

        Raises
        ------
        InputError
            Charges go by the scheduler's reading, and the cap would go by another.
        """
        if self.ranks:
            raise InputError(
                f"{self.name} charges by what the scheduler read, and a cap at what jobs turned out"
                " to be worth would let those off that it read wrongly",
                field="cap",
                remedy=f"leave it out, or charge by {self.name}:reading={REQUESTED}",
            )


def worth_of(workload: Workload, jobs: Ints, at: Floats, duration: Floats) -> Floats:
    """Return what jobs are worth (SU), if they start at some times and run so long, (m,).

    Parameters
    ----------
    workload : Workload
        The jobs.
    jobs : (m,) int64
        By their place in it.
    at : (m,) float64
        Starts (s).
    duration : (m, K) float64
        Samples (s), over which the mean is taken.
    """
    curves, since = workload.utility.take(jobs), at - workload.submit[jobs]
    samples = [curves.evaluate(since + duration[:, k]) for k in range(duration.shape[1])]
    return samples[0] if len(samples) == 1 else np.mean(samples, axis=0)


def readings_of(outcome: Outcome, reader: CurveReader) -> Readings:
    """Return what every start of the jobs of an outcome was read to be worth."""
    starts = reader.starts(outcome.position)
    duration = reader.forecasts(starts.job, starts.at)
    places = outcome.places(starts.job)
    return Readings(starts, duration, worth_of(outcome.workload, places, starts.at, duration))


def highest_reading(read: Readings, place: Ints, jobs: int) -> Floats:
    """Return the most that each of some jobs was read to be worth at any of its starts (SU), (n,).

    By a mean over its starts, a job that is stopped would pay less than what it was ranked by once,
    and by its last start less the later that is.

    Parameters
    ----------
    read : Readings
        Of s starts.
    place : (s,) int64
        Which of the n jobs each is of.
    jobs : int
        n.
    """
    highest = np.zeros(jobs)
    np.maximum.at(highest, place, read.worth)
    return highest
