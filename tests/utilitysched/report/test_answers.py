"""Charts that answer the question of their page: of checkpoints, and of requested times."""

from __future__ import annotations

import numpy as np
import pytest

from checkpoint.advice import Costs, Stops, advise
from checkpoint.overhead import Overhead
from swfx import Workload
from utilitysched.analysis.documents import ColumnChart, Description, LineChart
from utilitysched.analysis.estimates import study
from utilitysched.report.advice import OneJob, advice_description, groups_of, job_description
from utilitysched.report.estimates import estimates_description

DAY = 86_400.0


def line_chart(description: Description) -> LineChart:
    [chart] = [panel for panel in description.panels if isinstance(panel, LineChart)]
    return chart


def test_the_best_interval_of_a_job_is_marked_on_the_line() -> None:
    job = OneJob(DAY, 60.0, 60.0, DAY)

    chart = line_chart(job_description(job))
    [best] = chart.points
    line = dict(zip(chart.at, chart.lines[0].values, strict=True))
    assert line[best.at] == best.value == min(line.values())
    assert best.name == "53 min: 3.8%"
    assert best.value == pytest.approx(100 * (job.time(best.at * 3600) / DAY - 1))
    assert [level.name for level in chart.levels] == []  # 71.9% without is beyond the chart


def test_where_none_are_best_none_is_marked() -> None:
    chart = line_chart(job_description(OneJob(3600.0, 600.0, 600.0, 1e8)))

    assert chart.points == []
    assert chart.at[0] < 1 < chart.at[-1]


def test_a_workload_has_the_best_common_interval_between_its_levels() -> None:
    jobs = Workload.from_columns(
        run=[DAY, 2 * DAY], processors=[4, 64], checkpoint_interval=[300, 300], user=[1, 2]
    )
    stops = Stops(mtbf=16 * DAY)
    advice = advise(jobs, stops.between(jobs.size), Costs(Overhead(60)))

    chart = line_chart(advice_description(advice, groups_of(jobs), stops))
    [best] = chart.points
    stated, least = (level.value for level in chart.levels)
    assert least < best.value < stated
    assert best.value == min(chart.lines[0].values)


@pytest.mark.parametrize("answers", [None, [60.0, 50.0, -1.0]])
def test_requests_have_a_chart_and_soft_estimates_where_there_are_any(
    answers: list[float] | None,
) -> None:
    jobs = Workload.from_columns(run=[25, 50, 130], requested_time=[100, 100, 100])
    if answers:
        jobs = jobs.replace(soft_estimate=np.array(answers))

    description = estimates_description(study(jobs, 0.0), jobs, "log")
    charts = [panel for panel in description.panels if isinstance(panel, ColumnChart)]
    assert [chart.title for chart in charts] == [
        "Run time, in % of the requested time",
        "Run time, in % of the soft estimate",
    ][: len(charts)]
    assert len(charts) == (2 if answers else 1)
    third = pytest.approx(100 / 3)
    filled = [
        {name: share for name, share in zip(chart.labels, chart.values, strict=True) if share}
        for chart in charts
    ]
    assert filled[0] == {"30": third, "60": third, "100": third}
    assert answers is None or filled[1] == {"50": 50, "100": 50}
