"""What notebooks show of workloads, schedules, charges, quotes and experiments."""

from __future__ import annotations

from pathlib import Path

import pytest
from bokeh.models import ColumnDataSource

import pricing
from pricing import Charges
from swfx import InputError, UtilityFunction
from tests.utilitysched.experiments.small import SMALL, small_file
from utilitysched.experiments.experiment_file import read_experiment
from utilitysched.experiments.work import complete, open_work, result_of
from utilitysched.market.quote import QuotedJob, QuoteTerms, quote
from utilitysched.report.html.notebook import Plot
from utilitysched.report.html.shown import Shown
from utilitysched.runs.snapshot import Snapshot
from utilitysched.workers.local import SerialExecutor


def columns(plot: Plot) -> dict[str, list[float]]:
    [source] = plot.figure.select(ColumnDataSource)
    return {name: list(column) for name, column in source.data.items()}


@pytest.fixture
def charges(shown: Shown) -> Charges:
    run = shown.runs[0]
    return pricing.charge(run.workload, run.schedule.start, run.schedule.end, "multi-queue")


def test_objects_say_in_a_line_what_they_are(
    shown: Shown, charges: Charges, tmp_path: Path
) -> None:
    assert repr(shown.runs[0].schedule) == "<Schedule: 60 jobs by easy on 8 processors>"
    assert repr(charges).startswith("<Charges: 60 jobs by multi-queue, ")
    assert repr(read_experiment(small_file(tmp_path))) == "<Experiment: small, 3 schedulers>"


def test_objects_show_themselves(shown: Shown, charges: Charges, tmp_path: Path) -> None:
    run = shown.runs[0]
    views = {
        "Workload": run.workload,
        "Schedule": run.schedule,
        "Charges": charges,
        "Utility function": run.workload.utility[0],
        "small": read_experiment(small_file(tmp_path)),
        "When": quote(
            Snapshot(0.0, 4),
            QuotedJob(4, 1800.0, curves={"": UtilityFunction([0, 3600], [36, 0])}),
            QuoteTerms("easy"),
        ),
    }

    for title, thing in views.items():
        html = thing._repr_html_()
        assert f">{title}</h2>" in html
        assert "<script" not in html
    assert "<dt>users</dt><dd>5</dd>" in run.workload._repr_html_()
    assert "<dt>simulations</dt><dd>16</dd>" in views["small"]._repr_html_()


def test_a_utility_function_is_drawn_to_its_end() -> None:
    drawn = columns(UtilityFunction([0, 3600], [8, 4]).plot())

    assert drawn == {"x": [0.0, 1.0, 1.0], "y": [8.0, 4.0, 0.0]}


def test_schedules_are_drawn_over_time(shown: Shown) -> None:
    run = shown.runs[0]

    utility = columns(run.schedule.plot(run.workload, "utility"))
    waits = columns(run.schedule.plot(run.workload, "waits"))

    assert utility["y"][-1] == pytest.approx(run.summary["aggregate_utility"])
    assert waits["y"][-1] == 100
    assert waits["x"][-1] == run.summary["wait_p100"]
    assert repr(run.schedule.plot(run.workload)).endswith("processors in use (%)>")


def test_matplotlib_draws_what_papers_have(shown: Shown) -> None:
    run = shown.runs[0]

    figure = run.schedule.plot(run.workload, "fairness", backend="matplotlib")

    assert len(figure.axes) == 3
    with pytest.raises(InputError, match="matplotlib draws schedules only"):
        run.workload.plot(backend="matplotlib")


def test_payers_are_drawn_the_largest_first(charges: Charges) -> None:
    drawn = columns(charges.plot())["charge"]

    assert len(drawn) == 5
    assert drawn == sorted(drawn, reverse=True)
    assert sum(drawn) == pytest.approx(charges.charge.sum())


def test_workloads_of_many_jobs_are_drawn_in_part(shown: Shown) -> None:
    assert columns(shown.workload.plot())["job"] == shown.workload.job_id.tolist()


def test_what_cannot_be_drawn_is_refused(shown: Shown, tmp_path: Path) -> None:
    run = shown.runs[0]

    with pytest.raises(InputError, match="no figure is named 'wait'; did you mean 'waits'"):
        run.schedule.plot(run.workload, "wait")
    with pytest.raises(InputError, match="run it: utilitysched experiment run"):
        read_experiment(small_file(tmp_path)).plot(tmp_path / "no.store", "wait_mean")


def test_an_experiment_draws_its_intervals(tmp_path: Path) -> None:
    text = SMALL.replace(', "ga:population=4,generations=2"', "").replace("[1, 2]", "[1]")
    text = text.replace('"0:20", "20:40"', ", ".join(f'"{i}:{i + 6}"' for i in range(0, 36, 6)))
    file = small_file(tmp_path, text)
    work = open_work(file, None, print)
    complete(work, SerialExecutor())
    experiment = read_experiment(file)
    fcfs = result_of(work).places[0].metrics[0].by_scheduler["fcfs"]

    drawn = experiment.plot(tmp_path / "small.store")

    whiskers, marks = (each.data_source.data for each in drawn.figure.renderers)
    assert list(marks["x"]) == [fcfs.ratio]
    assert (whiskers["x0"][0], whiskers["x1"][0]) == fcfs.interval
    assert drawn.figure.xaxis[0].axis_label == "aggregate utility: ratio to easy"
