"""Plans of any scheduler: what it would do if nobody else came and all ran as requested."""

import math
from dataclasses import replace

import numpy as np

from utilitysched.engine.conditions import StopTerms
from utilitysched.engine.restarts import Restarts
from utilitysched.engine.simulation import Simulation
from utilitysched.engine.tables import Left, Moment
from utilitysched.kernels.fitness import Worth
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.forecast import Forecast
from utilitysched.model.plans import Begun, Planner, Plans
from utilitysched.model.scheduler import Scheduler, Wrapper
from utilitysched.model.state import Decision, Floats, Integers, Preemption, QueueState
from utilitysched.schedulers.value import valued, worth_of

_NO_JOBS = np.empty(0, dtype=np.int64)


class Rollout(Planner):
    """What a scheduler would do from a pass on, preemptions to come included.

    The planned start of a job that is preempted in it is the instant at which it would have to
    start to end when it does. Jobs that are compared come back to nobody's queue: if one is
    preempted, the start after that is compared by itself.

    Parameters
    ----------
    scheduler : Scheduler
        Asked again at the pass, and at all that follow.
    """

    def __init__(self, scheduler: Scheduler) -> None:
        self.scheduler = scheduler
        self.deciding()

    def deciding(self) -> None:
        """Remember what the scheduler remembers before it decides."""
        self._before = self.scheduler.fork()

    def fork(self) -> "Rollout":
        """See `Planner`."""
        other = Rollout(self.scheduler)
        other._before = self._before
        return other

    def in_force(self, state: QueueState) -> Floats:
        """Return what it will do by the requested times."""
        return self._starts(state, state.queued)

    def started(
        self,
        state: QueueState,
        begun: Begun,
        seed: int | None,  # noqa: ARG002 - nothing is drawn anew
    ) -> Plans:
        """Return plans with the begun jobs, by requested and given durations, and without.

        Left-out jobs are gone once the scheduler has decided, and it decides on the rest again.
        """
        rest = begun.absent(state)
        others = np.concatenate([rest.queued, self.scheduler.preemptible(state)])
        ways = [begun]
        if len(begun.known.job) and not len(begun.left_out):
            ways.insert(0, begun._replace(duration=np.full(len(begun.job), np.nan)))
        with_job = [self._starts(state, others, way) for way in ways]
        without = self._starts(rest, others)
        worth = _worth(state, others)
        return valued(np.array(with_job), without, worth, others, state.known)

    def _starts(self, state: QueueState, jobs: Integers, begun: Begun | None = None) -> Floats:
        """Return when some jobs start (s) if others are held at the processors for so long."""
        scheduler = self._before.fork()
        decision = scheduler.decide(state) if len(state.queued) else Decision()
        played = PlayedOn(state if begun is None else begun.present(state), scheduler)
        if begun is not None:
            played.hold(begun)
        played.play(decision, again=begun is not None and len(begun.left_out) > 0)
        return played.starts(jobs, _left(state)[jobs])


def planner_of(scheduler: Scheduler) -> Planner:
    """Return the plans of a scheduler: its own, or else what it would do."""
    return scheduler.planner() or Rollout(scheduler)


class _AsRequested(Restarts):
    """Run times that equal the requested times."""

    def lasts(self, job: int) -> float:
        return self.limit(job)


class _Unpreempted(Wrapper):
    """A scheduler that does not see what stopping jobs would mean."""

    def decide(self, state: QueueState) -> Decision:
        return self.scheduler.decide(replace(state, preemption=None))


