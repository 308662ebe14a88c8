"""Futures of a scenario: branches of one simulation, one for each sample of run times."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple, Self

import numpy as np

from checkpoint.failures import Outages
from swfx import InputError, UtilityFunction
from swfx.base.ranges import numbers_in
from utilitysched.counterfactual.branch import Change
from utilitysched.counterfactual.holding_times import HoldingTime
from utilitysched.engine.compiled_simulation import CompiledSimulation
from utilitysched.engine.conditions import Failures
from utilitysched.engine.segments_log import SegmentEntry
from utilitysched.engine.simulation import Simulation
from utilitysched.engine.tables import Moment
from utilitysched.exact.planned import brought_to
from utilitysched.market.quote.scenario import KnownStops, Scenario
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.plans import Planner
from utilitysched.model.scheduler import Decider
from utilitysched.model.segments import Stop
from utilitysched.model.state import Floats, Integers, QueueState
from utilitysched.runs.snapshot import Snapshot
from utilitysched.schedulers.list_scheduler import ListScheduler


class Decided(NamedTuple):
    """A pass in which the quoted job starts.

    Attributes
    ----------
    state : QueueState
        What the scheduler saw.
    starts : (s,) int64
        The jobs that start in it.
    planner : Planner
        Of the scheduler that has just decided so.
    preempts : bool
        Somebody is preempted in it.
    held : mapping of int to HoldingTime
        Holding times of the user's jobs that start in it, by job, where jobs can be stopped.
    """

    state: QueueState
    starts: Integers
    planner: Planner
    preempts: bool = False
    held: Mapping[int, HoldingTime] = MappingProxyType({})


class Displacements(NamedTuple):
    """Stops for the sake of others, at the price that the scheduler set, in S futures.

    Attributes
    ----------
    stopped : (S,) int64
        How often the quoted job is stopped for others.
    received : (S,) float64
        Compensation for these stops (SU), as far as the utility function limits it: nothing where
        the job ran in a hole.
    taken : (S,) float64
        Price of the stops of other jobs for the quoted one (SU).
    """

    stopped: Integers
    received: Floats
    taken: Floats

    @classmethod
    def of(
        cls,
        samples: Sequence[Sequence[SegmentEntry]],
        job: int,
        value_at: Callable[[float], float],
    ) -> Self:
        """Return the displacements of a job in the stretches in which jobs ran, by sample.

        Parameters
        ----------
        samples : sequence of sequence of SegmentEntry
            One for each sample.
        job : int
            Its number.
        value_at : callable
            Returns its value by its utility function at a time (SU).
        """
        stops = [[each for each in one if each.stop == Stop.PREEMPTED] for one in samples]
        own = [[each for each in one if each.job == job] for one in stops]
        received = [_received(each, value_at) for each in own]
        taken = [np.nansum([each.value_lost for each in one if each.cause == job]) for one in stops]
        return cls(np.array([len(each) for each in own]), np.array(received), np.array(taken))


def _received(stops: Sequence[SegmentEntry], value_at: Callable[[float], float]) -> float:
    """Return the compensation of a job for its stops, in order of time (SU)."""
    total = 0.0
    for stop in stops:
        price = 0.0 if math.isnan(stop.value_lost) else stop.value_lost
        total += min(price, max(value_at(stop.end) - total, 0.0))
    return total


class PlayedSample(NamedTuple):
    """Starts, ends and decisions of one simulated future.

    Attributes
    ----------
    start, end : (n,) float64
        When each job runs (s); not a number for jobs that ended before, and for those that have
        yet to start when the quoted job is done.
    decided : callable
        Returns the passes in which the quoted job starts.
    used : (n,) float64 or None
        For how long each job holds its processors to some use (s), where jobs can be stopped; None
        where that is from start to end.
    stretches : sequence of SegmentEntry
        Stretches in which jobs ran, where jobs can be stopped.
    """

    start: Floats
    end: Floats
    decided: Callable[[], Sequence[Decided]]
    used: Floats | None = None
    stretches: Sequence[SegmentEntry] = ()


@dataclass(frozen=True, eq=False)
class Futures:
    """Futures of S samples.

    Attributes
    ----------
    scenario : Scenario
        Of n jobs.
    runs : (S, n) float64
        How long each job runs (s).
    trajectories : sequence of PlayedSample
        One for each sample.
    thorough : bool
        Regardless of time; charges are to be computed so, too.
    """

    scenario: Scenario
    runs: Floats
    trajectories: Sequence[PlayedSample]
    thorough: bool = False

    def __len__(self) -> int:
        return len(self.trajectories)

    @cached_property
    def start(self) -> Floats:
        """Starts of all jobs (s), shape (S, n)."""
        return np.array([each.start for each in self.trajectories])

    @cached_property
    def end(self) -> Floats:
        """Ends of all jobs (s), shape (S, n)."""
        return np.array([each.end for each in self.trajectories])

    @cached_property
    def used(self) -> Floats | None:
        """Time for which jobs hold processors to some use (s), (S, n); see `PlayedSample`."""
        if self.scenario.stops is None:
            return None
        return np.array([each.used for each in self.trajectories])

    @property
    def wait(self) -> Floats:
        """Time from the job's submission to its start (s), shape (S,)."""
        waits: Floats = self.start[:, self.scenario.job] - self.scenario.submit
        return waits

    @property
    def completion(self) -> Floats:
        """When the job completes (s), shape (S,)."""
        ends: Floats = self.end[:, self.scenario.job]
        return ends

    @property
    def turnaround(self) -> Floats:
        """Time from the job's submission to its completion (s), shape (S,)."""
        return self.completion - self.scenario.submit

    def displacements(self, curve: UtilityFunction) -> Displacements | None:
        """Return stops of the job for others, and of others for it, where jobs can be stopped.

        `curve` is the utility function of the job.
        """
        if self.scenario.stops is None:
            return None
        samples = [each.stretches for each in self.trajectories]
        submit = self.scenario.submit
        return Displacements.of(samples, self.scenario.job, lambda time: curve(time - submit))


