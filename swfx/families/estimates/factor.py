"""Requests that are all wrong by the same factor."""

from __future__ import annotations

from dataclasses import dataclass

from swfx.base.columns import Floats
from swfx.base.configured import number
from swfx.families.estimates.registry import ESTIMATE_MODELS, EstimateModel, Estimates


@ESTIMATE_MODELS.register("factor")
@dataclass(frozen=True)
class Factor(EstimateModel):
    """A fixed multiple of the run time.

    Attributes
    ----------
    f : float, default 2
        Request over run time, 1 to 1e6; 1 is `exact`.

    References
    ----------
    LEE, section 5.1.1: "R * actualruntime", R = 1, 2, 4, after D. Zotkin, P. J. Keleher,
    "Job-length estimation and performance in backfilling schedulers", HPDC 1999.
    """

    f: float = number(2.0, (1, 1e6))

    def estimate(self, run: Floats, seed: int) -> Estimates:  # noqa: ARG002  nothing is drawn
        """Multiply by f."""
        return Estimates(self.f * run)
