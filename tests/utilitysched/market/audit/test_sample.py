"""Which jobs are lied about."""

from __future__ import annotations

import numpy as np

from tests.utilitysched.market.audit.markets import PROCESSORS, crowd
from utilitysched import simulate
from utilitysched.market.audit.audit import congestion, sample


def test_congestion_is_what_queued_and_running_jobs_want() -> None:
    jobs = crowd(1)
    start = simulate(jobs, "easy", machine_size=PROCESSORS).start
    end = start + jobs.effective_run

    found = congestion(jobs, start + jobs.effective_run, PROCESSORS)

    for job, now in enumerate(jobs.submit):
        here = (jobs.submit < now) & (end > now)
        assert found[job] == jobs.size[here].sum() / PROCESSORS
    assert found.max() > 1


def test_as_many_from_each_third() -> None:
    crowded = np.array([5.0, 0.0, 3.0, 1.0, 4.0, 2.0, 9.0])
    eligible = np.array([True] * 6 + [False])

    found = sample(crowded, eligible, 4, seed=1)

    thirds = [{1, 3}, {5, 2}, {4, 0}]
    assert all(job in thirds[third] for job, third in zip(found.job, found.stratum, strict=True))
    assert np.bincount(found.stratum).tolist() == [2, 1, 1]
    assert found.job.tolist() == sorted(found.job.tolist())
    assert found.congestion.tolist() == crowded[found.job].tolist()


def test_no_job_twice_and_no_more_than_there_are() -> None:
    found = sample(np.arange(5.0), np.ones(5, np.bool_), 50, seed=1)

    assert found.job.tolist() == [0, 1, 2, 3, 4]
