"""Corrections of p for many comparisons, whose chances add up."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from swfx.base.columns import Floats

CorrectionName = Literal["holm", "benjamini-hochberg"]
"""Names of the corrections."""


def _holm(ascending: Floats) -> Floats:
    """Multiply each p by how many are not below it; none is less than one before it."""
    times = np.arange(len(ascending), 0, -1)
    return np.maximum.accumulate(ascending * times)


def _benjamini_hochberg(ascending: Floats) -> Floats:
    """Divide each p by the share of those not above it; none is more than one behind it."""
    share = np.arange(1, len(ascending) + 1) / len(ascending)
    return np.minimum.accumulate((ascending / share)[::-1])[::-1]


CORRECTIONS: dict[CorrectionName, Callable[[Floats], Floats]] = {
    "holm": _holm,
    "benjamini-hochberg": _benjamini_hochberg,
}
"""Corrections of p in ascending order."""


def corrected(
    p_values: Sequence[float | None], method: CorrectionName = "holm"
) -> list[float | None]:
    """Correct the p of all comparisons that are made together.

    Parameters
    ----------
    p_values : sequence of float or None
        None where nothing was tested; it does not count, and stays None.
    method : {"holm", "benjamini-hochberg"}
        Holm's step-down method bounds the chance of even one false claim, however the tests depend
        on each other: comparisons with one baseline do. Benjamini and Hochberg's bounds the share
        of false claims among those made, which is less.

    Examples
    --------
    >>> corrected([0.03125, None, 0.0625])
    [0.0625, None, 0.0625]

    References
    ----------
    S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6, 1979.
    Y. Benjamini and Y. Hochberg, Controlling the false discovery rate, J. R. Statist. Soc. B 57,
    1995.
    """
    tested = {at: p for at, p in enumerate(p_values) if p is not None}
    order = sorted(tested, key=tested.__getitem__)
    adjusted = CORRECTIONS[method](np.array([tested[at] for at in order]))
    found = list(p_values)
    for at, p in zip(order, np.minimum(adjusted, 1.0).tolist(), strict=True):
        found[at] = p
    return found
