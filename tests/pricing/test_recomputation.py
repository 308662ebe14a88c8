"""A bill follows from its files: what was written of it gives every charge again."""

from __future__ import annotations

import csv
from pathlib import Path
from random import Random

import pytest

import pricing
from pricing import Charges
from pricing.files import write_statements
from pricing.recomputation import Recomputed, recompute
from swfx import InputError, Workload
from tests.pricing.jobs import END, START, KnownAnswers, three_charges, three_jobs
from tests.pricing.stopped import charged
from tests.pricing.stopped import random_run as random_stopped
from tests.queues import random_workload
from tests.scale import many
from tests.utilitysched.preempted import preempted_schedule, preempted_workload
from utilitysched import Schedule, simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.engine.segments_log import waste_of

MECHANISMS = (
    "first-price:reading=end",
    "single-price:rate=0.3",
    "multi-queue",
    "second-price",
    "vcg",
    "vcg:settle=end",
    "vcg:searches=3,duration=expected",
    "vcg:reservations=true",
    "vcg:method=replay,horizon=1h",
    "vcg:method=replay,seeds=3",
    "vcg:literal=true",
)


def run_of(seed: int, scheduler: str) -> tuple[Workload, Schedule]:
    """Return a random workload in which some job has a utility function, and its schedule."""
    rng = Random(seed)
    while True:
        jobs, processors = random_workload(rng)
        if jobs.has_utilities and len(jobs) > 5:
            jobs = jobs.replace(status=[number % 2 for number in range(len(jobs))])
            return jobs, simulate(jobs, scheduler, machine_size=processors, seed=seed)


SEARCHES = "ga:generations=2,population=4"


@pytest.mark.parametrize(
    ("mechanism", "scheduler"),
    [
        *((mechanism, "easy") for mechanism in MECHANISMS),
        *((mechanism, SEARCHES) for mechanism in MECHANISMS if "=3" in mechanism),
    ],
)
@pytest.mark.slow
def test_every_charge_follows_from_the_files(
    mechanism: str, scheduler: str, tmp_path: Path
) -> None:
    for seed in range(many(1)):
        jobs, schedule = run_of(seed, scheduler)
        for cap, excluded in ((False, ()), (True, (0,))):
            bill = pricing.charge(
                jobs,
                schedule.start,
                schedule.end,
                mechanism,
                cap=cap,
                exclude_statuses=excluded,
                counterfactual=Counterfactuals.of(jobs, schedule),
            )
            write_statements(tmp_path, bill)

            found = recompute(tmp_path, jobs, schedule.start, schedule.end)

            assert found.faults == ()
            assert found.charges.charge.tolist() == bill.charge.tolist()
            assert found.charges.reason == bill.reason


def written(folder: Path, mechanism: str) -> Charges:
    charges = three_charges(mechanism)
    write_statements(folder, charges)
    return charges


def again(folder: Path) -> Recomputed:
    return recompute(folder, three_jobs(), START, END)


def tampered(path: Path, line: int, column: str, text: str) -> None:
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    rows[line - 2][column] = text
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_a_forged_charge_is_found_out(mechanism: str, tmp_path: Path) -> None:
    charges = written(tmp_path, mechanism)
    tampered(tmp_path / "charges.csv", 2, "charge", "0.000001")

    [fault] = again(tmp_path).faults

    honest = three_charges(mechanism).charge[0]
    assert (fault.file, fault.line, fault.job_id, fault.field) == ("charges.csv", 2, "1", "charge")
    assert fault.written == "0.000001"
    assert float(fault.found) == pytest.approx(honest, abs=1e-6)
    assert charges.charge[0] == honest


@pytest.mark.parametrize(
    ("file", "column", "text", "fields"),
    [
        ("charges.csv", "utility", "9", {"utility"}),
        ("charges.csv", "reason", "charged", {"reason"}),
        ("charges.csv", "mechanism", "first-price:reading=end", {"mechanism"}),
        ("charges.csv", "user", "8", {"user"}),
        ("evidence.csv", "loss", "3", {"charge", "without_job"}),
        ("replays.csv", "difference", "4", {"without_job"}),
        ("replays.csv", "job_id", "4", {"job_id"}),
    ],
)
def test_what_does_not_follow_is_named(
    file: str, column: str, text: str, fields: set[str], tmp_path: Path
) -> None:
    written(tmp_path, "vcg:method=replay")
    tampered(tmp_path / file, 2, column, text)

    assert {fault.field for fault in again(tmp_path).faults} == fields


