"""Restart overhead as text: seconds, or seconds per processor."""

from __future__ import annotations

import math
from dataclasses import dataclass

from checkpoint.interval import FloatArray, constant_overhead, proportional_overhead
from swfx.base.columns import Ints
from swfx.base.errors import InputError
from swfx.base.options import as_seconds, as_text

__all__ = ["Overhead"]

PER_PROCESSOR = "/processor"


@dataclass(frozen=True)
class Overhead:
    """How long a restart takes before it does any work.

    Attributes
    ----------
    seconds : float
        At least 0 (s).
    per_processor : bool
        Whether each processor of the job adds that much, as LEE assumes (section 6.7.1).

    Examples
    --------
    >>> Overhead.from_text("0.5/processor").of([1, 64]).tolist()
    [0.5, 32.0]
    """

    seconds: float
    per_processor: bool = False

    @classmethod
    def from_text(cls, text: str, field: str = "overhead") -> Overhead:
        """Read ``TIME`` or ``TIME/processor``, given as `field`.

        Raises
        ------
        InputError
            Anything else, or less than 0.
        """
        number = text.removesuffix(PER_PROCESSOR)
        try:
            seconds = as_seconds(number, "", field)
        except InputError:
            seconds = math.nan
        if not 0 <= seconds < math.inf:
            raise InputError(
                f"{text!r} is not a time from 0",
                field=field,
                remedy=f"write 30 (s), 5min, or 0.5{PER_PROCESSOR} for seconds per processor",
            )
        return cls(seconds, per_processor=number != text)

    def __str__(self) -> str:
        return as_text(self.seconds) + (PER_PROCESSOR if self.per_processor else "")

    def of(self, processors: Ints | list[int]) -> FloatArray:
        """Overhead of jobs of so many processors (s)."""
        model = proportional_overhead if self.per_processor else constant_overhead
        return model(processors, self.seconds)
