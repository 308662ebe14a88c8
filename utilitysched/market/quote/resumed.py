"""The event loop for schedulers in Python, from a moment on.

Quotes are no branches of a baseline: each sample draws anew how long even running jobs take, and of
a moment there is a snapshot, not a simulation that could go on.
"""

from dataclasses import replace

import numpy as np

from checkpoint.failures import Outages
from swfx import InputError
from swfx.base.ranges import numbers_in
from utilitysched.engine.failures import Failures
from utilitysched.engine.simulation import Simulation
from utilitysched.engine.tables import Moment
from utilitysched.market.quote.scenario import Scenario
from utilitysched.market.quote.stops import KnownStops
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Decider
from utilitysched.model.state import Floats, Integers
from utilitysched.runs.snapshot import Snapshot


def resumed(scenario: Scenario, run: Floats, scheduler: Decider, *, reserved: bool) -> Simulation:
    """Return an event loop that has come to the scenario's moment; its next event is a pass now.

    If `reserved`, running jobs count as started now: `brought_to` has reserved that for them.
    """
    if scenario.stops is not None:
        return _where_jobs_stop(scenario, scenario.stops, run, scheduler)
    known, running = scenario.known, scenario.running
    ends = scenario.begun + run[running]
    expected = scenario.begun + known.request[running]
    since = np.full(len(running), scenario.snapshot.now) if reserved else scenario.begun
    known = known._replace(request=_changed(known.request, running, expected - since))
    run = _changed(run, running, ends - since)
    jobs = np.arange(len(run))
    simulation = Simulation(Arrivals(jobs, known, run, jobs), scheduler)
    now, arrived = scenario.snapshot.now, scenario.present
    simulation.go_on_from(Moment(now, arrived, scenario.queued, running, since, ends))
    return simulation


def _where_jobs_stop(
    scenario: Scenario, stops: KnownStops, run: Floats, scheduler: Decider
) -> Simulation:
    """Return the same where jobs can be preempted, or were; run times are those in all."""
    limit, running, jobs = scenario.known.request, scenario.running, np.arange(len(run))
    known = scenario.known._replace(request=scenario.request)
    failures = failures_at(scenario.snapshot)
    simulation = Simulation(
        Arrivals(jobs, known, run, jobs), scheduler, terms=stops.terms, failures=failures
    )
    left = stops.left(run, known.request, limit)
    ends = scenario.begun + stops.lasts(running, run, limit)
    # who is past its limit where limits do not kill ends at the next instant at the earliest
    ends = np.maximum(ends, np.nextafter(scenario.snapshot.now, np.inf))
    now, arrived, queued = scenario.snapshot.now, scenario.present, np.sort(scenario.queued)
    told = [None if row.held is None else numbers_in(row.held) for row in scenario.snapshot.running]
    columns = arrived, queued, running, scenario.begun, ends, told
    simulation.go_on_from(Moment(now, *columns, left, stops.seen.first(arrived)))
    simulation.disrupted = True  # whoever reserves does so anew, by these numbers of jobs
    return simulation


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
    text, seed, since = snapshot.failures
    found = replace(Failures.from_text(text, seed), since=since)
    found.check(snapshot.machine_size)
    again = found.between(since, float(np.nextafter(snapshot.now, np.inf))).rows()
    if [row[:4] for row in again if row[1] > snapshot.now] != [row[:4] for row in rows]:
        raise InputError(
            f"by {text} other processors are down at {snapshot.now:.15g}",
            field="down",
            remedy="take the moment again with: utilitysched snapshot DIR --at T -o FILE",
        )
    return found


def _changed(column: Floats, jobs: Integers, values: Floats) -> Floats:
    """Return a copy in which some jobs have other values."""
    changed = column.copy()
    changed[jobs] = values
    return changed
