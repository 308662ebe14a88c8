"""The estimate study: inaccuracy of requests and soft estimates, by confidence and by user."""

import numpy as np

from swfx import MISSING, Workload
from swfx.families.soft_estimates import MOST_CONFIDENT
from utilitysched.analysis.estimates.judged import Judged, mean
from utilitysched.analysis.estimates.results import Group, Level, Padding, Study, Use, UserEstimates
from utilitysched.analysis.estimates.sample import LEAST_REQUEST, sample

HALF_DAY = 43200.0
"""Users round requests to 12, 24 and 36 hours, LEE saw, and soft estimates as well (5.3.1)."""

MINUTE = 60.0


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
    jobs = Judged.of(workload, chosen)
    users = _users(jobs)
    return Study(
        jobs=len(workload),
        left_out=chosen.left_out,
        use=_use(workload),
        requests=Group(len(jobs), mean(jobs.request_error)),
        answers=jobs[jobs.answered].group(),
        revised=jobs[jobs.revised].group(),
        unchanged=jobs[jobs.unchanged].group(),
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


def _padding(answers: Judged) -> Padding:
    cut = 1 - answers.estimate / answers.requested
    return Padding(
        revised=mean(answers.revised),
        cut=mean(cut[answers.revised]),
        overestimates=mean(answers.estimate > answers.run),
        explained=_explained(answers.group()),
        round_requests=mean(answers.requested % HALF_DAY == 0),
        round_estimates=mean(answers.estimate % HALF_DAY == 0),
    )


def _explained(answers: Group) -> float | None:
    if not answers.requests or answers.soft_estimates is None:
        return None
    return 1 - answers.soft_estimates / answers.requests


def _levels(answers: Judged) -> tuple[Level, ...]:
    stated = answers[answers.confidence != MISSING]
    level = np.rint(MOST_CONFIDENT * stated.confidence)
    return tuple(
        Level(
            int(value),
            stated[level == value].group(),
            stated[(level == value) & stated.unchanged].group(),
            stated[(level == value) & stated.revised].group(),
        )
        for value in np.unique(level)
    )


def _users(jobs: Judged) -> tuple[UserEstimates, ...]:
    order = np.argsort(jobs.user, kind="stable")
    first = np.flatnonzero(np.diff(jobs.user[order])) + 1
    users = [_user(jobs[rows]) for rows in np.split(order, first) if len(rows)]
    known = [user for user in users if user.user != MISSING]
    return tuple(sorted(known, key=lambda user: -user.requests.jobs))


def _user(jobs: Judged) -> UserEstimates:
    return UserEstimates(
        int(jobs.user[0]),
        Group(len(jobs), mean(jobs.request_error)),
        jobs[jobs.answered].group(),
        mean(jobs.revised[jobs.answered]),
    )


def _user_mean(users: tuple[UserEstimates, ...]) -> Group:
    """Average the users' means; of soft estimates, over users who gave one."""
    requests = [user.requests.requests for user in users]
    estimates = [user.answers.soft_estimates for user in users if user.answers.jobs]
    return Group(len(users), mean(np.array(requests)), mean(np.array(estimates)))
