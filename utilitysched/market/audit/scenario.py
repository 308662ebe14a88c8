"""Scenarios of audits: jobs, the scheduler that serves them, and how charges are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from checkpoint import PreemptionRules
from checkpoint.failures import Outages
from pricing import PivotRule, make_mechanism
from pricing.counterfactual import players_of
from pricing.registry import PriceMechanism
from swfx import InputError, Workload
from swfx.machine import Machine, trivial_machine
from utilitysched.counterfactual.branch import ReadableSimulation
from utilitysched.counterfactual.inputs import SimulationInputs
from utilitysched.counterfactual.pivots import PivotRecorder
from utilitysched.counterfactual.plan_comparison import Players
from utilitysched.counterfactual.readings import reading_of
from utilitysched.engine.conditions import Failures, StopTerms, rules_for
from utilitysched.engine.machine.simulation import MachineSimulation
from utilitysched.engine.simulation import Simulation
from utilitysched.market.audit.design import MECHANISMS, Thresholds, with_queues
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.machine import MachineTable, PoolTable
from utilitysched.model.machine_table import machine_table
from utilitysched.model.scheduler import Scheduler
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.registry import make_scheduler


@dataclass(frozen=True)
class AuditSubject:
    """Scheduler, machine and price mechanisms that an audit is about.

    Attributes
    ----------
    scheduler : str
        Name and options.
    mechanisms : sequence of str
        Names and options; ``vcg`` charges users for what others lose, by plans or by replays.
    machine_size : int or None
        Processors; None for what the workload's header says.
    classes : mapping of int to int or None
        Priority class of each queue number.
    seed : int
        Of everything random.
    preemption, failures
        As `utilitysched.simulate` takes them; what fails does so whatever is told.
    machine : Machine or None
        Pools, resources, limits, calendar and shares; None for one pool of processors.
    """

    scheduler: str = "ga"
    mechanisms: Sequence[str] = MECHANISMS
    machine_size: int | None = None
    classes: Mapping[int, int] | None = None
    seed: int = 0
    preemption: PreemptionRules | str | None = None
    failures: Failures | Outages | str | None = None
    machine: Machine | None = None

    def to_dict(self) -> dict[str, object]:
        """Return what provenance keeps of it beside the scheduler and the mechanisms."""
        stops = {"preemption": self.preemption, "failures": self.failures}
        return {
            "classes": dict(self.classes) if self.classes else None,
            "seed": self.seed,
            **{name: str(value) for name, value in stops.items() if value is not None},
            **({"machine": self.machine.to_dict()} if self.machine else {}),
        }


class Conditions(NamedTuple):
    """Reported jobs as a simulation takes them.

    Attributes
    ----------
    arrivals : Arrivals
        The jobs.
    terms : StopTerms or None
        What stopping means for each, where jobs can be stopped.
    machine : MachineTable or None
        The machine of pools for them.
    """

    arrivals: Arrivals
    terms: StopTerms | None
    machine: MachineTable | None


@dataclass(frozen=True, eq=False, kw_only=True)
class AuditScenario(SimulationInputs):
    """Jobs whose curves are true, in the order of their arrival, and who serves and charges them.

    They are in the queues that they go to. Can be pickled.

    Attributes
    ----------
    mechanisms : tuple of str
        Texts of the price mechanisms.
    queues : Thresholds or None
        How jobs find their queue; see `with_queues`.
    """

    mechanisms: tuple[str, ...]
    queues: Thresholds | None

    @cached_property
    def priced(self) -> tuple[PriceMechanism, ...]:
        """The mechanisms."""
        return tuple(make_mechanism(text) for text in self.mechanisms)

    @property
    def least_charges(self) -> Floats:
        """Least charge of each mechanism (SU): displaced users may be paid."""
        return np.array([0.0 if each.replays else -np.inf for each in self.priced])

    @cached_property
    def draws(self) -> bool:
        """Whether the scheduler draws."""
        return make_scheduler(self.scheduler).stochastic

    @cached_property
    def owners(self) -> Integers:
        """Whose each job is, (n,); one whose user is not known stands for itself, below 0."""
        user = self.workload.user
        return np.where(user >= 0, user, -1 - np.arange(len(user)))

    @cached_property
    def pivots(self) -> PivotRule | None:
        """How starts are charged by plans; None if they are not."""
        return next((each.pivots for each in self.priced if each.pivots), None)

    @cached_property
    def reading(self) -> ForecastRule | None:
        """How the scheduler reads utility functions; None if nothing is charged by that."""
        ranks = any(each.ranks for each in self.priced)
        return reading_of(make_scheduler(self.scheduler), self.machine) if ranks else None

    @property
    def settles_at_starts(self) -> bool:
        """Whether what a job is charged by plans is known once it starts."""
        return self.pivots is None or (self.rules is None and not self.pivots.reservations)

    def conditions(self, workload: Workload) -> Conditions:
        """Return what a simulation of reported jobs is told of them.

        Parameters
        ----------
        workload : Workload
            In the order of their arrival.
        """
        given = Arrivals.of(workload, self.machine_size, self.classes)
        begin = self.workload.submit[0] if len(self.workload) else 0.0
        known = given.known._replace(arrival=given.known.submit - begin)
        arrivals = replace(given, known=known)
        return Conditions(arrivals, self.terms(workload, arrivals), self.table(workload, arrivals))

    def table(self, workload: Workload, arrivals: Arrivals) -> MachineTable | None:
        """Return what the machine means for reported jobs, None for one pool of processors.

        What a simulation remembers of the truth holds for them: entities have the numbers, and
        pools the amounts, that they have under it.
        """
        if self.site is None:
            return None
        scheduler = make_scheduler(self.scheduler)
        first = self.workload if scheduler.reads_usage else None
        table = machine_table(self.site, workload, arrivals.order, first)
        pools = table.pools._replace(capacity=self._pools.capacity)
        return table._replace(pools=pools, shares=scheduler.shares(table.shares))

    @cached_property
    def site(self) -> Machine | None:
        """Machine of pools; a scheduler that reads usage has one in any case."""
        if self.machine is None and make_scheduler(self.scheduler).reads_usage:
            return trivial_machine(self.machine_size)
        return self.machine

    @cached_property
    def _pools(self) -> PoolTable:
        """The pools, and what jobs need of them under the truth."""
        assert self.site is not None
        return machine_table(self.site, self.workload, np.arange(len(self.workload))).pools

    def processors_for(self, job: int) -> int:
        """Return the processors of a job's pool, given its place in the arrival order."""
        if self.site is None:
            return self.machine_size
        return self._pools.capacity.item(self._pools.pool.item(job), 0)

    def prepared(self) -> Scheduler:
        """Return the scheduler before its first event; it records what starts cost if charged."""
        if not self.pivots:
            return super().prepared()
        recorder = PivotRecorder(make_scheduler(self.scheduler), self.pivots, self.arrivals().run)
        recorder.players = self.players(self.workload)
        recorder.prepare(self.setting)
        return recorder

    def players(self, reported: Workload) -> Players:
        """Return whose jobs are whose, of jobs in the order of their arrival."""
        return Players(None if self.pivots is None else players_of(reported, self.pivots.players))

    def beginning(self) -> ReadableSimulation:
        """Return the simulation of the truth before its first event."""
        arrivals, terms, table = self.conditions(self.workload)
        scheduler, failures = self.prepared(), self.failures
        if table is None:
            return Simulation(arrivals, scheduler, terms=terms, failures=failures)
        return MachineSimulation(
            arrivals, scheduler, table, terms=terms, failures=failures, seed=self.seed
        )


