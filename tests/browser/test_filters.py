"""Charts of reports show the jobs that are chosen: each against the definitions in Python."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page

import swfx
from tests.browser.conftest import Opened, settled
from tests.utilitysched.preempted import stored_preempted
from utilitysched import metrics
from utilitysched.analysis.series import Distribution, StepFunction, lorenz, spans, weeks
from utilitysched.cli.entry import run as run_command
from utilitysched.report.html import write_report
from utilitysched.report.html.comparison import METRICS
from utilitysched.runs import RunResults, read_results

JOBS, WEEK = 60, 604_800.0
COLUMN = """async ([name, column]) => {
  while (!document.documentElement.dataset.drawn) await new Promise(requestAnimationFrame);
  return Array.from(Bokeh.documents[0].get_model_by_name(name).get_column(column));
}"""
Mask = NDArray[np.bool_]


@pytest.fixture(scope="module")
def weekly_runs(tmp_path_factory: pytest.TempPathFactory) -> list[RunResults]:
    """Three weeks of jobs of four users, one unknown, in two queues, some measured; billed."""
    folder, draw = tmp_path_factory.mktemp("weekly"), np.random.default_rng(5)
    run = draw.integers(1, 90_000, JOBS)
    jobs = swfx.Workload.from_columns(
        submit=np.sort(draw.integers(0, 21 * 86_400, JOBS)),
        run=run,
        processors=draw.integers(1, 5, JOBS),
        requested_time=run + draw.integers(0, 5000, JOBS),
        user=draw.choice([-1, 3, 5, 8, 9], JOBS),
        queue=draw.integers(1, 3, JOBS),
        header=swfx.Header((" MaxProcs: 4",)),
    )
    swfx.write(jobs, folder / "log.swf")
    chosen = ["-s", "easy", "-s", "saf", "--trim", "0.05", "--utilities", "default"]
    command = [
        "simulate",
        str(folder / "log.swf"),
        *chosen,
        "--out",
        str(folder / "runs"),
        "--quiet",
    ]
    assert run_command(command) == 0
    assert run_command(["bill", str(folder / "runs" / "saf"), "--quiet"]) == 0
    return [read_results(folder / "runs" / name) for name in ("easy", "saf")]


def choose(page: Page, **chosen: str) -> None:
    for field, number in chosen.items():
        page.locator(f"#filters [name={field}]").select_option(number)


def drawn(page: Page, name: str, column: str = "y") -> list[float]:
    found: list[float] = page.evaluate(COLUMN, [f"drawn {name}", column])
    return found


def all_drawn(page: Page) -> Page:
    """Have every chart in view, and so of what is chosen now."""
    page.set_viewport_size({"width": 1280, "height": 9000})
    return settled(page)


def stairs(steps: StepFunction) -> list[float]:
    before = np.concatenate([[0.0], steps.value[:-1]])
    return [*np.stack([before, steps.value]).T.ravel().tolist(), float(steps.value[-1])]


def climbing(values: NDArray[np.float64]) -> list[float]:
    share = 100 * Distribution.of(values).share
    return np.stack([np.concatenate([[0.0], share[:-1]]), share]).T.ravel().tolist()


def mask_of(run: RunResults, **chosen: str) -> Mask:
    mask = np.ones(len(run.workload), np.bool_)
    for field, number in chosen.items():
        mask &= getattr(run.workload, field) == int(number)
    return mask


def by_user(run: RunResults, mask: Mask, values: NDArray[np.float64]) -> dict[int, list[float]]:
    found: dict[int, list[float]] = defaultdict(list)
    for user, value in zip(run.workload.user[mask].tolist(), values[mask].tolist(), strict=True):
        found[user].append(value)
    return dict(sorted(found.items()))


def expected(run: RunResults, mask: Mask) -> dict[str, list[float]]:
    """Return heights of lines and marks by chart, for the jobs under a mask."""
    jobs, schedule = run.workload, run.schedule
    job, start, end = spans(schedule)
    on = mask[job]
    held = np.concatenate([jobs.size[job[on]], -jobs.size[job[on]]]) / schedule.machine_size
    waiting = np.ones(np.count_nonzero(on))
    pieces = schedule.segments
    entered = schedule.submitted(jobs) if pieces is None else pieces.entered(jobs.submit)
    earned = metrics.realised_utility(jobs, schedule)
    slowdown = metrics.bounded_slowdown(jobs, schedule, run.tau)
    wait = schedule.wait(jobs)
    means = {
        user: np.mean(each) for user, each in by_user(run, mask, slowdown).items() if user >= 0
    }
    waits = {user: np.mean(each) for user, each in by_user(run, mask, wait).items() if user >= 0}
    return {
        "utilisation": stairs(
            StepFunction.from_changes(np.concatenate([start[on], end[on]]), 100 * held)
        ),
        "queue": stairs(
            StepFunction.from_changes(
                np.concatenate([entered[on], start[on]]), np.concatenate([waiting, -waiting])
            )
        ),
        "utility": stairs(StepFunction.from_changes(schedule.end[mask], earned[mask])),
        "waits": climbing(wait[mask]),
        "shares": climbing(metrics.start_value_share(jobs, schedule)[mask]),
        "fairness": (100 * lorenz(np.array(list(means.values()))).metric).tolist(),
        "users": [max(each, 10.0) for each in waits.values()],
    }


def same_everywhere(page: Page, runs: list[RunResults], **chosen: str) -> None:
    for place, run in enumerate(runs):
        mask = mask_of(run, **chosen)
        for key, heights in expected(run, mask).items():
            found = drawn(page, f"{key} {place}")
            # zero before the first instant: what is drawn at the left edge of the view
            assert found[-len(heights) :] == pytest.approx(heights, rel=1e-5, abs=1e-5), key
        count = np.count_nonzero(mask)
        said = page.locator("#chosen").inner_text()
        assert said.startswith(f"{count} of 60 jobs" if chosen else "All 60 jobs.")


def test_every_chart_is_of_the_chosen_jobs(
    opened: Opened, weekly_runs: list[RunResults], tmp_path: Path, screenshots: Path
) -> None:
    write_report(weekly_runs, tmp_path / "report.html")
    page = all_drawn(opened(tmp_path / "report.html"))
    _, saf = weekly_runs
    assert saf.bill is not None
    week = ((saf.workload.submit - saf.workload.submit.min()) // WEEK).astype(int)
    earned = metrics.realised_utility(saf.workload, saf.schedule)

    choices = ({}, {"queue": "1"}, {"user": "5", "queue": ""}, {"user": "3", "queue": "2"})
    for choice in choices:
        choose(page, **choice)
        chosen = {field: number for field, number in choice.items() if number}
        mask = mask_of(saf, **chosen)

        same_everywhere(page, weekly_runs, **chosen)
        paid = by_user(saf, mask, saf.bill.charge)
        totals = sorted((sum(each) for each in paid.values()), reverse=True)
        assert drawn(page, "charges 1", "x") == pytest.approx(totals, rel=1e-5)
        weekly = drawn(page, "weekly-utility 1")
        sums = np.bincount(week[mask], earned[mask], minlength=len(weekly)).tolist()
        assert weekly == pytest.approx(sums, rel=1e-5)
    page.screenshot(path=screenshots / "report-filtered.png", full_page=True)


def test_of_all_jobs_charts_show_what_the_summaries_say(
    opened: Opened, weekly_runs: list[RunResults], tmp_path: Path
) -> None:
    write_report(weekly_runs, tmp_path / "report.html")
    page = all_drawn(opened(tmp_path / "report.html"))
    _, saf = weekly_runs
    first, second = (run.summary for run in weekly_runs)
    metrics_shown = [name for name in METRICS if name in first]
    whole = weeks(saf.workload, saf.schedule, saf.tau)
    waits = [
        float(np.mean(run.schedule.wait(run.workload)[counted]))
        for run in weekly_runs
        for counted in [metrics.measured(run.workload, 0.05) & mask_of(run, queue="2")]
    ]

    ratios = dict(zip(metrics_shown, drawn(page, "comparison 1", "x"), strict=True))
    found = {key: drawn(page, f"weekly-{key} 1") for key in ("wait", "utilisation", "utility")}
    page.locator("#filters [name=queue]").focus()
    page.keyboard.press("2")
    chosen = dict(zip(metrics_shown, drawn(page, "comparison 1", "x"), strict=True))
    said = page.locator("#chosen").inner_text()
    ticks = page.evaluate("Bokeh.documents[0].get_model_by_name('ratio marks').ticks")
    page.get_by_role("button", name="All jobs").click()

    assert ratios == pytest.approx(
        {name: second[name] / first[name] for name in metrics_shown}, rel=1e-5
    )
    assert found["wait"] == pytest.approx((whole.wait / 3600).tolist(), nan_ok=True)
    assert found["utilisation"] == pytest.approx((100 * whole.utilisation).tolist())
    assert found["utility"] == pytest.approx(whole.utility.tolist(), rel=1e-5)
    assert chosen["wait_mean"] == pytest.approx(waits[1] / waits[0])
    assert min(ticks) < 1 < max(ticks)
    assert said.endswith("(queue 2): charts show these; sentences and tables are of all jobs.")
    assert page.locator("#chosen").inner_text() == "All 60 jobs."
    again = drawn(page, "comparison 1", "x")
    assert dict(zip(metrics_shown, again, strict=True)) == ratios


def test_stretches_of_stopped_jobs_count(opened: Opened, tmp_path: Path) -> None:
    run = read_results(stored_preempted(tmp_path))
    write_report([run], tmp_path / "report.html")
    page = all_drawn(opened(tmp_path / "report.html"))

    heights = expected(run, np.ones(len(run.workload), np.bool_))

    for key in ("utilisation", "queue"):
        assert drawn(page, f"{key} 0") == pytest.approx(heights[key]), key
