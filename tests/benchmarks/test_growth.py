from __future__ import annotations

from benchmarks.growth import LOAD, PROCESSORS, poisson


def test_the_model_keeps_its_load_whatever_the_number_of_jobs() -> None:
    for jobs in (100, 20_000):
        workload = poisson(jobs)

        work = float((workload.run * workload.size).sum())
        span = float(workload.submit[-1] - workload.submit[0])
        assert len(workload) == jobs
        assert abs(work / (span * PROCESSORS) - LOAD) < 0.05
        assert (workload.requested_time >= workload.run).all()
        assert workload.size.max() <= PROCESSORS / 2
    assert poisson(50) == poisson(50)
