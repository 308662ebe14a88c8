"""Jobs that start, run as fast as their neighbours let them, and end."""

import numpy as np

from utilitysched.kernels.compiling import inner, leaf
from utilitysched.kernels.selection import close_up, find_started
from utilitysched.kernels.sharing.beliefs import observe
from utilitysched.kernels.sharing.state import SharingState
from utilitysched.kernels.sharing.terms import (
    ENDED,
    NOBODY,
    QUEUED,
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
    """Take in how fast a job has been beside nobody, or the application that this is due to."""
    one, other = jobs.application[job], state.beside[job]
    if other == SEVERAL or state.met[job] == now:
        return
    observe(policy, state.beliefs, one, other, state.speed[job] * jobs.noise[job])


@leaf
def _enter(column: Integers, count: int, job: int, key: Floats) -> None:
    """Insert a job into a column of so many by a key, ties by number."""
    k = count
    while k > 0 and (key[column[k - 1]], column[k - 1]) > (key[job], job):
        column[k] = column[k - 1]
        k -= 1
    column[k] = job


@leaf
def come(jobs: SharingJobs, state: SharingState, job: int) -> None:
    """Let a job enter the queue."""
    _enter(state.queue, state.counts[QUEUED], job, jobs.submit)
    if len(state.shortest):
        _enter(state.shortest, state.counts[QUEUED], job, jobs.known)
    state.counts[QUEUED] += 1


@leaf
def go(state: SharingState, column: Integers, places: Integers) -> int:
    """Let jobs that started leave a column of the queue; return how many they are."""
    queued = state.counts[QUEUED]
    count = find_started(column[:queued], state.started, places)
    close_up(column, queued, places, count)
    return count


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
    holders, first = state.holders, state.place[job]
    parts = holders.shape[1]
    for k, node in enumerate(nodes):
        part = 0
        while holders[node, part] != NOBODY:
            part += 1
        state.placed[first + k] = parts * node + part
        for each in range(part, parts if compact else part + 1):
            holders[node, each] = job
            taken[node] += 1
        _disturb(state, node)
    state.held[job] = len(nodes)
    state.start[job] = now
    state.since[job] = now
    state.left[job] = jobs.work[job]
    state.speed[job] = 1.0
    state.beside[job] = SEVERAL
    state.compact[job] = compact
    state.end[job] = now + min(jobs.work[job], jobs.limit[job])
    state.reckoned[job] = state.end[job]
    _enter(state.running, state.counts[RUNNING], job, jobs.submit)
    state.counts[RUNNING] += 1


@inner
def complete(
    policy: SharingPolicy, jobs: SharingJobs, state: SharingState, taken: Integers, now: float
) -> None:
    """Let the running jobs with ends within the tolerance end, and learn from them."""
    running, ended = state.running[: state.counts[RUNNING]], state.counts[ENDED]
    at = np.flatnonzero(state.end[running] <= now + TOGETHER)
    for job in running[at]:
        state.end[job] = now
        leave(state, taken, job)
        learn(policy, jobs, state, job, now)
        state.ended[ended] = job
        ended += 1
    state.counts[ENDED] = ended
    close_up(state.running, len(running), at, len(at))
    state.counts[RUNNING] -= len(at)


@leaf
def leave(state: SharingState, taken: Integers, job: int) -> None:
    """Free what a job has of its nodes."""
    parts, first = state.holders.shape[1], state.place[job]
    for number in state.placed[first : first + state.held[job]]:
        node = number // parts
        for part in range(parts):
            if state.holders[node, part] == job:
                state.holders[node, part] = NOBODY
                taken[node] -= 1
        _disturb(state, node)


@leaf
def _disturb(state: SharingState, node: int) -> None:
    """Mark the jobs of a node: their neighbours may be others from now on."""
    for part in range(state.holders.shape[1]):
        job = state.holders[node, part]
        if job != NOBODY:
            state.disturbed[job] = True


@inner
def settle(
    policy: SharingPolicy,
    jobs: SharingJobs,
    speeds: Speeds,
    state: SharingState,
    now: float,
    errs: bool,
) -> None:
    """Give every running job the speed of its neighbourhood, and the end that follows.

    Whose neighbours are others than before has shown how fast it was beside those.
    """
    running = state.running[: state.counts[RUNNING]]
    # where beliefs err, ends that follow from them change with all that is learnt and with time
    moved = running if errs else running[state.disturbed[running]]
    fresh, guess = np.empty(len(moved)), np.empty(len(moved))
    company = np.empty(len(moved), np.int64)
    for k, job in enumerate(moved):
        fresh[k], guess[k], company[k] = _look_around(jobs, speeds, state, job)
        state.disturbed[job] = False
        if errs and company[k] == SEVERAL and not state.compact[job]:
            company[k] = _slowest(jobs, state, job, fresh[k])
    for k, job in enumerate(moved):
        # neighbours that changed: what was seen beside the former ones is learnt
        if company[k] != state.beside[job]:
            learn(policy, jobs, state, job, now)
            state.beside[job] = company[k]
            state.met[job] = now
        # the end follows from the work that is left, only where the speed is another: no drift
        if fresh[k] != state.speed[job]:
            state.left[job] = _left(state, job, now)
            state.since[job] = now
            state.speed[job] = fresh[k]
            state.end[job] = end_at(jobs, state, job, now, fresh[k])
        # the scheduler reckons with the speed that it believes in
        state.reckoned[job] = state.end[job]
        if guess[k] != fresh[k]:
            state.reckoned[job] = end_at(jobs, state, job, now, guess[k])


@leaf
def _look_around(
    jobs: SharingJobs, speeds: Speeds, state: SharingState, job: int
) -> tuple[float, float, int]:
    """Return the true and the believed speed of a running job, and `beside` as it is now."""
    believed, parts = state.beliefs.speeds, state.holders.shape[1]
    a, first = jobs.application[job], state.place[job]
    fresh, guess, company = np.inf, np.inf, len(speeds.alone)
    # on each of its nodes; the least speed counts
    if not state.compact[job]:
        for number in state.placed[first : first + state.held[job]]:
            for part in range(parts):
                other = state.holders[number // parts, part]
                if other in (NOBODY, job):
                    continue
                b = jobs.application[other]
                fresh = min(fresh, speeds.beside[a, b])
                guess = min(guess, believed.beside[a, b])
                company = b if company in (len(speeds.alone), b) else SEVERAL
    # alone, or compact
    if fresh == np.inf:
        compact = state.compact[job]
        fresh = 1.0 if compact else speeds.alone[a]
        guess = 1.0 if compact else believed.alone[a]
        company = SEVERAL if compact else company
    return fresh, guess, company


@leaf
def _slowest(jobs: SharingJobs, state: SharingState, job: int, true: float) -> int:
    """Return the one of several applications beside a job to which its speed is due, or `SEVERAL`.

    Its speed is the least beside any of them: that beside the one of which no greater speed has
    been seen, if this is only one.
    """
    parts, a, first = state.holders.shape[1], jobs.application[job], state.place[job]
    mean, seen = state.beliefs.mean[a], state.beliefs.seen[a]
    speed, slowest = true * jobs.noise[job], SEVERAL
    for number in state.placed[first : first + state.held[job]]:
        for part in range(parts):
            other = state.holders[number // parts, part]
            if other in (NOBODY, job):
                continue
            b = jobs.application[other]
            if seen[b] > 0 and mean[b] > speed:
                continue
            if slowest not in (SEVERAL, b):
                return SEVERAL
            slowest = b
    return slowest


@leaf
def believed_speed(jobs: SharingJobs, state: SharingState, job: int) -> float:
    """Return the speed at which a running job is believed to run beside those it now has."""
    speed, _, _ = _look_around(jobs, state.beliefs.speeds, state, job)
    return speed


@leaf
def _left(state: SharingState, job: int, now: float) -> float:
    """Return the work that is left of a running job (s at speed 1)."""
    return max(state.left[job] - (now - state.since[job]) * state.speed[job], 0.0)


@leaf
def end_at(jobs: SharingJobs, state: SharingState, job: int, now: float, speed: float) -> float:
    """Return when a running job ends at a speed from now on (s)."""
    ends = on_tick(now + _left(state, job, now) / speed)
    return min(ends, state.start[job] + jobs.limit[job])
