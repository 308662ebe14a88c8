"""Jobs that start, run as fast as their neighbours let them, and end."""

import numpy as np

from utilitysched.kernels.compiling import inner, leaf
from utilitysched.kernels.selection import close_up
from utilitysched.kernels.sharing.beliefs import observe
from utilitysched.kernels.sharing.state import SharingState
from utilitysched.kernels.sharing.terms import (
    NOBODY,
    RUNNING,
    SEVERAL,
    TOGETHER,
    SharingJobs,
    SharingPolicy,
    Speeds,
    on_tick,
)
from utilitysched.model.state import Floats, Integers


@inner
def learn(
    policy: SharingPolicy, jobs: SharingJobs, state: SharingState, job: int, now: float
) -> None:
    """Take in how fast a job has been beside the one application, or nobody, that it was beside."""
    one, other = jobs.application[job], state.beside[job]
    if other == SEVERAL or state.met[job] == now:
        return
    observe(policy, state.beliefs, one, other, state.speed[job] * jobs.noise[job])


@leaf
def _enter(running: Integers, count: int, job: int) -> None:
    """Insert a job into the ascending running jobs."""
    k = count
    while k > 0 and running[k - 1] > job:
        running[k] = running[k - 1]
        k -= 1
    running[k] = job


@inner
def start(
    jobs: SharingJobs,
    state: SharingState,
    taken: Integers,
    job: int,
    nodes: Integers,
    compact: bool,
    now: float,
) -> None:
    """Have a job run on these nodes; how fast is settled at the end of the pass."""
    halves, first = state.halves, state.place[job]
    parts = halves.shape[1]
    for k, node in enumerate(nodes):
        part = 0
        while halves[node, part] != NOBODY:
            part += 1
        state.placed[first + k] = parts * node + part
        for each in range(part, parts if compact else part + 1):
            halves[node, each] = job
            taken[node] += 1
    state.start[job] = now
    state.since[job] = now
    state.left[job] = jobs.work[job]
    state.speed[job] = 1.0
    state.beside[job] = SEVERAL
    state.compact[job] = compact
    state.end[job] = now + min(jobs.work[job], jobs.limit[job])
    state.reckoned[job] = state.end[job]
    _enter(state.running, state.counts[RUNNING], job)
    state.counts[RUNNING] += 1


@inner
def complete(state: SharingState, taken: Integers, now: float) -> Integers:
    """Remove and return the running jobs with ends within the tolerance, ascending."""
    running = state.running[: state.counts[RUNNING]]
    at = np.flatnonzero(state.end[running] <= now + TOGETHER)
    ended = running[at]
    state.end[ended] = now
    if len(at):
        for node in range(len(taken)):
            for part, job in enumerate(state.halves[node]):
                if job != NOBODY and state.end[job] == now:
                    state.halves[node, part] = NOBODY
                    taken[node] -= 1
        close_up(state.running, len(running), at, len(at))
        state.counts[RUNNING] -= len(at)
    return ended


@inner
def settle(
    policy: SharingPolicy, jobs: SharingJobs, speeds: Speeds, state: SharingState, now: float
) -> None:
    """Give every running job the speed of its neighbourhood, and the end that follows.

    Whose neighbours are others than before has shown how fast it was beside those.
    """
    running = state.running[: state.counts[RUNNING]]
    _look_around(jobs, speeds, state, running)
    # neighbours that changed: what was seen beside the former ones is learnt
    for job in running:
        if state.company[job] != state.beside[job]:
            learn(policy, jobs, state, job, now)
            state.beside[job] = state.company[job]
            state.met[job] = now
        # the end follows from the work that is left, only where the speed is another: no drift
        if state.fresh[job] != state.speed[job]:
            state.left[job] = _left(state, job, now)
            state.since[job] = now
            state.speed[job] = state.fresh[job]
            state.end[job] = _end(jobs, state, job, now, state.fresh[job])
        # the scheduler reckons with the speed that it believes in
        state.reckoned[job] = state.end[job]
        if state.guess[job] != state.fresh[job]:
            state.reckoned[job] = _end(jobs, state, job, now, state.guess[job])


@inner
def _look_around(jobs: SharingJobs, speeds: Speeds, state: SharingState, running: Integers) -> None:
    """Fill in neighbours of running jobs, with true and believed speeds beside these."""
    fresh, guess, company = state.fresh, state.guess, state.company
    believed, nobody = state.beliefs.speeds, len(speeds.alone)
    # before anybody is met
    for job in running:
        fresh[job], guess[job] = 0.0, 0.0
        company[job] = SEVERAL if state.compact[job] else nobody
    # jobs meet where parts of a node are of different ones; the least speed counts
    for node in range(len(state.halves)):
        for mine in state.halves[node]:
            for theirs in state.halves[node]:
                if NOBODY in (mine, theirs) or mine == theirs:
                    continue
                a, b = jobs.application[mine], jobs.application[theirs]
                _meet(fresh, mine, speeds.beside[a, b])
                _meet(guess, mine, believed.beside[a, b])
                company[mine] = b if company[mine] in (nobody, b) else SEVERAL
    # who met nobody is alone, or compact
    for job in running:
        if fresh[job] == 0.0:
            a, compact = jobs.application[job], state.compact[job]
            fresh[job] = 1.0 if compact else speeds.alone[a]
            guess[job] = 1.0 if compact else believed.alone[a]


@leaf
def _left(state: SharingState, job: int, now: float) -> float:
    """Return the work that is left of a running job (s at speed 1)."""
    return max(state.left[job] - (now - state.since[job]) * state.speed[job], 0.0)


@leaf
def _end(jobs: SharingJobs, state: SharingState, job: int, now: float, speed: float) -> float:
    """Return when a running job ends at a speed from now on (s)."""
    ends = on_tick(now + _left(state, job, now) / speed)
    return min(ends, state.start[job] + jobs.limit[job])


@leaf
def _meet(fresh: Floats, job: int, speed: float) -> None:
    """Note the speed of a job beside a neighbour: the least counts."""
    if fresh[job] == 0.0 or speed < fresh[job]:
        fresh[job] = speed
