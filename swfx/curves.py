"""The rules of utility functions, checked for many curves at once (LEE 2.5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from swfx.base.columns import Floats, Ints
from swfx.base.errors import InputError

__all__ = ["FAULTS", "CurveFaults", "check_curves", "curve_faults"]

FAULTS = (
    "",
    "a utility function needs at least two points",
    "the first time must be 0",
    "times must be strictly increasing",
    "values must not increase",
    "must not be negative",
)
"""What is wrong with a point, by the code of `curve_faults`."""

_TOO_FEW, _LATE_START, _TIME_ORDER, _VALUE_ORDER, _NEGATIVE = range(1, len(FAULTS))


def check_curves(offsets: Ints, times: Floats, values: Floats) -> None:
    """Raise an InputError that names the first curve and point that break a rule."""
    faults = curve_faults(offsets, times, values)
    if faults.code.any():
        curve = int(np.argmax(faults.code > 0))
        which = f"curve {curve}, " if len(offsets) > 2 else ""
        raise InputError(
            f"{which}point {faults.point[curve] + 1}: {FAULTS[faults.code[curve]]}",
            field="utility",
            remedy="give two or more points from time 0, with values that never rise",
        )


@dataclass(frozen=True)
class CurveFaults:
    """First fault of each curve: code into `FAULTS` (0 = sound) and point from 0, shape (n,)."""

    code: npt.NDArray[np.int8]
    point: Ints


def curve_faults(offsets: Ints, times: Floats, values: Floats) -> CurveFaults:
    """Check every curve of a ragged table at once.

    Parameters
    ----------
    offsets : ndarray of int64, shape (n + 1,)
        Non-decreasing, from 0 to the number of points.
    times, values : ndarray of float64, shape (points,)
        Finite numbers, in s and SU.

    Returns
    -------
    CurveFaults
        One code and point per curve.
    """
    counts = np.diff(offsets)
    starts = offsets[:-1][counts > 0]
    leads = np.zeros(len(times), np.bool_)
    leads[starts] = True
    code = np.zeros(len(times), np.int8)
    follows = ~leads[1:]
    code[1:][follows & (np.diff(values) > 0)] = _VALUE_ORDER
    code[1:][follows & (np.diff(times) <= 0)] = _TIME_ORDER
    code[values < 0] = _NEGATIVE
    code[leads & (times != 0)] = _LATE_START
    code[starts[counts[counts > 0] == 1]] = _TOO_FEW
    return _first_faults(offsets, code)


def _first_faults(offsets: Ints, code: npt.NDArray[np.int8]) -> CurveFaults:
    bad = np.flatnonzero(code)
    rows, first = np.unique(np.searchsorted(offsets, bad, side="right") - 1, return_index=True)
    faults = CurveFaults(np.zeros(len(offsets) - 1, np.int8), np.zeros(len(offsets) - 1, np.int64))
    faults.code[rows] = code[bad[first]]
    faults.point[rows] = bad[first] - offsets[:-1][rows]
    return faults