@pytest.mark.parametrize(
    ("column", "text", "fields"),
    [
        ("loss", "4", {"loss"}),
        ("planned", "4", {"loss", "charge", "without_job"}),
        ("had", "3", {"loss", "charge"}),
        ("had", "21", {"had"}),
        ("time", "1", {"time"}),
    ],
)
def test_what_of_a_planned_loss_is_charged_follows_from_the_evidence(
    column: str, text: str, fields: set[str], tmp_path: Path
) -> None:
    written(tmp_path, "vcg")
    tampered(tmp_path / "evidence.csv", 2, column, text)

    faults = again(tmp_path).faults

    assert {fault.field for fault in faults} == fields
    assert {fault.job_id for fault in faults} == {"1"}


def test_a_victim_that_ran_briefly_does_not_count_in_a_bill_made_again(tmp_path: Path) -> None:
    jobs = three_jobs().replace(requested_time=[7200, 1e6, 3600])
    charges = pricing.charge(jobs, START, END, "vcg", counterfactual=KnownAnswers())
    write_statements(tmp_path, charges)

    assert charges.charge.tolist() == [0, 0, 2.5]
    assert recompute(tmp_path, jobs, START, END).faults == ()
    tampered(tmp_path / "evidence.csv", 2, "loss", "5")
    assert {fault.field for fault in recompute(tmp_path, jobs, START, END).faults} == {"loss"}


def test_whose_bid_set_the_price_follows_from_the_workload(tmp_path: Path) -> None:
    written(tmp_path, "second-price")
    tampered(tmp_path / "bids.csv", 3, "bid", "99")

    [fault] = again(tmp_path).faults

    assert (fault.file, fault.line, fault.written) == ("bids.csv", 3, "99")


def test_a_fault_reads_as_a_line(tmp_path: Path) -> None:
    written(tmp_path, "first-price:reading=end")
    tampered(tmp_path / "charges.csv", 3, "charge", "9")

    assert [str(fault) for fault in again(tmp_path).faults] == [
        "charges.csv:3: job 2: field charge says 9, its evidence 5.000000"
    ]


def test_a_bill_can_be_held_against_the_scheduler_itself(tmp_path: Path) -> None:
    written(tmp_path, "vcg")
    tampered(tmp_path / "charges.csv", 2, "others", "2")

    assert again(tmp_path).faults == ()
    [fault] = recompute(tmp_path, three_jobs(), START, END, KnownAnswers()).faults
    assert (fault.field, fault.written, fault.found) == ("others", "2", "1")


