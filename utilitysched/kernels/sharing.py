"""The event loop of a machine whose jobs may share nodes, and slow or speed one another.

A node has two halves. A compact job has both halves of its nodes, others have one of each of
theirs. A job's speed is the least beside any of its neighbours; whenever neighbours change, so does
the time at which it will end. All times are whole ticks, so that their sums are exact, and ends
that are at most `TOGETHER` apart are one instant: who ends first is no matter of rounding.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from utilitysched.kernels.compiling import inner, kernel, leaf
from utilitysched.kernels.profile import forget_before, occupy
from utilitysched.kernels.reservations import compress, reserve, start_due
from utilitysched.kernels.selection import close_up, in_order
from utilitysched.model.scheduling_pass import Profile
from utilitysched.model.state import Floats, Integers

TICK = 2.0**-20
"""Seconds; a power of two, so that sums of times below 2^33 s are exact."""

TOGETHER = 2.0**-10
"""Seconds; some hundred times what rounding to ticks can add up to in a schedule of a day."""

NOBODY = -1

SEVERAL = -1
"""Applications that a job is beside, so that its speed says nothing of any one of them."""

ARRIVAL, SHORTEST, LONGEST, LARGEST, POPULARITY, FILLER, SHORT_FILLER, POPULAR_FILLER = range(8)
"""What the queue is ordered by."""

ARRIVED, QUEUED, RUNNING, PASSES = range(4)

_NOT_FITTING = np.inf

_CHANGING = (POPULARITY, FILLER, SHORT_FILLER, POPULAR_FILLER)
"""Orders in which a start can move those that wait."""


class SharedNodes(NamedTuple):
    """A cluster of equal nodes.

    Attributes
    ----------
    nodes : int
        How many.
    cores : int
        Of a node.
    half : int
        Cores that a job has of a node that it shares: half of each socket.
    contiguous : bool
        A job has nodes that follow one another.
    """

    nodes: int
    cores: int
    half: int
    contiguous: bool


class SharingJobs(NamedTuple):
    """Columns of all jobs in arrival order; times in whole ticks.

    Attributes
    ----------
    submit : (n,) float64
        Submit time (s).
    size : (n,) int64
        Processes.
    work : (n,) float64
        Run time when compact (s).
    known : (n,) float64
        Run time that the scheduler reckons with (s).
    limit : (n,) float64
        Run time at which it is killed (s), infinite if never.
    application : (n,) int64
        Row of the speeds.
    noise : (n,) float64
        Speed of it that is measured, as a share of the true one.
    """

    submit: Floats
    size: Integers
    work: Floats
    known: Floats
    limit: Floats
    application: Integers
    noise: Floats


class Speeds(NamedTuple):
    """Speeds of applications, compact = 1.

    Attributes
    ----------
    alone : (a,) float64
        On halves of nodes beside nobody.
    beside : (a, a) float64
        Of each beside each other.
    """

    alone: Floats
    beside: Floats


class Beliefs(NamedTuple):
    """Speeds that a scheduler reckons with, estimated from observed speeds.

    Attributes
    ----------
    speeds : Speeds
        That it reckons with.
    friends : (a, a) bool
        Pairs whose mean speed exceeds the threshold of popularity.
    mean, seen : (a, a + 1) float64
        Mean of the speeds seen of each application beside each other, and beside nobody; and how
        many that were: infinite if it is known.
    """

    speeds: Speeds
    friends: NDArray[np.bool_]
    mean: Floats
    seen: Floats

    @classmethod
    def sure_of(cls, speeds: Speeds, threshold: float, seen: float = np.inf) -> "Beliefs":
        """Return what a scheduler believes that has seen the true speeds so often."""
        beside = speeds.beside
        mean = np.column_stack((beside, speeds.alone))
        friends = (beside + beside.T) / 2 > threshold
        own = Speeds(speeds.alone.copy(), beside.copy())
        return cls(own, friends, mean, np.full(mean.shape, seen))

    @classmethod
    def blank(cls, applications: int, policy: "SharingPolicy") -> "Beliefs":
        """Return what a scheduler believes that has seen nothing."""
        equal = Speeds(np.ones(applications), np.ones((applications, applications)))
        beliefs = cls.sure_of(equal, policy.threshold, 0.0)
        beliefs.mean[:] = 0.0
        for application in range(applications):
            reckon(policy, beliefs, application)
        return beliefs


class SharingPolicy(NamedTuple):
    """A policy: an order of the queue, and how jobs are placed.

    Attributes
    ----------
    order : int
        One of `ARRIVAL` to `POPULAR_FILLER`.
    shares : bool
        Jobs are placed on halves of nodes.
    reserves : bool
        Conservative: each job holds a reservation.
    depth : int
        Jobs behind a stuck head that are looked at for backfilling.
    window : int
        Jobs, in order of arrival, that are put in order; later ones follow as they came.
    least_rank : int
        Jobs of lower popularity are placed compact.
    learns_ends : bool
        Whether ends of running jobs follow from their speeds, rather than being start + known run
        time.
    threshold : float
        Mean speed of a pair above which each is popular with the other.
    optimism : float
        By how much a speed that was never seen is taken to exceed its mean; by this over the root
        of 1 + n one that was seen n times.
    ranks_nodes : bool
        Jobs take the nodes on which they will be fastest, rather than the first that are free.
    """

    order: int
    shares: bool
    reserves: bool
    depth: int
    window: int
    least_rank: int
    learns_ends: bool
    threshold: float
    optimism: float
    ranks_nodes: bool


class SharingState(NamedTuple):
    """Mutable state of the loop, enough to stop and resume.

    Attributes
    ----------
    counts : (4,) int64
        Jobs submitted so far, in the queue and running; passes made.
    queue, running : (n,) int64
        Jobs in the queue, and those that run, ascending.
    halves : (nodes, 2) int64
        Who has each half, -1 for nobody.
    placed : (p,) int64
        Halves that each job was given: twice the node, and 1 more for the second of it; the first
        of both where it has both.
    place : (n + 1,) int64
        Where those of each job begin in `placed`: room for all that it can need.
    start, end : (n,) float64
        Start, and completion as it looks now (s).
    left : (n,) float64
        Work left (s at speed 1) at `since`.
    since : (n,) float64
        When the speed last changed (s).
    speed : (n,) float64
        Since then.
    beside : (n,) int64
        Application that a running job is beside, the number of applications if beside nobody,
        `SEVERAL` if there are more or it is compact.
    met : (n,) float64
        Since when (s).
    reckoned : (n,) float64
        Completion by the speeds that the scheduler believes in (s).
    beliefs : Beliefs
        Of the scheduler.
    compact : (n,) bool
        Whether a job that runs has whole nodes.
    reserved : (n,) float64
        Reserved start (s).
    profile : Profile
        Nodes free of running jobs and reservations.
    wake_up : (1,) float64
        Next reserved start (s).
    fresh, guess : (n,) float64
        Scratch: speeds beside present neighbours, true and believed, 0 before any is met.
    company : (n,) int64
        Scratch: `beside` as it is now.
    started : (n,) bool
        Scratch of a pass; false between passes.
    """

    counts: Integers
    queue: Integers
    running: Integers
    halves: NDArray[np.int64]
    placed: Integers
    place: Integers
    start: Floats
    end: Floats
    left: Floats
    since: Floats
    speed: Floats
    beside: Integers
    met: Floats
    reckoned: Floats
    beliefs: Beliefs
    compact: NDArray[np.bool_]
    reserved: Floats
    profile: Profile
    wake_up: Floats
    fresh: Floats
    guess: Floats
    company: Integers
    started: NDArray[np.bool_]

    @classmethod
    def blank(
        cls, nodes: SharedNodes, policy: SharingPolicy, jobs: SharingJobs, beliefs: Beliefs
    ) -> "SharingState":
        """Return the state before the first event."""
        count = len(jobs.submit)
        most = -(-jobs.size // (nodes.half if policy.shares else nodes.cores))
        place = np.concatenate(([0], np.cumsum(most)))
        return cls(
            np.zeros(4, np.int64),
            np.empty(count, np.int64),
            np.empty(count, np.int64),
            np.full((nodes.nodes, 2), NOBODY),
            np.empty(place[-1], np.int64),
            place,
            np.full(count, np.nan),
            np.full(count, np.nan),
            np.zeros(count),
            np.zeros(count),
            np.ones(count),
            np.full(count, SEVERAL),
            np.zeros(count),
            np.full(count, np.nan),
            beliefs,
            np.zeros(count, np.bool_),
            np.full(count, np.inf),
            Profile.blank(count if policy.reserves else 0, nodes.nodes),
            np.full(1, np.inf),
            np.zeros(count),
            np.zeros(count),
            np.zeros(count, np.int64),
            np.zeros(count, np.bool_),
        )


class SharedRun(NamedTuple):
    """Everything that `advance_sharing` goes by."""

    nodes: SharedNodes
    policy: SharingPolicy
    jobs: SharingJobs
    speeds: Speeds
    state: SharingState


@leaf
def on_tick(time: float) -> float:
    """Return the nearest whole tick (s)."""
    return np.rint(time / TICK) * TICK


def on_ticks(times: Floats) -> Floats:
    """Return the nearest whole ticks of a column of times (s)."""
    ticks: Floats = np.rint(times / TICK) * TICK
    return ticks


@kernel
def reckon(policy: SharingPolicy, beliefs: Beliefs, one: int) -> None:
    """Let the speeds of an application, beside others and nobody, follow from what was seen of it.

    What was never seen has the mean of what was, 1 if nothing was.
    """
    alone, beside = beliefs.speeds
    mean, seen = beliefs.mean[one], beliefs.seen[one]
    # the mean of what was seen stands for what was not
    total, known = 0.0, 0
    for other in range(len(mean)):
        if seen[other] > 0:
            total += mean[other]
            known += 1
    usual = total / known if known else 1.0
    # a bonus for what was seen rarely, so that it is tried: UCB
    for other in range(len(mean)):
        speed = mean[other] if seen[other] > 0 else usual
        speed += policy.optimism / np.sqrt(1.0 + seen[other])
        if other < len(alone):
            beside[one, other] = speed
        else:
            alone[one] = speed
    # pairs count as friends by both directions
    for other in range(len(alone)):
        befriended = (beside[one, other] + beside[other, one]) / 2 > policy.threshold
        beliefs.friends[one, other] = befriended
        beliefs.friends[other, one] = befriended


@inner
def _learn(
    policy: SharingPolicy, jobs: SharingJobs, state: SharingState, job: int, now: float
) -> None:
    """Take in how fast a job has been beside the one application, or nobody, that it was beside."""
    one, other = jobs.application[job], state.beside[job]
    if other == SEVERAL or state.met[job] == now:
        return
    beliefs, speed = state.beliefs, state.speed[job] * jobs.noise[job]
    beliefs.seen[one, other] += 1.0
    beliefs.mean[one, other] += (speed - beliefs.mean[one, other]) / beliefs.seen[one, other]
    reckon(policy, beliefs, one)


@leaf
def _taken(halves: NDArray[np.int64], node: int) -> int:
    """Return how many halves of a node are taken."""
    return int(halves[node, 0] != NOBODY) + int(halves[node, 1] != NOBODY)


@inner
def _run_of(good: NDArray[np.bool_], need: int) -> int:
    """Return where the first `need` nodes in a row begin that are all good, -1 if nowhere."""
    length = 0
    for node in range(len(good)):
        length = length + 1 if good[node] else 0
        if length == need:
            return node - need + 1
    return -1


@inner
def _some(good: NDArray[np.bool_], need: int, contiguous: bool) -> Integers:
    """Return the first `need` good nodes, none if there are not so many."""
    if contiguous:
        first = _run_of(good, need)
        return np.arange(first, first + need) if first >= 0 else np.empty(0, np.int64)
    nodes = np.flatnonzero(good)
    return nodes[:need] if len(nodes) >= need else np.empty(0, np.int64)


@inner
def _nodes_for(
    taken: Integers, need: int, compact: bool, contiguous: bool
) -> tuple[Integers, bool]:
    """Return the nodes that a job would get, first fit, and whether there are enough.

    Compact and spread: empty nodes. Striped, where too few are empty: first those of which one half
    is taken, then empty ones.
    """
    if need == 0:
        return np.empty(0, np.int64), True
    nodes = _some(taken == 0, need, contiguous)
    if len(nodes) == 0 and not compact:
        nodes = _some(taken < 2, need, True) if contiguous else _striped(taken, need)
    return nodes, len(nodes) > 0


@inner
def _striped(taken: Integers, need: int) -> Integers:
    """Return the first half-taken nodes, then empty ones; none if there are not so many."""
    half, empty = np.flatnonzero(taken == 1), np.flatnonzero(taken == 0)
    if len(half) + len(empty) < need:
        return np.empty(0, np.int64)
    return np.concatenate((half, empty))[:need]


@inner
def _fastest(
    jobs: SharingJobs, state: SharingState, taken: Integers, job: int, need: int
) -> tuple[Integers, bool]:
    """Return the nodes with a free half where a job is believed to be fastest, and if it has them.

    Of equal ones the first. Beside nobody it is as fast as it ever is, if nobody errs: it spreads.
    """
    free = np.flatnonzero(taken < 2)
    if len(free) < need:
        return np.empty(0, np.int64), False
    speeds, application = state.beliefs.speeds, jobs.application[job]
    slowness = np.empty(len(free))
    for i, node in enumerate(free):
        other = max(state.halves[node, 0], state.halves[node, 1])
        if other == NOBODY:
            slowness[i] = -speeds.alone[application]
        else:
            slowness[i] = -speeds.beside[application, jobs.application[other]]
    return free[np.argsort(slowness, kind="mergesort")[:need]], True


@inner
def _find(
    nodes: SharedNodes,
    policy: SharingPolicy,
    jobs: SharingJobs,
    state: SharingState,
    taken: Integers,
    job: int,
    compact: bool,
) -> tuple[Integers, bool]:
    """Return the nodes that a job would get by a policy, and whether there are enough."""
    need = _need(nodes, jobs.size[job], compact)
    if policy.ranks_nodes and not compact:
        return _fastest(jobs, state, taken, job, need)
    return _nodes_for(taken, need, compact, nodes.contiguous)


@inner
def popularity(queue: Integers, application: Integers, friends: NDArray[np.bool_]) -> Integers:
    """Return the rank of each application: queued partners that suit it, itself not counted."""
    count = np.zeros(len(friends), np.int64)
    for job in queue:
        count[application[job]] += 1
    ranks = np.zeros(len(friends), np.int64)
    for a in range(len(friends)):
        for b in range(len(friends)):
            if friends[a, b]:
                ranks[a] += count[b]
        if friends[a, a]:
            ranks[a] -= 1
    return ranks


@inner
def _second_place(
    policy: SharingPolicy, jobs: SharingJobs, queue: Integers, ranks: Integers
) -> Integers:
    """Return the place of each queued job in the second ordering, 0 for its front."""
    second = np.empty(len(queue))
    for i, job in enumerate(queue):
        second[i] = jobs.known[job]
        if policy.order == POPULAR_FILLER:
            second[i] = -float(ranks[jobs.application[job]])
    place = np.empty(len(queue), np.int64)
    place[np.argsort(second, kind="mergesort")] = np.arange(len(queue))
    return place


@kernel
def scores(
    policy: SharingPolicy, jobs: SharingJobs, queue: Integers, free: int, ranks: Integers
) -> Floats:
    """Return a score of each queued job, the lowest first; ties go by arrival.

    With s of f free cores and the n-th of N looked at, a filler scores gap / age, s / f over n / N:
    all have the same N / f, so s / n orders them, a quotient that is equal where the fractions are.
    With a second factor it scores gap + 1 - place / N, here times f N: whole numbers.

    Parameters
    ----------
    free : int
        Cores that nobody has.
    ranks : (a,) int64
        Popularity of each application.
    """
    score = np.full(len(queue), _NOT_FITTING)
    looked_at = min(len(queue), policy.window)
    ordered = queue[:looked_at]
    order = policy.order
    second = np.empty(0, np.int64)
    if order in (SHORT_FILLER, POPULAR_FILLER):
        second = _second_place(policy, jobs, ordered, ranks)
    for i, job in enumerate(ordered):
        size, known = jobs.size[job], jobs.known[job]
        if order == ARRIVAL:
            score[i] = 0.0
        elif order == SHORTEST:
            score[i] = known
        elif order == LONGEST:
            score[i] = -known
        elif order == LARGEST:
            score[i] = -size * known
        elif order == POPULARITY:
            score[i] = -float(ranks[jobs.application[job]])
        elif size <= free:
            if order == FILLER:
                score[i] = -size / (job + 1)
            else:
                score[i] = second[i] * free - size * looked_at
    return score


@inner
def _expected_end(
    policy: SharingPolicy, jobs: SharingJobs, state: SharingState, job: int, now: float
) -> float:
    """Return when a running job is reckoned to end (s), later than now."""
    expected = state.reckoned[job] if policy.learns_ends else state.start[job] + jobs.known[job]
    return max(expected, now + TICK)


@inner
def head_start(
    nodes: SharedNodes,
    policy: SharingPolicy,
    jobs: SharingJobs,
    state: SharingState,
    now: float,
    need: int,
    compact: bool,
) -> tuple[float, int]:
    """Return when a stuck job can start by the ends that are reckoned with, and the nodes beyond.

    A node is ready for a compact job once nobody has a half of it, for others once a half is free.
    """
    ready = np.full(nodes.nodes, -np.inf)
    # when each node has room, by the ends that are reckoned with
    for node in range(nodes.nodes):
        one, other = state.halves[node, 0], state.halves[node, 1]
        first = -np.inf if one == NOBODY else _expected_end(policy, jobs, state, one, now)
        second = -np.inf if other == NOBODY else _expected_end(policy, jobs, state, other, now)
        ready[node] = max(first, second) if compact else min(first, second)
    # the first instant at which enough nodes are ready, in one row if they must be
    times = np.sort(ready)
    low = need - 1
    if nodes.contiguous:
        high = nodes.nodes - 1
        while low < high:
            middle = (low + high) // 2
            if _run_of(ready <= times[middle], need) < 0:
                low = middle + 1
            else:
                high = middle
    return float(times[low]), int(np.count_nonzero(ready <= times[low])) - need


@leaf
def _enter(running: Integers, count: int, job: int) -> None:
    """Insert a job into the ascending running jobs."""
    k = count
    while k > 0 and running[k - 1] > job:
        running[k] = running[k - 1]
        k -= 1
    running[k] = job


@inner
def _start(
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
    for k, node in enumerate(nodes):
        half = 0 if halves[node, 0] == NOBODY else 1
        halves[node, half] = job
        state.placed[first + k] = 2 * node + half
        taken[node] += 1
        if compact:
            halves[node, 1] = job
            taken[node] = 2
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
def _complete(state: SharingState, taken: Integers, now: float) -> Integers:
    """Remove and return the running jobs with ends within the tolerance, ascending."""
    running = state.running[: state.counts[RUNNING]]
    at = np.flatnonzero(state.end[running] <= now + TOGETHER)
    ended = running[at]
    state.end[ended] = now
    if len(at):
        for node in range(len(taken)):
            for half in range(2):
                job = state.halves[node, half]
                if job != NOBODY and state.end[job] == now:
                    state.halves[node, half] = NOBODY
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
            _learn(policy, jobs, state, job, now)
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
    # jobs meet where a node's halves are of two; the least speed counts
    for node in range(len(state.halves)):
        one, other = state.halves[node, 0], state.halves[node, 1]
        if NOBODY in (one, other) or one == other:
            continue
        for mine, theirs in ((one, other), (other, one)):
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


@inner
def _reserving_pass(
    nodes: SharedNodes,
    jobs: SharingJobs,
    state: SharingState,
    taken: Integers,
    ended: Integers,
    need: Integers,
    now: float,
) -> None:
    """Start the jobs whose reservations have come; `need` is the nodes of each job."""
    queue = state.queue[: state.counts[QUEUED]]
    time, free, steps = state.profile.time, state.profile.free, state.profile.steps
    forget_before(time, free, steps, now)
    # processors of jobs that ended early are free again, and reservations move up into them
    early = False
    for job in ended:
        expected = state.reserved[job] + jobs.known[job]
        early = early or expected > now
        occupy(time, free, steps, now, expected, -need[job])
    if early:
        compress(queue, jobs.known, need, state.reserved, time, free, steps)
    # new jobs are reserved behind those that have reservations; who is due starts
    due, state.wake_up[0] = reserve(queue, jobs.known, need, state.reserved, time, free, steps)
    if due > 0:
        empty, arrival = int(np.count_nonzero(taken == 0)), np.zeros(len(queue))
        start_due(now, empty, due, queue, arrival, need, state.reserved, state.started)
        for job in queue[state.started[queue]]:
            chosen, _ = _nodes_for(taken, need[job], True, nodes.contiguous)
            _start(jobs, state, taken, job, chosen, True, now)


@leaf
def _is_compact(
    nodes: SharedNodes, policy: SharingPolicy, jobs: SharingJobs, ranks: Integers, job: int
) -> bool:
    """Return whether a job is placed compact: by the policy, or for lack of so many halves."""
    if not policy.shares or jobs.size[job] > nodes.nodes * nodes.half:
        return True
    return policy.order == POPULARITY and ranks[jobs.application[job]] < policy.least_rank


@leaf
def _need(nodes: SharedNodes, size: int, compact: bool) -> int:
    """Return how many nodes a job of this size has."""
    cores = nodes.cores if compact else nodes.half
    return (size + cores - 1) // cores


@inner
def _in_score_order(
    nodes: SharedNodes,
    policy: SharingPolicy,
    jobs: SharingJobs,
    state: SharingState,
    queue: Integers,
    taken: Integers,
) -> tuple[Integers, Integers]:
    """Return the queue in order, and the popularity of each application."""
    free = nodes.nodes * nodes.cores - int(np.sum(taken)) * nodes.half
    ranks = np.zeros(len(state.beliefs.friends), np.int64)
    if policy.order in (POPULARITY, POPULAR_FILLER):
        ranks = popularity(queue, jobs.application, state.beliefs.friends)
    return in_order(queue, scores(policy, jobs, queue, free, ranks)), ranks


@inner
def _ordered_pass(
    nodes: SharedNodes,
    policy: SharingPolicy,
    jobs: SharingJobs,
    state: SharingState,
    taken: Integers,
    now: float,
) -> None:
    """Start jobs from the head of the queue, then others that fill around a stuck head.

    The queue is put in order anew after every start from its head that can change the order.
    What fills ends by the time at which the head is reckoned to start, or leaves it enough nodes.
    """
    started, waiting = state.started, state.queue[: state.counts[QUEUED]]
    ordered, ranks = _in_score_order(nodes, policy, jobs, state, waiting, taken)
    while len(ordered) > 0:
        head = ordered[0]
        compact = _is_compact(nodes, policy, jobs, ranks, head)
        chosen, fits = _find(nodes, policy, jobs, state, taken, head, compact)
        # from the head while it fits; scores may depend on who is left and what is free
        if fits:
            _start(jobs, state, taken, head, chosen, compact, now)
            started[head] = True
            ordered = ordered[1:]
            if policy.order in _CHANGING or len(waiting) > policy.window:
                waiting = waiting[~started[waiting]]
                ordered, ranks = _in_score_order(nodes, policy, jobs, state, waiting, taken)
            continue
        # a stuck head: when it can start, and how many nodes it leaves over then
        if policy.depth == 0:
            break
        need = _need(nodes, jobs.size[head], compact)
        until, extra = head_start(nodes, policy, jobs, state, now, need, compact)
        # others fill what it leaves: over before it starts, or on nodes that it does not need
        empty, open_ = np.count_nonzero(taken == 0), np.count_nonzero(taken < 2)
        for job in ordered[1 : policy.depth + 1]:
            compact = _is_compact(nodes, policy, jobs, ranks, job)
            need = _need(nodes, jobs.size[job], compact)
            before = now + jobs.known[job] <= until
            if need > (empty if compact else open_) or not (before or need <= extra):
                continue
            chosen, fits = _find(nodes, policy, jobs, state, taken, job, compact)
            if fits:
                _start(jobs, state, taken, job, chosen, compact, now)
                started[job] = True
                extra -= 0 if before else need
                empty, open_ = np.count_nonzero(taken == 0), np.count_nonzero(taken < 2)
        break


@kernel
def advance_sharing(
    nodes: SharedNodes,
    policy: SharingPolicy,
    jobs: SharingJobs,
    speeds: Speeds,
    state: SharingState,
    passes: int,
) -> bool:
    """Process events until none is left or `passes` more have been made.

    At each distinct time: all completions, then all arrivals, one pass, and new speeds for those
    whose neighbours have changed.

    Returns
    -------
    done : bool
        Whether none is left.
    """
    counts = state.counts
    need = (jobs.size + nodes.cores - 1) // nodes.cores
    taken = np.empty(nodes.nodes, np.int64)
    for node in range(nodes.nodes):
        taken[node] = _taken(state.halves, node)
    for _ in range(passes):
        # the clock moves on to the next reservation, end or arrival
        now = state.wake_up[0]
        for k in range(counts[RUNNING]):
            now = min(now, state.end[state.running[k]])
        if counts[ARRIVED] < len(jobs.submit):
            now = min(now, jobs.submit[counts[ARRIVED]])
        if now == np.inf:
            return True
        counts[PASSES] += 1
        state.wake_up[0] = np.inf
        # completions, from which speeds are learnt
        ended = _complete(state, taken, now)
        for job in ended:
            _learn(policy, jobs, state, job, now)
        # arrivals
        while counts[ARRIVED] < len(jobs.submit) and jobs.submit[counts[ARRIVED]] == now:
            state.queue[counts[QUEUED]] = counts[ARRIVED]
            counts[ARRIVED] += 1
            counts[QUEUED] += 1
        # the pass
        if policy.reserves:
            _reserving_pass(nodes, jobs, state, taken, ended, need, now)
        else:
            _ordered_pass(nodes, policy, jobs, state, taken, now)
        # the queue closes up behind those that started
        queue = state.queue[: counts[QUEUED]]
        places = np.flatnonzero(state.started[queue])
        state.started[queue] = False
        close_up(state.queue, counts[QUEUED], places, len(places))
        counts[QUEUED] -= len(places)
        # neighbours changed by starts and ends change speeds, and so further ends
        if policy.shares:
            settle(policy, jobs, speeds, state, now)
    return False


@kernel
def cores_of(
    nodes: SharedNodes, sockets: int, jobs: SharingJobs, state: SharingState
) -> tuple[Integers, Integers, Integers, Integers]:
    """Return the cores that each job had, as `utilitysched.kernels.processors.texts` takes them.

    Cores count from 0, those of a socket and those of a node one after the other. The first half
    of a node is the first half of each of its sockets. A job has a core for each process.
    """
    count = len(jobs.size)
    first, last = np.zeros(count, np.int64), np.zeros(count, np.int64)
    low = np.empty(len(state.placed) * sockets, np.int64)
    high = np.empty_like(low)
    given, socket = 0, nodes.cores // sockets
    for job in range(count):
        compact = state.compact[job]
        begin = state.place[job]
        placed = state.placed[begin : begin + _need(nodes, jobs.size[job], compact)]
        wide = socket if compact else nodes.half // sockets
        first[job], left = given, jobs.size[job]
        for half in np.sort(placed):
            for k in range(sockets):
                if left == 0:
                    break
                at = half // 2 * nodes.cores + k * socket + half % 2 * wide
                had = min(wide, left)
                left -= had
                if given > first[job] and high[given - 1] == at:
                    high[given - 1] = at + had
                else:
                    low[given], high[given] = at, at + had
                    given += 1
        last[job] = given
    return first, last, low[:given], high[:given]
