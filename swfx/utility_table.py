"""Utility table: the utility functions of all jobs of a workload."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Bools, Floats, Ints, column, taken
from swfx.base.errors import InputError
from swfx.curves import check_curves
from swfx.utility import UtilityFunction

__all__ = ["UtilityTable"]


@dataclass(frozen=True, eq=False)
class UtilityTable:
    """The utility functions of n jobs in three arrays; a job may have none.

    Parameters
    ----------
    offsets : ndarray of int64, shape (n + 1,)
        Job i owns the points offsets[i] .. offsets[i + 1] - 1; none if these are equal.
    times : ndarray of float64, shape (points,)
        Seconds since submission.
    values : ndarray of float64, shape (points,)
        Value in SU.

    Raises
    ------
    InputError
        If the offsets do not fit or a curve is not a utility function.

    Examples
    --------
    >>> table = UtilityTable.from_functions([None, UtilityFunction([0, 10], [4, 2])])
    >>> table.evaluate([3, 5]).tolist()
    [0.0, 3.0]
    """

    offsets: Ints
    times: Floats
    values: Floats

    def __repr__(self) -> str:
        return f"<UtilityTable: {int(self.defined.sum()):,} of {len(self):,} jobs have a curve>"

    def __post_init__(self) -> None:
        object.__setattr__(self, "offsets", column("offsets", self.offsets, "int64"))
        object.__setattr__(self, "times", column("utility times", self.times, "float64"))
        object.__setattr__(self, "values", column("utility values", self.values, "float64"))
        self._check_offsets()
        check_curves(self.offsets, self.times, self.values)

    def _check_offsets(self) -> None:
        offsets = self.offsets
        fits = len(offsets) > 0 and offsets[0] == 0 and offsets[-1] == len(self.times)
        if not fits or len(self.times) != len(self.values) or np.any(np.diff(offsets) < 0):
            raise InputError(
                f"{len(offsets)} offsets do not divide {len(self.times)} times and"
                f" {len(self.values)} values",
                field="utility",
                remedy="start at 0, never decrease and end at the number of points",
            )

    @classmethod
    def empty(cls, jobs: int) -> UtilityTable:
        """Table of `jobs` jobs without utility functions."""
        return cls(np.zeros(jobs + 1, np.int64), np.empty(0), np.empty(0))

    @classmethod
    def from_functions(cls, functions: Sequence[UtilityFunction | None]) -> UtilityTable:
        """Table of one function, or None, per job."""
        nothing: Floats = np.empty(0)
        times = [nothing if f is None else f.times for f in functions]
        values = [nothing if f is None else f.values for f in functions]
        offsets = np.cumsum([0, *map(len, times)])
        return cls(offsets, np.concatenate([nothing, *times]), np.concatenate([nothing, *values]))

    @classmethod
    def from_points(
        cls, times: Sequence[npt.ArrayLike], values: Sequence[npt.ArrayLike]
    ) -> UtilityTable:
        """Table from one array of times (s) and one of values (SU) per job, empty for none."""
        rows = [column("utility times", row, "float64") for row in times]
        worth = [column("utility values", row, "float64") for row in values]
        if [len(row) for row in rows] != [len(row) for row in worth]:
            raise InputError(
                "curves differ in the number of times and values",
                field="utility",
                remedy="give one value per time",
            )
        offsets = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([len(row) for row in rows], out=offsets[1:])
        nothing = [np.empty(0)]
        return cls(offsets, np.concatenate(nothing + rows), np.concatenate(nothing + worth))

    @classmethod
    def stacked(cls, tables: Sequence[UtilityTable]) -> UtilityTable:
        """Table of the jobs of all `tables` (one or more), one after another."""
        ends = np.cumsum([0, *(len(table.times) for table in tables)])
        shifted = [table.offsets[1:] + end for table, end in zip(tables, ends, strict=False)]
        return cls(
            np.concatenate([ends[:1], *shifted]),
            np.concatenate([table.times for table in tables]),
            np.concatenate([table.values for table in tables]),
        )

    @classmethod
    def _trusted(cls, offsets: Ints, times: Floats, values: Floats) -> UtilityTable:
        """Return a table of curves, without checks: all come from tables."""
        table = object.__new__(cls)
        for name, array in (("offsets", offsets), ("times", times), ("values", values)):
            array.setflags(write=False)
            object.__setattr__(table, name, array)
        return table

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, job: int) -> UtilityFunction | None:
        first, last = (
            self.offsets[range(len(self))[job]],
            self.offsets[range(1, len(self) + 1)[job]],
        )
        if first == last:
            return None
        return UtilityFunction.trusted(self.times[first:last], self.values[first:last])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, UtilityTable):
            return NotImplemented
        return (
            np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.times, other.times)
            and np.array_equal(self.values, other.values)
        )

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def points(self) -> Ints:
        """Number of points of each job's curve, shape (n,)."""
        return np.diff(self.offsets)

    @cached_property
    def defined(self) -> Bools:
        """Whether each job has a utility function, shape (n,)."""
        return self.points > 0

    @cached_property
    def start_values(self) -> Floats:
        """Value (SU) of each job at turnaround 0, shape (n,); 0 where there is no curve."""
        worth: Floats = np.zeros(len(self))
        worth[self.defined] = self.values[self.offsets[:-1][self.defined]]
        return worth

    def take(self, indices: npt.ArrayLike) -> UtilityTable:
        """Table of the jobs at `indices` (int array of positions), in that order."""
        rows = np.arange(len(self))[np.asarray(indices, dtype=np.int64)]
        offsets, source = taken(self.offsets, rows)
        return self._trusted(offsets, self.times[source], self.values[source])

    def evaluate(self, turnaround: npt.ArrayLike) -> Floats:
        """Value of every job at its own turnaround time.

        Parameters
        ----------
        turnaround : array_like, shape (n,)
            Seconds since submission; times before 0 count as 0, NaN gives NaN.

        Returns
        -------
        ndarray of float64, shape (n,)
            Value in SU; 0 where a job has no utility function.
        """
        given = np.asarray(turnaround, dtype=np.float64)
        if given.shape != (len(self),):
            raise InputError(f"has shape {given.shape} for {len(self)} jobs", field="turnaround")
        when = np.maximum(given, 0.0)[self.defined]
        ends = self.offsets[1:][self.defined] - 1
        left = self._segment_starts(when)
        right = np.minimum(left + 1, ends)
        t0, v0, v1 = self.times[left], self.values[left], self.values[right]
        span = np.where(left < ends, self.times[right] - t0, 1.0)
        elapsed = np.where(left < ends, when - t0, 0.0)
        inside = np.maximum(v0 + (v1 - v0) * (elapsed / span), v1)
        after = np.where(when > self.times[ends], 0.0, v0)
        worth: Floats = np.zeros(len(self))
        worth[self.defined] = np.where(left < ends, inside, after)
        return np.where(np.isnan(given), np.nan, worth)

    def _segment_starts(self, when: Floats) -> Ints:
        """Last point of each defined curve that is not after `when` (one per defined curve)."""
        passed = np.zeros(len(self.times) + 1, np.int64)
        np.cumsum(self.times <= np.repeat(when, self.points[self.defined]), out=passed[1:])
        first, last = self.offsets[:-1][self.defined], self.offsets[1:][self.defined]
        starts: Ints = np.maximum(first + passed[last] - passed[first] - 1, first)
        return starts
