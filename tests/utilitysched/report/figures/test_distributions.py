"""Waits, shares, users and charges on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from matplotlib.patches import Rectangle

from swfx import InputError, UtilityFunction, UtilityTable
from tests.utilitysched.report.figures.conftest import Drawn, market, run_of
from tests.utilitysched.small import JOBS, plain_workload
from utilitysched import metrics
from utilitysched.analysis.series import Bill
from utilitysched.report.figures import distributions
from utilitysched.report.figures.canvas import COLUMN
from utilitysched.report.figures.distributions import draw_charges
from utilitysched.runs import RunResults

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def ends(figure: Figure) -> list[tuple[float, float]]:
    """Where the lines end, after they have risen from 0."""
    lines = [np.asarray(line.get_xydata()) for line in figure.axes[0].lines]
    for line in lines:
        assert line[0, 1] == 0
        assert np.all(np.diff(line, axis=0) >= 0)
    return [tuple(line[-1]) for line in lines]


def test_all_jobs_waited_at_most_the_longest_wait(runs: list[RunResults], drawn: Drawn) -> None:
    figure = drawn(lambda: distributions.draw_waits(runs, COLUMN))

    assert ends(figure) == [(run.summary["wait_p100"], 100) for run in runs]


def test_all_jobs_earned_at_most_the_largest_share(runs: list[RunResults], drawn: Drawn) -> None:
    figure = drawn(lambda: distributions.draw_shares(runs, COLUMN))

    largest = [
        100 * np.nanmax(metrics.start_value_share(run.workload, run.schedule)) for run in runs
    ]
    assert ends(figure) == [(share, 100) for share in largest]


def test_lines_differ_in_more_than_colour(runs: list[RunResults], drawn: Drawn) -> None:
    figure = drawn(lambda: distributions.draw_waits(runs, COLUMN))

    first, second = figure.axes[0].lines
    assert first.get_color() != second.get_color()
    assert first.get_linestyle() == "-"
    assert second.is_dashed()


def test_the_legend_has_the_indices_of_the_summary(runs: list[RunResults], drawn: Drawn) -> None:
    figure = drawn(lambda: distributions.draw_fairness(runs, COLUMN))

    legend = figure.axes[1].get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [
        f"{run.label}\nGini {run.summary['gini_user_bounded_slowdown']:.2f}, "
        f"Jain {run.summary['jain_user_bounded_slowdown']:.2f}"
        for run in runs
    ]


def test_where_no_job_has_a_start_value_there_is_no_panel_of_it(drawn: Drawn) -> None:
    jobs = plain_workload()
    nothing = UtilityTable.from_functions([UtilityFunction([0, 9], [0, 0])] * len(jobs))

    figure = drawn(
        lambda: distributions.draw_fairness([run_of("easy", jobs.replace(utility=nothing))], COLUMN)
    )
    assert len(figure.axes) == 2


def test_one_user_is_not_compared_with_anybody() -> None:
    jobs = market()

    with pytest.raises(InputError, match="fewer than two users"):
        distributions.draw_fairness([run_of("easy", jobs.replace(user=np.ones(len(jobs))))], COLUMN)


def test_bars_add_up_to_the_bill_others_included(drawn: Drawn) -> None:
    jobs = market()
    run = run_of("easy", jobs.replace(user=np.arange(JOBS) % 12))

    figure = drawn(lambda: draw_charges(run, COLUMN))
    for axes in figure.axes:
        bars = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
        total = sum(bar.get_width() for bar in bars)
        assert total == pytest.approx(run.summary["aggregate_utility"])
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert len(names) == 9
    assert names[-1] == "4 others"


def test_a_run_without_a_bill_says_how_to_make_one() -> None:
    with pytest.raises(InputError, match="runs/easy: holds no bill; make one with"):
        draw_charges(run_of("easy", paid=False), COLUMN)


def test_a_bill_that_nobody_pays_is_told() -> None:
    run = run_of("easy")._replace(bill=Bill("first-price:reading=end", np.full(JOBS, np.nan)))

    with pytest.raises(InputError, match="no job is charged"):
        draw_charges(run, COLUMN)
