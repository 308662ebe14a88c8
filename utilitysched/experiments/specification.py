"""Specification of an experiment: a grid of simulations, and what is wanted of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from swfx.base.displayed import Displayed
from utilitysched.analysis.statistics import CorrectionName, MeanName
from utilitysched.experiments.audits import Audited
from utilitysched.experiments.inputs import Cleaning
from utilitysched.experiments.metric_names import CEILING, SLOWDOWNS

FACTORS = ("workload", "jobs", "apply", "utilities")
"""What tells one workload of a grid from another, apart from seeds."""

TABLES = ("terminal", "csv", "markdown", "latex")
RATIO, BOX, PARETO, CORRELATION = "ratio", "box", "pareto", "correlation"
PLOTS = (RATIO, BOX, PARETO, CORRELATION)
PLOT_FORMATS = ("pdf", "svg", "png")


class Source(NamedTuple):
    """A workload by its name and its text.

    Attributes
    ----------
    name : str
        For people.
    text : str
        As `swfx.reading.sources.open_workload` takes it, paths absolute.
    """

    name: str
    text: str


@dataclass(frozen=True)
class Workloads:
    """A ``[[workload]]``: every source with every slice, every list of transformations, every seed.

    Attributes
    ----------
    sources : tuple of Source
        At least one, as all that follow.
    jobs : tuple of str or None
        Slices A:B; None for all jobs.
    apply : tuple of tuple of str
        Lists of transformations.
    seeds : tuple of int
        Of transformations that draw.
    procs : int or None
        Processors of the machine.
    cleaning : {"standard", "strict", "lenient"}
        Of the log.
    classes : tuple of (int, int)
        Queue number and priority class.
    """

    sources: tuple[Source, ...]
    jobs: tuple[str | None, ...] = (None,)
    apply: tuple[tuple[str, ...], ...] = ((),)
    seeds: tuple[int, ...] = (0,)
    procs: int | None = None
    cleaning: Cleaning = "standard"
    classes: tuple[tuple[int, int], ...] = ()


class Utilities(NamedTuple):
    """``[utilities]``: every specification with every seed.

    Attributes
    ----------
    specifications : tuple of str or None
        None: the workload's own, else the default.
    seeds : tuple of int
        Of the draws.
    before_apply : bool
        Functions are drawn for the jobs of the log, before they are transformed.
    """

    specifications: tuple[str | None, ...] = (None,)
    seeds: tuple[int, ...] = (0,)
    before_apply: bool = False


class Candidate(NamedTuple):
    """A scheduler, on jobs with certain checkpoints and under certain rules of preemption.

    Attributes
    ----------
    label : str
        Canonical text; what tells it from other candidates of this text follows.
    stochastic : bool
        Whether repeats differ.
    text : str
        Canonical text, where it is not the label.
    preempts : bool
        Whether it preempts jobs.
    checkpoints : str
        Annotation that says who takes checkpoints; empty if the workload does.
    preemption : str
        Rules of preemption; empty for the default ones, if it preempts.
    """

    label: str
    stochastic: bool
    text: str = ""
    preempts: bool = False
    checkpoints: str = ""
    preemption: str = ""

    @property
    def scheduler(self) -> str:
        """Canonical text of the scheduler."""
        return self.text or self.label


class Schedulers(NamedTuple):
    """``[schedulers]``.

    Attributes
    ----------
    candidates : tuple of Candidate
        At least one; no label twice.
    baseline : str
        Label of one of them.
    repeats : int
        Runs of each that draws, with seeds from 0.
    """

    candidates: tuple[Candidate, ...]
    baseline: str
    repeats: int = 1


class SimulationSettings(NamedTuple):
    """``[simulation]``: as `utilitysched.experiments.cell.Cell` has it.

    Rules of preemption are those of every candidate that has none of its own.
    """

    tau: float = 10.0
    trim: float = 0.0
    dependencies: bool = False
    preemption: str = ""
    failures: str = ""


class Published(NamedTuple):
    """Figures that others published for a scheduler.

    Attributes
    ----------
    scheduler : str
        Label.
    values : mapping of str to float
        By metric, in our units.
    ratios : mapping of str to float
        To those of the baseline, by metric, where values are not known.
    where : tuple of (str, str)
        Factors and their values: tables of other places do not have these figures.
    """

    scheduler: str
    values: Mapping[str, float]
    ratios: Mapping[str, float]
    where: tuple[tuple[str, str], ...] = ()


class PublishedBill(NamedTuple):
    """Figures that others published for bills by a mechanism.

    Attributes
    ----------
    mechanism : str
        Label.
    values : mapping of str to float
        By metric, in our units.
    scheduler : str or None
        Label of whose schedules were charged; None where it does not matter.
    """

    mechanism: str
    values: Mapping[str, float]
    scheduler: str | None = None


class PriceSettings(NamedTuple):
    """``[prices]``: every schedule is charged by every mechanism.

    Attributes
    ----------
    mechanisms : tuple of str
        Labels; none twice.
    published : tuple of PublishedBill
        What stands beside ours.
    """

    mechanisms: tuple[str, ...] = ()
    published: tuple[PublishedBill, ...] = ()


@dataclass(frozen=True)
class Wanted:
    """``[report]``.

    Attributes
    ----------
    metrics : tuple of str
        Names of metrics: columns of the table of means.
    compare : tuple of str or None
        Those that have a table of comparisons, and plots; None for all of them.
    tables : tuple of str
        Some of `TABLES`.
    plots : tuple of str
        Some of `PLOTS`.
    plot_formats : tuple of str
        Some of `PLOT_FORMATS`.
    over_time : bool
        Waits are drawn week by week, and what selections chose day by day.
    published : tuple of Published
        What stands beside ours.
    separate : tuple of str
        Some of `FACTORS`: what has tables of its own rather than more pairs.
    mean, correction : str
        As `utilitysched.analysis.statistics` takes them.
    """

    metrics: tuple[str, ...] = ("aggregate_utility", "wait_mean", "bounded_slowdown_mean")
    compare: tuple[str, ...] | None = None
    tables: tuple[str, ...] = ("terminal",)
    plots: tuple[str, ...] = ()
    plot_formats: tuple[str, ...] = ("pdf",)
    over_time: bool = False
    published: tuple[Published, ...] = ()
    separate: tuple[str, ...] = ("workload", "apply", "utilities")
    mean: MeanName = "arithmetic"
    correction: CorrectionName = "holm"

    @property
    def ceiling(self) -> bool:
        """Whether schedules are to be measured against the ceilings of their workloads."""
        return not {*self.metrics, *self.compared}.isdisjoint(CEILING)

    @property
    def extra(self) -> tuple[str, ...]:
        """Names of what is measured only where it is asked for."""
        slowdowns = not {*self.metrics, *self.compared}.isdisjoint(SLOWDOWNS)
        asked = (("over_time", self.over_time), ("slowdowns", slowdowns))
        return tuple(name for name, wanted in asked if wanted)

    @property
    def compared(self) -> tuple[str, ...]:
        """Names of the metrics that are compared."""
        return self.metrics if self.compare is None else self.compare


@dataclass(frozen=True)
class Experiment(Displayed):
    """A grid, and what is wanted of it.

    Attributes
    ----------
    name : str
        One line.
    workloads : tuple of Workloads
        At least one.
    schedulers : Schedulers
        Who is compared.
    utilities : Utilities
        What jobs are worth.
    simulation : SimulationSettings
        How every cell is simulated and measured.
    prices : PriceSettings
        By which mechanisms the schedules are charged.
    audit : Audited or None
        How they are audited.
    report : Wanted
        What is printed and written.
    store : Path or None
        Where results are kept.
    """

    name: str
    workloads: tuple[Workloads, ...]
    schedulers: Schedulers
    utilities: Utilities = field(default_factory=Utilities)
    simulation: SimulationSettings = field(default_factory=SimulationSettings)
    prices: PriceSettings = field(default_factory=PriceSettings)
    audit: Audited | None = None
    report: Wanted = field(default_factory=Wanted)
    store: Path | None = None

    def __repr__(self) -> str:
        return f"<Experiment: {self.name}, {len(self.schedulers.candidates)} schedulers>"
