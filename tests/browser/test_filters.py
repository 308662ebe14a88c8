"""Charts, sentences and figures of the jobs that are chosen, against the definitions in Python."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page

import swfx
from swfx.base.numbers import percent, significant, span
from tests.browser.conftest import Opened, settled
from tests.utilitysched.preempted import stored_preempted
from utilitysched import metrics
from utilitysched.analysis.series import Distribution, StepFunction, lorenz, spans, weeks
from utilitysched.cli.entry import run as run_command
from utilitysched.report.html import write_report
from utilitysched.report.html.shown import Shown
from utilitysched.report.html.summary import figures_table
from utilitysched.runs import RunResults, read_results

JOBS, WEEK = 60, 604_800.0
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
    where = [str(folder / "log.swf"), "--out", str(folder / "runs"), "--quiet"]
    chosen = ["-s", "easy", "-s", "saf", "--trim", "0.05", "--utilities", "default"]
    assert run_command(["simulate", *where, *chosen]) == 0
    assert run_command(["bill", str(folder / "runs" / "saf"), "--quiet"]) == 0
    return [read_results(folder / "runs" / name) for name in ("easy", "saf")]


@pytest.fixture(scope="module")
def failing_run(tmp_path_factory: pytest.TempPathFactory) -> RunResults:
    """A run in which processors fail."""
    folder, draw = tmp_path_factory.mktemp("failing"), np.random.default_rng(6)
    run = draw.integers(600, 9000, JOBS)
    jobs = swfx.Workload.from_columns(
        submit=np.arange(JOBS) * 500, run=run, processors=draw.integers(1, 5, JOBS), user=run % 3,
        requested_time=3 * run, header=swfx.Header((" MaxProcs: 4",)),
    )  # fmt: skip
    swfx.write(jobs, folder / "log.swf")
    where = [str(folder / "log.swf"), "--out", str(folder / "runs"), "--quiet"]
    options = ["-s", "easy", "--failures", "nodes=4,mtbf=9h,repair=600", "--utilities", "none"]
    assert run_command(["simulate", *where, *options]) == 0
    return read_results(folder / "runs" / "easy")


def choose(page: Page, **chosen: str) -> None:
    for field, number in chosen.items():
        page.locator(f"#filters [name={field}]").select_option(number)
    settled(page)


def drawn(page: Page, key: str, run: str, column: str = "value") -> list[Any]:
    """Return a column of what a chart shows of a run."""
    rows = page.evaluate("key => report.rows(key)", key)
    return [row[column] for row in rows if row["run"] == run]


def mask_of(run: RunResults, **chosen: str) -> Mask:
    mask = np.ones(len(run.workload), np.bool_)
    for field, number in chosen.items():
        mask &= getattr(run.workload, field) == int(number)
    return mask


def by_user(run: RunResults, mask: Mask, values: NDArray[np.float64]) -> dict[int, list[float]]:
    found: dict[int, list[float]] = defaultdict(list)
    for user, value in zip(run.workload.user[mask].tolist(), values[mask].tolist(), strict=True):
        found[user].append(value)
    return {user: found[user] for user in sorted(found) if user >= 0}


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
    means = [np.mean(each) for each in by_user(run, mask, slowdown).values()]
    waits = by_user(run, mask, schedule.wait(jobs)).values()
    shares = metrics.start_value_share(jobs, schedule)[mask]

    def steps(times: list[NDArray[np.float64]], changes: NDArray[np.float64]) -> list[float]:
        return StepFunction.from_changes(np.concatenate(times), changes).value.tolist()

    def climbing(values: NDArray[np.float64]) -> list[float]:
        return (100 * Distribution.of(values).share).tolist()

    return {
        "utilisation": steps([start[on], end[on]], 100 * held),
        "queue": steps([entered[on], start[on]], np.concatenate([waiting, -waiting])),
        "utility": steps([schedule.end[mask]], earned[mask]),
        "waits": climbing(schedule.wait(jobs)[mask]),
        "shares": climbing(shares),
        "lorenz": (100 * lorenz(np.array(means)).metric).tolist(),
        "users": [float(np.mean(each)) for each in waits],
    }


COLUMNS = {"waits": "share", "shares": "share", "lorenz": "slowdowns", "users": "wait"}


def same_everywhere(page: Page, runs: list[RunResults], **chosen: str) -> None:
    for run in runs:
        for key, heights in expected(run, mask_of(run, **chosen)).items():
            column = COLUMNS.get(key, "value")
            found = drawn(page, key, run.label, column)
            # over time, what holds at the ends of the view stands there, too
            inner = found[:-1] if column == "value" else found
            assert inner[-len(heights) :] == pytest.approx(heights, rel=1e-5, abs=1e-5), key


def test_every_chart_is_of_the_chosen_jobs(
    opened: Opened, weekly_runs: list[RunResults], tmp_path: Path, screenshots: Path
) -> None:
    write_report(weekly_runs, tmp_path / "report.html")
    page = settled(opened(tmp_path / "report.html"))
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
        paid = [sum(each) for each in by_user(saf, mask, saf.bill.charge).values()]
        if "user" in chosen:
            assert drawn(page, "charges-user", "saf", "charge") == pytest.approx(paid, rel=1e-5)
        sums = np.bincount(week[mask], earned[mask])[np.unique(week[mask])].tolist()
        assert drawn(page, "weekly-utility", "saf") == pytest.approx(sums, rel=1e-5)
        said = page.locator("#chosen").inner_text()
        count = np.count_nonzero(mask)
        assert said.startswith(f"{count} of 60 jobs: " if chosen else "All 60 jobs.")
    page.screenshot(path=screenshots / "report-filtered.png", full_page=True)


def test_sentences_and_figures_follow_and_come_back(
    opened: Opened, weekly_runs: list[RunResults], tmp_path: Path
) -> None:
    write_report(weekly_runs, tmp_path / "report.html")
    page = settled(opened(tmp_path / "report.html"))
    before = [page.locator(part).inner_text() for part in ("#headline", "#figures")]
    _, saf = weekly_runs
    mask = mask_of(saf, queue="2")
    earned = [
        float(metrics.realised_utility(run.workload, run.schedule)[mask].sum())
        for run in weekly_runs
    ]
    counted = mask & metrics.measured(saf.workload, 0.05)
    waits = [run.schedule.wait(run.workload)[counted] for run in weekly_runs]

    choose(page, queue="2")

    line = page.locator("#headline li").inner_text()
    cells = page.locator("[data-metric=wait_mean] td").all_inner_texts()
    ratios = page.evaluate("report.rows('comparison')")
    more = earned[1] / earned[0] - 1
    assert line.startswith(f"saf earns {percent(abs(more))}% {'more' if more > 0 else 'less'} than")
    assert cells == [span(float(np.mean(each))) for each in waits]
    assert {row["metric"]: row["ratio"] for row in ratios}["mean wait"] == pytest.approx(
        np.mean(waits[1]) / np.mean(waits[0])
    )
    page.get_by_role("button", name="All jobs").click()
    settled(page)
    assert before == [page.locator(part).inner_text() for part in ("#headline", "#figures")]


def test_script_and_summaries_agree_to_the_last_digit(
    opened: Opened, weekly_runs: list[RunResults], failing_run: RunResults, tmp_path: Path
) -> None:
    preempted = read_results(stored_preempted(tmp_path))
    for runs in (weekly_runs, weekly_runs[1:], [failing_run], [preempted]):
        write_report(runs, tmp_path / "report.html")
        page = settled(opened(tmp_path / "report.html"))
        written = [row[1:] for row in figures_table(Shown.of(runs)).rows]

        rows = page.locator("#figures [data-metric]")
        shown = [row.locator("td").all_inner_texts() for row in rows.all()]
        computed = page.evaluate("report.figures(true)")

        assert len(written) > 15
        assert shown == written
        assert [[text for text, _ in cells] for cells in computed] == written


EASY = {
    "aggregate_utility": 1000.0,
    "aggregate_share": 0.4,
    "wait_mean": 3600.0,
    "wait_p50": 60.0,
    "wait_p100": 29 * 3600.0,
    "jobs_starved": 0,
}
DENSITY = EASY | {
    "aggregate_utility": 1106.0,
    "wait_mean": 7200.0,
    "wait_p100": 250 * 3600.0,
    "jobs_starved": 41,
}
RICH = EASY | {"aggregate_utility": 2500.0}
POOR = [each | {"aggregate_utility": 0} for each in (EASY, DENSITY)]
LABELS = ["easy", "value-density", "saf"]
HEADLINE = "([labels, all]) => words.headline(labels, all.map(one => name => one[name]))"
LONGEST = "longest wait 10 d 10 h instead of 29 h; 41 jobs starved."
SENTENCES = {
    "easy: earned 40.0% of what its jobs were worth when they were submitted; half of the jobs "
    "waited at most 1 min; the longest wait was 29 h; no job starved.": [EASY],
    f"value-density earns 10.6% more than easy; mean wait 2 h instead of 1 h; {LONGEST}": [
        EASY,
        DENSITY,
    ],
    "saf earns 2.5 times as much as easy; mean wait 1 h in both; longest wait 29 h in both.": [
        EASY,
        DENSITY,
        RICH,
    ],
    f"value-density beside easy: mean wait 2 h instead of 1 h; {LONGEST}": POOR,
}


def test_the_first_sentence_is_of_who_earns_most(
    opened: Opened, failing_run: RunResults, tmp_path: Path
) -> None:
    write_report([failing_run], tmp_path / "report.html")
    page = opened(tmp_path / "report.html")

    for sentence, summaries in SENTENCES.items():
        assert page.evaluate(HEADLINE, [LABELS, summaries])[0] == sentence


def test_weeks_and_tables_are_those_of_the_series(
    opened: Opened, weekly_runs: list[RunResults], tmp_path: Path
) -> None:
    write_report(weekly_runs, tmp_path / "report.html")
    page = settled(opened(tmp_path / "report.html"))
    _, saf = weekly_runs
    whole = weeks(saf.workload, saf.schedule, saf.tau)
    submitted = whole.jobs > 0
    last = float(saf.schedule.end.max())
    part = np.minimum(last - whole.start, WEEK) / WEEK
    users = by_user(saf, mask_of(saf), saf.schedule.wait(saf.workload))

    for key in ("users", "weekly-wait"):
        page.locator(f"#{key} summary").click()
    rows = [
        row.locator("th, td").all_inner_texts() for row in page.locator("#users tbody tr").all()
    ]
    waits = page.locator("#weekly-wait tbody tr td:last-child").all_inner_texts()

    assert drawn(page, "weekly-wait", "saf") == pytest.approx((whole.wait / 3600)[submitted])
    assert drawn(page, "weekly-utilisation", "saf") == pytest.approx(100 * whole.utilisation / part)
    assert waits == [significant(wait / 3600) for wait in whole.wait[submitted]]
    assert {int(user): (int(jobs), wait) for user, jobs, _, _, wait in rows} == {
        user: (len(each), span(float(np.mean(each)))) for user, each in users.items()
    }


def test_stretches_of_stopped_jobs_count(opened: Opened, tmp_path: Path) -> None:
    run = read_results(stored_preempted(tmp_path))
    write_report([run], tmp_path / "report.html")
    page = settled(opened(tmp_path / "report.html"))

    heights = expected(run, np.ones(len(run.workload), np.bool_))

    for key in ("utilisation", "queue"):
        found = drawn(page, key, run.label)[:-1]
        assert found[-len(heights[key]) :] == pytest.approx(heights[key]), key
