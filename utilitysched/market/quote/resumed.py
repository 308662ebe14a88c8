"""The event loop for schedulers in Python, from a moment on.

Quotes are no branches of a baseline: each sample draws anew how long even running jobs take, and of
a moment there is a snapshot, not a simulation that could go on.
"""

import numpy as np

from utilitysched.engine.simulation import Simulation
from utilitysched.engine.tables import Moment
from utilitysched.market.quote.scenario import Scenario
from utilitysched.market.quote.stops import KnownStops
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Decider
from utilitysched.model.state import Floats, Integers


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
    simulation = Simulation(Arrivals(jobs, known, run, jobs), scheduler, terms=stops.terms)
    assert simulation.restarts is not None
    left = stops.left(run, known.request, limit)
    simulation.restarts.left.update(left)
    ends = scenario.begun + stops.lasts(running, run, limit)
    # who is past its limit where limits do not kill ends at the next instant at the earliest
    ends = np.maximum(ends, np.nextafter(scenario.snapshot.now, np.inf))
    now, arrived, queued = scenario.snapshot.now, scenario.present, np.sort(scenario.queued)
    simulation.go_on_from(Moment(now, arrived, queued, running, scenario.begun, ends))
    for mine, column in zip(simulation.table.preemption, stops.seen, strict=True):
        mine[:arrived] = column[:arrived]
    stopped = list(left)
    simulation.table.known.request[stopped] = limit[stopped]
    return simulation


def _changed(column: Floats, jobs: Integers, values: Floats) -> Floats:
    """Return a copy in which some jobs have other values."""
    changed = column.copy()
    changed[jobs] = values
    return changed
