"""Bills of runs whose jobs shared nodes."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pricing import Charges, ConfiguredMechanism, Outcome, Prices, Waste, charge
from pricing.checks import check_charges
from swfx import Workload, read, write
from swfx.base.csv_columns import read_columns
from tests.utilitysched.cli.conftest import Command
from tests.utilitysched.schedulers.coscheduling.test_kills import random_load
from utilitysched import metrics, simulate
from utilitysched.runs.stored import read_results, read_run
from utilitysched.runs.target import SCHEDULE_FILE, WORKLOAD_FILE, file_digest


def test_nobody_pays_for_what_a_neighbour_slows_it_by(command: Command, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    scheduler = "coscheduled:policy=sjf-co,completion=1"
    load = "model:applications,jobs=60,seed=2"
    simulated = command("simulate", load, "--scheduler", scheduler, "--out", runs)
    assert simulated.code == 0
    assert f"{scheduler}: jobs that neighbours slow may finish; 140 of 561 pairs are synthetic" in (
        simulated.err
    )
    (folder,) = (path for path in runs.iterdir() if path.is_dir())

    assert command("bill", folder, "--mechanism", "single-price").code == 0

    run = read_run(folder)
    lasted, alone = run.end - run.start, run.workload.run
    lines = read_columns(str(folder / "charges.csv")).cells
    charged = np.array(lines["processor_hours"], np.float64) * 3600 / run.workload.size
    np.testing.assert_allclose(charged, np.minimum(lasted, alone), rtol=1e-6)
    assert (lasted > alone * 1.01).any()
    assert (lasted < alone * 0.99).any()
    checks = json.loads((folder / "statements.json").read_text("utf-8"))["checks"]
    assert {check["name"] for check in checks if check["holds"]} >= {"interference", "evidence"}
    assert all(check["holds"] for check in checks if check["asserted"])
    assert command("explain-charge", folder, run.workload.job_id[0]).code == 0


def test_a_refused_load_leaves_nothing_behind(command: Command, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    load = ("simulate", "model:applications,jobs=9", "--out", runs, "--scheduler")

    assert command(*load, "coscheduled:table=unknown.tsv").code == 2
    assert list(runs.iterdir()) == []
    # a schedule that was made before stays
    assert command(*load, "easy", "--scheduler", "coscheduled:cores=9").code == 2
    assert {path.name for path in runs.iterdir()} >= {"easy", WORKLOAD_FILE}


@dataclass(frozen=True)
class FromStartToEnd(ConfiguredMechanism):
    """A mechanism that charges for all the time that a job ran, at 1 SU per processor-hour."""

    name = "from-start-to-end"

    def price(self, outcome: Outcome) -> Prices:
        hours = outcome.workload.size * (outcome.end - outcome.start) / 3600
        return Prices(hours, np.ones(len(outcome)))


def test_the_check_finds_whoever_pays_for_interference() -> None:
    workload = Workload.from_columns(submit=[0, 0], run=[10, 10], processors=[1, 1])
    start, end = np.zeros(2), np.array([20.0, 8.0])

    fair = charge(workload, start, end, "single-price", shared=True)
    unfair = charge(workload, start, end, FromStartToEnd(), shared=True)

    found = [{check.name: check for check in check_charges(each)} for each in (fair, unfair)]
    assert fair.charge.tolist() == pytest.approx([10 / 3600, 8 / 3600])
    assert [each["interference"].holds for each in found] == [True, False]
    assert "1 are charged for longer than they take alone" in found[1]["interference"].detail


def test_lost_work_is_priced_apart_from_what_neighbours_slowed() -> None:
    """60 s of 100 s of work were done in 120 s, 30 s of them lost; in 140 s the rest."""
    workload = Workload.from_columns(submit=[0], run=[100], processors=[36])
    stop = Waste(*(np.array([each]) for each in (0, -1, False, 150.0, 30.0, 0.0)))

    charges = [
        charge(
            workload,
            [0],
            [300],
            f"single-price:lost={payer}",
            used=[290],
            waste=stop,
            shared=True,
        )
        for payer in ("centre", "stopped")
    ]

    # useful are 290 s - 30 s, alone 100 s
    assert [each.total for each in charges] == pytest.approx([1.0, 1.3])
    for each in charges:
        checks = {check.name: check for check in check_charges(each)}
        assert checks["interference"].holds
        assert checks["evidence"].holds
        assert "not charged for 1.60 processor-hours" in checks["interference"].detail


def test_a_killed_job_pays_for_no_failure_either_and_has_failed() -> None:
    workload = Workload.from_columns(
        submit=[0, 0], run=[100, 100], requested_time=[150, 150], processors=[36, 36], status=[1, 1]
    )
    stops = Waste(*(np.array([each] * 2) for each in (0, -1, False, 50.0, 50.0, 0.0)))
    stops = replace(stops, job=np.arange(2))

    def charged(**terms: Any) -> Charges:
        terms |= {"used": [200, 150], "waste": stops, "cut_short": [True, False]}
        how = "single-price:lost=stopped"
        return charge(workload, [0, 0], [200, 150], how, shared=True, **terms)

    assert charged().charge.tolist() == pytest.approx([0, 1.5])
    assert charged().workload.status.tolist() == [0, 1]
    assert charged(exclude_statuses=[0]).workload.status.tolist() == [1]


def test_what_failures_lost_is_not_said_to_be_neighbours_doing(
    command: Command, tmp_path: Path
) -> None:
    load = "model:applications,jobs=40,seed=2,arrivals=poisson,gap=20"
    failing = ("--failures", "nodes=420,per=20,mtbf=1d,repair=1h", "--utilities", "none")
    scheduler = "coscheduled:policy=easy"  # compact: nobody has a neighbour
    assert command("simulate", load, "-s", scheduler, *failing, "--out", tmp_path).code == 0
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    lines = read_columns(str(folder / "jobs.csv")).cells
    stopped = np.flatnonzero(np.array(lines["failures"], np.int64))
    assert len(stopped)
    assert command("bill", folder, "--mechanism", "single-price").code == 0

    explained = command("explain-charge", folder, lines["job_id"][stopped[0]])

    assert explained.code == 0
    assert "stopped by failures" in explained.out
    assert "neighbours" not in explained.out


@pytest.fixture
def killed(command: Command, tmp_path: Path) -> Path:
    """The run of a load of which neighbours make some jobs run into their limits."""
    load, _, scheduler = random_load(1, tmp_path)
    write(load.replace(user=np.arange(len(load)) % 7), tmp_path / "load.swfx")
    simulated = command(
        *("simulate", tmp_path / "load.swfx", "--scheduler", scheduler, "--scheduler", "easy"),
        *("--utilities", "default", "--out", tmp_path / "runs", "--swf"),
    )
    assert simulated.code == 0
    (folder,) = (tmp_path / "runs").glob("coscheduled*")
    count = int(read_results(folder).schedule.cut_short(load).sum())
    assert count > 1
    assert f"killed at their requested times: {count} of {len(load)} jobs" in simulated.err
    assert "killed (%)" in simulated.out
    assert re.search(rf" {count} +{100 * count / len(load):.1f}\n", simulated.out)
    return folder


def test_a_stored_run_says_who_was_killed(killed: Path) -> None:
    results = read_results(killed)
    workload, schedule = results.workload, results.schedule
    figures = metrics.summary(workload, schedule)
    table = schedule.to_frame(workload)
    count = int(table.killed.sum())

    again = simulate(workload, results.label)

    assert schedule.killed is not None
    assert again.killed is not None
    assert (schedule.killed == again.killed).all()
    assert results.summary["jobs_cut_short"] == figures["jobs_cut_short"] == count
    assert results.summary["aggregate_utility"] == figures["aggregate_utility"]
    assert results.record["simulation"]["shared"]["killed"] == count
    # the schedule as a log: these jobs failed
    log = read(killed / SCHEDULE_FILE).workload
    assert (log.status[schedule.killed] == 0).all()
    assert (log.status[~schedule.killed] == workload.status[~schedule.killed]).all()


def test_the_report_counts_them(killed: Path, command: Command, tmp_path: Path) -> None:
    runs = tmp_path / "runs"

    assert command("report", runs, "--out", tmp_path / "page.html").code == 0
    assert command("report", runs / "easy", "--out", tmp_path / "easy.html").code == 0

    row = "jobs killed before their work was done"
    assert row in (tmp_path / "page.html").read_text("utf-8")
    assert row not in (tmp_path / "easy.html").read_text("utf-8")


@pytest.mark.parametrize(
    "mechanism", ["single-price", "multi-queue", "first-price", "first-price:reading=end"]
)
def test_a_bill_lets_killed_jobs_off(mechanism: str, killed: Path, command: Command) -> None:
    results = read_results(killed)
    victims = results.schedule.cut_short(results.workload)

    billed = command("bill", killed, "--mechanism", mechanism)

    assert billed.code == 0
    said = f"{victims.sum()} jobs, slowed by neighbours and killed before the work was done"
    assert said in billed.out.replace("\n", " ")
    lines = read_columns(str(killed / "charges.csv")).cells
    charges = np.array(lines["charge"], np.float64)
    assert (charges[victims] == 0).all()
    assert charges[~victims].sum() > 0
    assert (np.array(lines["utility"], np.float64)[victims] == 0).all()
    assert set(np.array(lines["status"])[victims]) == {"0"}
    reasons = np.array(lines["reason"])
    assert set(reasons[victims]) == {"not charged: killed before its work was done"}
    checks = json.loads((killed / "statements.json").read_text("utf-8"))["checks"]
    assert all(check["holds"] for check in checks if check["asserted"])
    explained = command("explain-charge", killed, results.workload.job_id[victims][0])
    assert explained.code == 0
    assert "killed before its work was done" in explained.out.replace("\n", " ")
    # the log says that all completed
    exempt = command("bill", killed, "--mechanism", mechanism, "--exclude-status", 0)
    assert f"{(~victims).sum()} jobs charged" in exempt.out
    assert "none is let off" not in exempt.err
    explained = command("explain-charge", killed, results.workload.job_id[victims][0])
    assert "jobs of status 0 are exempt" in explained.out


@pytest.mark.parametrize("mechanism", ["vcg", "vcg:method=replay", "first-price:reading=scheduler"])
def test_what_cannot_price_a_shared_run_says_so(
    mechanism: str, killed: Path, command: Command
) -> None:
    refused = command("bill", killed, "--mechanism", mechanism)

    assert refused.code == 2
    assert refused.err.startswith("error: ")
    assert refused.err.count("\n") == 1


def test_nobody_is_let_off_who_was_not_killed_at_its_limit(killed: Path, command: Command) -> None:
    lines = (killed / "jobs.csv").read_text("utf-8").splitlines()
    place = next(i for i, line in enumerate(lines) if i and line.endswith(",0"))
    lines[place] = lines[place][:-1] + "1"
    (killed / "jobs.csv").write_text("\n".join([*lines, ""]), "utf-8")
    record = json.loads((killed / "run.json").read_text("utf-8"))
    record["files"]["jobs.csv"] = file_digest(killed / "jobs.csv")
    (killed / "run.json").write_text(json.dumps(record), "utf-8")

    refused = command("bill", killed, "--mechanism", "single-price")

    assert refused.code == 2
    assert "was not killed at its limit" in refused.err
