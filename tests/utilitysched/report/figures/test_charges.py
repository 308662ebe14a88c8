"""Charges."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.patches import Rectangle

from swfx import InputError
from tests.utilitysched.report.figures.conftest import Drawn, market, run_of
from tests.utilitysched.small import JOBS
from utilitysched.analysis.series import Bill
from utilitysched.report.figures.canvas import COLUMN
from utilitysched.report.figures.distributions import draw_charges


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
