"""A workload as the engine takes it: columns in arrival order."""

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral

import numpy as np

from swfx import InputError, Workload, priority_classes
from utilitysched.model.job_facts import JobFacts
from utilitysched.model.state import Floats, Integers, JobTable


@dataclass(frozen=True)
class Arrivals:
    """The jobs of a workload by submit time, then position in the file.

    Attributes
    ----------
    order : (n,) int64
        Position in the workload of each job in arrival order.
    known : JobTable
        What schedulers may know.
    run : (n,) float64
        Effective run times (s): a job is killed at its requested time.
    job_id : (n,) int64
        What the workload calls each job, for messages.
    facts : JobFacts or None
        Their rows in the workload, for schedulers in Python.
    """

    order: Integers
    known: JobTable
    run: Floats
    job_id: Integers
    facts: JobFacts | None = None

    @classmethod
    def of(
        cls,
        workload: Workload,
        machine_size: int | None = None,
        classes: Mapping[int, int] | None = None,
    ) -> "Arrivals":
        """Put a workload in arrival order.

        Parameters
        ----------
        workload : Workload
            Cleaned jobs.
        machine_size : int, optional
            Processors of the machine; default: what the workload's header says.
        classes : mapping of int to int, optional
            Priority class of each queue number.

        Raises
        ------
        InputError
            No machine size, or a job that cannot run on this machine.
        """
        processors = _machine_size(workload, machine_size)
        _check(workload, processors)
        order = np.argsort(workload.submit, kind="stable")
        submit = workload.submit[order]
        utility = workload.utility.take(order)
        known = JobTable(
            processors,
            submit,
            submit - submit[0] if len(submit) else submit,
            workload.size[order],
            workload.request[order],
            priority_classes(workload, classes)[order],
            _dense(workload.user[order]),
            # The kernels take writable arrays, a workload's are not.
            np.array(utility.offsets),
            np.array(utility.times),
            np.array(utility.values),
        )
        facts = JobFacts(workload, order, range(len(order)), len(order))
        return cls(order, known, workload.effective_run[order], workload.job_id[order], facts)

    def first(self, count: int) -> "Arrivals":
        """Return the first `count` jobs (views, no copies)."""
        run, ids = self.run[:count], self.job_id[:count]
        return Arrivals(self.order[:count], self.known.first(count), run, ids, self.facts)

    def of_pool(self, jobs: Integers, size: Integers, machine_size: int) -> "Arrivals":
        """Return some of the jobs as those of a pool.

        Parameters
        ----------
        jobs : (m,) int64
            Which, ascending.
        size : (m,) int64
            Processors that each has in the pool.
        machine_size : int
            Processors of the pool.
        """
        known = self.known.of(jobs)
        known = known._replace(machine_size=machine_size, size=size, user=_dense(known.user))
        order, facts = self.order[jobs], self.facts
        if facts is not None:
            facts = facts._replace(order=order, places=range(len(order)), arrived=len(order))
        return Arrivals(order, known, self.run[jobs], self.job_id[jobs], facts)

    @property
    def longest_request(self) -> float:
        """Longest requested time (s), 0 without jobs."""
        return float(self.known.request.max(initial=0.0))


def _machine_size(workload: Workload, given: object) -> int:
    processors = workload.machine_size if given is None else given
    if processors is None:
        raise InputError(
            "the workload does not say how many processors the machine has",
            field="MaxProcs",
            remedy="give `machine_size=N`",
        )
    if not isinstance(processors, Integral) or processors < 1:
        raise InputError(
            f"a machine of {processors!r} processors", remedy="give a whole number, at least 1"
        )
    return int(processors)


def _check(workload: Workload, processors: int) -> None:
    for field, bad, message in (
        ("processors", workload.size < 1, "needs no processors"),
        ("processors", workload.size > processors, f"is wider than the machine ({processors})"),
        ("run", ~(workload.effective_run >= 0), "has a negative or unknown run time"),
        ("submit", ~np.isfinite(workload.submit), "has no submit time"),
        ("requested_time", ~np.isfinite(workload.request), "has no finite requested time"),
    ):
        if bad.any():
            job = workload.job_name(np.argmax(bad))
            raise InputError(
                f"job {job} {message}",
                field=field,
                remedy="read the workload with standard cleaning, or drop the job",
            )


def _dense(user: Integers) -> Integers:
    """Return users numbered from 0 as they first appear, with -1 for unknown."""
    names, first, inverse = np.unique(user, return_index=True, return_inverse=True)
    known = np.flatnonzero(names >= 0)
    number = np.full(len(names), -1, dtype=np.int64)
    number[known[np.argsort(first[known])]] = np.arange(len(known))
    return number[inverse]