@pytest.mark.parametrize(
    ("file", "edit", "message"),
    [
        ("charges.csv", lambda text: text[: text.rindex("\n3,") + 1], "2 lines where 3 jobs pay"),
        ("charges.csv", lambda text: text.replace("reason", "why"), "has other columns"),
        ("evidence.csv", lambda _: None, r"evidence\.csv: is missing: the bill has no evidence"),
        (
            "evidence.csv",
            lambda text: text.replace("\n1,1,2", "\n1,1,7"),
            r":2: field loser_row: is no row of jobs\.csv",
        ),
        (
            "evidence.csv",
            lambda text: text.replace("\n1,1,2,2", "\n1,1,2,9"),
            ":2: field loser_id: is not the number of the job in that row",
        ),
        ("evidence.csv", lambda text: text.replace(",4,", ",x,"), ":2: field loss: 'x' is not"),
        ("statements.json", lambda text: text.replace('"cap"', '"top"'), "who was let off"),
        ("statements.json", lambda _: None, r"statements\.json: cannot be read"),
        ("replays.csv", lambda text: text + text.splitlines()[1] + "\n", "has 4 rows for 3 jobs"),
    ],
)
def test_damaged_bills_are_refused(file: str, edit, message: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    written(tmp_path, "vcg:method=replay")
    text = edit((tmp_path / file).read_text("utf-8"))
    (tmp_path / file).unlink() if text is None else (tmp_path / file).write_text(text, "utf-8")

    with pytest.raises(InputError, match=message):
        again(tmp_path)


def test_evidence_can_be_held_against_the_scheduler(tmp_path: Path) -> None:
    written(tmp_path, "vcg")
    tampered(tmp_path / "evidence.csv", 2, "delay", "9")

    [fault] = recompute(tmp_path, three_jobs(), START, END, KnownAnswers()).faults

    assert str(fault) == "evidence.csv:2: job 1: field delay says 9, its evidence 1800"


STOPPED = (
    "first-price:reading=end,lost=preemptor",
    "single-price:displaced=centre",
    "second-price:lost=centre,displaced=no",
)


@pytest.mark.parametrize("mechanism", STOPPED)
@pytest.mark.slow
def test_charges_of_stopped_jobs_follow_from_the_files(mechanism: str, tmp_path: Path) -> None:
    for seed in range(many(6)):
        jobs, schedule = random_stopped(seed)
        for cap, excluded in ((False, ()), (True, (0,))):
            bill = charged(jobs, schedule, mechanism, cap=cap, exclude_statuses=excluded)
            write_statements(tmp_path, bill)

            assert stopped_again(tmp_path, jobs, schedule).faults == ()


def stopped_again(folder: Path, jobs: Workload, schedule: Schedule) -> Recomputed:
    return recompute(
        folder,
        jobs,
        schedule.start,
        schedule.end,
        used=schedule.running_time,
        waste=waste_of(schedule.segments),
    )


PREEMPTOR = "first-price:reading=end,lost=preemptor"


@pytest.mark.parametrize(
    ("value", "mechanism", "file", "line", "column", "text"),
    [
        (None, PREEMPTOR, "charges.csv", 2, "own_charge", "46"),
        (None, PREEMPTOR, "charges.csv", 2, "waste_charge", "1"),
        (None, PREEMPTOR, "charges.csv", 2, "preemptions", "0"),
        (None, PREEMPTOR, "waste.csv", 2, "paid", "0"),
        (None, PREEMPTOR, "waste.csv", 2, "borne", "0.01"),
        (None, PREEMPTOR, "waste.csv", 2, "payer_id", "13"),
        (None, PREEMPTOR, "waste.csv", 2, "cause_id", "13"),
        (None, PREEMPTOR, "waste.csv", 2, "lost", "2"),
        (12.5, "first-price:reading=end", "charges.csv", 2, "compensation", "0"),
        (12.5, "first-price:reading=end", "charges.csv", 3, "displacement_charge", "12"),
        (12.5, "first-price:reading=end", "waste.csv", 2, "value_lost", "50"),
        (12.5, "first-price:reading=end", "waste.csv", 2, "displacement_charge", "12"),
        (12.5, "first-price:reading=end", "waste.csv", 2, "receiver_id", ""),
        (12.5, "first-price:reading=end", "waste.csv", 2, "time", "49"),
        (200.0, "first-price:reading=end", "waste.csv", 2, "value_left", "200"),
        (200.0, "first-price:reading=end", "waste.csv", 2, "compensation", "150"),
    ],
)
def test_forged_parts_are_found_out(
    value: float | None,
    mechanism: str,
    file: str,
    line: int,
    column: str,
    text: str,
    tmp_path: Path,
) -> None:
    jobs, schedule = preempted_workload(), preempted_schedule(value)
    write_statements(tmp_path, charged(jobs, schedule, mechanism))
    tampered(tmp_path / file, line, column, text)

    [fault] = stopped_again(tmp_path, jobs, schedule).faults

    assert (fault.file, fault.line, fault.job_id) == (file, line, str(9 + line))
    assert (fault.field, fault.written) == (column, text)


def test_a_bill_that_says_nothing_of_stops_is_refused(tmp_path: Path) -> None:
    jobs, schedule = preempted_workload(), preempted_schedule()
    plain = pricing.charge(jobs, schedule.start, schedule.end, used=schedule.running_time)
    write_statements(tmp_path, plain)

    with pytest.raises(InputError, match="has other columns than bills of this version; bill aga"):
        stopped_again(tmp_path, jobs, schedule)


READ = ("first-price:reading=scheduler", "second-price:reading=scheduler")


@pytest.mark.parametrize("mechanism", READ)
def test_what_the_scheduler_read_is_in_the_evidence(mechanism: str, tmp_path: Path) -> None:
    charges = written(tmp_path, mechanism)

    assert again(tmp_path).faults == ()
    assert again(tmp_path).charges.charge.tolist() == charges.charge.tolist()
    tampered(tmp_path / "charges.csv", 2, "charge", "0.000001")
    assert [fault.field for fault in again(tmp_path).faults] == ["charge"]


def test_a_forged_duration_is_another_charge(tmp_path: Path) -> None:
    """Worth 10 SU less 5 an hour, it was taken to run for 1 or 2 min at either start."""
    charges = written(tmp_path, READ[0])
    tampered(tmp_path / "readings.csv", 2, "duration", "3600")

    found = again(tmp_path)

    assert charges.charge[0] == pytest.approx(10 - 5 * 90 / 3600)
    assert found.charges.charge[0] == pytest.approx(10 - 5 * 150 / 3600)  # its second start
    assert {fault.field for fault in found.faults} == {"charge", "duration", "reading"}


def test_a_duration_that_is_none_is_named_by_its_line(tmp_path: Path) -> None:
    written(tmp_path, READ[0])
    tampered(tmp_path / "readings.csv", 3, "duration", "60 soon")

    with pytest.raises(InputError, match=r"readings.csv:3.*'60 soon' is no times"):
        again(tmp_path)
