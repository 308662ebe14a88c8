"""What others would have without a job (section 8), from simulations of whole logs.

Nothing is forked and nothing ends early: the log is simulated from its beginning, with the job and
without it, among the same outages.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tests.reference.jobs import Job
from tests.reference.values import utility

Simulated = Callable[[Sequence[int], float], Sequence[float]]
"""Ends of all jobs (s) in the log without some of them, by number, until some time (s)."""


def lost_by(
    gone: int, jobs: list[Job], simulated: Simulated, horizon: float = math.inf
) -> dict[int, float]:
    """Return who would have had how much more without a job (SU), `horizon` s after it came."""
    closes = jobs[gone].submit + horizon
    others = [job for job in jobs if job.submit < closes and job.number != gone]
    return _difference(others, simulated([], closes), simulated([gone], closes))


def lost_literally(gone: int, jobs: list[Job], simulated: Simulated) -> dict[int, float]:
    """Return the same by LEE's procedure: nobody comes once the job has ended."""
    having = simulated([], math.inf)
    later = [job.number for job in jobs if job.submit > having[gone]]
    others = [job for job in jobs if job.number not in (gone, *later)]
    return _difference(others, having, simulated([gone, *later], math.inf))


def _difference(
    others: list[Job], having: Sequence[float], lacking: Sequence[float]
) -> dict[int, float]:
    found = {job.number: _value(job, lacking) - _value(job, having) for job in others}
    return {number: lost for number, lost in found.items() if lost}


def _value(job: Job, ends: Sequence[float]) -> float:
    return utility(job.points, ends[job.number] - job.submit)
