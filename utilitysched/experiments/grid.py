"""Grid of an experiment: its cells, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

from swfx import InputError
from swfx.families.transforms import make_transforms
from utilitysched.experiments.cell import Cell, CellResult
from utilitysched.experiments.files import named_files
from utilitysched.experiments.inputs import Inputs, Log, windows_of
from utilitysched.experiments.specification import (
    Experiment,
    Source,
    Workloads,
    short,
    steps_text,
)
from utilitysched.runs.machines import processors_of


class Circumstances(NamedTuple):
    """Workload, transformations and utility functions that compared candidates share.

    Attributes
    ----------
    workload : str
        Name.
    jobs : str
        Slice A:B, empty for all.
    apply : str
        Transformations, with spaces between them.
    apply_seed : int
        Theirs.
    utilities : str
        Specification, empty for the workload's own, else the default.
    utility_seed : int
        Theirs.
    """

    workload: str
    jobs: str
    apply: str
    apply_seed: int
    utilities: str
    utility_seed: int

    def __str__(self) -> str:
        """Return them in a few words, for instance ``log.swf 0:500, utilities default, draw 3``."""
        parts = [f"{self.workload} {self.jobs}".strip()]
        parts += [f"{self.apply} (seed {self.apply_seed})"] if self.apply else []
        parts += [f"utilities {self.utilities}"] if self.utilities else []
        return ", ".join([*parts, f"draw {self.utility_seed}"])


class GridEntry(NamedTuple):
    """A row of the grid.

    Attributes
    ----------
    circumstances : Circumstances
        Where.
    scheduler : str
        Who.
    seed : int
        Which of its repeats.
    cell : Cell
        What is simulated.
    """

    circumstances: Circumstances
    scheduler: str
    seed: int
    cell: Cell


class FinishedCell(NamedTuple):
    """A row of the grid, and the result of its cell."""

    entry: GridEntry
    result: CellResult


def grid(experiment: Experiment) -> list[GridEntry]:
    """Return the rows of an experiment, in an order that depends on nothing but it.

    A scheduler that draws nothing has one row per circumstances whatever the repeats, and what
    draws nothing has one seed.

    Raises
    ------
    InputError
        A file cannot be read, or two workloads have the same name.
    """
    made: dict[Circumstances, Inputs] = {}
    for workloads in experiment.workloads:
        for circumstances, inputs in _inputs(workloads, experiment):
            if circumstances in made:
                raise InputError(
                    f"two workloads are named {circumstances.workload!r}",
                    remedy="give one of them a name of its own",
                )
            made[circumstances] = inputs
    return [entry for place in made.items() for entry in _entries(*place, experiment)]


def bills(experiment: Experiment, entries: Iterable[GridEntry]) -> list[GridEntry]:
    """Return a row for every mechanism by which each of these is charged."""
    return [
        entry._replace(cell=replace(entry.cell, bill=mechanism, ceiling=False, extra=()))
        for entry in entries
        for mechanism in experiment.prices.mechanisms
    ]


def audits(experiment: Experiment, entries: Iterable[GridEntry]) -> list[GridEntry]:
    """Return a row for the audit of each of these, if it is wanted."""
    if experiment.audit is None:
        return []
    return [
        entry._replace(cell=replace(entry.cell, audit=experiment.audit, ceiling=False, extra=()))
        for entry in entries
    ]


def cells(entries: Iterable[GridEntry]) -> list[Cell]:
    """Return the cells of rows, each once."""
    return list({entry.cell.key: entry.cell for entry in entries}.values())


def _inputs(workloads: Workloads, experiment: Experiment) -> Iterator[tuple[Circumstances, Inputs]]:
    machine = experiment.simulation.machine
    size = workloads.machine_size
    if machine is not None:
        size = processors_of(Path(machine.file), size)
    logs = (
        (source, log)
        for source, jobs in product(workloads.sources, workloads.jobs)
        for log in windows_of(
            Log(source.text, jobs, size, workloads.cleaning),
            named_files(source.text),
        )
    )
    for (source, log), steps in product(logs, workloads.apply):
        draws = any(step.stochastic for step in make_transforms(steps))
        for seed in workloads.seeds if draws else (0,):
            for specification, utility_seed in _utilities(experiment):
                texts = [source.text, *steps, specification or ""]
                files = tuple(dict.fromkeys(file for text in texts for file in named_files(text)))
                inputs = Inputs(
                    log=log,
                    apply=steps,
                    apply_seed=seed,
                    utilities=specification,
                    utility_seed=utility_seed,
                    utilities_first=experiment.utilities.before_apply,
                    classes=tuple(workloads.classes.items()),
                    files=files,
                )
                yield _circumstances(source, inputs), inputs


def _utilities(experiment: Experiment) -> Iterator[tuple[str | None, int]]:
    for specification in experiment.utilities.specifications:
        seeds = (0,) if specification == "none" else experiment.utilities.seeds
        yield from ((specification, seed) for seed in seeds)


def _circumstances(source: Source, inputs: Inputs) -> Circumstances:
    return Circumstances(
        source.name,
        inputs.log.jobs or "",
        steps_text(inputs.apply),
        inputs.apply_seed,
        short(inputs.utilities or ""),
        inputs.utility_seed,
    )


def _entries(
    circumstances: Circumstances, inputs: Inputs, experiment: Experiment
) -> Iterator[GridEntry]:
    for candidate in experiment.schedulers.candidates:
        annotated = _annotated(inputs, candidate.checkpoints)
        wanted = experiment.report
        conditions = asdict(experiment.simulation)
        conditions |= {"ceiling": wanted.ceiling, "extra": wanted.extra}
        conditions["preemption"] = candidate.preemption or experiment.simulation.preemption[0]
        for seed in range(experiment.schedulers.repeats if candidate.stochastic else 1):
            cell = Cell(annotated, candidate.scheduler, seed, **conditions)
            yield GridEntry(circumstances, candidate.label, seed, cell)


def _annotated(inputs: Inputs, checkpoints: str) -> Inputs:
    if not checkpoints:
        return inputs
    files = dict.fromkeys((*inputs.files, *named_files(checkpoints)))
    return replace(inputs, checkpoints=checkpoints, files=tuple(files))
