"""What lies bring, drawn."""

from __future__ import annotations

import numpy as np

from tests.utilitysched.report.figures.conftest import Drawn
from utilitysched.market.audit import MEASURES, MeasureRow
from utilitysched.report.figures import audit
from utilitysched.report.figures.style import PAGE


def rows(scale: float) -> list[MeasureRow]:
    return [
        MeasureRow(mechanism, measure, part, 9, scale, -scale, None if few else scale, 0.1, 0.5)
        for mechanism, few in (("single-price", False), ("vcg", True))
        for measure in MEASURES
        for part in ("all", "low")
    ]


def test_a_mark_for_each_measure_and_an_interval_where_there_is_one(drawn: Drawn) -> None:
    figure = drawn(lambda: audit.draw(rows(3.0), PAGE, "ga"))

    (axes,) = figure.axes
    marks = [line for line in axes.lines if line.get_label() in MEASURES]
    intervals = [line for line in axes.lines if np.array_equal(line.get_xdata(), [-3.0, 3.0])]
    assert len(marks) == len(MEASURES)
    assert all(np.array_equal(line.get_xdata(), [3.0, 3.0]) for line in marks)
    assert len(intervals) == len(MEASURES)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["single-price", "vcg"]
    assert axes.get_xscale() == "linear"
    assert axes.get_title(loc="left") == "ga"


def test_orders_of_magnitude_need_another_scale(drawn: Drawn) -> None:
    figure = drawn(lambda: audit.draw(rows(300.0), PAGE))

    assert figure.axes[0].get_xscale() == "symlog"
