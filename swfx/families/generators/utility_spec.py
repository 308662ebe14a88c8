"""The parameters of synthetic utility functions, and their text form."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Literal, get_args

import numpy as np

from swfx.base.bounds import require_between, require_whole
from swfx.base.columns import Floats
from swfx.base.errors import InputError
from swfx.base.options import as_float, as_int, as_text, check_keys, nearest, split_options

SOURCE = "utilities"
MAX_POINTS = 1000
MIN_EPSILON, MAX_EPSILON = 1e-9, 1.0
SHARES = ("linear", "exponential", "step")

DeadlineBase = Literal["wait", "turnaround", "request", "belief"]

SIGMA = 1.0
"""Spread of beliefs by default: a forecast this uncertain is worth no more than none."""


@dataclass(frozen=True)
class UtilitySpec:
    """How utility functions are drawn (LEE 2.6, semantics 5).

    Parameters
    ----------
    factor : float, default 2
        Deadline over its base, 1e-6 to 1e6.
    deadline_base : {"turnaround", "wait", "request", "belief"}
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

    Raises
    ------
    InputError
        A parameter outside its bound.

    Examples
    --------
    >>> UtilitySpec.parse("factor=3,base=wait").factor
    3.0
    """

    factor: float = 2.0
    deadline_base: DeadlineBase = "turnaround"
    linear: float = 1.0
    exponential: float = 1.0
    step: float = 1.0
    points: int = 4
    globmax: float = 2 / 60
    deviation: float | None = None
    epsilon: float = 0.001
    classes: int | None = None
    sigma: float | None = None

    def __post_init__(self) -> None:
        require_between(SOURCE, "factor", self.factor, 1e-6, 1e6)
        if self.deadline_base not in get_args(DeadlineBase):
            raise InputError(
                f"no base is named {self.deadline_base!r}",
                source=SOURCE,
                field="base",
                remedy=nearest(str(self.deadline_base), get_args(DeadlineBase)),
            )
        self._settle_sigma()
        for name in SHARES:
            require_between(SOURCE, name, getattr(self, name), 0, 1e12)
        if not any(getattr(self, name) for name in SHARES):
            raise InputError(
                "the shares of linear, exponential and step are all 0",
                source=SOURCE,
                remedy="give at least one of them above 0",
            )
        self._check_amounts()

    def _settle_sigma(self) -> None:
        if self.deadline_base != "belief" and self.sigma is not None:
            raise InputError(
                f"means nothing with base={self.deadline_base}",
                source=SOURCE,
                field="sigma",
                remedy="give base=belief, or leave it out",
            )
        if self.deadline_base == "belief":
            object.__setattr__(self, "sigma", SIGMA if self.sigma is None else self.sigma)
            require_between(SOURCE, "sigma", self.sigma or 0.0, 0, 10)

    def _check_amounts(self) -> None:
        require_whole(SOURCE, "points", self.points, 0, MAX_POINTS)
        require_between(SOURCE, "globmax", self.globmax, 1e-12, 1e12)
        require_between(SOURCE, "epsilon", self.epsilon, MIN_EPSILON, MAX_EPSILON)
        if self.deviation is not None:
            require_between(SOURCE, "deviation", self.deviation, 0, 1e12)
        if self.classes is not None:
            require_whole(SOURCE, "classes", self.classes, 1, 1e6)

    @classmethod
    def parse(cls, text: str, base: UtilitySpec | None = None) -> UtilitySpec:
        """Read `factor=2,base=turnaround,linear=1,exponential=1,step=1,points=4,...`.

        Keys are the parameters, `base` for `deadline_base`. What is not named is as in `base`, by
        default the default, except that naming any share leaves the shares not named at 0:
        `step=1` means steps only; and naming a base, `sigma` at its default.

        Raises
        ------
        InputError
            An unknown key (the message has the nearest and all known ones), a key without
            value, a value that is no number, or one outside its bound.
        """
        options = split_options(text, SOURCE)
        names = {"base" if f.name == "deadline_base" else f.name: f.name for f in fields(cls)}
        check_keys(options, names, SOURCE)
        values: dict[str, float | str | None] = {}
        if not options.keys().isdisjoint(SHARES):
            values.update(dict.fromkeys(SHARES, 0.0))
        if "base" in options:
            values["sigma"] = None
        for key, value in options.items():
            values[names[key]] = _read(key, value)
        return replace(base or cls(), **values)  # type: ignore[arg-type]  # _read gives types

    def to_text(self) -> str:
        """Return the text of the specification, as `parse` reads it."""
        values = {
            "base" if f.name == "deadline_base" else f.name: getattr(self, f.name)
            for f in fields(self)
        }
        return ",".join(f"{k}={as_text(v)}" for k, v in values.items() if v is not None)

    def shares(self) -> Floats:
        """Shares of linear, exponential and step curves, summing to 1."""
        weights = np.array([self.linear, self.exponential, self.step])
        shares: Floats = weights / weights.sum()
        return shares


def _read(key: str, text: str) -> float | str:
    if key == "base":
        return text
    return (
        as_int(text, SOURCE, key) if key in ("points", "classes") else as_float(text, SOURCE, key)
    )
