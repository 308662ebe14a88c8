"""Scenarios of audits: jobs, the scheduler that serves them, and how charges are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np

from pricing import PivotRule, make_mechanism
from pricing.registry import PriceMechanism
from swfx import InputError, Workload
from utilitysched.counterfactual.pivot import PivotRecorder
from utilitysched.engine.simulation import Simulation
from utilitysched.market.audit.queues import Thresholds, with_queues
from utilitysched.model.arrivals import Arrivals
from utilitysched.model.scheduler import Scheduler, Setting
from utilitysched.model.state import Floats, Integers
from utilitysched.schedulers.registry import make_scheduler


@dataclass(frozen=True, eq=False)
class AuditScenario:
    """Jobs whose curves are true, and who serves and charges them. Can be pickled.

    Attributes
    ----------
    workload : Workload
        n jobs in the order of their arrival, in the queues that they go to.
    scheduler : str
        Text of the scheduler.
    mechanisms : tuple of str
        Texts of the price mechanisms.
    machine_size : int
        Processors.
    classes : mapping of int to int or None
        Priority class of each queue number.
    seed : int
        Seed of the scheduler's draws.
    queues : Thresholds or None
        How jobs find their queue; see `with_queues`.
    """

    workload: Workload
    scheduler: str
    mechanisms: tuple[str, ...]
    machine_size: int
    classes: Mapping[int, int] | None
    seed: int
    queues: Thresholds | None

    @cached_property
    def priced(self) -> tuple[PriceMechanism, ...]:
        """The mechanisms."""
        return tuple(make_mechanism(text) for text in self.mechanisms)

    @cached_property
    def draws(self) -> bool:
        """Whether the scheduler draws."""
        return make_scheduler(self.scheduler).stochastic

    @cached_property
    def longest_request(self) -> float:
        """Longest requested time under the truth (s)."""
        return float(self.workload.request.max(initial=0.0))

    @cached_property
    def owners(self) -> Integers:
        """Whose each job is, (n,); one whose user is not known stands for itself, below 0."""
        user = self.workload.user
        return np.where(user >= 0, user, -1 - np.arange(len(user)))

    @cached_property
    def pivots(self) -> PivotRule | None:
        """How starts are charged by plans; None if they are not."""
        return next((each.pivots for each in self.priced if each.pivots), None)

    @property
    def reserves(self) -> bool:
        """Whether jobs are charged for their reservations, before they start."""
        return self.pivots is not None and self.pivots.reservations

    def arrivals(self, workload: Workload) -> Arrivals:
        """Return jobs, some of them told otherwise, as the engine takes them.

        Parameters
        ----------
        workload : Workload
            In the order of their arrival.
        """
        found = Arrivals.of(workload, self.machine_size, self.classes)
        begin = self.workload.submit[0] if len(self.workload) else 0.0
        known = found.known._replace(arrival=found.known.submit - begin)
        return replace(found, known=known)

    def prepared(self, seed: int, run: Floats) -> Scheduler:
        """Return the scheduler before its first event; it records what starts cost if charged.

        Parameters
        ----------
        seed : int
            Seed of its draws.
        run : (n,) float64
            Run times in arrival order (s), for charges that settle at the end.
        """
        scheduler = make_scheduler(self.scheduler)
        if self.pivots:
            scheduler = PivotRecorder(scheduler, self.pivots, run, users=True)
        scheduler.prepare(Setting(self.machine_size, self.longest_request, seed))
        return scheduler

    def recorder_of(self, simulation: Simulation) -> PivotRecorder | None:
        """Return what records in a simulation what starts cost, None if that is not charged."""
        return cast("PivotRecorder", simulation.scheduler) if self.pivots else None

    def beginning(self) -> Simulation:
        """Return the simulation of the truth before its first event."""
        arrivals = self.arrivals(self.workload)
        return Simulation(arrivals, self.prepared(self.seed, arrivals.run))


def make_scenario(  # noqa: PLR0913 - one keyword per choice
    workload: Workload,
    scheduler: str,
    mechanisms: tuple[str, ...],
    *,
    machine_size: int | None,
    classes: Mapping[int, int] | None,
    seed: int,
    queues: Thresholds | None,
) -> tuple[AuditScenario, Integers]:
    """Return the scenario, and the position in the workload of each of its jobs.

    Raises
    ------
    InputError
        No job has a utility function; the scheduler or a mechanism is not known, or has an
        option that cannot be audited.
    """
    require_values(workload)
    check(scheduler, mechanisms)
    arrivals = Arrivals.of(workload, machine_size, classes)
    order = np.argsort(workload.submit, kind="stable")
    scenario = AuditScenario(
        with_queues(workload[order], queues),
        make_scheduler(scheduler).label,
        tuple(make_mechanism(text).label for text in mechanisms),
        arrivals.known.machine_size,
        classes,
        seed,
        queues,
    )
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


def check(scheduler: str, mechanisms: tuple[str, ...]) -> None:
    """Refuse what is not known, or cannot be audited.

    Raises
    ------
    InputError
        See `make_scenario`.
    """
    made_scheduler = make_scheduler(scheduler)
    if made_scheduler.preempts:
        raise InputError(
            "preempts running jobs, which an audit does not play again",
            source=scheduler,
            field="scheduler",
            remedy="audit one that does not",
        )
    made = [make_mechanism(text) for text in mechanisms]
    if not made:
        raise InputError("no mechanism to audit", field="mechanisms", remedy="name one or more")
    labels = [mechanism.label for mechanism in made]
    for label in labels:
        if labels.count(label) > 1:
            raise InputError(f"{label} is named twice", field="mechanisms", remedy="once will do")
    if len([mechanism for mechanism in made if mechanism.pivots]) > 1:
        raise InputError(
            "charges by plans can settle in one way at a time",
            field="mechanisms",
            remedy="audit the others by themselves",
        )
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
