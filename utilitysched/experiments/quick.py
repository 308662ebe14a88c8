"""Experiments that are described by a few texts, without a file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from checkpoint import PreemptionRules
from swfx import InputError
from swfx.base.options import nearest
from swfx.base.slices import slice_of
from swfx.families.transforms import make_transforms
from swfx.families.utilities.registry import make_model
from swfx.reading.located import located, located_source
from swfx.reading.notes import Echo
from swfx.reading.sources import check_source
from utilitysched.engine.failures import Failures
from utilitysched.engine.valued import AS_THEY_ARE
from utilitysched.experiments.grid import grid
from utilitysched.experiments.inputs import Inputs, workload_of
from utilitysched.experiments.metric_names import METRICS, matching
from utilitysched.experiments.specification import (
    Candidate,
    Experiment,
    Schedulers,
    SimulationSettings,
    Source,
    Utilities,
    Wanted,
    Workloads,
)
from utilitysched.experiments.store import Store
from utilitysched.experiments.work import ExperimentWork
from utilitysched.runs.notes import degenerate_notes
from utilitysched.schedulers.registry import make_scheduler


class QuickExperiment(NamedTuple):
    """What is to be compared.

    Attributes
    ----------
    schedulers, workloads : tuple of str
        Texts; the first scheduler is the baseline.
    jobs : tuple of str or None
        Slices.
    procs : int or None
        Processors of the machine.
    apply : tuple of str
        Transformations, in order.
    utilities : str
        Specification.
    seeds, repeats : int
        How many of each.
    metrics : tuple of str
        Names or patterns; none for the default ones.
    preemption : str or None
        Rules by which running jobs may be preempted.
    failures : str or None
        What fails.
    """

    schedulers: tuple[str, ...]
    workloads: tuple[str, ...]
    jobs: tuple[str | None, ...]
    procs: int | None
    apply: tuple[str, ...]
    utilities: str
    seeds: int
    repeats: int
    metrics: tuple[str, ...]
    preemption: str | None = None
    failures: str | None = None


@contextmanager
def quick_work(wanted: QuickExperiment, store: Path | None, echo: Echo) -> Iterator[ExperimentWork]:
    """Open a quick comparison; without a store its results are kept for the block only.

    Raises
    ------
    InputError
        An option cannot be used.
    """
    experiment = experiment_of(wanted)
    entries = grid(experiment)
    with ExitStack() as stack:
        if store is None:
            directory = tempfile.TemporaryDirectory(prefix="utilitysched-")
            store = Path(stack.enter_context(directory))
        for scheduler in experiment.schedulers.candidates:
            _tell_degenerate(wanted, scheduler.label, entries[0].cell.inputs, echo)
        yield ExperimentWork(experiment, entries, Store(store, echo), None)


def _tell_degenerate(wanted: QuickExperiment, label: str, inputs: Inputs, echo: Echo) -> None:
    """Say what a scheduler does not find in the first of the workloads."""
    for line in degenerate_notes(workload_of(inputs), label, preemption=wanted.preemption):
        echo(line)


def experiment_of(wanted: QuickExperiment) -> Experiment:
    """Return the experiment.

    Raises
    ------
    InputError
        An option cannot be used.
    """
    make_transforms(wanted.apply)
    if wanted.utilities != AS_THEY_ARE:
        make_model(wanted.utilities)
    for text in wanted.jobs:
        if text is not None:
            slice_of(text)
    sources = tuple(_source(text) for text in wanted.workloads)
    steps = tuple(located(text, Path()) for text in wanted.apply)
    utilities = located(wanted.utilities, Path())
    return Experiment(
        name=" and ".join(wanted.schedulers),
        workloads=(Workloads(sources, jobs=wanted.jobs, apply=(steps,), procs=wanted.procs),),
        schedulers=_schedulers(wanted),
        utilities=Utilities((utilities,), tuple(range(wanted.seeds))),
        simulation=_simulation(wanted),
        report=_report(wanted),
    )


def _source(text: str) -> Source:
    if text == "-":
        raise InputError(
            "standard input can be read only once", field="--workload", remedy="give a file"
        )
    check_source(text)
    name = Path(text).name if Path(text).is_file() else text
    return Source(name, located_source(text, Path()))


def _schedulers(wanted: QuickExperiment) -> Schedulers:
    made = [make_scheduler(text) for text in wanted.schedulers]
    labels = [each.label for each in made]
    if len(set(labels)) < max(len(labels), 2):
        raise InputError(
            "needs two schedulers or more, each once", field="A B", remedy="such as: easy ga"
        )
    candidates = tuple(Candidate(each.label, each.stochastic) for each in made)
    return Schedulers(candidates, labels[0], wanted.repeats)


def _simulation(wanted: QuickExperiment) -> SimulationSettings:
    simulation = SimulationSettings()
    if wanted.preemption is not None:
        rules = PreemptionRules.from_text(wanted.preemption)
        simulation = replace(simulation, preemption=(str(rules),))
    if wanted.failures is not None:
        Failures.from_text(wanted.failures)
        simulation = replace(simulation, failures=wanted.failures)
    return simulation


def _report(wanted: QuickExperiment) -> Wanted:
    for pattern in wanted.metrics:
        if not matching([pattern]):
            raise InputError(
                f"no metric is named {pattern!r}",
                field="--metric",
                remedy=nearest(pattern, METRICS),
            )
    return Wanted(metrics=matching(wanted.metrics)) if wanted.metrics else Wanted()
