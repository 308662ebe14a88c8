"""Learning as a command line asks for it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from swfx import InputError
from swfx.base.numbers import plural
from swfx.base.options import nearest
from swfx.base.slices import slice_of
from swfx.families.transforms import make_transforms
from swfx.families.utilities.registry import make_model
from swfx.reading.sources import check_source
from utilitysched.experiments.inputs import Log
from utilitysched.experiments.metric_names import METRICS
from utilitysched.learning.cells import Pool
from utilitysched.learning.study import Learning
from utilitysched.learning.trials import TrainingObjective, Trials, learned


class LearningRequest(NamedTuple):
    """Options of `learn`, as texts and numbers.

    Attributes
    ----------
    scheduler : str
        Whose weights are learned.
    logs, jobs : tuple
        Sources, and slices: one for all, or one for each.
    procs : int or None
        Processors of the machines, where not as the logs say.
    apply : tuple of str
        Transformations.
    loads : str
        Least and largest load, ``A:B``.
    utilities : str
        Specification.
    metric : str
        The objective.
    least : bool
        Its least is best.
    cell_jobs, batch, generations : int
        Jobs of a cell, cells of a generation, generations.
    start : Path or None
        Weights to begin with.
    fixed : str
        Names of weights that stay as they begin, with commas between them.
    seed : int
        Of everything that is drawn.
    """

    scheduler: str
    logs: tuple[str, ...]
    jobs: tuple[str | None, ...]
    procs: int | None
    apply: tuple[str, ...]
    loads: str
    utilities: str
    metric: str
    least: bool
    cell_jobs: int
    batch: int
    generations: int
    start: Path | None
    fixed: str
    seed: int

    def learning(self) -> Learning:
        """Return the learning.

        Raises
        ------
        InputError
            An option cannot be used.
        """
        learned(self.scheduler)
        make_transforms(self.apply)
        make_model(self.utilities)
        if self.metric not in METRICS:
            raise InputError(
                f"no figure is named {self.metric!r}",
                field="--objective",
                remedy=nearest(self.metric, METRICS),
            )
        pool = Pool(self._logs(), self.cell_jobs, self._loads(), self.apply, self.utilities)
        objective = TrainingObjective(self.metric, self.least)
        trials = Trials(pool, self.scheduler, objective, self.batch, self.seed)
        return Learning(trials, self.generations, self.start, self._fixed())

    def _logs(self) -> tuple[Log, ...]:
        jobs = self.jobs * len(self.logs) if len(self.jobs) == 1 else self.jobs
        if len(jobs) != len(self.logs):
            raise InputError(
                f"{plural(len(jobs), 'slice')} for {plural(len(self.logs), 'log')}",
                field="--jobs",
                remedy="give one for all logs, or one for each",
            )
        for source, text in zip(self.logs, jobs, strict=True):
            check_source(source)
            if text is not None:
                slice_of(text)
        return tuple(
            Log(source, text, self.procs) for source, text in zip(self.logs, jobs, strict=True)
        )

    def _fixed(self) -> tuple[str, ...]:
        _, *names = learned(self.scheduler).order.ordering.start
        fixed = tuple(self.fixed.split(",")) if self.fixed else ()
        for name in fixed:
            if name not in names:
                raise InputError(
                    f"{name!r} is no weight that is searched for",
                    field="--fix",
                    remedy=nearest(name, names),
                )
        if len(set(fixed)) == len(names):
            raise InputError("nothing is left to learn", field="--fix", remedy="name fewer weights")
        return fixed

    def _loads(self) -> tuple[float, float]:
        low, _, high = self.loads.partition(":")
        try:
            found = float(low), float(high or low)
        except ValueError:
            found = 0.0, 0.0
        if not 0 < found[0] <= found[1] < 10:
            raise InputError(
                f"{self.loads!r} is not A:B with loads above 0",
                field="--loads",
                remedy="write it as in 0.8:1, or one load",
            )
        return found
