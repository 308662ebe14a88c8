"""Users."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import InputError, UtilityFunction, UtilityTable
from tests.utilitysched.report.figures.conftest import Drawn, market, run_of
from tests.utilitysched.small import plain_workload
from utilitysched.report.figures import distributions
from utilitysched.report.figures.canvas import COLUMN
from utilitysched.runs import RunResults


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
