"""Victims: the jobs to preempt for an urgent one."""

from collections.abc import Sequence

from checkpoint import saved
from utilitysched.model.state import Integers, QueueState
from utilitysched.schedulers.priority_preemption.options import PriorityOptions


def candidates(state: QueueState, options: PriorityOptions) -> list[int]:
    """Return the running jobs that may be preempted, who is to be preempted first at the front.

    Those of lower classes than the urgent ones that can go on from somewhere, were preempted less
    often than the limit, and have run for the minimum since their last start. The least urgent
    class comes first; within it who would lose the least work, or who started latest, and the
    other of the two where this is the same; the latest submission, where both are.
    """
    rules, running = state.preemption, of_lower_classes(state, options)
    if rules is None:
        return []
    may = state.now - rules.last_start[running] >= options.minimum
    return sorted(_jobs(running[may]), key=lambda job: _place(job, state, options))


def of_lower_classes(state: QueueState, options: PriorityOptions) -> Integers:
    """Return the running jobs that may be preempted, if they run for long enough."""
    rules, running = state.preemption, state.running
    if rules is None:
        return running[:0]
    may: Integers = running[
        (state.known.priority[running] > options.urgent)
        & (rules.interval[running] >= 0)
        & (rules.preemptions[running] < options.preemptions)
    ]
    return may


def _jobs(jobs: Integers) -> list[int]:
    listed: list[int] = jobs.tolist()
    return listed


def _place(job: int, state: QueueState, options: PriorityOptions) -> tuple[float, ...]:
    rules = state.preemption
    assert rules is not None, "there are candidates where jobs can be preempted"
    started = rules.last_start.item(job)
    work = max(0.0, state.now - started - rules.paid.item(job))
    lost = work - saved(work, rules.interval.item(job))
    ties = (-started, lost) if options.victim == "latest" else (lost, -started)
    return (-state.known.priority.item(job), *ties, -job)


def victims(candidates: Sequence[int], size: Integers, lacking: int) -> tuple[int, ...] | None:
    """Return whom to preempt for so many processors; None if all together have fewer.

    Candidates are taken from the front until they suffice. Then who is not needed after all is
    spared, from the last to the first, so that each of the others is.

    Parameters
    ----------
    candidates : sequence of int
        Running jobs, who is to be preempted first at the front.
    size : (n,) int64
        Processors of all jobs.
    lacking : int
        Processors wanted; nobody is preempted for 0 or less.

    Examples
    --------
    >>> import numpy as np
    >>> victims([0, 1, 2], np.array([1, 3, 9]), 3)
    (1,)
    """
    if lacking > sum(size.item(job) for job in candidates):
        return None
    taken: list[int] = []
    surplus = -lacking
    for job in candidates:
        if surplus >= 0:
            break
        taken.append(job)
        surplus += size.item(job)
    for job in reversed(taken[:]):
        if size[job] <= surplus:
            taken.remove(job)
            surplus -= size.item(job)
    return tuple(taken)
