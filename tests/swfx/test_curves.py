import numpy as np
import pytest

from swfx import InputError
from swfx.curves import FAULTS, check_curves, curve_faults


def faults(*curves: list[tuple[float, float]]) -> list[tuple[str, int]]:
    """First fault of each curve, given as points."""
    points = np.array([point for curve in curves for point in curve], float).reshape(-1, 2)
    offsets = np.cumsum([0, *map(len, curves)])
    found = curve_faults(offsets, points[:, 0], points[:, 1])
    return [(FAULTS[code], int(point)) for code, point in zip(found.code, found.point, strict=True)]


def test_sound_and_absent_curves_have_no_fault():
    assert faults([], [(0, 5), (1, 5), (2, 0)], [], [(0, 0), (9, 0)]) == [("", 0)] * 4
    assert faults() == []


def test_each_curve_has_its_own_first_fault():
    assert faults(
        [(0, 5)],
        [(0, 5), (1, 4)],
        [(1, 5), (0, 6)],
        [(0, 5), (1, 6), (1, 7)],
        [(0, 5), (3, 4), (3, 3)],
        [(0, -1), (1, -2)],
    ) == [
        ("a utility function needs at least two points", 0),
        ("", 0),
        ("the first time must be 0", 0),
        ("values must not increase", 1),
        ("times must be strictly increasing", 2),
        ("must not be negative", 0),
    ]


def test_first_points_are_not_compared_with_the_curve_before():
    assert faults([(0, 5), (9, 1)], [(0, 7), (1, 6)]) == [("", 0), ("", 0)]


def test_check_names_curve_and_point():
    offsets, times = np.array([0, 2, 4]), np.array([0.0, 1, 0, 1])
    with pytest.raises(InputError, match="curve 1, point 2: values must not increase"):
        check_curves(offsets, times, np.array([5.0, 5, 1, 2]))
