"""The event loop for schedulers in Python, from a moment on."""

import numpy as np

from utilitysched.engine.simulation import Simulation
from utilitysched.engine.tables import Moment
from utilitysched.market.quote.scenario import Scenario
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Decider
from utilitysched.model.state import Floats, Integers


def resumed(scenario: Scenario, run: Floats, scheduler: Decider, *, promised: bool) -> Simulation:
    """Return an event loop that has come to the scenario's moment; its next event is a pass now.

    If `promised`, running jobs count as started now, which `brought_to` has promised them.
    """
    known, running = scenario.known, scenario.running
    ends = scenario.begun + run[running]
    expected = scenario.begun + known.request[running]
    since = np.full(len(running), scenario.snapshot.now) if promised else scenario.begun
    known = known._replace(request=_changed(known.request, running, expected - since))
    run = _changed(run, running, ends - since)
    jobs = np.arange(len(run))
    simulation = Simulation(Arrivals(jobs, known, run, jobs), scheduler)
    now, arrived = scenario.snapshot.now, scenario.present
    simulation.go_on_from(Moment(now, arrived, scenario.queued, running, since, ends))
    return simulation


def _changed(column: Floats, jobs: Integers, values: Floats) -> Floats:
    """Return a copy in which some jobs have other values."""
    changed = column.copy()
    changed[jobs] = values
    return changed
