"""Plans of a named scheduler at a snapshot."""

from dataclasses import replace

import numpy as np

from utilitysched.engine.rollout import planner_of
from utilitysched.model.scheduler import Scheduler, Setting
from utilitysched.model.state import Floats, QueueState
from utilitysched.runs.snapshot import Snapshot

_NO_JOBS = np.empty(0, dtype=np.int64)


def planned(snapshot: Snapshot, scheduler: Scheduler, seed: int = 0) -> Floats:
    """Return the starts of queued jobs in the present plan of a scheduler.

    That is the plan of the genetic scheduler, and what any other does if nobody else comes and all
    run as requested. It is asked afresh: it remembers no plan, and reservations are made now, in
    queue order.

    Parameters
    ----------
    snapshot : Snapshot
        k queued jobs.
    scheduler : Scheduler
        Whom to ask.
    seed : int
        Of what it draws.

    Returns
    -------
    (k,) float64
        Starts (s).
    """
    if not snapshot.queued:
        return np.empty(0)
    state = brought_to(snapshot, scheduler, seed)
    planner = planner_of(scheduler)
    scheduler.decide(state)
    return planner.in_force(state)


def brought_to(snapshot: Snapshot, scheduler: Scheduler, seed: int = 0) -> QueueState:
    """Return the state of a snapshot after preparing a scheduler that started the running jobs.

    One that keeps reservations keeps a profile of what it started; it is told nothing of jobs that
    ended before.
    """
    state = snapshot.state()
    longest = max((job.request for job in snapshot.queued), default=0.0)
    scheduler.prepare(Setting(snapshot.machine_size, longest, seed))
    if not scheduler.keeps_reservations:
        return state
    state = replace(state, finished=_NO_JOBS, finished_run=np.empty(0))
    if len(state.running):
        begun = replace(
            state,
            free=snapshot.machine_size,
            queued=state.running,
            running=_NO_JOBS,
            expected_end=np.empty(0),
        )
        scheduler.decide(begun)
    return state
