"""Decisions that can be done, and those that are refused."""

from collections.abc import Callable

from utilitysched.model.state import Decision, InfeasibleDecision, QueueState

Name = Callable[[int], str]
"""How a job is called in a message."""


def checked_preempted(state: QueueState, decision: Decision, name: Name) -> list[int]:
    """Return the jobs to preempt.

    Raises
    ------
    InfeasibleDecision
        One does not run, must not be preempted, or is named twice or to be started as well.
    """
    preempted: list[int] = decision.preempts.tolist()
    if not preempted:
        return preempted
    running, starts = set(state.running.tolist()), decision.starts.tolist()
    for at, job in enumerate(preempted):
        if state.preemption is None:
            why = "this simulation has no preemption; give the scheduler preempts = True"
        elif job not in running:
            why = "it is not running"
        elif job in preempted[:at]:
            why = "it is preempted already"
        elif state.preemption.interval[job] < 0:
            why = "it takes no checkpoints (scratch=true lets it start from scratch)"
        elif job in starts:
            why = "it is to be started in the same pass"
        else:
            continue
        raise InfeasibleDecision(f"at {state.now:g} s: {name(job)} cannot be preempted: {why}")
    return preempted


def checked_starts(state: QueueState, decision: Decision, free: int, name: Name) -> dict[int, None]:
    """Return the jobs to start, in the order of the decision.

    Raises
    ------
    InfeasibleDecision
        One is not in the queue or named twice, or all need more than the `free` processors.
    """
    given = decision.starts.tolist()
    starts = dict.fromkeys(given)
    queued = set(state.queued.tolist()) if starts else set()
    for job in starts:
        if job not in queued:
            raise InfeasibleDecision(f"at {state.now:g} s: {name(job)} is not in the queue")
    if len(starts) < len(given):
        twice = next(job for job in starts if given.count(job) > 1)
        raise InfeasibleDecision(f"at {state.now:g} s: {name(twice)} is started twice")
    need = sum(state.known.size.item(job) for job in starts)
    if need > free:
        raise InfeasibleDecision(
            f"at {state.now:g} s: the starts need {need} processors, {free} are free"
        )
    return starts


def checked_wake_up(state: QueueState, decision: Decision, otherwise: float) -> float:
    """Return when to wake the scheduler up (s).

    Raises
    ------
    InfeasibleDecision
        At a time that is over.
    """
    if decision.wake_up is None:
        return otherwise
    if not decision.wake_up > state.now:
        raise InfeasibleDecision(
            f"at {state.now:g} s: wake-up at {decision.wake_up:g} s is not in the future"
        )
    return decision.wake_up
