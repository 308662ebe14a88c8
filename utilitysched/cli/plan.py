"""What a comparison is asked for, and what it hands on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from swfx import Loaded, Workload
from swfx.families.transforms import Transformed
from utilitysched import Schedule
from utilitysched.cli.seeds import Seeds
from utilitysched.cli.source import Source
from utilitysched.report.comparison import Line


@dataclass(frozen=True)
class Plan:
    """What to simulate, and what to leave on disk.

    Attributes
    ----------
    source : Source
        The workload.
    schedulers : sequence of str
        Names with options; the first is the baseline.
    apply : sequence of str
        Transformations of the jobs, in order.
    utilities : str or None
        Specification, ``default``, ``none``, or None for the workload's own, else the default.
    seeds : Seeds
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
        Rules by which running jobs may be bumped; None where only schedulers that bump have them.
    failures : str or None
        What fails, None for nothing.
    """

    source: Source
    schedulers: Sequence[str]
    apply: Sequence[str] = ()
    utilities: str | None = None
    seeds: Seeds = field(default_factory=lambda: Seeds.of(0))
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


class Prepared(NamedTuple):
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


class Run(NamedTuple):
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

    def line(self) -> Line:
        """Return the run's line in a comparison."""
        return Line(self.summary, self.schedule.elapsed)
