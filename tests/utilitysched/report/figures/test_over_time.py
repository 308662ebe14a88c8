"""Utilisation, queue and demand over time."""

from __future__ import annotations

import numpy as np
import pytest

from tests.utilitysched.report.figures.conftest import Drawn
from utilitysched.report.figures import over_time
from utilitysched.report.figures.canvas import COLUMN
from utilitysched.runs import RunResults


@pytest.mark.parametrize(
    ("plot", "label"),
    [
        (over_time.UTILISATION, "processors\nin use (%)"),
        (over_time.QUEUE, "jobs waiting"),
        (over_time.DEMAND, "machines\nwaited for"),
    ],
)
def test_each_run_has_a_panel(
    plot: over_time.StepPlot, label: str, runs: list[RunResults], drawn: Drawn
) -> None:
    figure = drawn(lambda: plot.draw(runs, COLUMN))

    assert [axes.get_title(loc="left") for axes in figure.axes] == ["easy", "saf"]
    assert {axes.get_ylabel() for axes in figure.axes} == {label}
    assert figure.axes[-1].get_xlabel() == "days since 2000-04-01 00:00 (UTC)"


def test_the_mean_of_the_means_is_the_utilisation(runs: list[RunResults], drawn: Drawn) -> None:
    figure = drawn(lambda: over_time.UTILISATION.draw(runs[:1], COLUMN))

    (line,) = figure.axes[0].lines
    means = np.asarray(line.get_ydata())[:-1]
    assert means.mean() == pytest.approx(100 * runs[0].summary["utilisation"])
