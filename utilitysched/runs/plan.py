"""Plans of simulations: what is asked for, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from swfx import Loaded, Workload
from swfx.families.transforms import Transformed
from swfx.reading.workload_source import WorkloadSource
from utilitysched.model.schedule import Schedule


class RunSeeds(NamedTuple):
    """One seed per purpose; each library call makes its own stream of its seed.

    Attributes
    ----------
    utilities : int
        Draws utility functions.
    scheduler : int
        Drives schedulers that search.
    transformations : int
        Shuffles and resamples jobs.
    """

    utilities: int
    scheduler: int
    transformations: int

    @classmethod
    def of(cls, seed: int, utilities: int | None = None, scheduler: int | None = None) -> RunSeeds:
        """Return `seed` for every purpose that has none of its own."""
        return cls(
            seed if utilities is None else utilities,
            seed if scheduler is None else scheduler,
            seed,
        )


@dataclass(frozen=True)
class SimulationPlan:
    """What to simulate, and what to leave on disk.

    Attributes
    ----------
    source : WorkloadSource
        The workload.
    schedulers : sequence of str
        Names with options; the first is the baseline.
    apply : sequence of str
        Transformations of the jobs, in order.
    utilities : str or None
        Specification, ``default``, ``none``, or None for the workload's own, else the default.
    seeds : RunSeeds
        Of the utility functions and of the schedulers.
    classes : mapping of int to int or None
        Queue number to priority class, 0 the most urgent.
    tau : float
        Bound of the bounded slowdown (s).
    trim : float
        Share of the jobs at either end that means and percentiles leave out.
    out : Path or None
        Results directory.
    force : bool
        The results directory may hold another workload.
    swf : bool
        Write schedules as SWF, too.
    allocations : bool
        Number the processors of each job.
    dependencies : bool
        Submit jobs once those they depend on have ended.
    preemption : str or None
        Rules by which running jobs may be preempted; None where only schedulers that preempt have
        them.
    failures : str or None
        What fails, None for nothing.
    """

    source: WorkloadSource
    schedulers: Sequence[str]
    apply: Sequence[str] = ()
    utilities: str | None = None
    seeds: RunSeeds = field(default_factory=lambda: RunSeeds.of(0))
    classes: Mapping[int, int] | None = None
    tau: float = 10.0
    trim: float = 0.0
    out: Path | None = None
    force: bool = False
    swf: bool = False
    allocations: bool = True
    dependencies: bool = False
    preemption: str | None = None
    failures: str | None = None


class PreparedWorkload(NamedTuple):
    """A workload that can be simulated.

    Attributes
    ----------
    loaded : Loaded
        As read.
    transformed : Transformed
        After the transformations.
    workload : Workload
        With utility functions.
    utilities : dict
        Where they come from.
    """

    loaded: Loaded
    transformed: Transformed
    workload: Workload
    utilities: dict[str, object]


class SimulatedRun(NamedTuple):
    """One finished simulation.

    Attributes
    ----------
    schedule : Schedule
        When every job ran.
    summary : dict
        Metrics.
    directory : Path or None
        Where its files are.
    """

    schedule: Schedule
    summary: dict[str, object]
    directory: Path | None
