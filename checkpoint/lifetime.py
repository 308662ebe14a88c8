"""Lifetimes: the time something works before it fails, and the time its repair takes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from swfx.base.errors import InputError
from swfx.base.options import SECONDS_IN, as_seconds

__all__ = ["NEVER", "YEAR", "Lifetime", "as_mtbf"]

YEAR = 365 * SECONDS_IN["d"]
"""What `y` stands for in a time between failures (s)."""

NEVER = "never"


@dataclass(frozen=True)
class Lifetime:
    """Exponentially distributed time to failure, then a repair, and so on.

    Attributes
    ----------
    mtbf : float
        Mean time from a repair to the next failure (s), at least 1; infinite = never fails.
    repair : float
        How long each repair takes (whole s), at least 1.

    Raises
    ------
    InputError
        A value is out of range.
    """

    mtbf: float
    repair: float

    def __post_init__(self) -> None:
        for name, value, fits, wanted in (
            ("mtbf", self.mtbf, self.mtbf >= 1, f"1 s or more, such as 5y, or {NEVER}"),
            ("repair", self.repair, 1 <= self.repair < math.inf, "1 s or more, such as 4h"),
        ):
            if not fits:
                raise InputError(f"{value:g} is out of range", field=name, remedy=f"give {wanted}")
        if self.repair % 1:
            raise InputError(
                f"{self.repair:g} is not whole seconds", field="repair", remedy="give whole seconds"
            )

    @property
    def rate(self) -> float:
        """Failures per second of work, in the long run."""
        return 1 / self.mtbf

    def failures(self, rng: np.random.Generator, begin: float, end: float) -> list[float]:
        """Draw the instants from `begin`, before `end`, at which it fails.

        It works at `begin` and has been in use for long: the first failure comes after what is left
        of a lifetime that is met at a random moment. A new one begins with each repair. Instants
        are whole seconds after `begin`, at least one after a repair, as the times of logs are.

        Parameters
        ----------
        rng : numpy.random.Generator
            Of this thing only; a later `end` adds failures and changes none.
        begin, end : float
            On the log's clock (s).
        """
        if math.isinf(self.mtbf):
            return []
        instants = []
        time = begin + self._rounded(self._left(rng))
        while time < end:
            instants.append(time)
            time += self.repair + self._rounded(self.mtbf * rng.standard_exponential())
        return instants

    def _left(self, rng: np.random.Generator) -> float:
        """Rest of a lifetime at a random moment: such a moment meets long ones more often.

        Weighted by its length, a lifetime has a gamma distribution. The moment is uniform in it.
        """
        met = self.mtbf * rng.gamma(2.0)
        return float(met * rng.random())

    @staticmethod
    def _rounded(seconds: float) -> float:
        return max(1.0, float(round(seconds)))


def as_mtbf(text: str, source: str, field: str) -> float:
    """Read a mean time between failures: as `as_seconds`, in years (``5y``), or ``never``.

    Raises
    ------
    InputError
        It is none of these.

    Examples
    --------
    >>> as_mtbf("2y", "nodes", "mtbf"), as_mtbf("never", "nodes", "mtbf")
    (63072000.0, inf)
    """
    if text == NEVER:
        return math.inf
    return as_seconds(text, source, field, {**SECONDS_IN, "y": YEAR})
