"""The wait beyond which a job counts as starved."""

import math
from dataclasses import dataclass

from swfx import InputError
from swfx.base.options import as_float, as_seconds, as_text


@dataclass(frozen=True)
class Threshold:
    """A starvation threshold, absolute or relative to the longest request.

    Attributes
    ----------
    value : float
        Seconds, or a factor if `relative`; infinite for no threshold.
    relative : bool
        `value` multiplies the longest requested time of the workload (CARASTAN 4.1.2.1 uses 3).

    Examples
    --------
    >>> Threshold.parse("3x").seconds(longest_request=3600.0)
    10800.0
    """

    value: float = math.inf
    relative: bool = False

    @classmethod
    def parse(cls, text: str) -> "Threshold":
        """Read ``200000`` (s), ``2d`` or ``3x`` (times the longest request).

        Raises
        ------
        InputError
            Anything else, or a number below 0.
        """
        relative = text.endswith("x")
        read = as_float if relative else as_seconds
        try:
            value = read(text.removesuffix("x"), "", "threshold")
        except InputError:
            value = -1.0
        if not 0.0 <= value < math.inf:
            raise InputError(
                f"{text!r} is not a starvation threshold",
                field="threshold",
                remedy="give a time, 200000 (s) or 2d, or times the longest request, as in 3x",
            )
        return cls(value, relative)

    def seconds(self, longest_request: float) -> float:
        """Return the threshold in seconds."""
        return self.value * longest_request if self.relative else self.value

    def __str__(self) -> str:
        return f"{as_text(self.value)}{'x' if self.relative else ''}"


NEVER_STARVED = Threshold()


def threshold_text(threshold: Threshold) -> str:
    """Return the text that `Threshold.parse` reads, the empty one for no threshold."""
    return "" if threshold == NEVER_STARVED else str(threshold)
