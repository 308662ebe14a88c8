"""Amendments: other terms for a job that was admitted, which may only be worth more."""

import numpy as np

from swfx import UtilityFunction

AMENDS = "amend "
"""Beginning of a comment that asks for other terms; the bid follows."""

QUOTED = 100
"""Letters of such a comment that the answer to it begins with."""


def lowered_at(new: UtilityFunction | None, old: UtilityFunction | None) -> float | None:
    """Return when a curve is below another first (s after submission); None if it never is.

    Examples
    --------
    >>> later, dearer = UtilityFunction([0, 9], [4, 4]), UtilityFunction([0, 5], [6, 6])
    >>> lowered_at(later, UtilityFunction([0, 5], [4, 2])), lowered_at(dearer, later)
    (None, 5.000000000000001)
    """
    curves = [curve for curve in (new, old) if curve is not None]
    if old is None or not curves:
        return None
    corners = np.unique(np.concatenate([curve.times for curve in curves]))
    times = np.sort(np.concatenate([corners, np.nextafter(corners, np.inf)]))
    worth = np.zeros(len(times)) if new is None else new(times)
    before = old(times)
    below = (worth < before) & ~np.isclose(worth, before, rtol=1e-9)
    return float(times[below][0]) if below.any() else None
