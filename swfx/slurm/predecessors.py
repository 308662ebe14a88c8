"""The job that another one waited for, among all that go by a number."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Floats, Ints
from swfx.slurm.records import Key, Records
from swfx.slurm.submit_line import Awaited

__all__ = ["Predecessors"]

_NAME = re.compile(r"(\d{1,15})(?:_(\d{1,15}))?")


class Predecessors:
    """Finds the job that another one waited for.

    Parameters
    ----------
    records : Records
        All of them.
    rows : ndarray of int64, shape (n,)
        The last run of every job; positions here are positions among these.
    """

    def __init__(self, records: Records, rows: Ints) -> None:
        self._keys = [column[rows] for column in records.key_columns()]
        self._submit = records.jobs["submit"][rows]
        self._ended = records.start[rows] + records.run[rows]
        self._by_number = np.lexsort((self._keys[1], self._keys[0]))
        self._clusters, self._numbers = (key[self._by_number] for key in self._keys[:2])
        self._namesakes: dict[Key, _Namesakes | None] = {}

    def waited_for(self, position: int, awaited: Iterable[Awaited]) -> int | None:
        """Position of the job that ended last of those that a job waited for.

        The number of an array stands for all its tasks, by `aftercorr` for the task of the same
        number where there is one; only jobs submitted earlier count.
        """
        own = Key(*(int(column[position]) for column in self._keys))
        found = [self._namesakes_of(own, each) for each in awaited]
        submit = float(self._submit[position])
        ends = [jobs.last(submit, position) for jobs in found if jobs is not None]
        last = max((end for end in ends if end), default=None)
        return None if last is None else -last.back

    def _namesakes_of(self, own: Key, awaited: Awaited) -> _Namesakes | None:
        match = _NAME.fullmatch(awaited.job)
        if match is None:
            return None
        name = Key(own.cluster, int(match[1]), int(match[2] or -1), -1)
        if awaited.by_task and own.task >= 0 and match[2] is None:
            corresponding = self._of(name._replace(task=own.task))
            if corresponding is not None:
                return corresponding
        return self._of(name)

    def _of(self, name: Key) -> _Namesakes | None:
        if name not in self._namesakes:  # few are waited for
            positions = self._positions(name)
            self._namesakes[name] = (
                _Namesakes(positions, self._submit[positions], self._ended[positions])
                if len(positions)
                else None
            )
        return self._namesakes[name]

    def _positions(self, name: Key) -> Ints:
        """Jobs of a number, or those of them that are one task; in the order of the log."""
        low, high = _bounds(self._clusters, name.cluster)
        first, last = _bounds(self._numbers[low:high], name.base)
        positions = self._by_number[low:high][first:last]
        if name.task >= 0:
            task, component = self._keys[2][positions], self._keys[3][positions]
            positions = positions[(task == name.task) & (component < 0)]
        return np.sort(positions)


def _bounds(ascending: Ints, number: int) -> tuple[int, int]:
    """First and last place, end excluded, of a number."""
    first, last = (int(np.searchsorted(ascending, number, side)) for side in ("left", "right"))
    return first, last


class _End(NamedTuple):
    """When a job ended (Unix time, s), and its position, negated: of equals the first counts."""

    time: float
    back: int


class _Namesakes:
    """Jobs of one number, with the last end of all submitted until a given time."""

    def __init__(self, positions: Ints, submit: Floats, ended: Floats) -> None:
        order = np.argsort(submit, kind="stable")
        self._submits = submit[order]
        pairs = zip(ended[order].tolist(), positions[order].tolist(), strict=True)
        self._ends = [_End(time, -position) for time, position in pairs]
        self._latest = list(accumulate(self._ends, max))

    def last(self, until: float, but: int) -> _End | None:
        """End of the last to end of those submitted until then, but for the job at a position."""
        count = int(np.searchsorted(self._submits, until, "right"))
        if not count:
            return None
        latest = self._latest[count - 1]
        if latest.back != -but:
            return latest
        return max((end for end in self._ends[:count] if end.back != -but), default=None)
