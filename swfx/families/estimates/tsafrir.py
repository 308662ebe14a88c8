"""Requests as users make them: a few round values, much too long."""

from __future__ import annotations

import math
from dataclasses import dataclass

from swfx.base.bounds import require_between, require_whole
from swfx.base.columns import LIMIT, Floats
from swfx.base.configured import named, number, option
from swfx.base.errors import InputError
from swfx.base.options import as_int, as_text, as_whole_seconds
from swfx.families.estimates.modal.assignment import assign
from swfx.families.estimates.modal.bins import bins_text, read_bins
from swfx.families.estimates.modal.head import LEAST_MAXIMUM, LENGTH
from swfx.families.estimates.modal.histogram import (
    Histogram,
    Shape,
    distinct_by_power_law,
    distinct_estimates,
    draw_histogram,
)
from swfx.families.estimates.modal.tail import default_curve
from swfx.families.estimates.registry import ESTIMATE_MODELS, EstimateModel, Estimates
from swfx.families.generators.randomness import stream

SOURCE = "tsafrir"
LEAST_JOBS = 191
"""Fewer jobs have fewer than 20 distinct estimates."""
MOST_JOBS = 10**9
DEFAULT_MAXIMUM = 36 * 3600
HOUR = 3600
POWER_LAW = "power"


def _read_distinct(text: str) -> int | str:
    return POWER_LAW if text == POWER_LAW else as_int(text, SOURCE, "k")


@ESTIMATE_MODELS.register("tsafrir")
@dataclass(frozen=True)
class Tsafrir(EstimateModel):
    """Modal requests: 20 round values hold 89 % of jobs, the longest is the most popular.

    A histogram of estimates is drawn first; then every estimate goes to a job that runs no
    longer, all such assignments being equally likely. How accurate requests are is not modelled:
    it results.

    Attributes
    ----------
    max : int, optional
        Longest estimate, above 5700 s; by default 36 h, or the longest run time rounded up to
        a whole hour if that is more. Jobs that run longer are cut to it, and counted.
    bins : tuple of (int, int)
        Estimate (s) and number of jobs where these are known; up to 20 with `max` among them,
        up to 19 without. `max`'s own number is the one that matters most.
    k : int or "power", optional
        Number of distinct estimates, 20 to 10000; by default a table of the authors' by number
        of jobs, or else their power law.
    a : float, optional
        Curve of the unpopular estimates, 1.001 to 1e6; by default from k.

    References
    ----------
    D. Tsafrir, Y. Etsion, D. G. Feitelson, "Modeling user runtime estimates", JSSPP 2005
    (LNCS 3834), and its authors' program.
    """

    max: int | None = named(as_whole_seconds, None, as_text)
    bins: tuple[tuple[int, int], ...] = option(read_bins, (), bins_text)
    k: int | str | None = option(_read_distinct, None, as_text)
    a: float | None = number(None, (1.001, 1e6))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max is not None:
            require_whole(SOURCE, "max", self.max, LEAST_MAXIMUM + 1, LIMIT)
        if len(dict(self.bins)) < len(self.bins):
            raise InputError(
                "a time is given twice", source=SOURCE, field="bins", remedy="keep one of them"
            )
        for time, jobs in self.bins:
            require_whole(SOURCE, "time of bins", time, 1, LIMIT)
            require_whole(SOURCE, "jobs of bins", jobs, 1, MOST_JOBS)
        if self.k not in {None, POWER_LAW}:
            require_whole(SOURCE, "k", self.k, LENGTH, 10_000)

    def estimate(self, run: Floats, seed: int) -> Estimates:
        """Draw a histogram and deal it to the jobs."""
        shape = self.shape(run.size, float(run.max(initial=0)))
        histogram = draw_histogram(shape, stream(seed, "estimates histogram"))
        cut = int((run > shape.maximum).sum())
        dealt = assign(
            run.clip(max=shape.maximum),
            histogram.expanded(),
            stream(seed, "estimates assignment"),
        )
        return Estimates(dealt, _notes(histogram, shape.maximum, cut))

    def shape(self, jobs: int, longest: float) -> Shape:
        """Settle everything but chance, for so many jobs of which the longest runs `longest` s.

        Raises
        ------
        InputError
            Fewer than 191 jobs, a number of distinct estimates that these cannot have, or bins
            that do not fit.
        """
        require_between(SOURCE, "jobs", jobs, LEAST_JOBS, MOST_JOBS)
        maximum = self.max or max(DEFAULT_MAXIMUM, math.ceil(longest / HOUR) * HOUR)
        distinct = self._distinct(jobs)
        given = dict(self.bins)
        _check_bins(given, maximum, jobs, only=distinct == len(given))
        return Shape(jobs, maximum, distinct, self.a or default_curve(distinct), given)

    def _distinct(self, jobs: int) -> int:
        if self.k is None:
            return distinct_estimates(jobs)
        distinct = distinct_by_power_law(jobs) if self.k == POWER_LAW else int(self.k)
        require_between(SOURCE, f"k for {jobs} jobs", distinct, LENGTH, jobs)
        return distinct


def _check_bins(given: dict[int, int], maximum: int, jobs: int, *, only: bool) -> None:
    for time in given:
        require_between(SOURCE, "bins", time, 1, maximum)
    most = LENGTH if maximum in given else LENGTH - 1
    require_between(SOURCE, "number of bins", len(given), 0, most)
    least = jobs if only else 0  # nothing else can take the other jobs
    require_between(SOURCE, "jobs in bins", sum(given.values()), least, jobs)


def _notes(histogram: Histogram, maximum: int, cut: int) -> tuple[str, ...]:
    said = (f"{histogram.time.size} distinct estimates up to {maximum} s",)
    return (*said, f"{cut} run times cut to the longest estimate") if cut else said
