"""LEE's synthetic utility functions as a model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

from swfx.base.options import split_options
from swfx.families.generators.utilities import draw_utilities
from swfx.families.generators.utility_spec import UtilitySpec
from swfx.families.utilities.registry import UTILITY_MODELS, Drawn, Given, UtilityModel
from swfx.workload import Workload


@UTILITY_MODELS.register("lee")
@dataclass(frozen=True)
class Lee(UtilityModel):
    """Drawn from priority, size and wait; value decays along a line, exponentially or in steps.

    Parameters
    ----------
    spec : UtilitySpec
        The options.

    References
    ----------
    C. B. Lee, dissertation 2009, section 2.6.
    """

    spec: UtilitySpec = field(default_factory=UtilitySpec)
    reads_waits = True

    @property
    def label(self) -> str:
        """All options, without the model's name: options alone mean this model."""
        return self.spec.to_text()

    @classmethod
    def defaults(cls) -> dict[str, str]:
        """Options of a specification."""
        return split_options(UtilitySpec().to_text(), cls.name)

    @classmethod
    def from_text(cls, options: str) -> Self:
        """Make the model from the text of a specification."""
        return cls(UtilitySpec.from_text(options))

    def changed(self, options: str) -> Self:
        """Make the model with some options changed; naming a share sets the other shares to 0."""
        return type(self)(self.spec.changed(options))

    def draw(self, workload: Workload, seed: int, given: Given) -> Drawn:
        """Draw the utility function of every job."""
        return draw_utilities(workload, self.spec, seed, waits=given.waits, classes=given.classes)
