"""Requests as if users knew."""

from __future__ import annotations

from dataclasses import dataclass

from swfx.base.columns import Floats
from swfx.families.estimates.registry import ESTIMATE_MODELS, EstimateModel, Estimates


@ESTIMATE_MODELS.register("exact")
@dataclass(frozen=True)
class Exact(EstimateModel):
    """The run time itself: fully accurate requests.

    References
    ----------
    LEE, section 4.6, "Comparison of Schedulers by Sensitivity to Runtime Accuracy".
    """

    def estimate(self, run: Floats, seed: int) -> Estimates:  # noqa: ARG002  nothing is drawn
        """Return the run times."""
        return Estimates(run)
