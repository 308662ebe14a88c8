"""Replays of some jobs at a time, in any executor, and the bill that they make."""

import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from pricing.pivots import Losses
from pricing.replays import Replays
from swfx.base.answer_file import AnswerFile
from utilitysched.counterfactual.replays.question import Question
from utilitysched.counterfactual.replays.replayer import Absence, Difference, Replayer
from utilitysched.model.state import Integers
from utilitysched.workers.executor import Executor, Work
from utilitysched.workers.local import SerialExecutor

JOBS = 20
"""Jobs in a block: little is lost when a run is stopped, and little time goes into sending."""

Block = tuple[int, ...]
"""Jobs by index in arrival order."""


def replay_jobs(
    question: Question,
    jobs: Integers,
    executor: Executor | None = None,
    keeper: AnswerFile | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> Replays:
    """Answer a question for some jobs.

    Parameters
    ----------
    question : Question
        What is replayed; n jobs.
    jobs : (m,) int64
        Which to leave out, by position in the workload.
    executor : Executor, optional
        Where replays are run, this process if not given. The answer is the same everywhere.
    keeper : AnswerFile, optional
        Gets what is finished at once, and gives it back to the next call.
    on_progress : callable, optional
        Called now and then with the share of jobs done.
    """
    order = question.arrivals().order
    places = np.flatnonzero(np.isin(order, jobs)).tolist()
    kept = keeper.kept([question.digest]) if keeper else []
    absences = {job: _restored(job, differences) for _, (job, differences) in kept}
    missing = [job for job in places if job not in absences]
    run = (executor or SerialExecutor()).run
    for _, block in run(replays(question), in_blocks(missing)) if missing else ():
        if keeper:
            keeper.keep(question.digest, block)
        absences |= {absence.job: absence for absence in block}
        if on_progress:
            on_progress(len(absences) / len(places))
    return _columns(question, [absences[job] for job in places], order)


def replays(question: Question) -> Work[Block, list[Absence]]:
    """Return a question as work on blocks of jobs."""
    return Work("replay", partial(_replays, question))


def in_blocks(jobs: list[int]) -> Iterator[Block]:
    """Yield jobs block by block."""
    return (tuple(jobs[first : first + JOBS]) for first in range(0, len(jobs), JOBS))


def _replays(question: Question) -> Callable[[Block], list[Absence]]:
    replayer = Replayer(question)
    return lambda block: [replayer.without(job) for job in block]


def _restored(job: int, differences: list[list[Any]]) -> Absence:
    """Return an answer read from a file."""
    parts = [Difference(*each) for each in differences]
    return Absence(
        job,
        tuple(
            part._replace(
                victims=tuple(part.victims), losses=tuple(part.losses), delays=tuple(part.delays)
            )
            for part in parts
        ),
    )


def _columns(question: Question, absences: list[Absence], order: Integers) -> Replays:
    """Return the answers by position in the workload."""
    jobs, seeds = len(order), question.seeds
    shape = jobs, len(seeds)
    begin = np.full(jobs, np.nan)
    end, with_job, without_job, difference = (np.full(shape, np.nan) for _ in range(4))
    recoupled, count = np.zeros(shape, np.bool_), np.full(shape, -1, dtype=np.int64)
    for absence in absences:
        job = order[absence.job]
        begin[job] = question.workload.submit[job]
        for seed, change in enumerate(absence.differences):
            at = job, seed
            end[at], recoupled[at], count[at] = change.end, change.recoupled, change.others
            with_job[at], without_job[at] = change.with_job, change.without_job
            difference[at] = math.fsum(change.losses)
    return Replays(
        question.scheduler,
        question.draws,
        seeds,
        begin,
        end,
        recoupled,
        count,
        with_job,
        without_job,
        difference,
        _losses(absences, order),
    )


def _losses(absences: Iterable[Absence], order: Integers) -> Losses:
    rows = [
        (order[absence.job], order[victim], loss, delay)
        for absence in absences
        for victim, loss, delay in _mean_losses(absence)
        if loss
    ]
    cause, victim, loss, delay = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Losses.whole(
        np.array(cause, dtype=np.int64),
        np.array(victim, dtype=np.int64),
        np.array(loss, float),
        np.array(delay, float),
    )


def _mean_losses(absence: Absence) -> Iterator[tuple[int, float, float]]:
    """Yield each other job, what it loses (SU) and its delay (s), means over the seeds."""
    lost: dict[int, list[tuple[float, float]]] = {}
    for difference in absence.differences:
        for victim, loss, delay in zip(
            difference.victims, difference.losses, difference.delays, strict=True
        ):
            lost.setdefault(victim, []).append((loss, delay))
    seeds = len(absence.differences)
    for victim, pairs in sorted(lost.items()):
        losses, delays = zip(*pairs, strict=True)
        yield victim, math.fsum(losses) / seeds, math.fsum(delays) / seeds
