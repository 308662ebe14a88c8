"""Branches: how things go on from a state if something is different from then on."""

from typing import NamedTuple, TypeVar

import numpy as np

from utilitysched.engine.compiled_simulation import CompiledSimulation
from utilitysched.engine.conditions import StopTerms
from utilitysched.engine.machine.simulation import MachineSimulation
from utilitysched.engine.simulation import Simulation
from utilitysched.engine.tables import Moment
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.machine import MachineTable
from utilitysched.model.state import Integers

NOBODY = np.empty(0, dtype=np.int64)


class Change(NamedTuple):
    """A difference from some state on; by default there is none.

    Attributes
    ----------
    seed : int or None
        Draw as for this one, None for as before.
    left_out : int or None
        A job still to come that never does, by place in arrival order.
    last : int or None
        The last job to come.
    arrivals : Arrivals or None
        The jobs that come in place of those expected: with other curves, requests or run times,
        more or fewer of them. Those that have come are the first, and the same.
    terms : StopTerms or None
        What stopping means for each of these, where jobs can be stopped.
    machine : MachineTable or None
        The machine of pools for these, if that is not what it was for those expected.
    moment : Moment or None
        Where they have come to, before the first event: who waits, and until when others run.
    withdrawn : (k,) int64
        Queued jobs that are taken back.
    """

    seed: int | None = None
    left_out: int | None = None
    last: int | None = None
    arrivals: Arrivals | None = None
    terms: StopTerms | None = None
    machine: MachineTable | None = None
    moment: Moment | None = None
    withdrawn: Integers = NOBODY


ReadableSimulation = Simulation | MachineSimulation
AnySimulation = ReadableSimulation | CompiledSimulation
State = TypeVar(
    "State",
    Simulation,
    MachineSimulation,
    CompiledSimulation,
    ReadableSimulation,
    AnySimulation,
)


def branch(state: State, change: Change) -> State:
    """Return a copy of a simulation that goes on with a change."""
    simulation = state.fork(seed=change.seed)
    if change.machine is not None:
        assert isinstance(simulation, MachineSimulation), "its own means nothing for other jobs"
        simulation.machine = change.machine
    if change.arrivals is not None:
        simulation.expect(change.arrivals, change.terms)
    if change.moment is not None:
        simulation.go_on_from(change.moment)
    if change.left_out is not None:
        simulation.leave_out(change.left_out)
    if change.last is not None:
        simulation.end_arrivals(change.last + 1)
    if len(change.withdrawn):
        simulation.withdraw(change.withdrawn)
    return simulation


class Trail:
    """Record of the states of a simulation, by which an equal state of a branch is found."""

    def __init__(self) -> None:
        self._states: dict[float, tuple[object, object]] = {}

    def mark(self, simulation: ReadableSimulation) -> None:
        """Remember the state after a pass."""
        self._states[simulation.now] = simulation.visible(), simulation.memory()

    def meets(self, simulation: ReadableSimulation) -> bool:
        """Whether the state after a pass is the one remembered of that instant."""
        visible, memory = self._states.get(simulation.now, (None, None))
        return visible == simulation.visible() and memory == simulation.memory()
