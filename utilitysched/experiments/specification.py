"""Specification of an experiment: a grid of simulations, and what is wanted of them.

The sections of an experiment file are dataclasses here; their annotations say how they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar, Literal, NamedTuple, get_args

from swfx import InputError
from swfx.base.displayed import Displayed
from swfx.base.document import DocumentError, DocumentTable
from swfx.base.document_values import (
    Flag,
    Text,
    listed,
    made_beside,
    number,
    one_or_more,
    seconds,
    valid,
    whole,
    zero_or_more,
)
from swfx.base.options import nearest
from swfx.reading.located import located_source
from swfx.reading.sources import check_source
from utilitysched.analysis.metrics.catalogue import CEILING, SLOWDOWNS
from utilitysched.analysis.statistics import MeanName
from utilitysched.engine.conditions import Failures
from utilitysched.experiments.annotations import (
    BillMetricValues,
    MechanismLabel,
    MechanismLabels,
    MetricNames,
    MetricValues,
    PreemptionTexts,
    PriorityClasses,
    Seeds,
    Step,
    StepLists,
    UtilityTexts,
)
from utilitysched.experiments.audits import Audited
from utilitysched.experiments.inputs import Cleaning, selection_of
from utilitysched.runs.machines import MachineCopy

FactorName = Literal["workload", "jobs", "apply", "utilities"]
FACTORS: tuple[FactorName, ...] = get_args(FactorName)
"""What tells one workload of a grid from another, apart from seeds."""

TOGETHER = "put all values in one table"

TableName = Literal["terminal", "csv", "markdown", "latex"]
PlotName = Literal["ratio", "box", "pareto", "correlation"]
RATIO, BOX, PARETO, CORRELATION = get_args(PlotName)
PlotFormat = Literal["pdf", "svg", "png"]


class Source(NamedTuple):
    """Name and text of a workload.

    Attributes
    ----------
    name : str
        For people.
    text : str
        As `swfx.reading.sources.open_workload` takes it, paths absolute.
    """

    name: str
    text: str

    @classmethod
    def beside(cls, text: str, folder: Path) -> Source:
        """Return the source that a file in `folder` names.

        Raises
        ------
        InputError
            There is no such workload, or it is standard input.
        """
        if text == "-":
            raise InputError("standard input can be read only once", remedy="give a file")
        source = located_source(text, folder)
        check_source(source)
        return cls(Path(text).name if Path(source).is_file() else text, source)


_PATH = re.compile(r"(?<=[:=])/[^,=:\[\]]*/")


def short(text: str) -> str:
    """Return a text with options, its files without their folders."""
    return _PATH.sub("", text)


def steps_text(steps: Iterable[str]) -> str:
    """Return transformations as text, without the folders of files."""
    return " ".join(map(short, steps))


@dataclass(frozen=True)
class Workloads(DocumentTable):
    """A ``[[workload]]``: every source with every slice, every list of transformations, every seed.

    Attributes
    ----------
    source : tuple of Source
        At least one, as all that follow.
    name : str
        Name of the source in place of its own; of several, what their names begin with.
    jobs : tuple of str or None
        Slices A:B; None for all jobs.
    apply : tuple of tuple of str
        Lists of transformations.
    seeds : tuple of int
        Of transformations that draw.
    machine_size : int or None
        Processors of the machine.
    cleaning : {"standard", "strict", "lenient"}
        Of the log.
    classes : dict of int to int
        Priority class by queue number.
    """

    EXAMPLES: ClassVar[dict[str, str]] = {"source": 'write source = "log.swf"'}

    source: Annotated[tuple[Annotated[Source, made_beside(Source.beside)], ...], one_or_more]
    name: Text = ""
    jobs: Annotated[tuple[Annotated[str | None, valid(selection_of)], ...], one_or_more] = (None,)
    apply: StepLists = ((),)
    seeds: Seeds = (0,)
    machine_size: Annotated[int | None, whole(1)] = None
    cleaning: Cleaning = "standard"
    classes: PriorityClasses = field(default_factory=dict)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources by the names that tables show."""
        if not self.name:
            return self.source
        if len(self.source) == 1:
            return (self.source[0]._replace(name=self.name),)
        return tuple(each._replace(name=f"{self.name} {each.name}") for each in self.source)


@dataclass(frozen=True)
class Utilities(DocumentTable):
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

    specifications: UtilityTexts = ("default",)
    seeds: Seeds = (0,)
    before_apply: Flag = False


