"""Results of the estimate study, and the samples of jobs that tell them."""

import dataclasses
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


@dataclass(frozen=True)
class Use:
    """How much of their requests jobs use, over all jobs with a request.

    Attributes
    ----------
    jobs : int
        How many they are.
    mean : float or None
        Mean share of the request used.
    below_fifth : float or None
        Share of jobs that use less than a fifth of it.
    below_tenth : float or None
        Share of jobs that use less than a tenth, of those that request more than a minute.
    """

    jobs: int
    mean: float | None
    below_fifth: float | None
    below_tenth: float | None


@dataclass(frozen=True)
class Group:
    """Mean inaccuracies of some jobs.

    Attributes
    ----------
    jobs : int
        How many they are.
    requests : float or None
        Of their requested times.
    soft_estimates : float or None
        Of their soft estimates.
    """

    jobs: int
    requests: float | None
    soft_estimates: float | None = None


@dataclass(frozen=True)
class Padding:
    """Whether users add time to a run time they know.

    Attributes
    ----------
    revised : float or None
        Share of answers below the request: users who know that they pad.
    cut : float or None
        Mean of 1 - estimate / request over those.
    overestimates : float or None
        Share of soft estimates above the run time: what is padded still.
    explained : float or None
        Share of the requests' mean inaccuracy that is not in the soft estimates. Users who know
        their run times and only pad them have 1.
    round_requests, round_estimates : float or None
        Share of whole multiples of 12 h among the requests and the soft estimates of the answers.
    """

    revised: float | None
    cut: float | None
    overestimates: float | None
    explained: float | None
    round_requests: float | None
    round_estimates: float | None


@dataclass(frozen=True)
class Level:
    """Answers of one level of confidence.

    Attributes
    ----------
    level : int
        0 to 5, the nearest to the stated confidence.
    answers : Group
        All of them.
    unchanged : Group
        Those that repeat the request.
    revised : Group
        Those below it.
    """

    level: int
    answers: Group
    unchanged: Group
    revised: Group


@dataclass(frozen=True)
class UserEstimates:
    """One user.

    Attributes
    ----------
    user : int
        Number.
    requests : Group
        Jobs whose requests are judged.
    answers : Group
        Jobs whose soft estimates are judged, too.
    revised : float or None
        Share of the answers below the request.
    """

    user: int
    requests: Group
    answers: Group
    revised: float | None


@dataclass(frozen=True)
class Study:
    """What a log says about its users' estimates.

    Attributes
    ----------
    jobs : int
        All jobs of the log.
    left_out : tuple of ExcludedJobs
        Which of them tell nothing, and why.
    use : Use
        Use of the requested time.
    requests : Group
        All jobs judged.
    answers, revised, unchanged : Group
        Those with a soft estimate; those of them below the request; those that repeat it.
    padding : Padding
        Whether requests and soft estimates are padded.
    levels : tuple of Level
        By confidence, ascending; those that occur.
    users : tuple of UserEstimates
        Most jobs judged first.
    user_mean : Group
        Means over users of each user's means: users who submit much count no more than others.
    """

    jobs: int
    left_out: tuple[ExcludedJobs, ...]
    use: Use
    requests: Group
    answers: Group
    revised: Group
    unchanged: Group
    padding: Padding
    levels: tuple[Level, ...]
    users: tuple[UserEstimates, ...]
    user_mean: Group

    def to_dict(self) -> dict[str, object]:
        """Return the same as plain values."""
        return dataclasses.asdict(self)
