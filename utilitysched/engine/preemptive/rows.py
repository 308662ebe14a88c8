"""Outages as rows beside the jobs: to schedulers, one more job that runs until the repair."""

from dataclasses import dataclass

import numpy as np

from checkpoint.failures import Outages
from utilitysched.engine.preemptive.terms import Terms
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.state import Integers, JobTable

NO_JOB = -1


@dataclass(frozen=True)
class Rows:
    """Jobs by submit time and outages by start, jobs first at one instant.

    Attributes
    ----------
    arrivals : Arrivals
        Of both; of an outage, `order` and `job_id` are -1, and its run time is what is requested.
    terms : Terms
        Of both; outages cannot be bumped.
    outage : (n,) int64
        Which outage each row is, -1 for a job.
    """

    arrivals: Arrivals
    terms: Terms
    outage: Integers

    @property
    def of_jobs(self) -> Integers:
        """Row of each job in arrival order."""
        return np.flatnonzero(self.outage < 0)

    @classmethod
    def of(cls, arrivals: Arrivals, terms: Terms, outages: Outages) -> "Rows":
        """Put outages beside jobs."""
        jobs = len(arrivals.run)
        time = np.concatenate([arrivals.known.submit, outages.start])
        row = np.argsort(time, kind="stable")
        is_job = row < jobs
        place = np.full(len(row), NO_JOB)
        place[is_job] = row[is_job]
        length = outages.end - outages.start
        known = _known(arrivals.known, outages, row)
        run = np.concatenate([arrivals.run, length])[row]
        order = np.append(arrivals.order, NO_JOB)[place]
        job_id = np.append(arrivals.job_id, NO_JOB)[place]
        every = Terms(
            np.append(terms.interval, -1.0)[place],
            np.append(terms.overhead, 0.0)[place],
            np.append(terms.periodic, -1.0)[place],
            terms.actual,
            terms.kills,
        )
        return cls(Arrivals(order, known, run, job_id), every, np.where(is_job, -1, row - jobs))


def _known(known: JobTable, outages: Outages, row: Integers) -> JobTable:
    none = np.zeros(len(outages), dtype=np.int64)
    first = known.submit[0] - known.arrival[0] if len(known.submit) else 0.0
    points = np.concatenate([np.diff(known.offsets), none])[row]
    return known._replace(
        submit=np.concatenate([known.submit, outages.start])[row],
        arrival=np.concatenate([known.arrival, outages.start - first])[row],
        size=np.concatenate([known.size, outages.high - outages.low])[row],
        request=np.concatenate([known.request, outages.end - outages.start])[row],
        priority=np.concatenate([known.priority, none])[row],
        user=np.concatenate([known.user, none - 1])[row],
        # outages have no curves, so those of jobs stay where they are
        offsets=np.concatenate([[0], np.cumsum(points)]).astype(np.int64),
    )
