"""Costs of the checkpoints of a workload, as they are and at their best."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from checkpoint.failing_nodes import as_mtbf
from checkpoint.interval import FloatArray
from checkpoint.optimal import best_interval, expected_time, together
from checkpoint.overhead import Overhead
from swfx.base.columns import Bools, Floats, Ints
from swfx.base.errors import InputError
from swfx.fields import MISSING
from swfx.workload import Workload

__all__ = ["VERDICTS", "Advice", "Costs", "Hours", "Stops", "advise"]

VERDICTS: tuple[str, ...] = (
    "too often",
    "about right",
    "too rarely",
    "unnecessary",
    "none needed",
    "missing",
)
"""What can be said of a job: its interval is below half the best, between that and twice the best,
or above; it writes checkpoints and should not; it writes none, and should not, or should. A job
that is over before its first checkpoint writes none."""


@dataclass(frozen=True)
class Stops:
    """Mean times between what stops a job.

    Attributes
    ----------
    mtbf : float
        Mean time between failures of one node (s).
    node_size : int
        Processors of a node.
    preemptions : float
        Mean time between preemptions of a running job (s), whatever its size; they act like
        failures.

    Examples
    --------
    >>> Stops(mtbf=7200, node_size=8, preemptions=3600).between(np.array([8, 9])).tolist()
    [2400.0, 1800.0]
    """

    mtbf: float = math.inf
    node_size: int = 1
    preemptions: float = math.inf

    @classmethod
    def from_texts(cls, mtbf: str | None, per: int | None, preemptions: str) -> Stops:
        """Make them from options of the command line.

        Raises
        ------
        InputError
            A text cannot be read, or nothing stops any job.
        """
        between, failing = _seconds(preemptions, "preemptions"), _seconds(mtbf or "never", "mtbf")
        if math.isinf(failing) and math.isinf(between):
            raise InputError(
                "nothing stops any job",
                field="mtbf",
                remedy="give `mtbf=5y`, of one node, or `preemptions=TIME`",
            )
        return cls(failing, per or 1, between)

    def __str__(self) -> str:
        kinds = []
        if math.isfinite(self.mtbf):
            kinds.append(f"one failure per node every {self.mtbf / 3600:,.6g} h")
        if math.isfinite(self.preemptions):
            kinds.append(f"one preemption per running job every {self.preemptions / 3600:,.6g} h")
        return ", and ".join(kinds)

    def between(self, processors: Ints) -> Floats:
        """Return the mean time (s) between stops of jobs by their numbers of processors, (n,)."""
        sizes, job = np.unique(processors, return_inverse=True)
        failures = self.mtbf / np.maximum(-(-sizes // self.node_size), 1)
        return together(failures, self.preemptions)[job]


def _seconds(text: str, field: str) -> float:
    seconds = as_mtbf(text, "", field)
    if not seconds > 0:
        raise InputError(f"{text!r} is not a time above 0", field=field, remedy="write 5y or 90d")
    return seconds


class Costs(NamedTuple):
    """What checkpoints and restarts take where the workload does not say it.

    Attributes
    ----------
    checkpoint : Overhead or None
        Of writing one; None = as long as the job's restart.
    restart : Overhead or None
        Of jobs without a restart overhead of their own; None = as long as writing.
    """

    checkpoint: Overhead | None = None
    restart: Overhead | None = None

    @classmethod
    def from_texts(cls, checkpoint: str | None, restart: str | None) -> Costs:
        """Make them from options of the command line.

        Raises
        ------
        InputError
            A text is not an overhead.
        """
        texts = {"cost": checkpoint, "restart": restart}
        return cls(
            *(
                None if text is None else Overhead.from_text(text, field)
                for field, text in texts.items()
            )
        )

    def of(self, workload: Workload) -> tuple[Floats, Floats]:
        """Seconds that a checkpoint, and a restart, of every job takes."""
        default = self.restart or self.checkpoint or DEFAULT
        stated = workload.restart_overhead
        restart = np.where(stated == MISSING, default.of(workload.size), stated)
        cost = restart if self.checkpoint is None else self.checkpoint.of(workload.size)
        return cost, restart


DEFAULT = Overhead(1.0, per_processor=True)
"""What restarts take in annotations, too."""


class Hours(NamedTuple):
    """Processor-hours of some jobs, expected.

    Attributes
    ----------
    jobs : int
        How many.
    work : float
        Without checkpoints and stops.
    stated, best : float
        With the intervals that the jobs have, and with the best.
    interval, best_interval : float or None
        Median work between checkpoints (s), of the jobs that take some, and of those that should.
    """

    jobs: int
    work: float
    stated: float
    best: float
    interval: float | None
    best_interval: float | None


@dataclass(frozen=True, eq=False)
class Advice:
    """Intervals of n jobs beside the best ones; columns of shape (n,), times in s.

    Attributes
    ----------
    processors : ndarray of int64
        Of each job.
    work : ndarray of float64
        Run time up to the request: the time without checkpoints and stops.
    interval, best : ndarray of float64
        Work between checkpoints as it is and as it should be; infinite = none.
    time, best_time, bare_time : ndarray of float64
        Expected time that the job runs with either, and without checkpoints.
    cost, restart, mtbf : ndarray of float64
        Of a checkpoint and a restart, and the mean time between stops.
    """

    processors: Ints
    work: Floats
    interval: Floats
    best: Floats
    time: Floats
    best_time: Floats
    bare_time: Floats
    cost: Floats
    restart: Floats
    mtbf: Floats

    def common(self, interval: float) -> float:
        """Return the processor-hours (expected) if all jobs had the same interval (s).

        Examples
        --------
        >>> jobs = Workload.from_columns(run=[86_400], processors=[4])
        >>> advice = advise(jobs, np.array([86_400.0]), Costs(Overhead(60)))
        >>> advice.common(3200.0) == advice.hours().best
        True
        """
        time = expected_time(
            self.work, interval, cost=self.cost, restart=self.restart, mtbf=self.mtbf
        )
        return float(time @ self.processors / 3600)

    @property
    def none_best(self) -> int:
        """How many jobs should take no checkpoints at all."""
        return int(np.count_nonzero(np.isinf(self.best)))

    @cached_property
    def verdict(self) -> Ints:
        """Position in `VERDICTS` of every job."""
        writes, should = self.work > self.interval, np.isfinite(self.best)
        often, rarely = 2 * self.interval < self.best, self.interval > 2 * self.best
        apart = np.where(often, 0, np.where(rarely, 2, 1))
        verdicts: Ints = np.where(writes, np.where(should, apart, 3), np.where(should, 5, 4))
        return verdicts.astype(np.int64)

    def hours(self, jobs: Bools | None = None) -> Hours:
        """Processor-hours of some jobs, or all of them."""
        some = np.ones(len(self.work), np.bool_) if jobs is None else jobs
        of_job = self.processors[some] / 3600
        return Hours(
            int(np.count_nonzero(some)),
            *(float(t[some] @ of_job) for t in (self.work, self.time, self.best_time)),
            *(_median(each[some]) for each in (self.interval, self.best)),
        )


def advise(workload: Workload, mtbf: FloatArray, costs: Costs = Costs()) -> Advice:  # noqa: B008  immutable
    """Set the intervals of a workload beside the best ones.

    Parameters
    ----------
    workload : Workload
        n jobs.
    mtbf : ndarray of float64, shape (n,)
        Mean time (s) between stops of each job, failures and preemptions together.
    costs : Costs
        What checkpoints and restarts take.

    Raises
    ------
    InputError
        A checkpoint costs nothing, or more than 100 times the mean time between stops.

    Examples
    --------
    >>> jobs = Workload.from_columns(run=[86_400], processors=[4], checkpoint_interval=[300])
    >>> advice = advise(jobs, np.array([86_400.0]), Costs(Overhead(60)))
    >>> VERDICTS[advice.verdict[0]], advice.best.tolist(), round(advice.hours().best, 3)
    ('too often', [3200.0], 99.668)
    """
    cost, restart = costs.of(workload)
    _refuse(workload, cost <= 0, "a checkpoint that costs nothing has no best interval")
    beyond = np.maximum(cost, restart) > 100 * mtbf
    _refuse(
        workload, beyond, "checkpoint or restart take over 100 times as long as stops are apart"
    )
    work, stated = workload.effective_run, workload.checkpoint_interval
    interval = np.where(stated == MISSING, np.inf, stated)
    best = best_interval(work, cost, mtbf)
    time, best_time, bare_time = (
        expected_time(work, each, cost=cost, restart=restart, mtbf=mtbf)
        for each in (interval, best, np.inf)
    )
    return Advice(
        workload.size, work, interval, best, time, best_time, bare_time, cost, restart, mtbf
    )


def _median(intervals: Floats) -> float | None:
    finite = intervals[np.isfinite(intervals)]
    return float(np.median(finite)) if len(finite) else None


def _refuse(workload: Workload, bad: Bools, reason: str) -> None:
    if bad.any():
        raise InputError(
            f"{reason} (job {workload.job_name(np.argmax(bad))})",
            field="cost",
            remedy="give other costs: seconds above 0",
        )
