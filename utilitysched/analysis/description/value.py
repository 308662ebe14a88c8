"""Value of the jobs: utility functions by shape, deadline and total."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from swfx import UtilityTable, Workload
from utilitysched.analysis.description.tally import (
    MOST,
    SECONDS_PER_HOUR,
    NumberTally,
    Sums,
    quantile_panel,
    shares,
)
from utilitysched.analysis.documents import ColumnChart, Panel, column, panel
from utilitysched.model.state import Floats, Integers

PLACES = 4
"""Decimal places of prices that are told apart."""

JUMP = 0.01
"""Seconds in which a value may fall for this to be a jump and no slope."""

STEPS = 20
SHAPES = ("constant", "one slope", "jumps only", "several slopes")
CONSTANT, LINEAR, JUMPS, OTHER = range(len(SHAPES))


class ValuePart:
    """Shapes of the curves, their deadlines, and what they are worth together."""

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
    found: Integers = np.select([drops == 0, slopes == 0, single], [CONSTANT, JUMPS, LINEAR], OTHER)
    return found
