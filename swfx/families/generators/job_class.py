"""One class of jobs of the Lublin-Feitelson model: its parameters and what it draws."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from swfx.base.bounds import require_between
from swfx.base.columns import Floats, Ints
from swfx.base.errors import InputError

MAX_LOG_RUN_TIME = 12.0
MAX_LOG_GAP = 13.0
MAX_LOG_SIZE = 40.0
"""log2 of the largest machine: sizes stay exact in float64."""
MAX_RUN_TIME = math.floor(math.exp(MAX_LOG_RUN_TIME))
SOURCE = "lublin"

_BOUNDS = (
    (0, 1, ("serial", "power_of_two", "u_prob")),
    (1e-6, 1e6, ("a1", "b1", "a2", "b2", "a_arr", "b_arr", "a_num", "b_num", "rush_ratio")),
    (0, MAX_LOG_SIZE, ("u_low",)),
    (-1e6, 1e6, ("p_a", "p_b")),
)
"""Least and most of each parameter, but for those that depend on others."""


@dataclass(frozen=True, kw_only=True)
class JobClass:
    """Parameters of one class of jobs (Lublin and Feitelson 2003); times in s.

    Shapes, scales and ratios are 1e-6 to 1e6.

    Parameters
    ----------
    serial : float
        Probability of a job of one processor.
    power_of_two : float
        Probability, among all jobs, of a parallel job whose size is made a power of two.
        serial + power_of_two <= 1.
    u_low, u_med, u_hi : float
        log2 of the size is uniform on [u_low, u_med] with probability `u_prob`, else uniform on
        [u_med, u_hi]; 0 <= u_low <= u_med <= u_hi <= log2 of the machine size. Without values:
        u_hi = log2 of the machine size, u_med = that less 2.5.
    u_prob : float
        Probability of the lower interval, 0 to 1.
    a1, b1, a2, b2 : float
        Shapes (a) and scales (b) of the two gamma distributions of ln(run time); the mean a*b
        of each is at most 12, the bound of ln(run time).
    p_a, p_b : float
        The first of them is taken with probability p_a * size + p_b, cut to [0, 1].
    a_arr, b_arr : float
        Shape and scale of the gamma distribution of ln(gap between arrivals).
    rush_ratio : float
        Factor on a_arr; a_arr * rush_ratio * b_arr is at most 13, the bound of ln(gap).
    a_num, b_num : float
        Shape and scale (half hours) of the gamma distribution that makes the daily cycle.

    Raises
    ------
    InputError
        A parameter outside its bound.
    """

    serial: float
    power_of_two: float
    u_low: float
    u_med: float | None = None
    u_hi: float | None = None
    u_prob: float
    a1: float
    b1: float
    a2: float
    b2: float
    p_a: float
    p_b: float
    a_arr: float
    b_arr: float
    a_num: float
    b_num: float
    rush_ratio: float

    def __post_init__(self) -> None:
        for low, high, names in _BOUNDS:
            for name in names:
                require_between(SOURCE, name, getattr(self, name), low, high)
        require_between(SOURCE, "serial + power_of_two", self.serial + self.power_of_two, 0, 1)
        require_between(SOURCE, "a1 * b1", self.a1 * self.b1, 0, MAX_LOG_RUN_TIME)
        require_between(SOURCE, "a2 * b2", self.a2 * self.b2, 0, MAX_LOG_RUN_TIME)
        mean_log_gap = self.a_arr * self.rush_ratio * self.b_arr
        require_between(SOURCE, "a_arr * rush_ratio * b_arr", mean_log_gap, 0, MAX_LOG_GAP)

    def on_machine(self, processors: int) -> JobClass:
        """Return the class with its size limits settled for a machine.

        Raises
        ------
        InputError
            The limits are not in order, or above log2 of the machine size.
        """
        widest = math.log2(processors)
        u_hi = widest if self.u_hi is None else self.u_hi
        u_med = widest - 2.5 if self.u_med is None else self.u_med
        machine = f"on {processors} processors"
        require_between(SOURCE, f"u_hi {machine}", u_hi, 0, widest)
        if not 0 <= self.u_low <= u_med <= u_hi:
            raise InputError(
                f"0 <= u_low {self.u_low:g} <= u_med {u_med:g} <= u_hi {u_hi:g} does not hold",
                source=SOURCE,
                field=f"u_med {machine}",
                remedy=f"take at least {math.ceil(2 ** (self.u_low + 2.5))} processors,"
                " or give u_low and u_med",
            )
        return replace(self, u_med=u_med, u_hi=u_hi)

    def draw_gaps(self, count: int, rng: np.random.Generator) -> Floats:
        """Draw gaps between arrivals, in s of weighted time: exp(g), g gamma, g <= 13."""

        def draw(rows: NDArray[np.intp]) -> Floats:
            return rng.standard_gamma(self.a_arr * self.rush_ratio, rows.size) * self.b_arr

        return np.exp(_draw_up_to(MAX_LOG_GAP, count, draw))

    def draw_sizes(self, count: int, rng: np.random.Generator) -> Ints:
        """Draw sizes (processors); a power of two may come out above the machine.

        One uniform decides between serial, power of two and other; two more choose the
        interval and the place in it.
        """
        if self.u_med is None or self.u_hi is None:
            raise AssertionError("on_machine() settles the size limits first")
        kind, interval, place = rng.random((3, count))
        exponent = np.where(
            interval < self.u_prob,
            self.u_low + place * (self.u_med - self.u_low),
            self.u_med + place * (self.u_hi - self.u_med),
        )
        to_power = kind <= self.serial + self.power_of_two
        exponent = np.where(to_power, np.floor(exponent + 0.5), exponent)
        size = np.floor(np.exp2(exponent) + 0.5)
        return np.where(kind <= self.serial, 1, size).astype(np.int64)

    def draw_run_times(self, size: Ints, rng: np.random.Generator) -> Floats:
        """Draw run times (whole s, 1 to 162754) for jobs of these sizes.

        ln(run time) is a mixture of two gammas cut at 12; above it, the choice of the gamma and
        the value are both drawn again.
        """
        first = np.clip(self.p_a * size + self.p_b, 0, 1)

        def draw(rows: NDArray[np.intp]) -> Floats:
            is_first = rng.random(rows.size) < first[rows]
            shape = np.where(is_first, self.a1, self.a2)
            return rng.standard_gamma(shape) * np.where(is_first, self.b1, self.b2)

        return np.floor(np.exp(_draw_up_to(MAX_LOG_RUN_TIME, size.size, draw)))


def _draw_up_to(bound: float, count: int, draw: Callable[[NDArray[np.intp]], Floats]) -> Floats:
    """Draw `count` values, those above `bound` again until none is left."""
    rows = np.arange(count)
    values = draw(rows)
    while (rows := np.flatnonzero(values > bound)).size:
        values[rows] = draw(rows)
    return values


PARAMETERS = tuple(field.name for field in fields(JobClass))

BATCH = JobClass(
    serial=0.2927,
    power_of_two=0.6686,
    u_low=1.2,
    u_prob=0.875,
    a1=6.57,
    b1=0.823,
    a2=639.1,
    b2=0.0156,
    p_a=-0.003,
    p_b=0.6986,
    a_arr=6.0415,
    b_arr=0.8531,
    a_num=6.1271,
    b_num=5.2740,
    rush_ratio=1.0519,
)
"""Batch jobs, as published."""
INTERACTIVE = JobClass(
    serial=0.1541,
    power_of_two=0.625,
    u_low=1.0,
    u_prob=0.705,
    a1=3.8351,
    b1=0.6605,
    a2=7.073,
    b2=0.6856,
    p_a=-0.0118,
    p_b=0.9156,
    a_arr=6.5510,
    b_arr=0.6621,
    a_num=8.9186,
    b_num=3.6680,
    rush_ratio=0.9797,
)
"""Interactive jobs, as published."""
TYPELESS = JobClass(
    serial=0.244,
    power_of_two=0.576,
    u_low=0.8,
    u_prob=0.86,
    a1=4.2,
    b1=0.94,
    a2=312.0,
    b2=0.03,
    p_a=-0.0054,
    p_b=0.78,
    a_arr=10.2303,
    b_arr=0.4871,
    a_num=8.1737,
    b_num=3.9631,
    rush_ratio=1.0225,
)
"""All jobs as one class, as published."""
