"""Everything in a run directory, read back."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import pricing
import utilitysched
from swfx import InputError, Workload
from swfx.families.generators import attach_utilities
from tests.utilitysched.small import plain_workload
from utilitysched import metrics
from utilitysched.runs import Results, claim, read_results, run_directories, write_run


def market() -> Workload:
    return attach_utilities(plain_workload(), seed=3)


def stored(folder: Path, *schedulers: str, allocated: bool = True) -> list[Path]:
    """Write one run per scheduler below a folder."""
    jobs = market()
    target = claim(folder, jobs.digest(), schedulers)
    target.write_workload(jobs, {})
    for scheduler in schedulers:
        schedule = utilitysched.simulate(jobs, scheduler)
        held = utilitysched.allocations(jobs, schedule) if allocated else None
        record = {
            "workload": {"digest": jobs.digest(), "classes": {"1": 0}},
            "scheduler": scheduler,
            "simulation": dict(schedule.provenance),
        }
        figures = metrics.summary(jobs, schedule)
        results = Results(jobs, schedule, figures, record, {}, allocations=held)
        write_run(target.runs[scheduler], results)
    return list(target.runs.values())


def billed(directory: Path) -> pricing.Charges:
    run = read_results(directory)
    charges = pricing.charge(
        run.workload, run.schedule.start, run.schedule.end, "single-price:rate=0.5"
    )
    pricing.write_statements(directory, charges)
    return charges


def test_the_schedule_is_the_one_that_was_simulated(tmp_path: Path) -> None:
    (directory,) = stored(tmp_path, "easy")
    schedule = utilitysched.simulate(market(), "easy")

    run = read_results(directory)
    assert run.label == "easy"
    assert run.workload == market()
    for column in ("start", "end", "backfilled"):
        assert np.array_equal(getattr(run.schedule, column), getattr(schedule, column))
    assert metrics.summary(run.workload, run.schedule) == run.summary
    assert run.allocations == utilitysched.allocations(market(), schedule)
    assert run.classes == {1: 0}
    assert run.bill is None


def test_a_run_may_have_no_processor_numbers(tmp_path: Path) -> None:
    (directory,) = stored(tmp_path, "easy", allocated=False)

    assert read_results(directory).allocations is None


def test_the_bill_is_read_to_the_jobs_that_pay(tmp_path: Path) -> None:
    (directory,) = stored(tmp_path, "easy")
    charges = billed(directory)

    bill = read_results(directory).bill
    assert bill is not None
    assert bill.mechanism == charges.mechanism
    assert np.allclose(bill.charge, charges.charge)


def test_jobs_that_pay_nothing_have_no_charge(tmp_path: Path) -> None:
    (directory,) = stored(tmp_path, "easy")
    billed(directory)
    path = directory / "charges.csv"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([lines[0], *lines[2:-1]]))

    bill = read_results(directory).bill
    assert bill is not None
    assert np.flatnonzero(np.isnan(bill.charge)).tolist() == [0, len(market()) - 1]


def test_a_bill_of_another_schedule_is_refused(tmp_path: Path) -> None:
    easy, saf = stored(tmp_path, "easy", "saf")
    billed(easy)
    (saf / "charges.csv").write_bytes((easy / "charges.csv").read_bytes())

    with pytest.raises(InputError, match=r"charges\.csv: is of another schedule; bill again"):
        read_results(saf)


@pytest.mark.parametrize("text", ["job_id\n1\n", "job_id,start,mechanism,charge\n1,x,y,z\n"])
def test_a_damaged_bill_is_refused(text: str, tmp_path: Path) -> None:
    (directory,) = stored(tmp_path, "easy")
    (directory / "charges.csv").write_text(text)

    with pytest.raises(InputError, match=r"charges\.csv: is no bill of ours; bill again"):
        read_results(directory)


@pytest.mark.parametrize("amount", ["1E+19", "1E-400000000", "1E+400000000", "NaN", "1" * 5000])
def test_amounts_that_no_bill_has_are_refused(amount: str, tmp_path: Path) -> None:
    (directory,) = stored(tmp_path, "easy")
    billed(directory)
    path = directory / "charges.csv"
    head, first, *rest = path.read_text().splitlines()
    cells = first.split(",")
    cells[head.split(",").index("charge")] = amount
    path.write_text("\n".join([head, ",".join(cells), *rest, ""]))

    with pytest.raises(InputError, match=r"charges\.csv: is no bill of ours; bill again"):
        read_results(directory)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"scheduler": "easy"}'])
def test_a_damaged_summary_is_refused(text: str, tmp_path: Path) -> None:
    (directory,) = stored(tmp_path, "easy")
    (directory / "summary.json").write_text(text)

    with pytest.raises(InputError, match=r"summary\.json: is damaged; simulate again"):
        read_results(directory)


def test_a_missing_summary_is_told(tmp_path: Path) -> None:
    (directory,) = stored(tmp_path, "easy")
    (directory / "summary.json").unlink()

    with pytest.raises(InputError, match=r"summary\.json: is missing"):
        read_results(directory)


def test_a_results_directory_stands_for_its_runs(tmp_path: Path) -> None:
    easy, saf = stored(tmp_path, "easy", "saf")

    assert run_directories([tmp_path]) == [easy, saf]
    assert run_directories([saf, tmp_path]) == [saf, easy]
    assert run_directories([easy, easy / ".." / "easy"]) == [easy]


def test_a_directory_without_runs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no run; make one with: utilitysched simulate"):
        run_directories([tmp_path])


def test_the_summary_is_what_was_written(tmp_path: Path) -> None:
    (directory,) = stored(tmp_path, "easy")

    written = json.loads((directory / "summary.json").read_text())
    assert read_results(directory).summary == written
