"""Charts of runs show the numbers of the series."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swfx import InputError, UtilityFunction, UtilityTable
from tests.scale import many
from tests.utilitysched.preempted import preempted_schedule, preempted_workload
from tests.utilitysched.report.charts.conftest import market, run_of
from tests.utilitysched.report.charts.drawn import texts
from tests.utilitysched.small import JOBS, plain_workload
from utilitysched import metrics
from utilitysched.analysis.series import Bill, StepFunction, rectangles
from utilitysched.report.charts import charges, distributions, gantt, over_time, search
from utilitysched.report.charts.picture import Columns
from utilitysched.report.charts.scales import TimeScale
from utilitysched.runs import RunResults

Runs = dict[str, RunResults]


@pytest.fixture
def named(runs: list[RunResults]) -> Runs:
    return {run.label: run for run in runs}


def of(columns: Columns, run: str, name: str) -> Any:
    """A column of one run."""
    return np.asarray(columns[name])[np.asarray(columns["run"]) == run]


def test_utilisation_adds_up_to_the_processors_held(named: Runs) -> None:
    columns = over_time.TRENDS["utilisation"].columns(named, TimeScale.of(named.values()))

    for label, run in named.items():
        time, value = of(columns, label, "time"), of(columns, label, "value")
        held = np.sum(run.workload.size * run.schedule.running_time) / run.schedule.machine_size
        assert np.sum(np.diff(time) * value[:-1]) / 1e5 == pytest.approx(held)


@settings(max_examples=many(50))
@given(st.integers(0, 1000), st.integers(1, 20), st.integers(over_time.STRETCHES + 1, 1000))
def test_a_band_spans_the_values_within_its_stretch(seed: int, busy: int, changes: int) -> None:
    draw = np.random.default_rng(seed)
    times = np.unique(10_000 * draw.random(changes) ** busy)  # the larger, the longer idle
    steps = StepFunction(times, draw.integers(0, 9, len(times)).astype(np.float64))
    scale = TimeScale(0.0, 10_000.0, 0.0, 1.0, False, "time (s)")

    drawn = over_time._stretches(steps, scale)

    edges = np.linspace(0, 10_000, over_time.STRETCHES + 1)
    for place, (begin, end) in enumerate(pairwise(edges)):
        held = [float(steps.at([begin])[0])]
        held += steps.value[(steps.time > begin) & (steps.time < end)].tolist()
        assert (drawn["low"][place], drawn["high"][place]) == (min(held), max(held))


def test_utility_ends_at_the_aggregate_utility_below_its_bounds(named: Runs) -> None:
    columns = over_time.utility_columns(named, TimeScale.of(named.values()))

    ends = {run: of(columns, run, "value")[-1] for run in set(columns["run"])}  # type: ignore[arg-type]
    for label, run in named.items():
        assert ends[label] == pytest.approx(run.summary["aggregate_utility"])
        assert ends[label] <= ends[over_time.UNDELAYED] <= ends[over_time.OFFERED]


@pytest.mark.parametrize("figure", over_time.WEEKLY.values(), ids=lambda figure: figure.key)
def test_weeks_of_which_nothing_is_covered_are_left_out(
    figure: over_time.Weekly, named: Runs
) -> None:
    """Submissions end on day 20.6; the jobs run on for weeks."""
    columns = figure.columns(named, TimeScale.of(named.values()))

    for label, run in named.items():
        last = run.schedule.end if figure.field == "utilisation" else run.workload.submit
        days = float(last.max()) / 86_400
        covered = of(columns, label, "covered")
        assert len(covered) == np.ceil(days / 7)
        assert covered[:-1].tolist() == [7.0] * (len(covered) - 1)
        assert covered[-1] == pytest.approx(days % 7)


def test_a_week_in_part_has_the_utilisation_of_that_part(named: Runs) -> None:
    columns = over_time.WEEKLY["weekly-utilisation"].columns(named, TimeScale.of(named.values()))

    for label, run in named.items():
        used = np.sum(of(columns, label, "value") * of(columns, label, "covered"))
        held = np.sum(run.workload.size * run.schedule.running_time) / run.schedule.machine_size
        assert used == pytest.approx(100 * held / 86_400)


def test_distributions_rise_to_the_longest_wait_and_the_largest_share(named: Runs) -> None:
    waits, shares = distributions.WAITS.columns(named), distributions.SHARES.columns(named)

    for label, run in named.items():
        assert of(waits, label, "value")[-1] == run.summary["wait_p100"]
        earned = 100 * np.nanmax(metrics.start_value_share(run.workload, run.schedule))
        assert of(shares, label, "value")[-1] == earned
        for columns in (waits, shares):
            assert (of(columns, label, "share")[0], of(columns, label, "share")[-1]) == (0, 100)


def test_fairness_has_the_indices_of_the_summary_and_one_legend(named: Runs) -> None:
    written = texts(distributions.fairness(named))

    indices = "; ".join(
        f"{label} {run.summary['gini_user_bounded_slowdown']:.2f}, "
        f"{run.summary['jain_user_bounded_slowdown']:.2f}"
        for label, run in named.items()
    )
    assert f"Gini, Jain: {indices}" in written
    assert written.count("easy") == 1


def test_where_no_job_has_a_start_value_there_is_no_utility() -> None:
    jobs = plain_workload()
    nothing = UtilityTable.from_functions([UtilityFunction([0, 9], [0, 0])] * len(jobs))
    run = run_of("easy", jobs.replace(utility=nothing))

    with pytest.raises(InputError, match="no job has a utility function"):
        over_time.utility_columns({"easy": run}, TimeScale.of([run]))


def test_one_user_is_not_compared_with_anybody() -> None:
    jobs = market()
    alone = {"easy": run_of("easy", jobs.replace(user=np.ones(len(jobs))))}

    for draw in (distributions.fairness, distributions.users_columns):
        with pytest.raises(InputError, match="fewer than two users"):
            draw(alone)


def test_charges_add_up_to_the_bill_others_included() -> None:
    jobs = market()
    run = run_of("easy", jobs.replace(user=np.arange(JOBS) % 12))

    columns = charges.charges_columns({"easy": run})
    assert np.sum(columns["charge"]) == pytest.approx(run.summary["aggregate_utility"])  # type: ignore[arg-type]
    assert len(columns["payer"]) == 9  # type: ignore[arg-type]
    assert columns["payer"][-1] == "4 others"  # type: ignore[index]


@pytest.mark.parametrize(
    ("bill", "message"),
    [
        (None, "runs/easy: holds no bill; make one with"),
        (Bill("first-price:reading=end", np.full(JOBS, np.nan)), "no job is charged"),
    ],
)
def test_without_charges_there_is_no_chart(bill: Bill | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        charges.charges_columns({"easy": run_of("easy")._replace(bill=bill)})


def test_without_a_search_there_is_no_convergence(named: Runs) -> None:
    with pytest.raises(InputError, match="no run bred"):
        search.convergence_columns(named)


def test_of_many_rectangles_the_largest_are_drawn_over_an_image(
    named: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = named["easy"]
    scale = TimeScale.of([run])
    columns, rest = gantt.gantt_columns(run, scale)
    assert len(columns["low"]) == len(rectangles(run.workload, run.schedule).job)  # type: ignore[arg-type]
    assert rest == ""

    monkeypatch.setattr(gantt, "MOST", 20)
    columns, rest = gantt.gantt_columns(run, scale)
    assert len(columns["low"]) == 20  # type: ignore[arg-type]
    assert rest.startswith("data:image/png;base64,")
    assert gantt.gantt(columns, scale, 8, "easy", rest).on_page()["layer"][0]["mark"]["type"] == (
        "image"
    )


def test_a_stretch_that_was_stopped_has_a_colour_of_its_own(named: Runs) -> None:
    stopped = named["easy"]._replace(workload=preempted_workload(), schedule=preempted_schedule())
    scale = TimeScale.of([stopped])
    columns, _ = gantt.gantt_columns(stopped, scale)

    kinds = np.asarray(columns["kind"])
    assert np.asarray(columns["high"])[kinds == "stopped"].tolist() == [4]  # job 11, from 0 to 50
    assert "stopped" in texts(gantt.gantt(columns, scale, 4))


def test_jobs_that_took_no_time_make_no_chart() -> None:
    jobs = market()
    run = run_of("easy", jobs.replace(run=np.zeros(len(jobs))))

    with pytest.raises(InputError, match="no job took any time"):
        gantt.gantt_columns(run, TimeScale.of([run]))
