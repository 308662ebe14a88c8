"""Sentences on plans with a job and without it."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from pricing import Pivots
from pricing.pivots import Starts
from swfx.base.numbers import plural, span


class Wording(NamedTuple):
    """How the charge and the schedule are told.

    Attributes
    ----------
    length : str
        For how long the job is taken to run.
    preemptible : bool
        Whether running jobs could be preempted.
    when : callable
        Names an instant (s).
    """

    length: str
    preemptible: bool
    when: Callable[[float], str]


def of_plans(known: Pivots, job: int, told: Wording) -> Iterator[str]:
    """Yield what others have in their plans with a job and without it.

    Parameters
    ----------
    known : Pivots
        The plans of all jobs.
    job : int
        By position in the schedule's workload.
    told : Wording
        How that is told.
    """
    mine = None if known.starts is None else known.starts.of(known.starts.job == job)
    if mine is not None and len(mine.job) > 1:
        yield from _of_starts(mine, told)
    else:
        others, values = int(known.others[job]), (known.with_job[job], known.without_job[job])
        yield from _of_start("When it started", others, values, told)
        yield from _of_values(told.length, values)
    if known.reserved[job]:
        yield f"Before it started, its reservation had cost others {known.reserved[job]:,.2f} SU."
    if not math.isnan(known.error[job]):
        yield f"Over several searches the standard error is {known.error[job]:,.2f} SU."


def _of_starts(mine: Starts, told: Wording) -> Iterator[str]:
    """Yield what a job that was stopped cost the others, start by start."""
    others = "the others in the queue"
    if told.preemptible:
        others += ", and those that ran and could be preempted"
    yield (
        f"It started {len(mine.job)} times, and is charged for each by what the best plans found"
        f" were worth to {others}, with it and without it."
    )
    columns = (mine.at, mine.held, mine.others, mine.with_job, mine.without_job)
    for at, held, count, *values in zip(*(column.tolist() for column in columns), strict=True):
        stay = told.length if math.isnan(held) else f"for {span(held)} until it was stopped"
        yield f"At {told.when(at)}, {stay}: {_compared(count, values)}."


def _compared(others: int, values: Sequence[float]) -> str:
    """Say what was compared at one of several starts."""
    if others == 0:
        return "no other job was queued"
    if math.isnan(values[0]):
        return "the whole queue started"
    with_job, without_job = values
    return f"{with_job:,.2f} and {without_job:,.2f} SU, to {plural(others, 'job')}"


def _of_start(when: str, others: int, values: Sequence[float], told: Wording) -> Iterator[str]:
    """Yield who else was there; where their utilities are not known, the whole queue started."""
    queued = f"{plural(others, 'other job')} {'was' if others == 1 else 'were'} queued"
    if others == 0:
        yield f"{when}, no other job was queued."
    elif math.isnan(values[0]):
        yield f"{when}, {queued}, and the whole queue started with it."
    elif told.preemptible:
        yield f"{when}, {queued}, or ran and could be preempted."
    else:
        yield f"{when}, {queued}."


def _of_values(length: str, values: Sequence[float]) -> Iterator[str]:
    with_job, without_job = values
    if not math.isnan(with_job):
        runs = f", and runs {length}," if length else ""
        yield (
            f"The best plan found in which it starts{runs} was worth {with_job:,.2f} SU to them,"
            f" the best without it {without_job:,.2f} SU."
        )
