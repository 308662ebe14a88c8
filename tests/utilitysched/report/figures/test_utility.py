"""Aggregate utility over time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from swfx import InputError
from tests.utilitysched.report.figures.conftest import Drawn, run_of
from tests.utilitysched.small import plain_workload
from utilitysched.report.figures import distributions, over_time
from utilitysched.report.figures.canvas import COLUMN
from utilitysched.runs import RunResults


def test_lines_end_at_the_aggregate_utility(runs: list[RunResults], drawn: Drawn) -> None:
    figure = drawn(lambda: over_time.draw_utility(runs, COLUMN))

    last = {
        str(line.get_label()): np.asarray(line.get_ydata())[-1] for line in figure.axes[0].lines
    }
    for run in runs:
        assert last[run.label] == pytest.approx(run.summary["aggregate_utility"])
    assert last[over_time.OFFERED] == pytest.approx(runs[0].summary["start_value"])


@pytest.mark.parametrize("draw", [over_time.draw_utility, distributions.draw_shares])
def test_without_utility_functions_there_is_nothing_to_draw(draw: Callable[..., object]) -> None:
    run = run_of("easy", plain_workload())

    with pytest.raises(InputError, match="no job has a utility function with a start value"):
        draw([run], COLUMN)
