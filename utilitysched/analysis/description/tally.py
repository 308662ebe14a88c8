"""Sections of a description, and tallies of their values part by part: exact, in bounded memory."""

from collections.abc import Iterator, Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from swfx import Workload
from utilitysched.analysis.documents import Panel, ResultTable, column, panel
from utilitysched.model.state import Floats, Integers

SECONDS_PER_HOUR = 3600.0
LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
ENDS = {0.0: "least", 1.0: "most"}
MOST = "x%: share of the jobs that have at most this."

Values = NDArray[np.float64] | NDArray[np.int64]


_BITS, _HALF = 53, 27  # of a float64, and of its larger half
_POINT = 1200  # binary places of a sum: no float64 has as many


class Section(Protocol):
    """Some tables and charts of a description; sees the workload part by part, once."""

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        ...

    def panels(self) -> Iterator[Panel]:
        """Yield the tables and charts of the section."""
        ...


def shares(sums: Floats) -> Floats:
    """Return each column of sums divided by its total; 0 where the total is 0."""
    totals = sums.sum(axis=0)
    parts: Floats = np.divide(sums, totals, out=np.zeros_like(sums), where=totals > 0)
    return parts


class NumberTally:
    """How often each value occurs.

    Memory grows with the number of distinct values. What is new is merged once it is as much as
    what is known, so that n values cost O(n log n).
    """

    def __init__(self) -> None:
        self._values: Floats = np.empty(0)
        self._counts: Integers = np.empty(0, np.int64)
        self._new: list[tuple[Floats, Integers]] = []
        self._waiting = 0

    def add(self, values: Values) -> None:
        """Count more values."""
        distinct, counts = np.unique(values.astype(np.float64), return_counts=True)
        self._new.append((distinct, counts.astype(np.int64)))
        self._waiting += len(distinct)
        if self._waiting > len(self._values):
            self._merge()

    @property
    def count(self) -> int:
        """Values counted so far."""
        self._merge()
        return int(self._counts.sum())

    @property
    def mean(self) -> float | None:
        """Mean, None without values."""
        return float(self._values @ self._counts) / self.count if self.count else None

    def quantiles(self, levels: tuple[float, ...]) -> list[float | None]:
        """Return the smallest value that at least each share `level` (0 to 1) do not exceed."""
        if not self.count:
            return [None] * len(levels)
        wanted = np.maximum(np.ceil(np.array(levels) * self.count), 1)
        places = np.searchsorted(np.cumsum(self._counts), wanted)
        quantiles: list[float | None] = self._values[places].tolist()
        return quantiles

    def between(self, bounds: Floats) -> Integers:
        """Return how many values are in each [bound, next bound), shape (len(bounds) - 1,)."""
        self._merge()
        below = np.concatenate([[0], np.cumsum(self._counts)])
        return np.diff(below[np.searchsorted(self._values, bounds, side="left")])

    def _merge(self) -> None:
        parts = [(self._values, self._counts), *self._new]
        values, place = np.unique(np.concatenate([v for v, _ in parts]), return_inverse=True)
        counts = np.bincount(place, np.concatenate([c for _, c in parts]), len(values))
        self._values, self._counts = values, counts.astype(np.int64)
        self._new, self._waiting = [], 0


class Sums:
    """Sums of a few columns per key, such as jobs and processor-seconds per user.

    They are exact until they are asked for, so that it does not matter in which parts or in which
    order the columns came.
    """

    def __init__(self, columns: int) -> None:
        self._columns = columns
        self._sums: dict[int, list[int]] = {}  # in units of 2^-_POINT

    def add(self, keys: Integers, *columns: Values) -> None:
        """Add one value of each column for each of the keys, all of shape (n,)."""
        distinct, place = np.unique(keys, return_inverse=True)
        sums = [self._sums.setdefault(key, [0] * self._columns) for key in distinct.tolist()]
        for each, values in enumerate(columns):
            for owner, amount in _exact(place, values.astype(np.float64)):
                sums[owner][each] += amount

    def __len__(self) -> int:
        return len(self._sums)

    def __iter__(self) -> Iterator[int]:
        """Yield the keys, ascending."""
        return iter(sorted(self._sums))

    def rows(self, keys: list[int]) -> Floats:
        """Return the columns of these keys, 0 for unknown ones, shape (len(keys), columns)."""
        nothing = [0] * self._columns
        sums = [[total / 2**_POINT for total in self._sums.get(key, nothing)] for key in keys]
        return np.array(sums, np.float64).reshape(-1, self._columns)


def _exact(owner: Integers, values: Floats) -> Iterator[tuple[int, int]]:
    """Yield amounts in units of 2^-_POINT, few for each owner, that add up to its values."""
    fraction, exponent = np.frexp(values)
    high = np.floor(np.ldexp(fraction, _HALF))
    low = np.ldexp(fraction, _BITS) - np.ldexp(high, _BITS - _HALF)  # sums of halves stay whole
    shift = exponent.astype(np.int64) + (_POINT - _BITS)
    distinct, place = np.unique(owner * 2 * _POINT + shift, return_inverse=True)
    sums = (np.bincount(place, half, len(distinct)).tolist() for half in (high, low))
    for code, upper, lower in zip(distinct.tolist(), *sums, strict=True):
        whole = (int(upper) << (_BITS - _HALF)) + int(lower)
        yield code // (2 * _POINT), whole << code % (2 * _POINT)


def quantile_panel(
    names: tuple[str, str, str],
    note: str,
    tallies: Mapping[str, NumberTally],
    levels: tuple[float, ...] = LEVELS,
    *,
    counted: bool = True,
) -> ResultTable:
    """Return a table of quantiles, with counts if wanted and means, a line per tally.

    `names` are the table's key and title, and the heading of its first column.
    """
    key, title, of = names
    counts = [column("jobs", "count", "jobs")] if counted else []
    columns = [column(of, "text", "figure"), *counts, column("mean", "number", "mean")]
    columns += [
        column(ENDS.get(level, f"{level:.0%}"), "number", ENDS.get(level, f"p{100 * level:.0f}"))
        for level in levels
    ]
    rows = [
        (name, *([tally.count] if counted else []), tally.mean, *tally.quantiles(levels))
        for name, tally in tallies.items()
    ]
    return panel(key, title, note, columns, rows)
