"""The estimate study: errors of users about run times, in requests and soft estimates (LEE 5)."""

import dataclasses
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from swfx import MISSING, Workload
from swfx.base.columns import Bools, Floats
from swfx.families.soft_estimates import MOST_CONFIDENT

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
    """Estimates of one user.

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
    """Results of the estimate study of one log.

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
        """Return the study as plain values, fit for JSON."""
        return dataclasses.asdict(self)


TENTHS = 10

HALF_DAY = 43200.0
"""Users round requests to 12, 24 and 36 hours, LEE saw, and soft estimates as well (5.3.1)."""

MINUTE = 60.0


def judged(workload: Workload, sample: Sample) -> pd.DataFrame:
    """Return a row per job whose request is judged.

    Columns are ``requested``, ``estimate``, ``run`` (s), ``confidence`` (0 to 1; -1: unknown) and
    ``user``; whether the soft estimate is judged, too (``answered``), and is below the request
    (``revised``) or equal to it (``unchanged``); the inaccuracies ``request_error`` and
    ``estimate_error``, the latter NaN without an answer.
    """
    jobs = pd.DataFrame(
        {
            "requested": workload.requested_time,
            "estimate": workload.soft_estimate,
            "run": workload.effective_run,
            "confidence": workload.confidence,
            "user": workload.user,
            "answered": sample.answers,
        }
    )[sample.requests]
    revised = jobs.answered & (jobs.estimate < jobs.requested)
    return jobs.assign(
        revised=revised,
        unchanged=jobs.answered & ~revised,
        request_error=inaccuracy(jobs.requested.to_numpy(), jobs.run.to_numpy()),
        estimate_error=inaccuracy(
            jobs.estimate.where(jobs.answered).to_numpy(), jobs.run.to_numpy()
        ),
    )


def _group(jobs: pd.DataFrame) -> Group:
    """Return the number of some judged jobs and their mean inaccuracies."""
    errors = jobs.estimate_error[jobs.answered]
    return Group(len(jobs), mean(jobs.request_error), mean(errors))


def inaccuracy(expected: Floats, actual: Floats) -> Floats:
    """Error of an expected run time as a share of it, |expected - actual| / expected.

    Parameters
    ----------
    expected : ndarray of float64, shape (n,)
        Requested or estimated run time (s), positive.
    actual : ndarray of float64, shape (n,)
        Run time (s).

    Returns
    -------
    ndarray of float64, shape (n,)
        At most 1 where the job ended in time.

    Examples
    --------
    The user of LEE 5.3.1 who requested two hours and guessed one; the job ran for 50 s:

    >>> inaccuracy(np.array([7200.0, 3600.0]), np.array([50.0, 50.0])).round(2)
    array([0.99, 0.99])

    References
    ----------
    LEE, section 5.3.1, formulas 5.1 and 5.2.
    """
    return np.abs(expected - actual) / expected


def mean(values: npt.ArrayLike) -> float | None:
    """Return the mean of some values, None if there are none."""
    numbers = np.asarray(values)
    return float(np.mean(numbers)) if len(numbers) else None


def study(workload: Workload, least_request: float = LEAST_REQUEST) -> Study:
    """Compare requests and soft estimates with run times.

    Parameters
    ----------
    workload : Workload
        n jobs; soft estimates and confidences are used where there are any.
    least_request : float
        Leave out jobs that request less (s), see `sample`.

    References
    ----------
    LEE, chapter 5.
    """
    chosen = sample(workload, least_request)
    jobs = judged(workload, chosen)
    users = _users(jobs)
    return Study(
        jobs=len(workload),
        left_out=chosen.left_out,
        use=_use(workload),
        requests=Group(len(jobs), mean(jobs.request_error)),
        answers=_group(jobs[jobs.answered]),
        revised=_group(jobs[jobs.revised]),
        unchanged=_group(jobs[jobs.unchanged]),
        padding=_padding(jobs[jobs.answered]),
        levels=_levels(jobs[jobs.answered]),
        users=users,
        user_mean=_user_mean(users),
    )


def _use(workload: Workload) -> Use:
    known = workload.requested_time > 0
    requested = workload.requested_time[known]
    used = workload.effective_run[known] / requested
    return Use(int(known.sum()), mean(used), mean(used < 0.2), mean(used[requested > MINUTE] < 0.1))


