"""Columns that grow by one number at a time."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Growing"]


class Growing:
    """A column of numbers; takes no space as long as all are equal.

    Parameters
    ----------
    code : {"q", "d", "i", "b"}
        Type of the numbers, as `array.array` calls it.

    Examples
    --------
    >>> column = Growing("q")
    >>> for number in (7, 7, 3):
    ...     column.append(number)
    >>> column.values().tolist(), len(column)
    ([7, 7, 3], 3)
    """

    def __init__(self, code: str) -> None:
        self._code = code
        self._equal: float = 0
        self._count = 0
        self._values: array[Any] | None = None

    def append(self, number: float) -> None:
        """Add a number."""
        if self._values is not None:
            self._values.append(number)
        elif number == self._equal or not self._count:
            self._equal = number
            self._count += 1
        else:
            self._values = array(self._code, [self._equal]) * self._count
            self._values.append(number)

    def extend(self, numbers: npt.ArrayLike) -> None:
        """Add many numbers, (m,)."""
        added = np.asarray(numbers, self._code)
        if not len(added):
            return
        same = self._equal if self._count else added[0].item()
        if self._values is None and (added == same).all():
            self._equal = same
            self._count += len(added)
            return
        if self._values is None:
            self._values = array(self._code, [self._equal]) * self._count
        self._values.frombytes(added.tobytes())

    def __len__(self) -> int:
        return self._count if self._values is None else len(self._values)

    def last(self) -> float:
        """Give the number added last."""
        return self._equal if self._values is None else self._values[-1]

    def put_last(self, number: float) -> None:
        """Have another number in place of the last."""
        if number != self.last():
            values = self._values or array(self._code, [self._equal]) * self._count
            values[-1] = number
            self._values = values

    def values(self) -> npt.NDArray[Any]:
        """Numbers so far, (n,); nothing can be added while somebody holds them."""
        if self._values is None:
            return np.broadcast_to(np.array(self._equal, self._code), self._count)
        return np.frombuffer(self._values, self._code)
