from __future__ import annotations

import math

import numpy as np
import pytest

from swfx import Workload
from swfx.utility import UtilityFunction
from swfx.utility_table import UtilityTable
from tests.utilitysched.analysis.description.sections import jobs, panels
from utilitysched.analysis.description.disclosed import DisclosedRunTimes


def part(run: list[float], request: list[float], ends: list[float]) -> Workload:
    curves = [UtilityFunction([0, end], [1, 0]) for end in ends]
    made = jobs(run=run, requested_time=request)
    return made.replace(utility=UtilityTable.from_functions(curves))


def told(*parts: Workload) -> dict[str, dict[str, float]]:
    return {row["known"]: row for row in panels(DisclosedRunTimes(), *parts)["disclosed_run_times"]}


def test_the_mean_of_the_others_predicts_a_job() -> None:
    e = math.e
    rows = told(part([1, e**2, 10, 10 * e**2], [100, 100, 1000, 1000], [50, 51, 5000, 5100]))

    logs = np.array([0, 2, math.log(10), 2 + math.log(10)])
    alone = (logs - (logs.sum() - logs) / 3) ** 2  # from the mean of the three others
    assert rows["nothing"]["error_factor"] == pytest.approx(math.exp(math.sqrt(alone.mean())))
    assert rows["requested time"]["error_factor"] == pytest.approx(e**2)
    assert rows["requested time"]["r_squared"] == pytest.approx(1 - 4 / alone.mean())
    assert rows["nothing"]["r_squared"] == 0


def test_a_job_alone_in_its_class_is_predicted_from_all_others() -> None:
    rows = told(part([10, 10, 1000], [100, 100, 9000], [200, 200, 200]))

    assert rows["requested time"]["error_factor"] == pytest.approx(100 ** math.sqrt(1 / 3))


def test_deadlines_of_twice_the_run_time_give_it_away() -> None:
    run = [2.0 ** (n / 30) for n in range(600)]
    rows = told(part(run, [2e6] * 600, [2 * time for time in run]))

    assert rows["curve's end"]["share_close"] == 1
    assert rows["curve's end"]["multiple"] == pytest.approx(0.5, rel=1e-3)
    assert rows["curve's end"]["r_squared"] > 0.98
    assert rows["requested time"]["share_close"] == 9 / 600  # 1.1 to either side, in 30ths
    assert rows["requested time"]["r_squared"] == pytest.approx(0)


def test_the_division_into_parts_does_not_matter() -> None:
    run, ends = [3.0, 50, 400, 7, 7, 90], [9.0, 90, 900, 70, 10, 900]
    whole = part(run, [60.0, 60, 900, 60, 900, 900], ends)

    assert told(whole[:2], whole[2:]) == told(whole)


def test_jobs_without_curve_request_or_run_time_do_not_count() -> None:
    odd = part([0, 5], [60, 60], [9, 9])

    assert panels(DisclosedRunTimes(), odd, jobs(run=[1, 2])) == {}
