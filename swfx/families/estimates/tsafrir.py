"""Requests as users make them: a few round values, much too long."""

from __future__ import annotations

import math
from dataclasses import dataclass

from swfx.base.bounds import require_between, require_whole
from swfx.base.columns import LIMIT, Floats
from swfx.base.configured import named
from swfx.base.options import as_text, as_whole_seconds
from swfx.families.estimates.modal import LEAST_MAXIMUM, Histogram, assign, draw_histogram
from swfx.families.estimates.registry import ESTIMATE_MODELS, EstimateModel, Estimates
from swfx.families.generators.randomness import stream

SOURCE = "tsafrir"
LEAST_JOBS = 191
"""Fewer jobs have fewer than 20 distinct estimates."""
MOST_JOBS = 10**9
DEFAULT_MAXIMUM = 36 * 3600
HOUR = 3600


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

    References
    ----------
    D. Tsafrir, Y. Etsion, D. G. Feitelson, "Modeling user runtime estimates", JSSPP 2005
    (LNCS 3834), and its authors' program.
    """

    max: int | None = named(as_whole_seconds, None, as_text)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max is not None:
            require_whole(SOURCE, "max", self.max, LEAST_MAXIMUM + 1, LIMIT)

    def estimate(self, run: Floats, seed: int) -> Estimates:
        """Draw a histogram and deal it to the jobs.

        Raises
        ------
        InputError
            Fewer than 191 jobs, or more long jobs than long estimates.
        """
        require_between(SOURCE, "jobs", run.size, LEAST_JOBS, MOST_JOBS)
        longest = float(run.max(initial=0))
        maximum = self.max or max(DEFAULT_MAXIMUM, math.ceil(longest / HOUR) * HOUR)
        histogram = draw_histogram(run.size, maximum, stream(seed, "estimates histogram"))
        cut = int((run > maximum).sum())
        dealt = assign(
            run.clip(max=maximum), histogram.expanded(), stream(seed, "estimates assignment")
        )
        return Estimates(dealt, _notes(histogram, maximum, cut))


def _notes(histogram: Histogram, maximum: int, cut: int) -> tuple[str, ...]:
    remarks = (f"{histogram.time.size} distinct estimates up to {maximum} s",)
    return (*remarks, f"{cut} run times cut to the longest estimate") if cut else remarks
