"""Hours of resources as what a mechanism charges."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from pricing import charge, make_mechanism, statement, write_statements
from pricing.checks import check_charges
from pricing.outcome import Outcome
from pricing.resources import amounts_of, known_resources, read_resource, resource_hours
from swfx import InputError, Workload

NODES = {
    "tres/node": [1, 2, -1],
    "tres/gres/gpu:a100": [4, 0, -1],
    "tres/gres/gpu:h100": [0, 2, -1],
    "tres/energy": [7_200_000, 0, -1],
    "tres/billing": [12, 3, 5],
}
END = [7200.0, 1800.0, 3600.0]


def jobs(**more: list[float]) -> Workload:
    return Workload.from_columns(
        submit=[0, 0, 0], run=END, processors=[8, 4, 2], queue=[1, 2, 1], **NODES, **more
    )


@pytest.mark.parametrize(
    ("mechanism", "charges"),
    [
        ("single-price", [16, 2, 2]),
        ("single-price:of=cpu", [16, 2, 2]),
        ("single-price:of=node,rate=3", [6, 3, 0]),
        ("single-price:of=gres/gpu", [8, 1, 0]),  # of all types
        ("single-price:of=gres/gpu:a100,rate=30", [240, 0, 0]),
        ("single-price:of=billing", [24, 1.5, 5]),
        ("single-price:of=energy", [2, 0, 0]),  # kWh
        ("multi-queue:rates=1:2,2:5,of=gres/gpu", [16, 5, 0]),
    ],
)
def test_a_rate_per_hour_of_any_resource(mechanism: str, charges: list[float]) -> None:
    made = charge(jobs(), [0, 0, 0], END, mechanism)

    assert made.charge.tolist() == charges
    assert all(check.holds for check in check_charges(made))
    assert make_mechanism(mechanism) == make_mechanism(make_mechanism(mechanism).label)


def mixed(**amounts: list[float]) -> list[float]:
    log = Workload.from_columns(**{f"tres/{n.replace('_', ':')}": a for n, a in amounts.items()})
    counted: list[float] = np.nan_to_num(amounts_of(log, "gres/gpu"), nan=-1).tolist()
    return counted


def test_types_are_added_in_records_that_do_not_give_their_sum() -> None:
    typed = {"gres/gpu_A100": [4, 4, 1, 0, -1, 3], "gres/gpu_h100": [0, 0, 2, 0, -1, -1]}

    assert mixed(**{"gres/gpu": [-1, 4, 0, 0, -1, -1]}, **typed) == [4, 4, 3, 0, -1, 3]
    assert mixed(**typed) == [4, 4, 3, 0, -1, 3]


def test_reasons_say_the_unit_and_what_is_not_known() -> None:
    assert charge(jobs(), [0, 0, 0], END, "single-price:of=gres/gpu:a100").reason == [
        "charged: by the GPU-hour (a100)",
        "not charged: no GPU-hour (a100) used, or its rate is 0",
        "not charged: the log does not state its gres/gpu:a100",
    ]


def test_a_resource_that_the_log_does_not_state_is_refused() -> None:
    with pytest.raises(InputError, match="does not state license/x"):
        charge(jobs(), [0, 0, 0], END, "single-price:of=license/x")
    with pytest.raises(InputError, match="'4' is no resource"):
        make_mechanism("single-price:of=4")


def test_ceilings_are_hours_requested() -> None:
    mechanism = make_mechanism("single-price:of=node,rate=2")

    asked = jobs(requested_time=[3600, 7200, 3600])
    assert mechanism.ceiling(asked).tolist() == [2, 8, 0]  # type: ignore[attr-defined]


def test_memory_is_what_was_allocated_else_requested() -> None:
    asked = {"requested_memory": [1024.0, -1.0], "processors": [2, 2], "run": [1, 1]}
    plain = Workload.from_columns(**asked)
    allocated = Workload.from_columns(**asked, **{"tres/mem": [800, 400]})

    assert np.array_equal(amounts_of(plain, "mem"), [2, np.nan], equal_nan=True)
    assert amounts_of(allocated, "mem").tolist() == [800, 400]
    assert known_resources(allocated) == ("cpu", "mem")


def test_suspended_time_consumes_no_energy() -> None:
    log = Workload.from_columns(run=[7200], suspended=[3600], **{"tres/energy": [3_600_000]})

    assert amounts_of(log, "energy").tolist() == [1.0]


def test_suspended_jobs_keep_all_but_their_processors() -> None:
    log = Workload.from_columns(
        run=[7200, 7200],
        processors=[4, 4],
        suspended=[3600, -1],
        **{"tres/gres/gpu": [2, 2], "tres/node": [1, 1]},
    )
    outcome = Outcome(log, np.zeros(2), np.array([7200.0, 7200.0]), used=np.array([3600.0, 3600.0]))

    hours = {name: outcome.hours_of(name).tolist() for name in known_resources(log)}
    assert hours == {"cpu": [4, 4], "gres/gpu": [4, 2], "node": [2, 1]}


def test_names_of_units() -> None:
    names = ("cpu", "node", "gres/gpu:a100", "energy", "license/matlab")

    assert [resource_hours(read_resource(name)) for name in names] == [
        "processor-hours",
        "node-hours",
        "GPU-hours (a100)",
        "kWh",
        "license/matlab-hours",
    ]


def test_tables_have_the_hours_of_what_the_log_tells(tmp_path: Path) -> None:
    made = charge(jobs(), [0, 0, 0], END, "single-price")
    write_statements(tmp_path, made)

    table = statement(made, "queue")
    assert table["gres/gpu:a100_hours"].to_dict() == {1: 8, 2: 0}
    assert table["node_hours"].to_dict() == {1: 2, 2: 1}
    assert table["energy_kwh"].to_dict() == {1: 2, 2: 0}
    lines = (tmp_path / "charges.csv").read_text("utf-8").splitlines()
    assert lines[0].endswith(
        ",reason,billing_hours,energy_kwh,gres/gpu:a100_hours,gres/gpu:h100_hours,node_hours"
    )
    assert lines[1].endswith(",24,2,8,0,2")


def test_a_job_of_several_parts_is_one_job_in_statements(tmp_path: Path) -> None:
    log = Workload.from_columns(
        run=[3600] * 4, processors=[1, 2, 3, 4], user=[1, 1, 1, 2], part_of=[1, 1, -1, -1]
    )
    made = charge(log, [0] * 4, [3600] * 4, "single-price")
    write_statements(tmp_path, made)

    assert (made.outcome.jobs, len(made)) == (3, 4)
    assert statement(made, "user").jobs.to_dict() == {1: 2, 2: 1}
    assert all(check.holds for check in check_charges(made))
    with (tmp_path / "charges.csv").open(encoding="utf-8") as file:
        assert [row["part_of"] for row in csv.DictReader(file)] == ["1", "1", "", ""]
