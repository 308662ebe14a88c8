"""Experiment files: TOML, every mistake refused with its line before anything is run."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, ClassVar

from swfx import InputError
from swfx.base.document import DocumentError, DocumentTable, read_document
from swfx.base.document_values import (
    BesideFile,
    Text,
    listed,
    made,
    made_beside,
    one_or_more,
    whole,
)
from swfx.base.options import nearest
from swfx.base.plugin_file import read_plugins
from swfx.reading.sources import open_workload
from utilitysched.experiments.annotations import CheckpointAnnotations
from utilitysched.experiments.audits import Audited
from utilitysched.experiments.inputs import selection_of
from utilitysched.experiments.specification import (
    TOGETHER,
    Candidate,
    Experiment,
    PriceSettings,
    Published,
    Schedulers,
    SimulationSettings,
    Utilities,
    Wanted,
    Workloads,
    steps_text,
)
from utilitysched.experiments.variants import Variants
from utilitysched.schedulers.registry import make_scheduler

KEYS = "docs/experiments.md has every key"


def read_experiment(file: Path) -> Experiment:
    """Read an experiment file.

    Raises
    ------
    InputError
        The first mistake in it, with file, line, and the path of the value.
    """
    return read_document(
        ExperimentFile, file, "an experiment file", lambda contents: contents.experiment(file)
    )


def _candidate(text: str) -> Candidate:
    """Return a scheduler from its text, before which ``NAME = `` says what tables call it."""
    name, named, of = text.partition(" = ")
    scheduler = make_scheduler(of.strip() if named else text)
    candidate = Candidate(scheduler.label, scheduler.stochastic, preempts=scheduler.preempts)
    return candidate._replace(label=name.strip(), text=scheduler.label) if named else candidate


def _load_plugin(text: str, folder: Path) -> str:
    read_plugins([folder / text])
    return text


@dataclass(frozen=True)
class SchedulersTable(DocumentTable):
    """``[schedulers]``.

    Attributes
    ----------
    names : tuple of Candidate
        At least one; no label twice.
    baseline : str
        Label or text of one of them; empty for the first.
    repeats : int
        Runs of each that draws, with seeds from 0.
    """

    EXAMPLES: ClassVar[dict[str, str]] = {"names": 'write names = ["easy", "ga"]'}

    names: Annotated[tuple[Annotated[Candidate, made(_candidate)], ...], one_or_more]
    baseline: Text = ""
    repeats: Annotated[int, whole(1)] = 1

    def __post_init__(self) -> None:
        labels = [candidate.label for candidate in self.names]
        for place, label in enumerate(labels):
            if not label or label in labels[:place]:
                message = f"{label!r} names two schedulers" if label else "is an empty name"
                raise DocumentError(message, "give each one of its own", at=("names", place))


@dataclass(frozen=True)
class CheckpointsTable(DocumentTable):
    """``[checkpoints]``: annotations of the jobs that take checkpoints."""

    specifications: CheckpointAnnotations


@dataclass(frozen=True, kw_only=True)
class ExperimentFile(DocumentTable):
    """Contents of an experiment file, which has the sections of an `Experiment`.

    Attributes
    ----------
    plugins : tuple of str
        Files with parts of the user's own, loaded before the sections that name these.
    checkpoints : CheckpointsTable
        Checkpoints of the jobs, by default as the workload has them.
    """

    EXAMPLES: ClassVar[dict[str, str]] = {"workload": KEYS, "schedulers": KEYS}

    plugins: Annotated[tuple[Annotated[str, made_beside(_load_plugin)], ...], one_or_more] = ()
    name: Text = ""
    store: BesideFile | None = None
    workload: Annotated[tuple[Workloads, ...], listed]
    utilities: Utilities = field(default_factory=lambda: Utilities((None,)))
    checkpoints: CheckpointsTable = field(default_factory=lambda: CheckpointsTable(("",)))
    schedulers: SchedulersTable
    simulation: SimulationSettings = field(default_factory=SimulationSettings)
    prices: PriceSettings = field(default_factory=lambda: PriceSettings(()))
    audit: Audited | None = None
    report: Wanted = field(default_factory=Wanted)

    def experiment(self, file: Path) -> Experiment:
        """Return the experiment of a file.

        Raises
        ------
        DocumentError
            Something is not among what it is chosen from, or a slice begins behind a log.
        """
        for place, workloads in enumerate(self.workload):
            _check_slices(workloads, place)
        variants = Variants(
            self.checkpoints.specifications,
            self.simulation.preemption,
            failures=bool(self.simulation.failures),
        )
        candidates = variants.of(self.schedulers.names)
        labels = [candidate.label for candidate in candidates]
        baseline = self.schedulers.baseline
        return Experiment(
            name=self.name or file.stem,
            workloads=self.workload,
            schedulers=Schedulers(
                candidates,
                _label(baseline, labels, "schedulers", "baseline") if baseline else labels[0],
                self.schedulers.repeats,
            ),
            utilities=self.utilities,
            simulation=self.simulation,
            prices=self._prices(labels),
            audit=self._audit([candidate.scheduler for candidate in candidates]),
            report=replace(self.report, published=tuple(self._published(labels))),
            store=self.store and self.store.absolute(),
        )

    def _prices(self, labels: Collection[str]) -> PriceSettings:
        published = []
        for place, each in enumerate(self.prices.published):
            at = ("prices", "published", place, "scheduler")
            label = None if each.scheduler is None else _label(each.scheduler, labels, *at)
            published.append(replace(each, scheduler=label))
        return replace(self.prices, published=tuple(published))

    def _audit(self, schedulers: Collection[str]) -> Audited | None:
        if self.audit is None:
            return None
        if self.simulation.dependencies:
            remedy = "leave dependencies out of [simulation]"
            raise DocumentError("audits play no dependencies", remedy, at=("audit",))
        self.audit.require(schedulers)
        return self.audit

    def _published(self, labels: Collection[str]) -> Iterator[Published]:
        """Yield the published figures of schedulers, by their labels."""
        names = {source.name for each in self.workload for source in each.sources}
        applied = {steps_text(steps) for each in self.workload for steps in each.apply}
        known = {"workload": names, "apply": applied}
        seen: list[object] = []
        for place, each in enumerate(self.report.published):
            at = ("report", "published", place)
            label = _label(each.scheduler, labels, *at, "scheduler")
            for factor, value in each.where:
                _require(value, known[factor], "workloads", (*at, factor))
            if (label, each.where) in seen:
                message = f"{label!r} is named twice"
                raise DocumentError(message, TOGETHER, at=(*at, "scheduler"))
            seen.append((label, each.where))
            yield replace(each, scheduler=label)


def _check_slices(workloads: Workloads, place: int) -> None:
    """Refuse the slice with the latest beginning if a log ends before."""
    slices = [text and selection_of(text) for text in workloads.jobs]
    begins = [each.start or 0 if isinstance(each, slice) else 0 for each in slices]
    begin = max(begins)
    for source in workloads.sources if begin > 0 else ():
        try:
            open_workload(source.text, jobs=slice(begin, begin + 1), cleaning="lenient")
        except InputError as error:
            if error.field == "jobs":  # whatever else is wrong is told by who reads all of it
                raise DocumentError(
                    f"{source.name}: {error.message}",
                    "give A:B, counted from 0",
                    at=("workload", place, "jobs", begins.index(begin)),
                ) from error


def _label(text: str, labels: Collection[str], *at: str | int) -> str:
    """Return the label of a candidate that is named by it, or by another text of the scheduler."""
    if text in labels:
        return text
    try:
        label = make_scheduler(text).label
    except InputError as error:
        raise DocumentError(str(error), at=at) from error
    return _require(label, labels, "schedulers", at)


def _require(name: str, known: Collection[str], kind: str, at: tuple[str | int, ...]) -> str:
    """Return a name after a check that it is among the known names of a kind."""
    if name not in known:
        raise DocumentError(f"{name!r} is not among the {kind}", nearest(name, known), at=at)
    return name
