"""Priority preemption: urgent jobs may preempt those of lower classes."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from checkpoint import saved
from swfx.base.configured import ANY, Configured, choice, seconds, whole
from utilitysched.kernels.releases import shadow
from utilitysched.kernels.selection import in_order
from utilitysched.model.scheduler import Scheduler
from utilitysched.model.scheduling_pass import Limits, Queue, Releases, SchedulingPass
from utilitysched.model.state import Decision, Floats, Integers, QueueState
from utilitysched.schedulers.placements import placements
from utilitysched.schedulers.registry import scheduler

FAMILY = "priority-preempt"

VICTIMS = ("least-lost", "latest")
"""Who is preempted first within a class."""


@dataclass(frozen=True, kw_only=True)
class PriorityOptions(Configured):
    """Options of priority preemption: which classes preempt, which jobs are victims.

    Attributes
    ----------
    urgent : int
        Classes from 0 to this one may preempt, and are never preempted; 1 is LEE's queues
        interactive and express.
    victim : str
        Within a class, the first to be preempted is who loses the least work since its last
        checkpoint (``least-lost``), or who started latest (``latest``).
    preemptions : int
        How often one job may be preempted.
    minimum : float
        Least time between a start of a job and its preemption (s).

    Examples
    --------
    >>> PriorityOptions.from_text("urgent=0,minimum=10min").minimum
    600.0
    """

    name = FAMILY

    urgent: int = whole(1, ANY)
    victim: str = choice(VICTIMS, "least-lost")
    preemptions: int = whole(1, ANY)
    minimum: float = seconds(0.0, ANY)


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


@dataclass(frozen=True)
class Attempt:
    """A pass under way: queue state, jobs preempted so far, jobs started so far.

    Attributes
    ----------
    state : QueueState
        As the pass found it.
    preempted, started : tuple of int
        The jobs, in the order in which it was decided.
    """

    state: QueueState
    preempted: tuple[int, ...] = ()
    started: tuple[int, ...] = ()

    @property
    def free(self) -> int:
        """Processors in use by nobody."""
        size = self.state.known.size
        freed: int = size[list(self.preempted)].sum() - size[list(self.started)].sum()
        return self.state.free + int(freed)

    def then(self, job: int, victims: tuple[int, ...]) -> "Attempt":
        """Return the attempt with one more job started and victims preempted."""
        return replace(self, preempted=self.preempted + victims, started=(*self.started, job))

    def shadow_time(self, head: int) -> float:
        """Return when a job can start at the latest if nobody else does (s)."""
        state, stay = self.state, self._not_preempted
        known = state.known
        time, _ = shadow(
            state.now,
            self.free,
            state.expected_end[stay],
            state.running[stay],
            known.request,
            known.size,
            np.array(self.started, dtype=np.int64),
            known.size.item(head),
        )
        return time

    def rest(self) -> QueueState:
        """Return the state in which the other queued jobs are placed."""
        state, stay = self.state, self._not_preempted
        begun = np.array(self.started, dtype=np.int64)
        running = np.concatenate((state.running[stay], begun))
        end = np.concatenate((state.expected_end[stay], state.now + state.known.request[begun]))
        queued = state.queued[~np.isin(state.queued, begun)]
        return _by_end(replace(state, free=self.free, queued=queued), running, end)

    @property
    def _not_preempted(self) -> Integers:
        """Places of the running jobs that are not preempted."""
        preempted = np.array(self.preempted, dtype=np.int64)
        return np.flatnonzero(~np.isin(self.state.running, preempted))


def released_by(state: QueueState, jobs: Sequence[int]) -> QueueState:
    """Return the queue state with the expected ends of preemptible running jobs set to now."""
    soon = np.isin(state.running, jobs)
    return _by_end(state, state.running, np.where(soon, state.now, state.expected_end))


def _by_end(state: QueueState, running: Integers, end: Floats) -> QueueState:
    """Return the state with these running jobs, put in order."""
    order = np.lexsort((running, end))
    return replace(state, running=running[order], expected_end=end[order])


@scheduler(
    FAMILY,
    options=PriorityOptions,
    summary="priority-fifo, in which urgent jobs preempt lower classes that take checkpoints",
    kind="preemption",
)
class PriorityPreempt(Scheduler):
    """Priority-FIFO in which urgent jobs that do not fit preempt running ones of lower classes.

    At every pass the queued jobs of urgent classes are gone through in queue order. One that does
    not fit has as many jobs preempted as it needs, or none if all that may be preempted are not
    enough. The first that cannot start holds a reservation at the earliest time at which enough
    processors are free, those of jobs that may be preempted among them; behind it, urgent jobs
    start, by preemptions or not, only where it moves no later. All other jobs get the placement of
    ``priority-fifo`` around what then runs, and around that reservation. Preempted jobs are in the
    queue from the next pass on, behind all urgent ones.

    Parameters
    ----------
    options : PriorityOptions
        Who may preempt whom.
    label : str
        Text that makes this scheduler.
    """

    preempts = True

    def __init__(self, options: PriorityOptions | None = None, label: str = FAMILY) -> None:
        self.settings = options or PriorityOptions()
        self.label = label

    @property
    def options(self) -> Mapping[str, object]:
        """Every option in force."""
        return asdict(self.settings)

    def fork(self, seed: int | None = None) -> "PriorityPreempt":  # noqa: ARG002  nothing is drawn
        """Return an independent scheduler in the same state."""
        return PriorityPreempt(self.settings, self.label)

    def memory_of(self, queued: Integers) -> object:  # noqa: ARG002  see below
        """Return nothing: what can be seen decides."""
        return None

    def preemptible(self, state: QueueState) -> Integers:
        """Return the running jobs of lower classes, which it may preempt once they ran for long."""
        return of_lower_classes(state, self.settings)

    def decide(self, state: QueueState) -> Decision:
        """Return the jobs to preempt and to start now."""
        # urgent jobs, and running jobs to preempt if these do not fit
        urgent = state.queued[state.known.priority[state.queued] <= self.settings.urgent]
        order = _in_queue_order(state, state.queued)
        waits = state.known.size[urgent].sum() > state.free
        preemptible = candidates(state, self.settings) if waits else []
        if not preemptible:
            return Decision(_easy(state), order=order)
        # urgent jobs first, EASY for all others around what then runs
        attempt = self._attempt(state, _in_queue_order(state, urgent).tolist(), preemptible)
        return Decision(
            np.concatenate((np.array(attempt.started, dtype=np.int64), _easy(attempt.rest()))),
            order=order,
            preempts=np.array(attempt.preempted, dtype=np.int64),
        )

    def _attempt(
        self, state: QueueState, urgent: Sequence[int], preemptible: Sequence[int]
    ) -> Attempt:
        """Return the urgent jobs that start now with the victims preempted for each.

        Whoever may be preempted does not keep the first one that cannot start waiting any longer.
        """
        size, request = state.known.size, state.known.request
        attempt, head, limit = Attempt(state), None, np.inf
        left, free = list(preemptible), state.free
        for job in urgent:
            # victims for the processors that the job lacks
            preempted = victims(left, size, size.item(job) - free)
            if preempted is None:
                if head is None:
                    head = job
                    attempt = replace(attempt, state=released_by(state, preemptible))
                    limit = attempt.shadow_time(head)
                continue
            # behind a blocked head: no start that delays it
            tried = attempt.then(job, preempted)
            late = state.now + request[job] > limit  # who has ended by then moves nothing
            if head is not None and late and tried.shadow_time(head) > limit:
                continue
            attempt, free = tried, tried.free
            left = [other for other in left if other not in preempted]
            if head is not None:
                limit = attempt.shadow_time(head)
        return attempt


def _easy(state: QueueState) -> Integers:
    """Return the jobs that easy placement starts of the queue by class."""
    known, queued = state.known, state.queued
    easy = placements()["easy"]
    score = known.priority[queued].astype(np.float64)
    started = np.zeros(len(known.submit), np.bool_)
    # not compiled: numba would look at the types of all columns at every pass, which takes longer
    easy.place(
        SchedulingPass(state.now, state.free, state.finished),
        Queue(queued, score, score),
        Releases(state.expected_end, state.running),
        known,
        Limits(1, np.inf),
        easy.blank_plan(0, known.machine_size),
        started,
    )
    return queued[started[queued]]


def _in_queue_order(state: QueueState, jobs: Integers) -> Integers:
    """Return jobs, given in arrival order, by class."""
    ordered: Integers = in_order(jobs, state.known.priority[jobs].astype(np.float64))
    return ordered
