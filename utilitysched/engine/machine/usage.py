"""Decayed usage on a machine that is simulated event by event."""

from typing import Self

import numpy as np

from utilitysched.kernels.machine.usage import BY_ENTITY, UsageState, begin, compute, end
from utilitysched.model.machine import MachineTable
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.pools import dominant_sizes


class MachineUsage:
    """Decayed usage of the jobs of all pools, by their place in arrival order.

    Parameters
    ----------
    machine : MachineTable
        The machine; entities that it has no jobs of may get some later.
    """

    def __init__(self, machine: MachineTable) -> None:
        self._state = UsageState.blank(0)
        self.expect(machine)

    def expect(self, machine: MachineTable) -> None:
        """Let other jobs come from now on; entities keep their numbers, new ones are behind them.

        Those have used nothing.
        """
        pools, state = machine.pools, self._state
        new = UsageState.blank(len(machine.shares.parent) - len(state.usage))
        columns = (np.append(getattr(state, name), getattr(new, name)) for name in BY_ENTITY)
        self._state = state._replace(**dict(zip(BY_ENTITY, columns, strict=True)))
        self._shares = machine.shares
        self._amounts = dominant_sizes(pools.demand, pools.capacity[pools.pool]).tolist()

    def fork(self) -> Self:
        """Return the same, to go on separately."""
        other = type(self).__new__(type(self))
        other._shares, other._amounts = self._shares, self._amounts
        other._state = self._state.fork()
        return other

    def begin(self, job: int, now: float) -> None:
        """Note that a job starts (s)."""
        begin(self._state, self._shares, job, float(self._amounts[job]), now)

    def end(self, job: int, now: float) -> None:
        """Note that a job ends or is stopped (s)."""
        end(self._state, self._shares, job, float(self._amounts[job]), now)

    def factors(self, now: float, jobs: Integers) -> tuple[Floats, float]:
        """Return the fair-share factor of each of some jobs, (k,), and when it was computed (s)."""
        compute(self._state, self._shares, now)
        factors: Floats = self._state.factor[self._shares.entity[jobs]]
        return factors, float(self._state.computed[0])

    def memory(self, now: float) -> object:
        """Return the usage that can still matter."""
        return self._state.memory(self._shares, now)
