"""No model: what travels in the log."""

from __future__ import annotations

from dataclasses import dataclass

from swfx.families.utilities.registry import UTILITY_MODELS, Drawn, Given, UtilityModel
from swfx.workload import Workload


@UTILITY_MODELS.register("none")
@dataclass(frozen=True)
class Unchanged(UtilityModel):
    """What the workload has already; jobs without a utility function stay without."""

    keeps = True

    def draw(self, workload: Workload, seed: int, given: Given) -> Drawn:  # noqa: ARG002  no draws
        """Return the utility functions of the workload."""
        models = workload.header.all("UtilityModel")
        return Drawn(workload.utility, "; ".join(models) or "as in the log")
