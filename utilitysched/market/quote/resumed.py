"""Simulations of a scenario, of which each sample is a branch that comes to its moment.

Each sample draws anew how long even running jobs take: what differs is all that is known of them.
"""

from dataclasses import replace

import numpy as np

from checkpoint.failures import Outages
from swfx import InputError
from swfx.base.ranges import numbers_in
from utilitysched.counterfactual.branch import Change
from utilitysched.engine.compiled_simulation import CompiledSimulation
from utilitysched.engine.failures import Failures
from utilitysched.engine.simulation import Simulation
from utilitysched.engine.tables import Moment
from utilitysched.exact.planned import brought_to
from utilitysched.market.quote.scenario import Scenario
from utilitysched.market.quote.stops import KnownStops
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Decider
from utilitysched.model.state import Floats, Integers
from utilitysched.runs.snapshot import Snapshot
from utilitysched.schedulers.list_scheduler import ListScheduler


def simulation_of(scenario: Scenario, scheduler: Decider) -> Simulation:
    """Return a scenario's event loop for schedulers in Python, before anything has come."""
    arrivals, stops = _arrivals(scenario, scenario.request), scenario.stops
    if stops is None:
        return Simulation(arrivals, scheduler)
    failures = failures_at(scenario.snapshot)
    return Simulation(arrivals, scheduler, terms=stops.terms, failures=failures)


def compiled_simulation_of(scenario: Scenario, scheduler: ListScheduler) -> CompiledSimulation:
    """Return the same for a list scheduler that keeps no reservations."""
    state = brought_to(scenario.snapshot, scheduler)
    simulation = CompiledSimulation(_arrivals(scenario, scenario.request), scheduler)
    simulation.learn(state.finished, state.finished_run)
    return simulation


def drawn(scenario: Scenario, run: Floats, *, reserved: bool = False) -> Change:
    """Let a scenario come to its moment, and jobs run so long; the next event is a pass then.

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
    """Return the same where jobs can be preempted, or were."""
    limit, running = scenario.known.request, scenario.running
    known = scenario.known._replace(request=scenario.request)
    arrivals = replace(_arrivals(scenario, run), known=known)
    left = stops.left(run, known.request, limit)
    ends = scenario.begun + stops.lasts(running, run, limit)
    # who is past its limit where limits do not kill ends at the next instant at the earliest
    ends = np.maximum(ends, np.nextafter(scenario.snapshot.now, np.inf))
    now, arrived, queued = scenario.snapshot.now, scenario.present, np.sort(scenario.queued)
    told = [None if row.held is None else numbers_in(row.held) for row in scenario.snapshot.running]
    columns = arrived, queued, running, scenario.begun, ends, told
    # whoever reserves does so anew, by these numbers of jobs
    moment = Moment(now, *columns, True, left, stops.seen.first(arrived))
    return Change(arrivals=arrivals, terms=stops.terms, moment=moment)


def _arrivals(scenario: Scenario, run: Floats) -> Arrivals:
    jobs = np.arange(len(run))
    return Arrivals(jobs, scenario.known, run, jobs)


def failures_at(snapshot: Snapshot) -> Failures | None:
    """Return what is down at a moment and what fails from then on; None if nothing does.

    Raises
    ------
    InputError
        What fails cannot be read, is of another machine, or has other processors down by now.
    """
    rows = [(row.start, row.end, row.first, row.last + 1, 0) for row in snapshot.down]
    if snapshot.failures is None:
        return Failures(Outages.union(rows, ("down",))) if rows else None
    text, since = snapshot.failures.domains, snapshot.failures.since
    found = replace(Failures.from_text(text, snapshot.failures.seed), since=since)
    found.check(snapshot.machine_size)
    again = found.between(since, float(np.nextafter(snapshot.now, np.inf))).rows()
    if [row[:4] for row in again if row[1] > snapshot.now] != [row[:4] for row in rows]:
        raise InputError(
            f"by {text} other processors are down at {snapshot.now:.15g}",
            field="down",
            remedy="take it again with: utilitysched decision snapshot DIR --at TIME -o FILE",
        )
    return found


def _changed(column: Floats, jobs: Integers, values: Floats) -> Floats:
    """Return a copy in which some jobs have other values."""
    changed = column.copy()
    changed[jobs] = values
    return changed
