"""Plots of all runs of an experiment."""

from __future__ import annotations

import numpy as np
import pytest

from tests.utilitysched.report.figures.conftest import Drawn
from utilitysched.analysis.statistics import correlations
from utilitysched.report.figures.canvas import COLUMN
from utilitysched.report.figures.comparison import (
    draw_boxes,
    draw_correlations,
    draw_pareto,
    pareto,
)


def test_nobody_is_better_than_the_front_in_both() -> None:
    draw = np.random.default_rng(1)
    points = draw.integers(0, 6, (30, 2)).astype(np.float64)

    front = pareto(points)

    for place, mine in enumerate(points):
        better = (points >= mine).all(axis=1) & (points > mine).any(axis=1)
        twin = any((points[other] == mine).all() for other in front)
        assert twin == (not better.any())
        assert place not in front or not better.any()


def test_correlations_are_of_each_two_figures_that_vary() -> None:
    rises, falls = np.array([1.0, 2.0, 3.0, 10.0]), np.array([8.0, 6.0, 4.0, 2.0])

    found = correlations([rises, falls, np.ones(4)])

    assert list(found) == ["Pearson", "Kendall", "Spearman"]
    assert found["Kendall"][0].tolist() == pytest.approx([1.0, -1.0, np.nan], nan_ok=True)
    assert found["Spearman"][1, 0] == pytest.approx(-1.0)
    assert found["Pearson"][0, 1] == pytest.approx(np.corrcoef(rises, falls)[0, 1])


def test_all_are_drawn(drawn: Drawn) -> None:
    pytest.importorskip("matplotlib")
    values = {"easy": np.array([1.0, 2.0, 3.0]), "saf": np.array([2.0, 4.0, 60.0])}

    (boxes,) = drawn(lambda: draw_boxes(values, "wait", COLUMN, {"saf": 5.0})).axes
    (points,) = drawn(
        lambda: draw_pareto(
            {"easy": (1.0, 2.0), "saf": (2.0, 1.0), "fcfs": (0.5, 3.0)},
            ("speedup", "slowdown"),
            (True, False),
            COLUMN,
        )
    ).axes
    squares = drawn(lambda: draw_correlations(["wait", "slowdown"], {"Pearson": np.eye(2)}))

    drawn_at = {x for line in boxes.lines for x in np.asarray(line.get_xdata()).tolist()}
    assert {2.0, 4.0, 5.0} <= drawn_at
    assert [text.get_text() for text in points.texts] == ["1", "2", "3"]
    assert np.asarray(points.lines[0].get_xdata()).tolist() == [2.0]
    assert [text.get_text() for text in squares.axes[0].texts] == ["1.00", "0.00", "0.00", "1.00"]
