from __future__ import annotations

import numpy as np

from tests.utilitysched.analysis.estimates.surveyed import surveyed
from utilitysched.analysis.estimates import ExcludedJobs, sample


def test_every_job_left_out_has_one_reason() -> None:
    found = sample(surveyed())

    assert np.flatnonzero(found.requests).tolist() == [0, 1, 2, 3, 4, 8, 9]
    assert np.flatnonzero(found.answers).tolist() == [0, 1, 2, 3]
    assert found.left_out == (
        ExcludedJobs("no requested time", 1, 0),
        ExcludedJobs("request below 1,200 s", 1, 1),
        ExcludedJobs("ran to its limit", 1, 1),
        ExcludedJobs("soft estimate above the request", 0, 1),
    )
    assert found.requests.sum() + sum(left.jobs for left in found.left_out) == 10


def test_short_requests_may_be_judged_too() -> None:
    found = sample(surveyed(), least_request=0)

    assert np.flatnonzero(found.requests).tolist() == [0, 1, 2, 3, 4, 6, 8, 9]


def test_a_job_that_overran_its_request_ran_to_its_limit() -> None:
    jobs = surveyed().replace(run=surveyed().requested_time + 1)

    assert not sample(jobs).requests.any()
