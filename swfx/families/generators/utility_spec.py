"""The parameters of synthetic utility functions, and their text form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from swfx.base.columns import Floats
from swfx.base.configured import Configured, choice, number, whole
from swfx.base.errors import InputError
from swfx.base.options import as_text

SOURCE = "utilities"
MAX_POINTS = 1000
SHARES = ("linear", "exponential", "step")

BASES = ("wait", "turnaround", "request", "belief")

SIGMA = 1.0
"""Spread of beliefs by default: a forecast this uncertain is worth no more than none."""


@dataclass(frozen=True)
class UtilitySpec(Configured):
    """How utility functions are drawn (LEE 2.6, semantics 5).

    Parameters
    ----------
    factor : float, default 2
        Deadline over its base, 1e-6 to 1e6.
    base : {"turnaround", "wait", "request", "belief"}
        Base of the deadline: the logged wait, and with it the run time, nothing (LEE's literal
        text), the requested time, or the run time as the user believes it: the real one times
        lognormal noise, at most the request.
    linear, exponential, step : float, default 1
        Relative shares of the decay types, at least 0, one of them above 0.
    points : int, default 4
        Points between start and deadline of linear and exponential curves, 0 to 1000.
    globmax : float, default 2/60
        Upper end of the start values' bins, in SU per processor-minute; 2/60 is 2 SU a
        processor-hour.
    deviation : float, optional
        Standard deviation of start values, in SU per processor-minute; half a bin by default.
    epsilon : float, default 0.001
        Width of a jump, in s, 1e-9 to 1.
    classes : int, optional
        Number of priorities; by default as many as occur in the workload.
    sigma : float, optional
        Standard deviation of the logarithm of the noise of `belief`, 0 to 10; 1 by default. Means
        nothing with another base.

    In text, a share that is named leaves the shares that are not named at 0: ``step=1`` means steps
    only.

    Raises
    ------
    InputError
        A parameter outside its bound.

    Examples
    --------
    >>> UtilitySpec.from_text("factor=3,base=wait").factor
    3.0
    """

    name = SOURCE

    factor: float = number(2.0, (1e-6, 1e6))
    base: str = choice(BASES, "turnaround")
    linear: float = number(1.0, (0, 1e12))
    exponential: float = number(1.0, (0, 1e12))
    step: float = number(1.0, (0, 1e12))
    points: int = whole(4, (0, MAX_POINTS))
    globmax: float = number(2 / 60, (1e-12, 1e12))
    deviation: float | None = number(None, (0, 1e12))
    epsilon: float = number(0.001, (1e-9, 1.0))
    classes: int | None = whole(None, (1, 1e6))
    sigma: float | None = number(None, (0, 10))

    def __post_init__(self) -> None:
        super().__post_init__()
        if not any(getattr(self, name) for name in SHARES):
            raise InputError(
                "the shares of linear, exponential and step are all 0",
                source=SOURCE,
                remedy="give at least one of them above 0",
            )
        if self.base != "belief" and self.sigma is not None:
            raise InputError(
                f"means nothing with base={self.base}",
                source=SOURCE,
                field="sigma",
                remedy="give base=belief, or leave it out",
            )
        if self.base == "belief" and self.sigma is None:
            object.__setattr__(self, "sigma", SIGMA)

    @classmethod
    def _read(cls, given: Mapping[str, str]) -> dict[str, Any]:
        """Read options: shares beside a given one are 0, and a given base has its own sigma."""
        values = super()._read(given)
        others = {} if values.keys().isdisjoint(SHARES) else dict.fromkeys(SHARES, 0.0)
        return others | ({"sigma": None} if "base" in values else {}) | values

    def to_text(self) -> str:
        """Return the text of the specification, as `from_text` reads it."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return ",".join(f"{k}={as_text(v)}" for k, v in values.items() if v is not None)

    def shares(self) -> Floats:
        """Shares of linear, exponential and step curves, summing to 1."""
        weights = np.array([self.linear, self.exponential, self.step])
        shares: Floats = weights / weights.sum()
        return shares
