"""Extras of some logs: checkpoints, soft estimates, dependencies."""

from collections.abc import Iterator

import numpy as np

from swfx import Workload
from swfx.offered_load import processor_seconds
from utilitysched.analysis.description.tally import NumberTally
from utilitysched.analysis.documents import Cell, Panel, column, panel

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
PLACES = 4
"""Decimal places of ratios that are told apart."""

COLUMNS = (
    column("of jobs with one", "text", "figure"),
    column("jobs", "count", "jobs"),
    column("mean", "number", "mean"),
    *(column(f"{level:.0%}", "number", f"p{100 * level:.0f}") for level in LEVELS),
)
MOST = "x%: that share has at most this."


class Checkpoints:
    """Shares of the jobs and of the work that take checkpoints, and how often."""

    def __init__(self) -> None:
        self._jobs = self._with = 0
        self._work = self._work_with = 0.0
        self._intervals, self._per_run, self._overheads = (
            NumberTally(),
            NumberTally(),
            NumberTally(),
        )

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        takes, area, run = part.checkpoint_interval > 0, processor_seconds(part), part.effective_run
        self._jobs += len(part)
        self._with += int(np.count_nonzero(takes))
        self._work += float(area.sum())
        self._work_with += float(area[takes].sum())
        self._intervals.add(np.rint(part.checkpoint_interval[takes]))
        self._per_run.add(np.floor(run[takes] / part.checkpoint_interval[takes]))
        self._overheads.add(np.rint(part.restart_overhead[part.restart_overhead >= 0]))

    def panels(self) -> Iterator[Panel]:
        """Yield a table, if any job takes checkpoints."""
        if not self._with:
            return
        work = self._work_with / self._work if self._work else 0.0
        caption = (
            f"{self._with / self._jobs:.1%} of the jobs, {work:.1%} of the processor-hours (by "
            f"run time up to the request) take checkpoints. {MOST}"
        )
        rows = [
            _row("interval (s)", self._intervals),
            _row("checkpoints in its run", self._per_run),
            _row("restart overhead (s)", self._overheads),
        ]
        yield panel("checkpoints", "Checkpoints", caption, COLUMNS, rows)


class SoftEstimates:
    """The users' own guesses of run times, and how sure they were."""

    def __init__(self) -> None:
        self._estimates, self._confidence = NumberTally(), NumberTally()
        self._of_request, self._accuracy = NumberTally(), NumberTally()

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        guessed = part[part.soft_estimate > 0]
        guess = guessed.soft_estimate
        self._estimates.add(np.rint(guess))
        self._confidence.add(np.round(part.confidence[part.confidence >= 0], PLACES))
        asked = guessed.requested_time > 0
        self._of_request.add(np.round(guess[asked] / guessed.requested_time[asked], PLACES))
        self._accuracy.add(np.round(guessed.effective_run / guess, PLACES))

    def panels(self) -> Iterator[Panel]:
        """Yield a table, if any job has a soft estimate."""
        if not self._estimates.count:
            return
        rows = [
            _row("soft estimate (s)", self._estimates),
            _row("soft estimate / requested time", self._of_request),
            _row("run time / soft estimate", self._accuracy),
            _row("confidence (0 to 1)", self._confidence),
        ]
        caption = f"What users expect without penalty. {MOST}"
        yield panel("soft_estimates", "Soft estimates", caption, COLUMNS, rows)


class Followers:
    """Jobs that name a preceding job."""

    def __init__(self) -> None:
        self._jobs = 0
        self._think_times = NumberTally()

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        follows = part.preceding_job > 0
        self._jobs += int(np.count_nonzero(follows))
        self._think_times.add(np.rint(part.think_time[follows & (part.think_time >= 0)]))

    def panels(self) -> Iterator[Panel]:
        """Yield a table, if any job names one."""
        if not self._jobs:
            return
        caption = (
            f"{self._jobs:,} jobs name a preceding job; which of them hold is said by simulate "
            f"--dependencies. {MOST}"
        )
        rows = [_row("think time (s)", self._think_times)]
        yield panel("dependencies", "Dependencies", caption, COLUMNS, rows)


def _row(name: str, tally: NumberTally) -> tuple[Cell, ...]:
    return (name, tally.count, tally.mean, *tally.quantiles(LEVELS))
