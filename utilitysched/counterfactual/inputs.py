"""Inputs of a simulation, from which it can be made again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

from checkpoint import PreemptionRules
from swfx import Workload
from swfx.dependencies import Dependencies
from swfx.dependencies import dependencies as dependencies_of
from swfx.machine import Machine
from utilitysched.engine.conditions import Failures, StopTerms, rules_for
from utilitysched.engine.loops import play, table_of
from utilitysched.engine.machine.play import is_ordinary
from utilitysched.engine.machine.simulation import MachineSimulation
from utilitysched.engine.simulation import Simulation
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.machine import MachineTable
from utilitysched.model.schedule import SimulationOutcome
from utilitysched.model.scheduler import Scheduler, Setting
from utilitysched.schedulers.registry import make_scheduler


class SimulationParts(TypedDict):
    """Dependencies, terms of stopping and failures of a simulation."""

    dependencies: Dependencies | None
    terms: StopTerms | None
    failures: Failures | None


@dataclass(frozen=True, eq=False)
class SimulationInputs:
    """All that decides what a simulation does. Can be pickled.

    Attributes
    ----------
    workload : Workload
        n jobs.
    scheduler : str
        Text of the scheduler.
    machine_size : int
        Processors.
    seed : int
        Seed of its draws.
    classes : mapping of int to int or None
        Priority class of each queue number.
    preemption : PreemptionRules or str or None
        Rules by which running jobs could be preempted.
    failures : Failures or None
        What fails, whatever else is different.
    dependencies : bool
        Jobs were submitted once those they depend on had ended.
    machine : Machine or None
        Pools, resources, limits and calendar; None for one pool of processors.
    """

    workload: Workload
    scheduler: str
    machine_size: int
    seed: int = 0
    classes: Mapping[int, int] | None = None
    preemption: PreemptionRules | str | None = None
    failures: Failures | None = None
    dependencies: bool = False
    machine: Machine | None = None

    @property
    def rules(self) -> PreemptionRules | None:
        """Rules in force, None where no job can be stopped."""
        scheduler = make_scheduler(self.scheduler)
        requeues = self.machine is not None and any(each.requeue for each in self.machine.windows)
        stops = self.failures is not None or requeues
        return rules_for(scheduler, self.preemption, fails=stops)

    @property
    def setting(self) -> Setting:
        """What is settled before the first event."""
        longest = float(self.workload.request.max(initial=0.0))
        return Setting(self.machine_size, longest, self.seed)

    def arrivals(self) -> Arrivals:
        """Return the jobs in arrival order."""
        return Arrivals.of(self.workload, self.machine_size, self.classes)

    def prepared(self) -> Scheduler:
        """Return the scheduler as it was before the first event."""
        scheduler = make_scheduler(self.scheduler)
        scheduler.prepare(self.setting)
        return scheduler

    def terms(self, workload: Workload, arrivals: Arrivals) -> StopTerms | None:
        """Return what stopping means for each of some jobs, None where none can be stopped."""
        rules = self.rules
        return None if rules is None else StopTerms.of(workload, arrivals.order, rules)

    def outcome(self, arrivals: Arrivals) -> SimulationOutcome:
        """Return what becomes of the jobs."""
        table = self.table(self.workload, arrivals)
        parts = self._parts(arrivals)
        return play(arrivals, self.prepared(), **parts, table=table, seed=self.seed)

    def table(self, workload: Workload, arrivals: Arrivals) -> MachineTable | None:
        """Return what the machine means for some jobs; None where it is one pool of processors."""
        scheduler = make_scheduler(self.scheduler)
        table = table_of(self.machine, scheduler, arrivals, workload)
        ordinary = table is None or is_ordinary(table, scheduler, arrivals.known.size)
        return None if ordinary else table

    def simulation(
        self, arrivals: Arrivals, scheduler: Scheduler
    ) -> Simulation | MachineSimulation:
        """Return the simulation of a prepared scheduler before the first event."""
        table, parts = self.table(self.workload, arrivals), self._parts(arrivals)
        if table is None:
            return Simulation(arrivals, scheduler, **parts)
        return MachineSimulation(arrivals, scheduler, table, **parts, seed=self.seed)

    def _parts(self, arrivals: Arrivals) -> SimulationParts:
        parts = None
        if self.dependencies:
            parts = dependencies_of(self.workload)
        terms = self.terms(self.workload, arrivals)
        return {"dependencies": parts, "terms": terms, "failures": self.failures}
