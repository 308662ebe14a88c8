"""Drawn fronts: their knee, their ends, and other plans, each with a mark of its own."""

from __future__ import annotations

import numpy as np

from utilitysched.exact.front import PlanFront
from utilitysched.report.figures.front import draw
from utilitysched.report.figures.style import COLUMN

FRONT = PlanFront(
    ("utility", "wait"),
    np.zeros((3, 1)),
    np.array([[9.0, 90.0], [8.0, 20.0], [2.0, 10.0]]),
    {"knee": 1, "utility": 0, "wait": 2},
    {"ga": np.array([8.5, 95.0]), "value": np.array([3.0, 40.0]), "easy": np.array([3.0, 40.0])},
)


def test_knee_ends_and_others_are_where_they_belong() -> None:
    (axes,) = draw(FRONT, COLUMN).axes

    lines = {line.get_label(): line for line in axes.lines}
    assert list(lines) == ["front", "knee", "best utility", "best wait", "ga", "value", "easy"]
    assert lines["front"].get_xydata().tolist() == FRONT.values.tolist()
    at = {label: line.get_xydata().tolist()[0] for label, line in lines.items()}
    assert at["knee"] == [8.0, 20.0]
    assert at["best utility"] == [9.0, 90.0]
    assert at["best wait"] == [2.0, 10.0]
    assert at["ga"] == [8.5, 95.0]


def test_no_mark_hides_another_in_the_same_place() -> None:
    (axes,) = draw(FRONT, COLUMN).axes

    others = axes.lines[-3:]
    assert len({line.get_marker() for line in others}) == 3
    sizes = [line.get_markersize() for line in others]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == 3
