"""Sections on what only some logs have: utility functions, checkpoints, estimates, dependencies."""

from collections import defaultdict
from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from swfx import MISSING, UtilityTable, Workload
from swfx.machine import PROCESSORS
from swfx.offered_load import processor_seconds
from utilitysched.analysis.description.jobs import classes_panel
from utilitysched.analysis.description.tally import (
    MOST,
    SECONDS_PER_HOUR,
    NumberTally,
    Sums,
    quantile_panel,
    shares,
)
from utilitysched.analysis.documents import ColumnChart, Panel, column, panel
from utilitysched.model.machine_table import amounts_needed, resources_known
from utilitysched.model.state import Floats, Integers

PLACES = 4
"""Decimal places of prices and ratios that are told apart."""

JUMP = 0.01
"""Seconds in which a value may fall for this to be a jump and no slope."""

STEPS = 20
SHAPES = ("constant", "one slope", "jumps only", "several slopes")
CONSTANT, LINEAR, JUMPS, OTHER = range(len(SHAPES))


class ValuePart:
    """Section on utility functions: shapes, deadlines, start values, mean curve."""

    def __init__(self) -> None:
        self._jobs = 0
        self._shapes = Sums(2)
        self._left = Sums(1)
        self._valuable = 0
        self._deadlines, self._prices = NumberTally(), NumberTally()

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        self._jobs += len(part)
        table, defined = part.utility, part.utility.defined
        if not defined.any():
            return
        start = table.start_values
        deadline = np.zeros(len(part))
        deadline[defined] = table.times[table.offsets[1:][defined] - 1]
        shape = shapes(table)[defined]
        self._shapes.add(shape, np.ones(len(shape)), start[defined])
        self._deadlines.add(np.rint(deadline[defined]))
        self._add_left(table, deadline, start)
        hours = part.size * part.request / SECONDS_PER_HOUR
        priced = defined & (hours > 0)
        self._prices.add(np.round(start[priced] / hours[priced], PLACES))

    def _add_left(self, table: UtilityTable, deadline: Floats, start: Floats) -> None:
        valuable = start > 0
        self._valuable += int(np.count_nonzero(valuable))
        for step in range(STEPS + 1):
            values = table.evaluate(deadline * (step / STEPS))
            shares_left = values[valuable] / start[valuable]
            self._left.add(np.full(len(shares_left), step), shares_left)

    def panels(self) -> Iterator[Panel]:
        """Yield a table of shapes, one of quantiles, and the mean curve."""
        if not len(self._shapes):
            return
        keys = list(self._shapes)
        sums = self._shapes.rows(keys)
        jobs, total = int(sums[:, 0].sum()), float(sums[:, 1].sum())
        rows = [
            (SHAPES[key], int(count), float(of_jobs), float(value), float(of_value))
            for key, (count, value), (of_jobs, of_value) in zip(
                keys, sums, shares(sums), strict=True
            )
        ]
        columns = [
            column("shape", "text", "shape"),
            column("jobs", "count", "jobs"),
            column("% of jobs", "percent", "share_of_jobs"),
            column("start value (SU)", "count", "start_value"),
            column("% of value", "percent", "share_of_value"),
        ]
        caption = (
            f"{jobs:,} of {self._jobs:,} jobs have a utility function; their start values add up "
            f"to {total:,.0f} SU. A jump takes at most {JUMP:g} s. Bars: jobs."
        )
        yield panel("utilities", "Utility functions", caption, columns, rows, "share_of_jobs")
        tallies = {
            "deadline (s after submission)": self._deadlines,
            "SU per requested proc-hour": self._prices,
        }
        heads = ("values", "Deadlines and prices", "of jobs with one")
        note = f"{MOST} Deadline: when all value is gone."
        yield quantile_panel(heads, note, tallies, counted=False)
        if self._valuable:
            yield self._mean_curve()

    def _mean_curve(self) -> ColumnChart:
        caption = (
            "Mean share of the start value left, over the time from submission to the job's own "
            "deadline, of jobs that are worth anything."
        )
        labels = [f"{step / STEPS:.0%}" for step in range(STEPS + 1)]
        left = 100 * self._left.rows(list(range(STEPS + 1)))[:, 0] / self._valuable
        return ColumnChart("value_left", "Value left", caption, "%", labels, left.tolist())