def used_by_tenths(run: Floats, expected: Floats) -> Floats:
    """Return the shares of jobs by the tenth of an expected time that they ran, then of longer.

    Parameters
    ----------
    run, expected : ndarray of float64, shape (n,)
        Run time, and requested time or estimate; jobs without one (0 or less) are left out.

    Returns
    -------
    ndarray of float64, shape (11,)
        Zeros if there are no jobs.

    Examples
    --------
    >>> used_by_tenths(np.array([5.0, 10, 100, 150]), np.full(4, 100.0)).tolist()
    [0.25, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.25, 0.25]
    """
    known = expected > 0
    used = run[known] / expected[known]
    tenth = np.where(used > 1, TENTHS, np.minimum(np.floor(TENTHS * used), TENTHS - 1))
    counts = np.bincount(tenth.astype(np.int64), minlength=TENTHS + 1)
    return counts / max(len(used), 1)


def _padding(answers: pd.DataFrame) -> Padding:
    cut = 1 - answers.estimate / answers.requested
    return Padding(
        revised=mean(answers.revised),
        cut=mean(cut[answers.revised]),
        overestimates=mean(answers.estimate > answers.run),
        explained=_explained(_group(answers)),
        round_requests=mean(answers.requested % HALF_DAY == 0),
        round_estimates=mean(answers.estimate % HALF_DAY == 0),
    )


def _explained(answers: Group) -> float | None:
    if not answers.requests or answers.soft_estimates is None:
        return None
    return 1 - answers.soft_estimates / answers.requests


def _levels(answers: pd.DataFrame) -> tuple[Level, ...]:
    stated = answers[answers.confidence != MISSING]
    levels = np.rint(MOST_CONFIDENT * stated.confidence)
    return tuple(
        Level(int(level), _group(some), _group(some[some.unchanged]), _group(some[some.revised]))
        for level, some in stated.groupby(levels)
    )


def _users(jobs: pd.DataFrame) -> tuple[UserEstimates, ...]:
    users = [
        UserEstimates(
            int(mine.user.to_numpy()[0]),
            Group(len(mine), mean(mine.request_error)),
            _group(mine[mine.answered]),
            mean(mine.revised[mine.answered]),
        )
        for _, mine in jobs[jobs.user != MISSING].groupby("user")
    ]
    return tuple(sorted(users, key=lambda user: -user.requests.jobs))


def _user_mean(users: tuple[UserEstimates, ...]) -> Group:
    """Average the users' means; of soft estimates, over users who gave one."""
    requests = [user.requests.requests for user in users]
    estimates = [user.answers.soft_estimates for user in users if user.answers.jobs]
    return Group(len(users), mean(np.array(requests)), mean(np.array(estimates)))


SURVEY: dict[str, Group] = {
    "answers": Group(107, 0.61, 0.57),
    "revised": Group(51, 0.68, 0.60),
    "unchanged": Group(56, 0.55, 0.55),
}
"""Valid answers on Blue Horizon (LEE 5.3.1); an unchanged estimate is the request."""

REVISED_SHARE = 51 / 107
"""Of the answers, those that cut the request (LEE 5.3.1)."""

CUT = 0.35
"""Mean cut of those (LEE 5.3.1)."""

EXPLAINED = 1 - 57 / 61
"""Of the inaccuracy of the requests, what the soft estimates take away (from LEE 5.3.1)."""

CONFIDENT_SHARE = 0.70
"""Of the answers, those with a confidence of 4 or 5 (LEE 5.3.2)."""

UNCHANGED_LEVELS: dict[int, float] = {5: 0.60, 4: 0.22, 1: 0.0, 0: 0.0}
"""Of the unchanged answers, by confidence (LEE 5.3.2); of levels 2 and 3 there is no figure."""

MEAN_USE = "29"
"""% of the request that jobs of a Cray T3E used on average (Ward, Mahood, West; in LEE 5.1.1)."""

BELOW_FIFTH = "50 to 60"
"""% of jobs that used less than a fifth of their request, four logs (Cirne, Berman; ibid.)."""

BELOW_TENTH = "35"
"""% of jobs that used less than a tenth of a request of over a minute (Chiang et al.; ibid.)."""
