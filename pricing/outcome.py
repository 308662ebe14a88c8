"""The view of a mechanism: the jobs and when each of them ran."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from pricing.counterfactual import Counterfactual
from pricing.reasons import first_that_holds
from pricing.resources import (
    CPU,
    ENERGY,
    amounts_of,
    known_resources,
    resource_hour,
    resource_names,
)
from pricing.waste import NOBODY, Waste
from swfx import InputError, Workload
from swfx.base.columns import Bools, Floats, Ints

SECONDS_PER_HOUR = 3600.0

ONE_END = 1e-3
"""Seconds: jobs on shared nodes whose ends are no further apart may be said to end together."""

ROUNDING = 1e-12
"""Share of a time by which sums of segments may be larger than it."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """Jobs that ran, with their realised times.

    Attributes
    ----------
    workload : Workload
        n jobs.
    start, end : ndarray of float64, shape (n,)
        Start and completion on the log's clock (s).
    position : ndarray of int64, shape (n,), optional
        Which jobs of the schedule's workload these are; default: all of them.
    counterfactual : Counterfactual, optional
        What would have been without each job of the schedule, for mechanisms that ask.
    everybody : ndarray of int64, shape (m,), optional
        Numbers of all jobs of the schedule's workload; default: those of these jobs.
    used : ndarray of float64, shape (n,), optional
        For how long each held its processors (s), where jobs were preempted and went on later;
        default: from start to end.
    waste : Waste, optional
        What these jobs lost where they were stopped, by position in the schedule's workload;
        default: no job could be stopped.
    run_share : ndarray of float64, shape (m,), optional
        Share of its requested time that each job of the schedule's workload ran: see
        `pricing.pivots.run_shares`; default: not known of any.
    cut_short : ndarray of bool, shape (n,), optional
        Which were killed at their limits before their work was done; default: none.
    shared : bool
        Jobs shared nodes: what their neighbours slowed them by is not their time, see `held`.

    Raises
    ------
    InputError
        If the times are not one finite pair per job, in order and not before submission, or a job
        held its processors for longer than from start to end, or for less than it lost.
    """

    workload: Workload
    start: Floats
    end: Floats
    position: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    counterfactual: Counterfactual | None = None
    everybody: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    used: Floats | None = None
    waste: Waste | None = None
    run_share: Floats = field(default_factory=lambda: np.empty(0))
    cut_short: Bools = field(default_factory=lambda: np.empty(0, np.bool_))
    shared: bool = False

    def __post_init__(self) -> None:
        if not len(self.cut_short):
            object.__setattr__(self, "cut_short", np.zeros(len(self.workload), np.bool_))
        if not len(self.position):
            object.__setattr__(self, "position", np.arange(len(self.workload)))
        if not len(self.everybody):
            object.__setattr__(self, "everybody", self.workload.job_id)
        for name in ("start", "end"):
            if getattr(self, name).shape != (len(self.workload),):
                raise InputError(
                    f"has shape {getattr(self, name).shape} for {len(self.workload)} jobs",
                    field=name,
                    remedy="give one time per job of the workload the schedule was made for",
                )
        self._refuse(
            ~((self.workload.submit <= self.start) & (self.start <= self.end)),
            "start",
            lambda job: (
                f"submitted at {self.workload.submit[job]:.15g}, started at"
                f" {self.start[job]:.15g}, ended at {self.end[job]:.15g}"
            ),
        )
        lasted, slack = self.end - self.start, ROUNDING * np.abs(self.end)
        self._refuse(
            ~((self.held >= 0) & (self.held <= lasted + slack)),
            "used",
            lambda job: (
                f"used its processors for {self.held[job]:.15g} s of the {lasted[job]:.15g} s from"
                " start to end"
            ),
        )
        self._refuse(
            self.wasted > self.held + slack,
            "waste",
            lambda job: (
                f"lost {self.wasted[job]:.15g} s of the {self.held[job]:.15g} s for which it used"
                " its processors"
            ),
        )

    def _refuse(self, wrong: Bools, field: str, problem: Callable[[int], str]) -> None:
        """Refuse the first job of which something is wrong."""
        if wrong.any():
            job = int(np.argmax(wrong))
            raise InputError(
                f"job {self.workload.job_name(job)}: {problem(job)}",
                field=field,
                remedy="give the schedule of this very workload",
            )

    def __len__(self) -> int:
        return len(self.workload)

    def places(self, positions: Ints) -> Ints:
        """Return where jobs given by position in the schedule's workload are among these.

        Parameters
        ----------
        positions : ndarray of int64, shape (m,)
            `NOBODY` among them, if it must be.

        Returns
        -------
        ndarray of int64, shape (m,)
            `NOBODY` for jobs that are not among them.
        """
        place = np.full(len(self.everybody) + 1, NOBODY)  # the last stands for nobody
        place[self.position] = np.arange(len(self))
        places: Ints = place[positions]
        return places

    def require_utilities(self, mechanism: str) -> None:
        """Refuse jobs that the named mechanism cannot price.

        Raises
        ------
        InputError
            If there are jobs and none has a utility function.
        """
        if len(self) and not self.workload.has_utilities:
            raise InputError(
                f"{mechanism} needs utility functions and no job of this workload has one",
                remedy="attach them with `utilitysched augment`, or charge by single-price",
            )

    @cached_property
    def job_of(self) -> Ints:
        """A number for each job, (n,), that parts of a heterogeneous job share."""
        part_of = self.workload.part_of
        numbers: Ints = np.where(part_of > 0, part_of, -1 - np.arange(len(self)))
        return numbers

    @cached_property
    def first_parts(self) -> Bools:
        """Which count as jobs: all but the later parts of heterogeneous ones, (n,)."""
        first = np.zeros(len(self), np.bool_)
        first[np.unique(self.job_of, return_index=True)[1]] = True
        return first

    @property
    def jobs(self) -> int:
        """Number of jobs; the parts of a heterogeneous job count once."""
        return int(self.first_parts.sum())

    @cached_property
    def requested_end(self) -> Floats:
        """First start and requested time of each job, or its end where that is later (s), (n,)."""
        return np.maximum(self.start + self.workload.request, self.end)

    @cached_property
    def ran(self) -> Floats:
        """For how long each job held its processors (s), shape (n,)."""
        return self.end - self.start if self.used is None else self.used

    @cached_property
    def held(self) -> Floats:
        """For how long of that it may be charged (s), shape (n,).

        Where jobs shared nodes, for no longer than a job takes when nobody is beside it, lost work
        and restarts apart: the centre bears what neighbours slow it by (KELLARI, section 7.3). A
        job that runs faster beside others pays for less, and one that was slowed until it was
        killed for nothing.
        """
        if not self.shared:
            return self.ran
        alone = np.minimum(self.ran - self.wasted, self.workload.effective_run)
        return np.where(self.cut_short, 0.0, alone) + self.wasted

    @cached_property
    def spared(self) -> Floats:
        """For how long each job ran without charge, because of its neighbours (s), shape (n,)."""
        spared = self.ran - self.held
        return np.where(spared > ONE_END, spared, 0.0)

    def held_of(self, resource: str) -> Floats:
        """For how long each job held a resource (s), (n,).

        As by sreport of Slurm, a job that was suspended gave its processors back, and nothing else:
        where that is why it held them for less than from start to end.
        """
        if self.shared or resource in (CPU, ENERGY):
            return self.held
        lasted, suspended = self.end - self.start, np.maximum(self.workload.suspended, 0.0)
        slack = ROUNDING * np.abs(self.end)
        was_suspended = (suspended > 0) & (np.abs(lasted - suspended - self.held) <= slack)
        return np.where(was_suspended, lasted, self.held)

    @property
    def let_off(self) -> Bools:
        """Jobs that pay nothing: neighbours slowed them until they were killed, (n,)."""
        return self.cut_short & self.shared

    @cached_property
    def wasted(self) -> Floats:
        """Time of lost work and of restarts in the run of each job (s), shape (n,)."""
        if self.waste is None:
            return np.zeros(len(self))
        place = self.places(self.waste.job)
        lost: Floats = np.bincount(place, self.waste.seconds, len(self)).astype(np.float64)
        return lost

    @cached_property
    def wasted_hours(self) -> Floats:
        """Processor-hours of that, shape (n,)."""
        return self.workload.size * self.wasted / SECONDS_PER_HOUR

    @property
    def useful(self) -> Outcome:
        """The outcome without lost work: processors held only for useful time."""
        if self.waste is None or not len(self.waste):
            return self
        return replace(self, used=np.maximum(self.held - self.wasted, 0.0), waste=None)

    @cached_property
    def processor_hours(self) -> Floats:
        """Processor-hours each job used, shape (n,): lost work and restart overhead, too."""
        return self.workload.size * self.held / SECONDS_PER_HOUR

    def hours_of(self, resource: str) -> Floats:
        """Hours of a resource each job used, shape (n,): of an amount that is not known, none.

        Raises
        ------
        InputError
            The workload does not tell of the resource.
        """
        amounts = np.nan_to_num(amounts_of(self.workload, resource))
        return amounts * self.held_of(resource) / SECONDS_PER_HOUR

    @cached_property
    def utility(self) -> Floats:
        """Realised utility (SU), shape (n,): each curve at the turnaround time.

        0 without a curve, and for a job that was cut short.
        """
        worth = self.workload.utility.evaluate(self.end - self.workload.submit)
        return np.where(self.cut_short, 0.0, worth)


def by_the_hour(charge: Floats, resource: str, known: Bools) -> list[str]:
    """Say why jobs that pay by the hour of a resource are charged (SU), or not.

    `known` says of which jobs the log tells how much of it they held, shape (n,).
    """
    unit = resource_hour(resource)
    nothing = "no time used" if resource == CPU else f"no {unit} used"
    cases = ((charge > 0, f"by the {unit}"), (~known, f"the log does not state its {resource}"))
    why: list[str] = first_that_holds(cases, f"{nothing}, or its rate is 0").tolist()
    return why


def requested_hours(workload: Workload, resource: str = CPU) -> Floats:
    """Hours of a resource each job can use before it is killed, shape (n,)."""
    return np.nan_to_num(amounts_of(workload, resource)) * workload.request / SECONDS_PER_HOUR


def resource_columns(outcome: Outcome) -> dict[str, Floats]:
    """Hours of the resources of which a workload tells, beside processors, as columns of tables.

    ``node_hours``, ``gres/gpu_hours``, ``mem_hours`` (MB), ..., and ``energy_kwh``.
    """
    names = known_resources(outcome.workload)[1:]
    columns = resource_names(outcome.workload)
    return {name: outcome.hours_of(each) for name, each in zip(columns, names, strict=True)}