def shapes(table: UtilityTable) -> NDArray[np.int64]:
    """Return the position in `SHAPES` of each curve's shape, shape (n,)."""
    jobs = len(table)
    owner = np.repeat(np.arange(jobs), table.points)
    later = np.ones(len(owner), np.bool_)
    later[table.offsets[:-1][table.defined]] = False
    falls = np.zeros(len(owner), np.bool_)
    falls[1:] = later[1:] & (np.diff(table.values) < 0)
    slow = np.zeros(len(owner), np.bool_)
    slow[1:] = np.diff(table.times) > JUMP
    drops: Integers = np.bincount(owner[falls], minlength=jobs)
    slopes: Integers = np.bincount(owner[falls & slow], minlength=jobs)
    single = (table.points == 2) & (slopes == 1)
    kinds: Integers = np.select([drops == 0, slopes == 0, single], [CONSTANT, JUMPS, LINEAR], OTHER)
    return kinds


OF = "of jobs with one"


class Checkpoints:
    """Shares of the jobs and of the work that take checkpoints, and how often."""

    def __init__(self) -> None:
        self._jobs = self._with = 0
        self._work = self._work_with = 0.0
        self._tallies = defaultdict[str, NumberTally](NumberTally)

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        takes, area, run = part.checkpoint_interval > 0, processor_seconds(part), part.effective_run
        interval, overhead = part.checkpoint_interval[takes], part.restart_overhead
        self._jobs += len(part)
        self._with += int(np.count_nonzero(takes))
        self._work += float(area.sum())
        self._work_with += float(area[takes].sum())
        self._tallies["interval (s)"].add(np.rint(interval))
        self._tallies["checkpoints in its run"].add(np.floor(run[takes] / interval))
        self._tallies["restart overhead (s)"].add(np.rint(overhead[overhead >= 0]))

    def panels(self) -> Iterator[Panel]:
        """Yield a table, if any job takes checkpoints."""
        if not self._with:
            return
        work = self._work_with / self._work if self._work else 0.0
        caption = (
            f"{self._with / self._jobs:.1%} of the jobs, {work:.1%} of the processor-hours (by "
            f"run time up to the request) take checkpoints. {MOST}"
        )
        yield quantile_panel(("checkpoints", "Checkpoints", OF), caption, self._tallies)


class RerunnableJobs:
    """Shares of the jobs and of the work that may be killed and run again from scratch."""

    NAMES: ClassVar = {1: "yes", 0: "no", MISSING: "not said: no"}

    def __init__(self) -> None:
        self._marks = Sums(2)

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        self._marks.add(part.column("rerunnable"), np.ones(len(part)), processor_seconds(part))

    def panels(self) -> Iterator[Panel]:
        """Yield a table, if any user has said it."""
        marks = list(self._marks)[::-1]
        if any(mark != MISSING for mark in marks):
            names = [self.NAMES[mark] for mark in marks]
            heads = ("rerunnable", "Re-runnable jobs", "may be killed and run again")
            yield classes_panel(*heads, names, self._marks.rows(marks))


class SoftEstimates:
    """The users' own guesses of run times, and how sure they were."""

    def __init__(self) -> None:
        self._tallies = defaultdict[str, NumberTally](NumberTally)

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        guessed = part[part.soft_estimate > 0]
        guess, request = guessed.soft_estimate, guessed.requested_time
        requested = request > 0
        sure = part.confidence[part.confidence >= 0]
        for name, values in {
            "soft estimate (s)": np.rint(guess),
            "soft estimate / requested time": np.round(
                guess[requested] / request[requested], PLACES
            ),
            "run time / soft estimate": np.round(guessed.effective_run / guess, PLACES),
            "confidence (0 to 1)": np.round(sure, PLACES),
        }.items():
            self._tallies[name].add(values)

    def panels(self) -> Iterator[Panel]:
        """Yield a table, if any job has a soft estimate."""
        if self._tallies["soft estimate (s)"].count:
            heads = ("soft_estimates", "Soft estimates", OF)
            note = f"What users expect without penalty. {MOST}"
            yield quantile_panel(heads, note, self._tallies)


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
            f"{self._jobs:,} jobs name a preceding job; simulate --dependencies says which of"
            f" these dependencies hold. {MOST}"
        )
        tallies = {"think time (s)": self._think_times}
        yield quantile_panel(("dependencies", "Dependencies", OF), caption, tallies)


class Resources:
    """Section on what jobs need beside processors: memory, GPUs, licences."""

    def __init__(self) -> None:
        self._tallies = defaultdict[str, NumberTally](NumberTally)

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        for name in resources_known(part):
            amounts = amounts_needed(part, name)
            self._tallies[name].add(amounts[amounts > 0])

    def panels(self) -> Iterator[Panel]:
        """Yield a table of quantiles by resource."""
        named = {
            "memory (MB)" if name == "memory" else name: tally
            for name, tally in self._tallies.items()
            if name != PROCESSORS
        }
        if not named:
            return
        note = (
            f"{MOST} As allocated, else memory as requested on all processors. Called as machine"
            " files call them."
        )
        yield quantile_panel(("resources", "Resources", "of jobs that need any"), note, named)
