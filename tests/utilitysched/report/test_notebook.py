"""What notebooks show and draw of workloads, schedules, charges, quotes and experiments."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import altair as alt
import pytest

import pricing
from pricing import Charges
from swfx import InputError, UtilityFunction, Workload
from swfx.families.generators import attach_utilities
from tests.utilitysched.experiments.small import SMALL, small_file
from tests.utilitysched.small import plain_workload
from utilitysched import metrics, simulate
from utilitysched.experiments.experiment_file import read_experiment
from utilitysched.experiments.work import complete, open_work, result_of
from utilitysched.market.quote import Quote, QuotedJob, QuoteTerms, quote
from utilitysched.model.schedule import Schedule
from utilitysched.report.notebook import OF_SCHEDULES, PNG, VEGA_LITE
from utilitysched.runs.snapshot import Snapshot
from utilitysched.workers.local import SerialExecutor


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    with alt.renderers.enable("default"), alt.theme.enable("default"):
        yield


@pytest.fixture(scope="module")
def workload() -> Workload:
    return attach_utilities(plain_workload(), seed=3)


@pytest.fixture(scope="module")
def schedule(workload: Workload) -> Schedule:
    return simulate(workload, "easy")


@pytest.fixture(scope="module")
def charges(workload: Workload, schedule: Schedule) -> Charges:
    return pricing.charge(workload, schedule.start, schedule.end, "multi-queue")


@pytest.fixture(scope="module")
def offers() -> Quote:
    curve = UtilityFunction([0, 3600], [36, 0])
    terms = QuoteTerms("easy", ("single-price", "first-price"))
    return quote(Snapshot(0.0, 4), QuotedJob(4, 1800.0, curves={"": curve}), terms)


def rows(chart: alt.TopLevelMixin) -> list[dict[str, Any]]:
    """All rows of a chart."""
    drawn = chart.to_dict()
    inline = [part.get("data", {}).get("values", []) for part in (drawn, *drawn.get("layer", []))]
    return [row for part in (*inline, *drawn.get("datasets", {}).values()) for row in part]


def test_objects_show_themselves(
    workload: Workload, schedule: Schedule, charges: Charges, offers: Quote, tmp_path: Path
) -> None:
    views = {
        "Workload": workload,
        "Schedule": schedule,
        "Charges": charges,
        "Utility function": workload.utility[0],
        "small": read_experiment(small_file(tmp_path)),
        "When": offers,
    }

    for title, thing in views.items():
        html = thing._repr_html_()
        assert f">{title}</h2>" in html
        assert "<script" not in html
    assert repr(schedule) == "<Schedule: 60 jobs by easy on 8 processors>"
    assert "<dt>users</dt><dd>5</dd>" in workload._repr_html_()
    assert "<dt>simulations</dt><dd>16</dd>" in views["small"]._repr_html_()


def test_a_plot_is_shown_without_network(workload: Workload) -> None:
    shown, metadata = workload.plot()._repr_mimebundle_()

    assert set(shown) == {VEGA_LITE, PNG, "text/plain"}
    assert shown[VEGA_LITE]["$schema"] == "https://vega.github.io/schema/vega-lite/v5.json"
    png = base64.b64decode(shown[PNG])
    assert int.from_bytes(png[16:20]) // 2 == metadata[PNG]["width"]
    assert shown["text/plain"].startswith("<Chart: What jobs ask for. ")


def test_plots_stand_beside_others_in_the_same_look(workload: Workload, tmp_path: Path) -> None:
    chart = workload.plot()
    (chart | workload.utility[0].plot()).save(tmp_path / "two.svg")

    text = (tmp_path / "two.svg").read_text("utf-8")
    assert "Liberation Sans" in text
    assert "var(--" not in text


def test_schedules_of_different_length_stand_beside_each_other(
    workload: Workload, schedule: Schedule
) -> None:
    other = simulate(workload, "fcfs")

    assert other.end.max() != schedule.end.max()
    assert (schedule.plot(workload, "queue") & other.plot(workload, "queue"))._repr_mimebundle_()


def test_a_renderer_that_was_chosen_is_kept(workload: Workload) -> None:
    with alt.renderers.enable("json"), alt.theme.enable("dark"):
        workload.plot()

        assert (alt.renderers.active, alt.theme.active) == ("json", "dark")


def test_marks_of_a_workload_stand_for_all_jobs(workload: Workload) -> None:
    assert sum(row["jobs"] for row in rows(workload.plot())) == 60


def test_a_utility_function_is_drawn_to_its_end() -> None:
    drawn = rows(UtilityFunction([0, 3600], [8, 4]).plot())

    assert [(row["time"], row["value"]) for row in drawn] == [(0, 8), (60, 4), (60, 0)]


@pytest.mark.parametrize("name", sorted({*OF_SCHEDULES} - {"weekly", "convergence"}))
def test_schedules_draw_what_papers_have(workload: Workload, schedule: Schedule, name: str) -> None:
    other = simulate(workload, "saf")

    assert schedule.plot(workload, name, beside=[other])._repr_mimebundle_()


def test_schedules_of_one_scheduler_are_told_apart(workload: Workload, schedule: Schedule) -> None:
    drawn = rows(schedule.plot(workload, "waits", beside=[schedule]))

    assert len({row["run"] for row in drawn}) == 2


def test_the_last_utility_is_that_of_all_jobs(workload: Workload, schedule: Schedule) -> None:
    drawn = rows(schedule.plot(workload, "utility"))

    last = [row["value"] for row in drawn if row["run"] == "easy"][-1]
    assert last == pytest.approx(metrics.aggregate_utility(workload, schedule))


def test_payers_are_drawn_the_largest_first(charges: Charges) -> None:
    drawn = [row["charge"] for row in rows(charges.plot())]

    assert len(drawn) == 5
    assert drawn == sorted(drawn, reverse=True)
    assert sum(drawn) == pytest.approx(charges.charge.sum())


def test_charges_are_drawn_beside_others(
    workload: Workload, schedule: Schedule, charges: Charges
) -> None:
    flat = pricing.charge(workload, schedule.start, schedule.end, "single-price")

    drawn = rows(charges.plot(beside=[flat]))
    by_flat = [row["charge"] for row in drawn if row["run"] == "single-price"]
    assert sum(by_flat) == pytest.approx(flat.charge.sum())


def test_a_quote_draws_worth_and_charges(offers: Quote) -> None:
    drawn = {row["name"]: row["value"] for row in rows(offers.plot()) if "name" in row}

    assert drawn == {"worth": 18, "single-price": 2, "first-price": 18}


def test_what_cannot_be_drawn_is_refused(
    workload: Workload, schedule: Schedule, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="no chart is named 'wait'; did you mean 'waits'"):
        schedule.plot(workload, "wait")
    with pytest.raises(InputError, match="run it: utilitysched experiment run"):
        read_experiment(small_file(tmp_path)).plot(tmp_path / "no.store", "wait_mean")


def test_an_experiment_draws_its_intervals(tmp_path: Path) -> None:
    text = SMALL.replace(', "ga:population=4,generations=2"', "").replace("[1, 2]", "[1, 2, 3]")
    text = text.replace("jobs=40", "jobs=120").replace('["0:20", "20:40"]', '"0:120"')
    file = small_file(tmp_path, text)
    work = open_work(file, None, print)
    complete(work, SerialExecutor())
    other = result_of(work).places[0].metrics[0].by_scheduler["fcfs"]

    [drawn] = rows(read_experiment(file).plot(tmp_path / "small.store"))

    assert drawn["value"] == other.ratio
    assert (drawn["low"], drawn["high"]) == other.interval
