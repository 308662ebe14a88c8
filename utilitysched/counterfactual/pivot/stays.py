"""Holding times of processors, start by start."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

from utilitysched.model.segments import Segments, Stop
from utilitysched.model.state import Integers


class Stay(NamedTuple):
    """From one start of a job until it ended or was stopped.

    Attributes
    ----------
    lasted : float
        How long that was (s); NaN if it is not known.
    stopped_after : float
        The same if it was stopped, else NaN.
    """

    lasted: float = math.nan
    stopped_after: float = math.nan


@dataclass(frozen=True)
class Stays:
    """Known stays of jobs that were stopped or could have been.

    Attributes
    ----------
    of_job : dict of int to list of Stay
        By index in arrival order, one for each start.
    """

    of_job: dict[int, list[Stay]] = field(default_factory=dict)

    @classmethod
    def from_segments(cls, segments: Segments, index: Integers) -> "Stays":
        """Return the stays of a simulation.

        Parameters
        ----------
        segments : Segments
            By start, and in the order in which they ended.
        index : (n,) int64
            What the job at each position in the workload is called: its index in arrival order.
        """
        stays = cls()
        columns = index[segments.job].tolist(), segments.elapsed.tolist(), segments.stop.tolist()
        for job, lasted, stop in zip(*columns, strict=True):
            stopped_after = math.nan if stop == Stop.COMPLETED else lasted
            stays.of_job.setdefault(job, []).append(Stay(lasted, stopped_after))
        return stays

    def of(self, job: int, start: int) -> Stay:
        """Return the stay after one of the starts of a job, counted from 0."""
        stays = self.of_job.get(job)
        return stays[start] if stays else Stay()
