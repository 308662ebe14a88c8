"""Experiments that are described by options, without a file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from swfx import InputError
from swfx.base.document import checked
from swfx.base.document_mistakes import Contents
from swfx.reading.notes import Echo
from utilitysched.experiments.comparison_request import ComparisonRequest
from utilitysched.experiments.experiment_file import ExperimentFile
from utilitysched.experiments.grid import grid
from utilitysched.experiments.inputs import workload_of
from utilitysched.experiments.specification import Experiment
from utilitysched.experiments.store import Store
from utilitysched.experiments.work import ExperimentWork
from utilitysched.runs.notes import degenerate_notes


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
        cell = entries[0].cell
        first = workload_of(cell.inputs, dependencies=cell.dependencies)
        for scheduler in experiment.schedulers.candidates:
            notes = degenerate_notes(first, scheduler.label, preemption=request.preemption)
            for line in notes:
                echo(line)
        yield ExperimentWork(experiment, entries, Store(store, echo), None)


PARAMETERS = {
    "workload.source": "`workloads`",
    "workload.jobs": "`jobs`",
    "workload.apply": "`apply`",
    "workload.machine_size": "`machine_size`",
    "utilities.specifications": "`utilities`",
    "schedulers.names": "`schedulers`",
    "simulation.preemption": "`preemption`",
    "simulation.failures": "`failures`",
    "simulation.machine": "`machine`",
    "report.metrics": "`metrics`",
}
"""Parameters of a comparison by the key of the experiment that they are."""


def experiment_of(request: ComparisonRequest) -> Experiment:
    """Return the experiment: that of a file with the options in its sections.

    Raises
    ------
    InputError
        An option cannot be used.
    """
    if len(request.schedulers) < 2:
        raise InputError("needs two schedulers or more", field="A B", remedy="such as: easy ga")
    sections: dict[str, object] = {
        "name": " and ".join(request.schedulers),
        "workload": {
            "source": [*request.workloads],
            "jobs": [*request.jobs],
            "apply": [[*request.apply]],
            "machine_size": request.machine_size,
        },
        "utilities": {
            "specifications": request.utilities,
            "seeds": [*range(request.seeds)],
        },
        "schedulers": {"names": [*request.schedulers], "repeats": request.repeats},
        "simulation": {
            "preemption": request.preemption,
            "failures": request.failures,
            "machine": request.machine and str(request.machine),
        },
        "report": {"metrics": [*request.metrics]},
    }
    file = Contents(_without_blanks(sections), {}, "", "a comparison")
    try:
        return checked(ExperimentFile, file, lambda made: made.experiment(Path()))  # type: ignore[no-any-return]
    except InputError as error:
        key = (error.field or "").partition("[")[0]
        error.field = PARAMETERS.get(key, error.field)
        raise


def _without_blanks(section: dict[str, object]) -> dict[str, object]:
    """Return a section without the keys for which nothing was typed."""
    inner = {
        key: _without_blanks(value) if isinstance(value, dict) else value
        for key, value in section.items()
    }
    return {key: value for key, value in inner.items() if value not in (None, [], {})}
