"""States of the queue that a scheduler sees, and the decisions it may answer with."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from swfx import InputError
from swfx.base.columns import Column, taken

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from swfx.labels import JobLabels
    from utilitysched.model.job_facts import JobFacts
    from utilitysched.model.machine import PoolView


class InfeasibleDecision(ValueError):  # noqa: N818 - the decision is what is infeasible
    """A scheduler decided something that cannot be done; the message says which and when."""


Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class JobTable(NamedTuple):
    """Columns of what is known about every submitted job, in arrival order.

    Arrival order is submit time, then position in the workload file, so a job's index is also
    the tie order everywhere. Actual run times are not here: a scheduler cannot leak them. Where a
    job is submitted once another has ended, its submit time is that instant, its release.

    Attributes
    ----------
    machine_size : int
        Processors of the machine.
    submit : (n,) float64
        Submit time r on the log's clock (s).
    arrival : (n,) float64
        Submit time in seconds since the first submit of the workload.
    size : (n,) int64
        Processors q.
    request : (n,) float64
        Requested time p~ (s), the kill limit.
    priority : (n,) int64
        Priority class, 0 the most urgent.
    user : (n,) int64
        User, numbered from 0 in order of first submission; -1 for unknown.
    offsets : (n+1,) int64
        Job i's utility function is ``times[offsets[i]:offsets[i+1]]`` (s since submit) against
        ``values`` of the same range (SU). An empty range is no utility function.
    times, values : (m,) float64
        Points of all utility functions, one after the other.
    """

    machine_size: int
    submit: Floats
    arrival: Floats
    size: Integers
    request: Floats
    priority: Integers
    user: Integers
    offsets: Integers
    times: Floats
    values: Floats

    def first(self, count: int) -> "JobTable":
        """Return the columns of the first `count` arrivals (views, no copies)."""
        return JobTable(
            self.machine_size,
            self.submit[:count],
            self.arrival[:count],
            self.size[:count],
            self.request[:count],
            self.priority[:count],
            self.user[:count],
            self.offsets[: count + 1],
            self.times[: self.offsets[count]],
            self.values[: self.offsets[count]],
        )

    def of(self, jobs: Integers, *, curves: bool = True) -> "JobTable":
        """Return copies of the columns of some jobs, with utility functions or without any."""
        offsets, points = np.zeros(len(jobs) + 1, np.int64), jobs[:0]
        if curves:
            offsets, points = taken(self.offsets, jobs)
        return JobTable(
            self.machine_size,
            self.submit.take(jobs),
            self.arrival.take(jobs),
            self.size.take(jobs),
            self.request.take(jobs),
            self.priority.take(jobs),
            self.user.take(jobs),
            offsets,
            self.times.take(points),
            self.values.take(points),
        )


class Preemption(NamedTuple):
    """Columns of what preempting every submitted job would mean, in arrival order.

    Where jobs can be preempted, `JobTable.request` of one that was preempted is the requested time
    it has left, the overhead of its next start included; while it runs, that of this start. Once
    the job has ended it is what was requested at first again, and `QueueState.finished_run` its
    useful run time in all, so that what is learnt does not depend on preemptions.

    Attributes
    ----------
    interval : (n,) float64
        Work between two checkpoints (s); 0 if a preemption itself writes one, so that nothing is
        lost; infinite for a job that takes none and starts from scratch if preempted; -1 for one
        that must not be preempted.
    overhead : (n,) float64
        Restart overhead that a start after a preemption is expected to take (s).
    preemptions : (n,) int64
        How often each job was preempted by a scheduler so far; failures do not count.
    last_start : (n,) float64
        When each job last started (s), not a number for one that never did.
    paid : (n,) float64
        Overhead with which that start was expected to begin (s), 0 for a first start.
    """

    interval: Floats
    overhead: Floats
    preemptions: Integers
    last_start: Floats
    paid: Floats

    def first(self, count: int) -> "Preemption":
        """Return the columns of the first `count` arrivals (views, no copies)."""
        return Preemption(
            self.interval[:count],
            self.overhead[:count],
            self.preemptions[:count],
            self.last_start[:count],
            self.paid[:count],
        )


@dataclass(frozen=True, slots=True)
class QueueState:
    """All that a scheduler may see at a scheduling pass.

    Jobs are named by their index in arrival order, the index into the columns of `known`.
    `known` ends with the last arrival: later jobs are not in it. Where processors fail, outages
    under way have the rows behind that, at this pass only: each is among the running jobs, holds
    its processors until the repair, and cannot be stopped.

    Attributes
    ----------
    now : float
        Time of the pass on the log's clock (s).
    free : int
        Processors in use by nobody.
    queued : (k,) int64
        Queued jobs in arrival order, never empty.
    running : (m,) int64
        Running jobs by expected end.
    expected_end : (m,) float64
        Start + requested time of each running job (s), non-decreasing. Where a job may run on past
        that, the next instant.
    finished : (f,) int64
        Jobs that ended since the last pass, by end, then index.
    finished_run : (f,) float64
        Their run times (s).
    known : JobTable
        Columns of every job submitted so far. They are not protected from writing, which would have
        every kernel compiled once more for such arrays; what is written there changes nothing but
        what this scheduler sees later.
    preemption : Preemption or None
        What preempting would mean, None where no running job can be preempted.
    disrupted : bool
        Since the last pass an outage has begun, a job was stopped, or one that was stopped before
        has ended; or one runs past its limit. What was planned for later by what ran at the last
        pass may not be possible any more.
    finished_end : (f,) float64 or None
        When they ended (s), None where that is not known.
    facts : JobFacts or None
        Rows of the jobs in the workload, which `labels` and `column` read; None where there is no
        workload: at a snapshot, and in Slurm.
    pool : PoolView or None
        Pool of the machine to which all of this is restricted; None for a machine of one pool and
        nothing but processors.
    """

    now: float
    free: int
    queued: Integers
    running: Integers
    expected_end: Floats
    finished: Integers
    finished_run: Floats
    known: JobTable
    preemption: Preemption | None = None
    disrupted: bool = False
    finished_end: Floats | None = None
    outlasted: Floats | None = None
    facts: "JobFacts | None" = None
    pool: "PoolView | None" = None

    def column(self, name: str, jobs: "ArrayLike | None" = None) -> Column:
        """Return a column of the workload for some jobs.

        Parameters
        ----------
        name : str
            A field of SWF such as ``requested_memory``, or an extra column such as
            ``tres/gres/gpu``.
        jobs : (k,) int64 or (n,) bool, optional
            Submitted jobs, by number or marked among all; default: the queued ones.

        Returns
        -------
        (k,) ndarray
            In the units of `swfx.FIELDS`; -1 where it is not known, and for outages.

        Raises
        ------
        InputError
            No job has such a column, there is no workload, or it says what becomes of jobs.
        """
        return self._facts(name).column(name, self.queued if jobs is None else jobs)

    def labels(self, kind: str, jobs: "ArrayLike | None" = None) -> "JobLabels":
        """Return the labels of one kind, ``partition`` or ``account``, of some jobs; see `column`.

        Raises
        ------
        InputError
            There is no such kind, no job has one, there is no workload, or it says what becomes of
            jobs.
        """
        return self._facts(kind).labels(kind, self.queued if jobs is None else jobs)

    def _facts(self, name: str) -> "JobFacts":
        if self.facts is None:
            problem = f"the {name} of jobs is not known here"
            raise InputError(problem, field=name, remedy="simulate a workload that has it")
        return self.facts

    @property
    def stops(self) -> Preemption:
        """What preempting would mean: nobody can be, where nothing is said of it."""
        if self.preemption is not None:
            return self.preemption
        jobs = len(self.known.submit)
        nothing, begun = np.zeros(jobs), np.full(jobs, np.nan)
        begun[self.running] = self.expected_end - self.known.request[self.running]
        return Preemption(nothing - 1.0, nothing, np.zeros(jobs, np.int64), begun, nothing)


_NO_JOBS = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a scheduler wants done at a pass.

    Any sequence of whole numbers will do where an array is asked for.

    Attributes
    ----------
    starts : (s,) int64
        Queued jobs to start now. Together they must fit in the free processors, those of
        `preempts` included.
    wake_up : float or None
        Ask for a pass at this later time (s) even if nothing happens then.
    order : (k,) int64 or None
        The queue order that was used; decides which starts count as backfilled. Default:
        arrival order.
    preempts : (b,) int64
        Running jobs to preempt before the starts: they go back to the queue.
    causes : (b,) int64 or None
        For whom each is preempted, one of `starts`; default: who first takes its processors.
    losses : (b,) float64 or None
        What each preemption is taken to cost its job (SU).

    Raises
    ------
    TypeError
        Jobs are named by something else than whole numbers.

    Examples
    --------
    >>> Decision([3, 1]).starts
    array([3, 1])
    """

    starts: Integers = field(default_factory=lambda: _NO_JOBS)
    wake_up: float | None = None
    order: Integers | None = None
    preempts: Integers = field(default_factory=lambda: _NO_JOBS)
    causes: Integers | None = None
    losses: Floats | None = None

    def __post_init__(self) -> None:
        for name in ("starts", "order", "preempts"):
            given = getattr(self, name)
            if given is not None and not isinstance(given, np.ndarray):
                object.__setattr__(self, name, _jobs(given))


def _jobs(given: Sequence[int]) -> Integers:
    """Return jobs as an array."""
    jobs = np.asarray(given)
    if jobs.size and jobs.dtype.kind not in "iu":
        raise TypeError(f"jobs are named by whole numbers, not by {jobs.dtype}")
    return jobs.astype(np.int64)