def simulation_of(scenario: Scenario, scheduler: Decider) -> Simulation:
    """Return a scenario's event loop for schedulers in Python, before anything has come."""
    arrivals, stops = _arrivals(scenario, scenario.request), scenario.stops
    if stops is None:
        return Simulation(arrivals, scheduler)
    failures = failures_at(scenario.snapshot)
    return Simulation(arrivals, scheduler, terms=stops.terms, failures=failures)


def compiled_simulation_of(scenario: Scenario, scheduler: ListScheduler) -> CompiledSimulation:
    """Return the event loop for a list scheduler that keeps no reservations."""
    state = brought_to(scenario.snapshot, scheduler)
    simulation = CompiledSimulation(_arrivals(scenario, scenario.request), scheduler)
    simulation.learn(state.finished, state.finished_run)
    return simulation


def drawn(scenario: Scenario, run: Floats, *, reserved: bool = False) -> Change:
    """Return the change to the moment of a scenario whose jobs run so long.

    Each sample draws anew how long even running jobs take, so that a branch differs in all that is
    known of these. The next event is a pass at the moment.

    Parameters
    ----------
    scenario : Scenario
        Of n jobs.
    run : (n,) float64
        Run times (s): of running jobs since `Scenario.begun`, where jobs can be stopped in all.
    reserved : bool
        Running jobs count as started now: `brought_to` has reserved that for them.
    """
    if scenario.stops is not None:
        return _where_jobs_stop(scenario, scenario.stops, run)
    running, since, now = scenario.running, scenario.begun, scenario.snapshot.now
    arrivals, ends = _arrivals(scenario, run), since + run[running]
    if reserved:
        request = arrivals.known.request
        request = _changed(request, running, since + request[running] - now)
        known = arrivals.known._replace(request=request)
        arrivals = replace(arrivals, known=known, run=_changed(run, running, ends - now))
        since = np.full(len(running), now)
    moment = Moment(now, scenario.present, scenario.queued, running, since, ends)
    return Change(arrivals=arrivals, moment=moment)


def _where_jobs_stop(scenario: Scenario, stops: KnownStops, run: Floats) -> Change:
    """Return the change where jobs can be preempted, or were."""
    limit, running = scenario.known.request, scenario.running
    known = scenario.known._replace(request=scenario.request)
    arrivals = replace(_arrivals(scenario, run), known=known)
    left = stops.left(run, known.request, limit)
    ends = scenario.begun + stops.lasts(running, run, limit)
    # a job past its limit where limits do not kill ends at the next instant at the earliest
    ends = np.maximum(ends, np.nextafter(scenario.snapshot.now, np.inf))
    now, arrived, queued = scenario.snapshot.now, scenario.present, np.sort(scenario.queued)
    held = [None if row.held is None else numbers_in(row.held) for row in scenario.snapshot.running]
    columns = arrived, queued, running, scenario.begun, ends, held
    # reservations are made anew, by these numbers of jobs
    moment = Moment(now, *columns, True, left, stops.seen.first(arrived))
    return Change(arrivals=arrivals, terms=stops.terms, moment=moment)


def _arrivals(scenario: Scenario, run: Floats) -> Arrivals:
    jobs = np.arange(len(run))
    return Arrivals(jobs, scenario.known, run, jobs)


def _changed(column: Floats, jobs: Integers, values: Floats) -> Floats:
    """Return a copy of a column with the values of some jobs replaced."""
    changed = column.copy()
    changed[jobs] = values
    return changed


def failures_at(snapshot: Snapshot) -> Failures | None:
    """Return the outages at a moment and from then on; None if there are none.

    Raises
    ------
    InputError
        The failures cannot be read, are of another machine, or have other processors down by now.
    """
    rows = [(row.start, row.end, row.first, row.last + 1, 0) for row in snapshot.down]
    if snapshot.failures is None:
        return Failures(Outages.union(rows, ("down",))) if rows else None
    text, since = snapshot.failures.domains, snapshot.failures.since
    failures = replace(Failures.from_text(text, snapshot.failures.seed), since=since)
    failures.check(snapshot.machine_size)
    again = failures.between(since, float(np.nextafter(snapshot.now, np.inf))).rows()
    if [row[:4] for row in again if row[1] > snapshot.now] != [row[:4] for row in rows]:
        raise InputError(
            f"by {text} other processors are down at {snapshot.now:.15g}",
            field="down",
            remedy="take it again with: utilitysched decision snapshot DIR --at TIME -o FILE",
        )
    return failures