class PlayedOn:
    """What happens from a pass on if nobody else comes and all run as requested.

    Parameters
    ----------
    state : QueueState
        What is seen at the pass; jobs can be preempted.
    scheduler : Scheduler
        What decides after it.
    """

    def __init__(self, state: QueueState, scheduler: Scheduler) -> None:
        # only present jobs matter, unless the scheduler knows others by number
        rules, present = state.stops, _present(state)
        if scheduler.memory_of(_NO_JOBS) is not None:  # it may have noted jobs by their numbers
            present = np.arange(len(state.known.submit))
        rules, known = Preemption._make(each[present] for each in rules), state.known.of(present)
        queued, running = (np.searchsorted(present, jobs) for jobs in (state.queued, state.running))
        # who is past its limit goes on running, as it does where limits do not kill
        terms = StopTerms(rules.interval, rules.overhead, rules.interval, actual=1.0, kills=False)
        # requested times stand for run times, without the overheads within them
        requested = known.request - rules.overhead
        requested[running] = known.request[running] - rules.paid[running]
        left = {
            job: Left(requested.item(job), requested.item(job), known.request.item(job))
            for job in np.flatnonzero(~np.isnan(rules.last_start)).tolist()
        }
        begun = rules.last_start[running]
        end = np.maximum(begun + known.request[running], math.nextafter(state.now, math.inf))
        columns = len(present), queued, running, begun, end, (), False, left, rules
        facts = state.facts
        if facts is not None:
            order = facts.positions(present)
            facts = facts._replace(order=order)
        simulation = Simulation(
            Arrivals(present, known, known.request, present, facts),
            scheduler if state.preemption is not None else _Unpreempted(scheduler),
            terms=terms,
        )
        self.restarts = simulation.restarts = _AsRequested(simulation.table, terms)
        simulation.go_on_from(Moment(state.now, *columns))
        simulation.now, simulation.wake_up = state.now, math.inf
        self.simulation, self.present = simulation, present
        self.begun = rules.last_start

    def hold(self, begun: Begun) -> None:
        """Let queued jobs, once they start, hold their processors for so long and not come again.

        One not taken to run otherwise for as long as it requested, unless it is preempted before.
        """
        self.simulation.passing = frozenset(np.searchsorted(self.present, begun.job).tolist())
        table, known = self.simulation.table, begun.known
        places = np.searchsorted(self.present, known.job).tolist()
        for job, duration in zip(places, known.duration.tolist(), strict=True):
            table.known.request[job] = table.request[job] = duration
            left = self.restarts.left.get(job)
            if left is not None:
                self.restarts.left[job] = left._replace(limit=duration)

    def play(self, decision: Decision, *, again: bool = False) -> None:
        """Do what is decided at the pass, and go on until all have ended.

        With `again` there is another pass at once: the decision was made in another queue.
        """
        starts, preempts = (
            np.searchsorted(self.present, jobs) for jobs in (decision.starts, decision.preempts)
        )
        decided = Decision(starts, decision.wake_up, preempts=preempts)
        self.since = self.simulation.now
        self.simulation.carry_out(self.simulation.state(), decided)
        if again:
            self.simulation.wake_up = self.simulation.now
        self.simulation.finish()

    def starts(self, jobs: Integers, left: Floats) -> Floats:
        """Return when each of some jobs would have to start to end when it did in the end (s).

        One that is never started starts infinitely late.

        Parameters
        ----------
        jobs : (k,) int64
            By index in arrival order.
        left : (k,) float64
            Requested time that was left of each at the pass (s).
        """
        place = np.searchsorted(self.present, jobs)
        started = self.simulation.start[place]
        requested = np.array([self.restarts.limit(job) for job in place.tolist()])
        went_on = started == self.begun[place]
        ends = np.where(went_on, self.since, started + (requested - left))
        return np.where(np.isnan(ends), np.inf, ends)


def _present(state: QueueState) -> Integers:
    """Return the jobs in the queue or running, ascending."""
    return np.sort(np.concatenate([state.queued, state.running]))


def _left(state: QueueState) -> Floats:
    """Return the requested time left of queued and running jobs (s), of others nothing of use."""
    left = state.known.request.copy()
    left[state.running] = state.expected_end - state.now
    return left


def _worth(state: QueueState, jobs: Integers) -> Worth:
    """Return the value of jobs that run for their whole requested times (SU)."""
    left = _left(state)
    return worth_of(replace(state, queued=jobs), Forecast(left[:, np.newaxis], left))
