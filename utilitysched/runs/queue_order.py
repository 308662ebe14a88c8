"""Queue order of a stored run at an instant, which playing the run again shows."""

from contextlib import suppress

import numpy as np

from utilitysched.engine.conditions import FailureRecord
from utilitysched.engine.engine import simulate
from utilitysched.model.schedule import recorded_classes, recorded_machine
from utilitysched.model.scheduler import Decider, Wrapper
from utilitysched.model.state import Decision, Integers, QueueState
from utilitysched.runs.stored import StoredRun
from utilitysched.schedulers.registry import make_scheduler


def queue_order(run: StoredRun, instant: float) -> Integers:
    """Return queued jobs, by position, in the order of the last pass of their pool.

    Parameters
    ----------
    run : StoredRun
        A run that was read from its files.
    instant : float
        Passes up to this time (s) count.
    """
    simulation = run.record["simulation"]
    failures = FailureRecord.of(simulation)
    watch = _Watch(make_scheduler(simulation["scheduler"]), instant)
    with suppress(_Reached):
        simulate(
            run.logged,
            watch,
            classes=recorded_classes(simulation),
            seed=simulation["seed"],
            dependencies="dependencies" in simulation,
            eligible=False,  # the workload was written as it was simulated
            preemption=simulation.get("preemption"),
            failures=None if failures is None else failures.text,
            machine=recorded_machine(simulation),
        )
    return np.concatenate([np.empty(0, np.int64), *watch.orders.values()])


class _Reached(Exception):  # noqa: N818 - nothing is wrong
    """The run has come to a pass after the instant."""


class _Watch(Wrapper):
    """A scheduler whose queue orders are kept until an instant, by pool."""

    def __init__(self, scheduler: Decider, instant: float) -> None:
        super().__init__(scheduler)
        self.instant = instant
        self.orders: dict[int, Integers] = {}

    def decide(self, state: QueueState) -> Decision:
        if state.now > self.instant:
            raise _Reached
        decision = super().decide(state)
        assert state.facts is not None, "a workload is simulated"
        pool = 0 if state.pool is None else state.pool.number
        order = state.queued if decision.order is None else decision.order
        self.orders[pool] = state.facts.positions(order)
        return decision
