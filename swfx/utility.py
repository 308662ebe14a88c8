"""Utility functions: what a job is worth by its turnaround time (LEE 2.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np
import numpy.typing as npt

from swfx.columns import Bools, Floats, Ints, column
from swfx.errors import InputError

__all__ = ["UtilityFunction", "UtilityTable", "curve_faults"]

FAULTS = (
    "",
    "a utility function needs at least two points",
    "the first time must be 0",
    "times must be strictly increasing",
    "values must not increase",
    "must not be negative",
)
"""What is wrong with a point, by the code of `curve_faults`."""

_TOO_FEW, _LATE_START, _TIME_ORDER, _VALUE_ORDER, _NEGATIVE = range(1, len(FAULTS))


class UtilityFunction:
    """One job's curve: linear between its points, zero after the last one.

    Parameters
    ----------
    times : array_like, shape (k,)
        Seconds since submission; the first is 0, strictly increasing, k >= 2.
    values : array_like, shape (k,)
        Value in SU at these times; finite, >= 0, never increasing.

    Raises
    ------
    InputError
        If a rule above is broken; the message names the point.

    Examples
    --------
    >>> curve = UtilityFunction([0, 100], [8, 0])
    >>> curve(25)
    6.0
    >>> curve([100, 101]).tolist()
    [0.0, 0.0]
    """

    __slots__ = ("times", "values")
    times: Floats
    values: Floats

    def __init__(self, times: npt.ArrayLike, values: npt.ArrayLike) -> None:
        table = UtilityTable.from_points([times], [values])
        object.__setattr__(self, "times", table.times)
        object.__setattr__(self, "values", table.values)

    @classmethod
    def _trusted(cls, times: Floats, values: Floats) -> UtilityFunction:
        curve = cls.__new__(cls)
        object.__setattr__(curve, "times", times)
        object.__setattr__(curve, "values", values)
        return curve

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"UtilityFunction is immutable: cannot set {name}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.times, self.values)

    @property
    def start_value(self) -> float:
        """Value (SU) of a job that completes at once."""
        return float(self.values[0])

    @property
    def deadline(self) -> float:
        """Last time (s since submission); after it the value is zero."""
        return float(self.times[-1])

    @overload
    def __call__(self, turnaround: float) -> float: ...
    @overload
    def __call__(self, turnaround: Sequence[float] | Floats | Ints) -> Floats: ...
    def __call__(self, turnaround: float | Sequence[float] | Floats | Ints) -> float | Floats:
        """Value (SU) at `turnaround` (s, scalar or array); times before 0 count as 0."""
        when = np.asarray(turnaround, dtype=np.float64)
        worth = (
            np.vectorize(self._at, otypes=[np.float64])(when) if when.size else np.zeros(when.shape)
        )
        return float(worth) if when.ndim == 0 else worth

    def _at(self, when: float) -> float:
        if np.isnan(when):
            return float("nan")
        left = int(np.searchsorted(self.times, max(when, 0.0), side="right")) - 1
        if left == len(self.times) - 1:
            return float(self.values[left]) if when == self.times[left] else 0.0
        (t0, t1), (v0, v1) = self.times[left : left + 2], self.values[left : left + 2]
        return max(float(v0 + (v1 - v0) * ((max(when, 0.0) - t0) / (t1 - t0))), float(v1))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, UtilityFunction):
            return NotImplemented
        return np.array_equal(self.times, other.times) and np.array_equal(self.values, other.values)

    def __hash__(self) -> int:
        return hash((self.times.tobytes(), self.values.tobytes()))

    def __repr__(self) -> str:
        return f"UtilityFunction({self.times.tolist()}, {self.values.tolist()})"


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

    def __post_init__(self) -> None:
        object.__setattr__(self, "offsets", column("offsets", self.offsets, "int64"))
        object.__setattr__(self, "times", column("utility times", self.times, "float64"))
        object.__setattr__(self, "values", column("utility values", self.values, "float64"))
        self._check_offsets()
        faults = curve_faults(self.offsets, self.times, self.values)
        if faults.code.any():
            row = int(np.argmax(faults.code > 0))
            point = int(faults.point[row])
            raise InputError(
                f"curve {row}, point {point + 1}: {FAULTS[faults.code[row]]}",
                field="utility",
                remedy="give two or more points from time 0, with values that never rise",
            )

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
        return cls.from_points(
            [nothing if f is None else f.times for f in functions],
            [nothing if f is None else f.values for f in functions],
        )

    @classmethod
    def from_points(
        cls, times: Sequence[npt.ArrayLike], values: Sequence[npt.ArrayLike]
    ) -> UtilityTable:
        """Table from one array of times (s) and one of values (SU) per job, empty for none."""
        rows = [column("utility times", row, "float64") for row in times]
        worth = [column("utility values", row, "float64") for row in values]
        for row, (a, b) in enumerate(zip(rows, worth, strict=True)):
            if len(a) != len(b) or len(a) == 1:
                raise InputError(
                    f"curve {row} has {len(a)} times and {len(b)} values",
                    field="utility",
                    remedy="give two or more points, each with both",
                )
        offsets = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([len(row) for row in rows], out=offsets[1:])
        nothing = [np.empty(0)]
        return cls(offsets, np.concatenate(nothing + rows), np.concatenate(nothing + worth))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, job: int) -> UtilityFunction | None:
        first, last = (
            self.offsets[range(len(self))[job]],
            self.offsets[range(1, len(self) + 1)[job]],
        )
        if first == last:
            return None
        return UtilityFunction._trusted(self.times[first:last], self.values[first:last])

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
        counts = self.points[rows]
        offsets = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(counts, out=offsets[1:])
        source = np.arange(offsets[-1]) + np.repeat(self.offsets[rows] - offsets[:-1], counts)
        return UtilityTable(offsets, self.times[source], self.values[source])

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


@dataclass(frozen=True)
class CurveFaults:
    """First fault of each curve: code into `FAULTS` (0 = sound) and point from 0, shape (n,)."""

    code: npt.NDArray[np.int8]
    point: Ints


def curve_faults(offsets: Ints, times: Floats, values: Floats) -> CurveFaults:
    """Check every curve of a ragged table at once.

    Parameters
    ----------
    offsets : ndarray of int64, shape (n + 1,)
        Non-decreasing, from 0 to the number of points.
    times, values : ndarray of float64, shape (points,)
        Finite numbers, in s and SU.

    Returns
    -------
    CurveFaults
        One code and point per curve.
    """
    counts = np.diff(offsets)
    starts = offsets[:-1][counts > 0]
    leads = np.zeros(len(times), np.bool_)
    leads[starts] = True
    code = np.zeros(len(times), np.int8)
    follows = ~leads[1:]
    code[1:][follows & (np.diff(values) > 0)] = _VALUE_ORDER
    code[1:][follows & (np.diff(times) <= 0)] = _TIME_ORDER
    code[values < 0] = _NEGATIVE
    code[leads & (times != 0)] = _LATE_START
    code[starts[counts[counts > 0] == 1]] = _TOO_FEW
    return _first_faults(offsets, code)


def _first_faults(offsets: Ints, code: npt.NDArray[np.int8]) -> CurveFaults:
    bad = np.flatnonzero(code)
    rows, first = np.unique(np.searchsorted(offsets, bad, side="right") - 1, return_index=True)
    faults = CurveFaults(np.zeros(len(offsets) - 1, np.int8), np.zeros(len(offsets) - 1, np.int64))
    faults.code[rows] = code[bad[first]]
    faults.point[rows] = bad[first] - offsets[:-1][rows]
    return faults
