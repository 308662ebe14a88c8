"""Samples of jobs that tell how good a request or a soft estimate is."""

from dataclasses import dataclass

import numpy as np

from swfx import MISSING, Workload
from swfx.base.columns import Bools

LEAST_REQUEST = 1200.0
"""Shortest request (s) of jobs whose users LEE asked (section 5.3.1): 20 minutes."""


@dataclass(frozen=True)
class ExcludedJobs:
    """A reason to leave jobs out.

    Attributes
    ----------
    reason : str
        In words.
    jobs : int
        How many of the jobs that no earlier reason leaves out.
    answers : int
        How many of those had a soft estimate.
    """

    reason: str
    jobs: int
    answers: int


@dataclass(frozen=True, eq=False)
class Sample:
    """The jobs that are counted.

    Attributes
    ----------
    requests : ndarray of bool, shape (n,)
        Jobs whose requests are judged.
    answers : ndarray of bool, shape (n,)
        Jobs among them whose soft estimates are judged.
    left_out : tuple of ExcludedJobs
        Why the others are not, in the order in which the reasons were applied. The last one leaves
        out an answer, not the job's request.
    """

    requests: Bools
    answers: Bools
    left_out: tuple[ExcludedJobs, ...]


def sample(workload: Workload, least_request: float = LEAST_REQUEST) -> Sample:
    """Choose the jobs by LEE's rules.

    A job that ran as long as it requested may have been killed there, so that nobody knows how long
    it would have run. A soft estimate above the request is no answer: such a job is sure to be
    killed first.

    Parameters
    ----------
    workload : Workload
        n jobs.
    least_request : float
        Leave out jobs that request less (s).

    References
    ----------
    LEE, section 5.3.1.
    """
    requested, guessed = workload.requested_time, workload.soft_estimate
    answered = guessed != MISSING
    kept = np.ones(len(workload), np.bool_)
    left_out = []
    for reason, bad in (
        ("no requested time", requested <= 0),
        (f"request below {least_request:,.0f} s", requested < least_request),
        ("ran to its limit", workload.effective_run >= requested),
    ):
        gone = kept & bad
        left_out.append(ExcludedJobs(reason, _count(gone), _count(gone & answered)))
        kept &= ~bad
    above = kept & answered & (guessed > requested)
    left_out.append(ExcludedJobs("soft estimate above the request", 0, _count(above)))
    return Sample(kept, kept & answered & ~above, tuple(left_out))


def _count(chosen: Bools) -> int:
    return int(np.count_nonzero(chosen))
