"""Requests that are too long by a random factor."""

from __future__ import annotations

from dataclasses import dataclass

from swfx.base.columns import Floats
from swfx.base.configured import number
from swfx.families.estimates.registry import ESTIMATE_MODELS, EstimateModel, Estimates
from swfx.families.generators.randomness import stream


@ESTIMATE_MODELS.register("uniform")
@dataclass(frozen=True)
class Uniform(EstimateModel):
    """Uniform between the run time and (f + 1) times the run time: the "f model".

    Attributes
    ----------
    f : float, default 4
        The "badness factor", 0 to 1e6; 0 is `exact`. A factor uniform between 1 and R, as LEE
        words it in section 5.1.1, is f = R - 1.

    References
    ----------
    A. W. Mu'alem, D. G. Feitelson, "Utilization, predictability, workloads, and user runtime
    estimates in scheduling the IBM SP2 with backfilling", IEEE TPDS 12(6), 2001; the interval
    [r, (f + 1) r] as D. Tsafrir, D. G. Feitelson, "The dynamics of backfilling: solving the
    mystery of why increased inaccuracy may help", IISWC 2006, give it in their abstract.
    """

    f: float = number(4.0, (0, 1e6))

    def estimate(self, run: Floats, seed: int) -> Estimates:
        """Draw a factor for each job."""
        return Estimates(run * (1 + self.f * stream(seed, "estimates factors").random(run.size)))