def make_scenario(
    workload: Workload, subject: AuditSubject, queues: Thresholds | None
) -> tuple[AuditScenario, Integers]:
    """Return the scenario, and the position in the workload of each of its jobs.

    Raises
    ------
    InputError
        No job has a utility function; the scheduler or a mechanism is not known, or has an
        option that cannot be audited.
    """
    require_values(workload)
    check(subject)
    size = subject.machine.processors if subject.machine else subject.machine_size
    arrivals = Arrivals.of(workload, size, subject.classes)
    order = np.argsort(workload.submit, kind="stable")
    size = arrivals.known.machine_size
    scenario = AuditScenario(
        with_queues(workload[order], queues),
        make_scheduler(subject.scheduler).label,
        size,
        subject.seed,
        subject.classes,
        subject.preemption,
        Failures.of(subject.failures, size, subject.seed),
        machine=subject.machine,
        mechanisms=tuple(make_mechanism(text).label for text in subject.mechanisms),
        queues=queues,
    )
    if scenario.rules is not None:
        _check_lost(scenario)
    return scenario, order


def require_values(workload: Workload) -> None:
    """Refuse jobs about whose worth nothing is known.

    Raises
    ------
    InputError
        None has a utility function.
    """
    if not workload.has_utilities:
        raise InputError(
            "no job of this workload has a utility function to lie about",
            remedy="attach them with `utilitysched augment`",
        )


def check(subject: AuditSubject) -> None:
    """Refuse what is not known, or cannot be audited.

    Raises
    ------
    InputError
        See `make_scenario`.
    """
    rules_for(make_scheduler(subject.scheduler), subject.preemption)
    if isinstance(subject.failures, str):
        Failures.from_text(subject.failures, subject.seed)
    made = [make_mechanism(text) for text in subject.mechanisms]
    if not made:
        raise InputError("no mechanism to audit", field="mechanisms", remedy="name one or more")
    labels = [mechanism.label for mechanism in made]
    for label in labels:
        if labels.count(label) > 1:
            raise InputError(f"{label} is named twice", field="mechanisms", remedy="once will do")
    if len({mechanism.pivots for mechanism in made if mechanism.pivots}) > 1:
        raise InputError(
            "plans can be compared in one way at a time, whatever is added to what they say",
            field="mechanisms",
            remedy="audit mechanisms that differ in more than the reserve by themselves",
        )
    if any(mechanism.ranks for mechanism in made):
        reading_of(make_scheduler(subject.scheduler), subject.machine)
    for mechanism in made:
        if mechanism.replays:
            _check_replays(mechanism)


def _check_replays(mechanism: PriceMechanism) -> None:
    for name in ("horizon", "seeds", "literal"):
        if f"{name}=" in mechanism.label:
            raise InputError(
                "is that of the audit",
                source=mechanism.label,
                field=name,
                remedy="write vcg:method=replay, and set horizon and draws of the audit",
            )


def _check_lost(scenario: AuditScenario) -> None:
    for mechanism in scenario.priced:
        if mechanism.replays and "lost=" in mechanism.label:
            raise InputError(
                "users are charged, for whose jobs as a whole no work is lost",
                source=mechanism.label,
                field="lost",
                remedy="leave it out, or audit vcg, which charges jobs",
            )
