"""Schedulers beside a baseline."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import numpy as np
import pytest

from swfx import InputError
from tests.utilitysched.report.figures.conftest import Drawn, market, run_of
from utilitysched.analysis.statistics import compare_all
from utilitysched.report.figures import comparison
from utilitysched.report.figures.canvas import COLUMN
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
    assert figure.get_supxlabel() == (
        "ratio to easy, 95% intervals\n(5 pairs hold the true ratio in about 83%)"
    )


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