class Candidate(NamedTuple):
    """A scheduler, on jobs with certain checkpoints and under certain rules of preemption.

    Attributes
    ----------
    label : str
        Name in tables, or canonical text; what tells it from other candidates of this text follows.
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


@dataclass(frozen=True)
class SimulationSettings(DocumentTable):
    """``[simulation]``: settings of all cells, as in `utilitysched.experiments.cell.Cell`.

    Of several rules of preemption, schedulers that differ by them are compared under each.
    """

    tau: Annotated[float, seconds(gt=0)] = 10.0
    trim: Annotated[float, number(ge=0, lt=0.5)] = 0.0
    dependencies: Flag = False
    preemption: PreemptionTexts = ("",)
    failures: Annotated[str, valid(Failures.from_text)] = ""
    machine: Annotated[MachineCopy, made_beside(MachineCopy.beside)] | None = None


@dataclass(frozen=True)
class Published(DocumentTable):
    """Published metrics of a scheduler.

    Attributes
    ----------
    scheduler : str
        Text or label.
    values : mapping of str to float
        By metric, in our units.
    ratios : mapping of str to float
        To those of the baseline, by metric, where values are not known.
    workload, apply : str
        Name and transformations of the only workload that the figures are about.
    """

    scheduler: Text
    values: MetricValues = field(default_factory=dict)
    ratios: MetricValues = field(default_factory=dict)
    workload: Text = ""
    apply: Annotated[tuple[Step, ...] | None, listed] = None

    def __post_init__(self) -> None:
        if not (self.values or self.ratios):
            raise DocumentError("has neither values nor ratios", "add values = {METRIC = NUMBER}")
        for name in self.values.keys() & self.ratios.keys():
            remedy = "give one of them"
            raise DocumentError(f"{name!r} has a value, too", remedy, at=("ratios", name))

    @property
    def where(self) -> tuple[tuple[str, str], ...]:
        """Factors and values of the only place that the published metrics are about."""
        apply = None if self.apply is None else steps_text(self.apply)
        places = (("workload", self.workload or None), ("apply", apply))
        return tuple((factor, value) for factor, value in places if value is not None)


@dataclass(frozen=True)
class PublishedBill(DocumentTable):
    """Published metrics of bills by a mechanism.

    Attributes
    ----------
    mechanism : str
        Label.
    values : mapping of str to float
        By metric, in our units.
    scheduler : str or None
        Label of whose schedules were charged; None where it does not matter.
    """

    mechanism: MechanismLabel
    values: BillMetricValues
    scheduler: str | None = None


@dataclass(frozen=True)
class PriceSettings(DocumentTable):
    """``[prices]``: every schedule is charged by every mechanism.

    Attributes
    ----------
    mechanisms : tuple of str
        Labels; none twice.
    published : tuple of PublishedBill
        What stands beside ours.
    """

    mechanisms: MechanismLabels
    published: Annotated[tuple[PublishedBill, ...], listed] = ()

    def __post_init__(self) -> None:
        places = [(each.mechanism, each.scheduler) for each in self.published]
        for i, (mechanism, scheduler) in enumerate(places):
            if mechanism not in self.mechanisms:
                message = f"{mechanism!r} is not among the mechanisms"
                remedy = nearest(mechanism, self.mechanisms)
                raise DocumentError(message, remedy, at=("published", i, "mechanism"))
            if (mechanism, scheduler) in places[:i]:
                message = f"{mechanism!r} is named twice"
                raise DocumentError(message, TOGETHER, at=("published", i))


@dataclass(frozen=True)
class Wanted(DocumentTable):
    """``[report]``.

    Attributes
    ----------
    metrics : tuple of str
        Names of metrics: columns of the table of means.
    compare : tuple of str or None
        Those that have a table of comparisons, and plots; None for all of them.
    tables : tuple of str
        Formats of tables.
    plots : tuple of str
        Kinds of plots.
    plot_formats : tuple of str
        Formats of plots.
    over_time : bool
        Waits are drawn week by week, and what selections chose day by day.
    published : tuple of Published
        What stands beside ours.
    separate : tuple of str
        Some of `FACTORS`: what has tables of its own rather than more pairs.
    mean : str
        As `utilitysched.analysis.statistics` takes it.
    """

    metrics: MetricNames = ("aggregate_utility", "wait_mean", "bounded_slowdown_mean")
    compare: MetricNames | None = None
    tables: Annotated[tuple[TableName, ...], zero_or_more] = ("terminal",)
    plots: Annotated[tuple[PlotName, ...], zero_or_more] = ()
    plot_formats: Annotated[tuple[PlotFormat, ...], zero_or_more] = ("pdf",)
    over_time: Flag = False
    published: Annotated[tuple[Published, ...], listed] = ()
    separate: Annotated[tuple[FactorName, ...], zero_or_more] = ("workload", "apply", "utilities")
    mean: MeanName = "arithmetic"

    @property
    def ceiling(self) -> bool:
        """Whether schedules are to be measured against the ceilings of their workloads."""
        return not {*self.metrics, *self.compared}.isdisjoint(CEILING)

    @property
    def extra(self) -> tuple[str, ...]:
        """Names of the optional measures that the report needs."""
        slowdowns = not {*self.metrics, *self.compared}.isdisjoint(SLOWDOWNS)
        measures = (("over_time", self.over_time), ("slowdowns", slowdowns))
        return tuple(name for name, wanted in measures if wanted)

    @property
    def compared(self) -> tuple[str, ...]:
        """Names of the metrics that are compared."""
        return self.metrics if self.compare is None else self.compare


@dataclass(frozen=True)
class Experiment(Displayed):
    """An experiment: a grid of simulations and the report on their results.

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
    utilities: Utilities = field(default_factory=lambda: Utilities((None,)))
    simulation: SimulationSettings = field(default_factory=SimulationSettings)
    prices: PriceSettings = field(default_factory=lambda: PriceSettings(()))
    audit: Audited | None = None
    report: Wanted = field(default_factory=Wanted)
    store: Path | None = None

    def __repr__(self) -> str:
        return f"<Experiment: {self.name}, {len(self.schedulers.candidates)} schedulers>"
