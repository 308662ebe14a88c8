"""Schedulers beside a baseline, and all runs of an experiment."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import numpy as np
import pytest

from swfx import InputError
from tests.utilitysched.report.figures.conftest import Drawn, market, run_of
from utilitysched.analysis.statistics import compare_all, correlations
from utilitysched.report.figures import comparison
from utilitysched.report.figures.canvas import COLUMN
from utilitysched.report.figures.comparison import (
    draw_boxes,
    draw_correlations,
    draw_pareto,
    pareto,
)
from utilitysched.runs import RunResults

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def points(axes: Axes, marker: str = "o") -> list[float]:
    marked = [line for line in axes.lines if line.get_marker() == marker]
    return [float(np.asarray(line.get_xdata())[0]) for line in marked]


def intervals(axes: Axes) -> int:
    return sum(len(np.asarray(line.get_xdata())) == 2 for line in axes.lines) - 1


def test_points_are_ratios_to_the_first(runs: list[RunResults], drawn: Drawn) -> None:
    figure = drawn(lambda: comparison.draw(runs, COLUMN))

    easy, saf = (run.summary for run in runs)
    for axes, metric in zip(figure.axes, comparison.METRICS, strict=True):
        assert points(axes) == [pytest.approx(saf[metric] / easy[metric])]
        assert intervals(axes) == 0
    assert figure.get_supxlabel() == "ratio to easy"


def test_several_workloads_give_intervals(drawn: Drawn) -> None:
    markets = [market(seed) for seed in range(5)]
    runs = [run_of(name, jobs) for jobs in markets for name in ("fcfs", "easy", "saf")]

    figure = drawn(lambda: comparison.draw(runs, COLUMN, "easy"))
    assert len(points(figure.axes[0])) == 2
    assert intervals(figure.axes[0]) == 2
    assert figure.get_supxlabel() == "ratio to easy, 95% intervals"


def test_published_ratios_stand_beside_ours(drawn: Drawn) -> None:
    rows: dict[str, dict[Hashable, list[float | None]]] = {
        "easy": {"a": [1.0], "b": [2.0]},
        "saf": {"a": [2.0], "b": [3.0]},
        "fcfs": {"a": [1.0], "b": [1.0]},
    }
    found = {"wait_mean": compare_all(rows, "easy")}
    published = {"wait_mean": {"saf": 1.5, "easy": 1.0}}

    figure = drawn(lambda: comparison.draw_comparisons(found, "easy", COLUMN, published=published))

    assert points(figure.axes[0]) == [pytest.approx(5 / 3), pytest.approx(2 / 3)]
    assert points(figure.axes[0], "D") == [1.5]
    assert figure.get_supxlabel().startswith("ratio to easy, diamonds: published")


def test_an_unknown_baseline_is_refused(runs: list[RunResults]) -> None:
    with pytest.raises(InputError, match=r"no run is of 'eassy'; did you mean 'easy'\?"):
        comparison.draw(runs, COLUMN, "eassy")


def test_one_scheduler_is_not_compared_with_anything(runs: list[RunResults]) -> None:
    with pytest.raises(InputError, match="a comparison needs runs of two schedulers"):
        comparison.draw(runs[:1], COLUMN)


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
