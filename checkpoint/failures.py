"""Outages of processors by rows, no two of them on one processor at one time."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Floats, Ints

__all__ = ["Failed", "Outages"]


class Failed(NamedTuple):
    """Failures, a row each, which may overlap in time and processors.

    Attributes
    ----------
    start, end : ndarray of float64, shape (k,)
        When something failed, and when it was repaired (s on the log's clock).
    low, high : ndarray of int64, shape (k,)
        Processors that are down: from `low`, below `high`.
    cause : ndarray of int64, shape (k,)
        What failed.
    """

    start: Floats
    end: Floats
    low: Ints
    high: Ints
    cause: Ints

    def take(self, rows: Ints | slice) -> Failed:
        """Return some of the rows."""
        return Failed._make(column[rows] for column in self)


@dataclass(frozen=True, eq=False)
class Outages:
    """Stretches of time in which ranges of processors are down, by start, then processor.

    No two rows have a processor and an instant in common; one may begin when another ends. A
    failure that takes down processors which are not neighbours has several rows.

    Attributes
    ----------
    start, end : ndarray of float64, shape (k,)
        From `start`, and again usable at `end` (s on the log's clock).
    low, high : ndarray of int64, shape (k,)
        Processors from `low`, below `high`, counted from 0.
    cause : ndarray of int64, shape (k,)
        Position in `causes` of what took them down.
    causes : tuple of str
        Names of everything that can fail.

    Examples
    --------
    >>> node, rack = (0.0, 10.0, 2, 3, 0), (5.0, 20.0, 0, 4, 1)
    >>> for row in Outages.union([node, rack], ("node2", "rack0")).rows():
    ...     print(row)
    (0.0, 20.0, 2, 3, 'node2')
    (5.0, 20.0, 0, 2, 'rack0')
    (5.0, 20.0, 3, 4, 'rack0')
    """

    start: Floats
    end: Floats
    low: Ints
    high: Ints
    cause: Ints
    causes: tuple[str, ...]

    def __post_init__(self) -> None:
        for column in self._rows():
            column.setflags(write=False)

    @classmethod
    def union(
        cls, failed: Failed | list[tuple[float, float, int, int, int]], causes: tuple[str, ...]
    ) -> Outages:
        """Make outages of failures that may overlap.

        A processor that is down does not fail again: it stays down until the last of the
        overlapping failures is repaired, and what took it down first is the cause.

        Parameters
        ----------
        failed : Failed, or list of its rows
            In any order; each lasts longer than no time and hits at least one processor.
        causes : tuple of str
            What can fail, by the numbers that are in `failed`.
        """
        rows = failed if isinstance(failed, Failed) else _columns(failed)
        order = np.lexsort((rows.cause, rows.low, rows.start))
        return cls(*_joined(_by_piece(rows.take(order))), causes)

    def __len__(self) -> int:
        return len(self.start)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Outages):
            return NotImplemented
        pairs = zip(self._rows(), other._rows(), strict=True)
        return self.causes == other.causes and all(np.array_equal(a, b) for a, b in pairs)

    __hash__ = None  # type: ignore[assignment]  # columns have no hash

    @property
    def processors(self) -> int:
        """Least number of processors a machine needs to have all these (0 if there are none)."""
        return int(self.high.max(initial=0))

    @property
    def processor_seconds(self) -> float:
        """Time down, summed over processors."""
        return float(((self.end - self.start) * (self.high - self.low)).sum())

    def before(self, time: float) -> Outages:
        """Outages that start before a time (s), with their whole durations."""
        count = int(np.searchsorted(self.start, time, side="left"))
        return Outages(*self._rows().take(np.arange(count)), self.causes)

    @property
    def digest(self) -> str:
        """sha256 (hex) of all rows."""
        digest = hashlib.sha256("\n".join(self.causes).encode())
        for column in self._rows():
            kind = "<f8" if column.dtype.kind == "f" else "<i8"
            digest.update(column.astype(kind).tobytes())
        return digest.hexdigest()

    def rows(self) -> list[tuple[float, float, int, int, str]]:
        """Start, end, processors from and below, and the name of the cause, of every row."""
        names = [self.causes[i] for i in self.cause.tolist()]
        columns = (column.tolist() for column in self._rows()[:4])
        return list(zip(*columns, names, strict=True))

    def _rows(self) -> Failed:
        return Failed(self.start, self.end, self.low, self.high, self.cause)


def _columns(rows: list[tuple[float, float, int, int, int]]) -> Failed:
    start, end, low, high, cause = zip(*rows, strict=True) if rows else ((),) * 5
    return Failed(
        np.array(start, np.float64),
        np.array(end, np.float64),
        np.array(low, np.int64),
        np.array(high, np.int64),
        np.array(cause, np.int64),
    )


def _by_piece(failed: Failed) -> Failed:
    """Outages of the pieces that all failures hit as a whole; failures come by start."""
    bounds = np.unique(np.concatenate([failed.low, failed.high]))
    first, after = np.searchsorted(bounds, failed.low), np.searchsorted(bounds, failed.high)
    count = after - first
    failure = np.repeat(np.arange(len(count)), count)
    piece = np.arange(len(failure)) - np.repeat(np.cumsum(count) - after, count)
    order = np.argsort(piece, kind="stable")
    piece, failure = piece[order], failure[order]
    # ends by rank, higher in every piece than in those before: the latest so far is of this piece
    ends, rank = np.unique(failed.end[failure], return_inverse=True)
    until = ends[np.maximum.accumulate(piece * len(ends) + rank) % len(ends)]
    differs = np.ones(len(piece), np.bool_)
    differs[1:] = (piece[1:] != piece[:-1]) | (until[:-1] <= failed.start[failure[1:]])
    begins = np.flatnonzero(differs)
    last = np.append(begins[1:], len(piece))[: len(begins)] - 1
    piece, failure = piece[begins], failure[begins]
    low, high = bounds[piece], bounds[piece + 1]
    return Failed(failed.start[failure], until[last], low, high, failed.cause[failure])


def _joined(pieces: Failed) -> Failed:
    """Neighbouring pieces that went down and came up together, as one."""
    order = np.lexsort((pieces.low, pieces.cause, pieces.start))
    rows = pieces.take(order)
    differs = np.ones(len(order), np.bool_)
    differs[1:] = (
        (rows.start[1:] != rows.start[:-1])
        | (rows.end[1:] != rows.end[:-1])
        | (rows.cause[1:] != rows.cause[:-1])
        | (rows.low[1:] != rows.high[:-1])
    )
    first = np.flatnonzero(differs)
    last = np.append(first[1:], len(order)) - 1 if len(order) else first
    joined = Failed(
        rows.start[first], rows.end[first], rows.low[first], rows.high[last], rows.cause[first]
    )
    return joined.take(np.lexsort((joined.low, joined.start)))
