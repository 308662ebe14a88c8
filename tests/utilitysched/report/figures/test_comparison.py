"""Schedulers beside a baseline."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest

from swfx import InputError
from tests.utilitysched.report.figures.conftest import market, run_of
from utilitysched.report.figures import comparison
from utilitysched.report.figures.style import COLUMN
from utilitysched.runs import RunResults

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Drawn = Callable[[Callable[[], "Figure"]], "Figure"]


def points(axes: Axes) -> list[float]:
    marked = [line for line in axes.lines if line.get_marker() == "o"]
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


def test_an_unknown_baseline_is_refused(runs: list[RunResults]) -> None:
    with pytest.raises(InputError, match=r"no run is of 'eassy'; did you mean 'easy'\?"):
        comparison.draw(runs, COLUMN, "eassy")


def test_one_scheduler_is_not_compared_with_anything(runs: list[RunResults]) -> None:
    with pytest.raises(InputError, match="a comparison needs runs of two schedulers"):
        comparison.draw(runs[:1], COLUMN)
