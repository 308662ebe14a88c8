"""Experiments that are described by a few texts, without a file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from checkpoint import PreemptionRules
from swfx import InputError
from swfx.base.options import nearest
from swfx.families.transforms import make_transforms
from swfx.families.utilities.registry import make_model
from swfx.reading.located import located, located_source
from swfx.reading.notes import Echo
from swfx.reading.sources import check_source
from utilitysched.engine.failures import Failures
from utilitysched.engine.valued import AS_THEY_ARE
from utilitysched.experiments.comparison_request import ComparisonRequest
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
from utilitysched.runs.degenerate import degenerate_notes
from utilitysched.schedulers.registry import make_scheduler


@contextmanager
def quick_work(
    request: ComparisonRequest, store: Path | None, echo: Echo
) -> Iterator[ExperimentWork]:
    """Open a quick comparison; without a store its results are kept for the block only.

    Raises
    ------
    InputError
        An option cannot be used.
    """
    experiment = experiment_of(request)
    entries = grid(experiment)
    with ExitStack() as stack:
        if store is None:
            directory = tempfile.TemporaryDirectory(prefix="utilitysched-")
            store = Path(stack.enter_context(directory))
        for scheduler in experiment.schedulers.candidates:
            _tell_degenerate(request, scheduler.label, entries[0].cell.inputs, echo)
        yield ExperimentWork(experiment, entries, Store(store, echo), None)


def _tell_degenerate(request: ComparisonRequest, label: str, inputs: Inputs, echo: Echo) -> None:
    """Say what a scheduler does not find in the first of the workloads."""
    for line in degenerate_notes(workload_of(inputs), label, preemption=request.preemption):
        echo(line)


def experiment_of(request: ComparisonRequest) -> Experiment:
    """Return the experiment.

    Raises
    ------
    InputError
        An option cannot be used.
    """
    make_transforms(request.apply)
    if request.utilities != AS_THEY_ARE:
        make_model(request.utilities)
    sources = tuple(_source(text) for text in request.workloads)
    steps = tuple(located(text, Path()) for text in request.apply)
    utilities = located(request.utilities, Path())
    jobs = tuple(request.jobs) or (None,)
    return Experiment(
        name=" and ".join(request.schedulers),
        workloads=(Workloads(sources, jobs=jobs, apply=(steps,), procs=request.procs),),
        schedulers=_schedulers(request),
        utilities=Utilities((utilities,), tuple(range(request.seeds))),
        simulation=_simulation(request),
        report=_report(request),
    )


def _source(text: str) -> Source:
    if text == "-":
        raise InputError(
            "standard input can be read only once", field="--workload", remedy="give a file"
        )
    check_source(text)
    name = Path(text).name if Path(text).is_file() else text
    return Source(name, located_source(text, Path()))


def _schedulers(request: ComparisonRequest) -> Schedulers:
    made = [make_scheduler(text) for text in request.schedulers]
    labels = [each.label for each in made]
    if len(set(labels)) < max(len(labels), 2):
        raise InputError(
            "needs two schedulers or more, each once", field="A B", remedy="such as: easy ga"
        )
    candidates = tuple(Candidate(each.label, each.stochastic) for each in made)
    return Schedulers(candidates, labels[0], request.repeats)


def _simulation(request: ComparisonRequest) -> SimulationSettings:
    simulation = SimulationSettings()
    if request.preemption is not None:
        rules = PreemptionRules.from_text(request.preemption)
        simulation = replace(simulation, preemption=(str(rules),))
    if request.failures is not None:
        Failures.from_text(request.failures)
        simulation = replace(simulation, failures=request.failures)
    return simulation


def _report(request: ComparisonRequest) -> Wanted:
    for pattern in request.metrics:
        if not matching([pattern]):
            raise InputError(
                f"no metric is named {pattern!r}",
                field="--metric",
                remedy=nearest(pattern, METRICS),
            )
    return Wanted(metrics=matching(request.metrics)) if request.metrics else Wanted()
