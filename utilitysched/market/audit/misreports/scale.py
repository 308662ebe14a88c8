"""More or less value."""

from __future__ import annotations

from dataclasses import dataclass

from swfx import UtilityFunction
from swfx.base.options import as_text
from utilitysched.market.audit.misreport import ValueMisreport, option, register
from utilitysched.market.audit.reading import read_factor


@register("scale")
@dataclass(frozen=True)
class Scale(ValueMisreport):
    """Every value of the curve is multiplied by a factor.

    Attributes
    ----------
    factor : float
        Above 0.
    """

    factor: float = option(read_factor, 2.0, as_text)

    def curve(self, truth: UtilityFunction) -> UtilityFunction:
        """Return the curve that is told in place of the true one."""
        return UtilityFunction(truth.times, truth.values * self.factor)
