"""One decision of a run, beside what others would have planned."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from swfx import InputError
from utilitysched.exact.planned import planned
from utilitysched.exact.problem import StaticProblem
from utilitysched.exact.search import ExplainedSearch, explained_search
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.state import Floats, Integers
from utilitysched.runs.snapshot.stored import snapshot_of
from utilitysched.runs.stored import StoredRun, read_run
from utilitysched.schedulers.registry import make_scheduler

OTHERS = ("easy", "priority-fifo", "value", "value-density", "value-and-delay")
"""Simple rules; `ga` begins its search at most of their orders."""


class PlannedStarts(NamedTuple):
    """What a scheduler asked at the moment would plan.

    Attributes
    ----------
    label : str
        The scheduler.
    start : (k,) float64
        Planned starts (s), in the order of the queue.
    value : (k,) float64
        What each job is worth then, as the run's scheduler reads values (SU).
    """

    label: str
    start: Floats
    value: Floats


class ExplainedDecision(NamedTuple):
    """Queued, started and startable jobs at a decision, and the value of each plan.

    Attributes
    ----------
    problem : StaticProblem
        The moment: k queued jobs, and how values are read.
    started : (k,) bool
        Which the run started.
    value_now : (k,) float64
        What each is worth if it starts now (SU).
    plans : tuple of PlannedStarts
        The run's scheduler first.
    search : ExplainedSearch or None
        How that came to its plan, if it is genetic.
    """

    problem: StaticProblem
    started: NDArray[np.bool_]
    value_now: Floats
    plans: tuple[PlannedStarts, ...]
    search: ExplainedSearch | None = None

    @property
    def passed_over(self) -> NDArray[np.bool_]:
        """Jobs that did not start though the processors left idle would have been enough."""
        size = self.problem.size
        idle = self.problem.snapshot.free - int(size[self.started].sum())
        return ~self.started & (size <= idle)

    @property
    def order(self) -> Integers:
        """Places in the queue: who started, who was passed over, then by planned start."""
        turn = np.where(self.started, 0, np.where(self.passed_over, 1, 2))
        return np.lexsort((self.plans[0].start, turn))


def explain_decision(
    directory: Path, at: float, others: Iterable[str] = OTHERS, seed: int = 0
) -> ExplainedDecision:
    """Return a decision of a run beside the plans of other schedulers at the same moment.

    Plans are made from the moment alone: what the run's scheduler remembered is not in it.

    Parameters
    ----------
    directory : Path
        Of one run, as `simulate --out` leaves it.
    at : float
        On the log's clock (s).
    others : iterable of str
        Schedulers, as `make_scheduler` takes them.
    seed : int
        Of what they draw.

    Raises
    ------
    InputError
        It is no run directory, or nobody was queued.
    """
    run = read_run(directory)
    return explained(run, at, others, seed)


def explained(
    run: StoredRun, at: float, others: Iterable[str] = OTHERS, seed: int = 0
) -> ExplainedDecision:
    """Return the same of a run that was read; see `explain_decision`."""
    snapshot = snapshot_of(run, at)
    if not snapshot.queued:
        raise InputError(
            f"no job is queued at {at:.15g} s",
            field="at",
            remedy="give the starting_time of a job in jobs.csv",
        )
    labels = dict.fromkeys([snapshot.scheduler, *others])
    schedulers = [make_scheduler(label) for label in labels]
    rule = schedulers[0].reading or ForecastRule()
    problem = StaticProblem(snapshot, rule)
    starts = [planned(snapshot, scheduler, seed) for scheduler in schedulers]
    return ExplainedDecision(
        problem,
        np.isin(snapshot.ids, _started(run, at)),
        problem.values(np.full(len(snapshot.queued), at)),
        tuple(
            PlannedStarts(label, start, problem.values(start))
            for label, start in zip(labels, starts, strict=True)
        ),
        explained_search(snapshot, schedulers[0], starts[0]),
    )


def start_of(run: StoredRun, job: int | str) -> float:
    """Return when a job of a run, given by number or name, first started (s).

    Raises
    ------
    InputError
        There is no such job.
    """
    return float(run.start[run.workload.job_names.position(job)])


def _started(run: StoredRun, at: float) -> Integers:
    """Return the numbers of the jobs that the run started, or let go on, at a time (s)."""
    ids: Integers = run.workload.job_id
    job = np.flatnonzero(run.start == at)
    if run.segments is not None:
        job = run.segments.job[run.segments.start == at]
    started: Integers = ids[job]
    return started
