"""The columns of extended SWF beside the 18 of SWF, and the numbers that they may hold."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from swfx.base.columns import Bools, Floats, Ints
from swfx.fields import MISSING, Field

__all__ = ["CHECKPOINT_FIELDS", "EXTENSION_FIELDS", "EXTRA_FIELDS", "ExtensionField"]


@dataclass(frozen=True)
class ExtensionField(Field):
    """A column that holds -1 for none, or numbers within bounds, told in words by `bounds`."""

    bounds: str = "0 or more"
    above_zero: bool = False
    most: float = math.inf
    whole: bool = False

    def impossible(self, numbers: Floats | Ints) -> Bools:
        """Which of these numbers, shape (n,), cannot stand in this column.

        >>> CHECKPOINT_FIELDS[0].impossible(np.array([-1.0, 0.0, 5.0])).tolist()
        [False, True, False]
        """
        low = numbers <= 0 if self.above_zero else numbers < 0
        broken = self.whole & (numbers != np.floor(numbers))
        wrong: Bools = (low | (numbers > self.most) | broken) & (numbers != MISSING)
        return wrong


def _seconds(name: str, meaning: str, *, above_zero: bool) -> ExtensionField:
    bounds = "positive" if above_zero else "0 or more"
    return ExtensionField(name, "float64", "s", meaning, bounds, above_zero)


CHECKPOINT_FIELDS: tuple[ExtensionField, ...] = (
    _seconds("checkpoint_interval", "time between checkpoints; -1: takes none", above_zero=True),
    _seconds("restart_overhead", "extra run time after a restart; -1: unknown", above_zero=False),
)
"""The two columns of extended SWF between the 18 of SWF and the utility function."""

EXTRA_FIELDS: tuple[ExtensionField, ...] = (
    _seconds("soft_estimate", "the user's own best guess of the run time", above_zero=True),
    ExtensionField(
        "confidence", "float64", "", "trust of the user in that guess", "from 0 to 1", most=1.0
    ),
    ExtensionField(
        "original_job",
        "int64",
        "",
        "number that the job has in the log it was drawn from",
        "a whole number, 0 or more",
        whole=True,
    ),
)
"""Columns behind the utility function, where the header line ExtraColumns names them.

Soft estimate and confidence are LEE's (5), original jobs come from resampling (CARASTAN 4.2).
"""

EXTENSION_FIELDS = CHECKPOINT_FIELDS + EXTRA_FIELDS
