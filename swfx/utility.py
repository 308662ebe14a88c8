"""Utility function: what a job is worth by its turnaround time (LEE 2.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Floats, Ints, column
from swfx.base.displayed import Displayed
from swfx.base.errors import InputError
from swfx.curves import check_curves

__all__ = ["UtilityFunction"]


class UtilityFunction(Displayed):
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
        object.__setattr__(self, "times", column("utility times", times, "float64"))
        object.__setattr__(self, "values", column("utility values", values, "float64"))
        if len(self.times) != len(self.values) or len(self.times) < 2:
            raise InputError(
                f"{len(self.times)} times and {len(self.values)} values make no curve",
                field="utility",
                remedy="give two or more points, each with both",
            )
        check_curves(np.array([0, len(self.times)]), self.times, self.values)

    @classmethod
    def trusted(cls, times: Floats, values: Floats) -> UtilityFunction:
        """Make a curve of points that are known to be sound and read-only."""
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
