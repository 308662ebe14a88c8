from __future__ import annotations

import csv
import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from pandas.api.types import is_numeric_dtype

from pricing import KINDS, Charges, charge, write_charges, write_statements
from pricing.basis import GIVEN, Basis
from pricing.files import STOPPED_COLUMNS
from swfx import Header, InputError
from tests.pricing.jobs import END, START, charged, three_charges, three_jobs
from tests.pricing.stopped import charged as stopped_charges
from tests.pricing.stopped import random_run
from tests.scale import many


def test_charges_are_written_with_their_evidence(tmp_path: Path) -> None:
    path = write_charges(tmp_path / "charges.csv", three_charges("multi-queue:rates=1:1.7,2:2"))

    assert path.read_text("utf-8") == (
        "job_id,user,group,queue,status,month,submit,start,end,processors,processor_hours,mechanism,"
        "rate,charge,standard_error,others,with_job,without_job,reserved,utility,start_value,reason\n"
        '1,7,1,1,1,2000-04,0,0,3600,2,2,"multi-queue:rates=1:1.7,2:2",1.7,3.400000,,,,,,5,10,'
        "charged: by the processor-hour\n"
        '2,8,1,2,0,2000-04,0,1800,5400,4,4,"multi-queue:rates=1:1.7,2:2",2,8.000000,,,,,,5,20,'
        "charged: by the processor-hour\n"
        "3,7,2,4,5,2000-05,2592000,2592000,2595600,1,1,"
        '"multi-queue:rates=1:1.7,2:2",1,1.000000,,,,,,,,charged: by the processor-hour\n'
    )


def test_first_price_has_no_rate(tmp_path: Path) -> None:
    path = write_charges(tmp_path / "charges.csv", three_charges("first-price:reading=end"))

    assert path.read_text("utf-8").splitlines()[1] == (
        "1,7,1,1,1,2000-04,0,0,3600,2,2,first-price:reading=end,,5.000000,,,,,,5,10,"
        "charged: what it was worth"
    )


def test_charges_by_what_would_have_been_have_their_evidence_beside_them(tmp_path: Path) -> None:
    written = write_statements(tmp_path, three_charges("vcg"), by=["user"])

    assert [path.name for path in written[2:]] == ["evidence.csv", "statements.json"]
    assert (tmp_path / "evidence.csv").read_text("utf-8") == (
        "row,job_id,loser_row,loser_id,loss,delay,time,planned,had\n"
        "1,1,2,2,5,1800,0,5,5\n3,3,1,1,2.5,,2592000,2.5,2.5\n"
    )
    lines = (tmp_path / "charges.csv").read_text("utf-8").splitlines()
    assert [line.split(",")[13:19] for line in lines[1:]] == [
        ["5.000000", "", "1", "20", "25", "0"],
        ["0.000000", "", "0", "", "", "0"],
        ["2.500000", "", "2", "10", "12.5", "0"],
    ]


def test_whose_bid_is_the_price_is_written(tmp_path: Path) -> None:
    jobs = three_jobs().replace(queue=[1, 1, 2])
    charges = charge(jobs, [0, 0, 9e6], [9, 9, 9e6], "second-price")

    write_statements(tmp_path, charges, by=["user"])

    assert (tmp_path / "bids.csv").read_text("utf-8") == (
        "row,job_id,others,bid,setter_row,setter_id\n1,1,1,2.5,2,2\n2,2,1,2.5,1,1\n3,3,0,0,,\n"
    )


def test_a_bill_leaves_no_evidence_of_an_earlier_one(tmp_path: Path) -> None:
    for mechanism in ("vcg:method=replay", "second-price", "first-price:reading=end"):
        write_statements(tmp_path, three_charges(mechanism))

    assert not {"evidence.csv", "replays.csv", "bids.csv"} & {p.name for p in tmp_path.iterdir()}


def test_statements_of_every_kind(tmp_path: Path) -> None:
    written = write_statements(tmp_path / "bill", three_charges("single-price"))

    assert [path.name for path in written] == [
        "charges.csv",
        "statement-by-user.csv",
        "statement-by-group.csv",
        "statement-by-queue.csv",
        "statement-by-month.csv",
        "statements.json",
    ]
    assert sorted(written) == sorted((tmp_path / "bill").iterdir())
    assert (tmp_path / "bill" / "statement-by-month.csv").read_text("utf-8") == (
        "month,jobs,processor_hours,utility,charge\n"
        "2000-04,2,6,10,6.000000\n"
        "2000-05,1,1,0,1.000000\n"
    )


def test_the_json_repeats_the_statements_and_their_certificates(tmp_path: Path) -> None:
    write_statements(tmp_path, three_charges("single-price:rate=2"), by=["user"])

    report = json.loads((tmp_path / "statements.json").read_text("utf-8"))

    assert report["mechanism"] == "single-price:rate=2"
    assert (report["total"], report["total_billed"]) == (14, "14.000000")
    assert report["charged_above_utility"] == {"jobs": 1, "of": 2, "overcharge": 3}
    assert [check["name"] for check in report["checks"] if not check["holds"]] == ["rationality"]
    assert [line["charge"] for line in report["statements"]["user"]] == ["6.000000", "8.000000"]


@given(charged("first-price:reading=end"))
@settings(
    max_examples=many(25),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_written_lines_add_up_to_the_written_total(tmp_path: Path, charges: Charges) -> None:
    write_statements(tmp_path, charges)

    total = Decimal(json.loads((tmp_path / "statements.json").read_text("utf-8"))["total_billed"])
    assert total == Decimal(repr(charges.total))
    for name in ("charges", *(f"statement-by-{by}" for by in KINDS)):
        with (tmp_path / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            assert (
                sum((Decimal(row["charge"]) for row in csv.DictReader(file)), Decimal(0)) == total
            )


def test_the_same_charges_are_the_same_bytes(tmp_path: Path) -> None:
    first = write_statements(tmp_path / "a", three_charges("multi-queue"))
    second = write_statements(tmp_path / "b", three_charges("multi-queue"))

    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]


def test_a_directory_that_is_a_file_is_refused(tmp_path: Path) -> None:
    blocker = tmp_path / "taken"
    blocker.write_text("", "utf-8")

    with pytest.raises(InputError, match=r"charges\.csv: cannot be written: .*give a file in a"):
        write_statements(blocker, three_charges())

    assert list(tmp_path.iterdir()) == [blocker]


def test_an_unknown_kind_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no statement by 'year'"):
        write_statements(tmp_path, three_charges(), by=["user", "year"])

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "mechanism",
    ["first-price:reading=end", "multi-queue", "vcg", "second-price", "vcg:method=replay"],
)
def test_a_data_frame_is_the_file(tmp_path: Path, mechanism: str) -> None:
    assert_frame_is_file(tmp_path, three_charges(mechanism))


def test_a_data_frame_has_names_resources_parts_and_stops(tmp_path: Path) -> None:
    lines = (" User: 7 ann", ' QOS: 3 "a,b"', " Job: 2 9_1")
    jobs = three_jobs().replace(qos=[3, -1, 3], part_of=[1, 1, -1], **{"tres/node": [1, 2, 1]})
    jobs = jobs.replace(header=Header((*jobs.header.lines, *lines)))
    charges = replace(charge(jobs, START, END, "single-price"), basis=Basis("easy", (), GIVEN))

    frame = assert_frame_is_file(tmp_path, charges)

    assert frame["user_name"].tolist() == ["ann", "8", "ann"]
    assert frame["qos"].tolist() == ["a,b", "unknown", "a,b"]
    assert frame["job"].tolist()[1] == "9_1"
    assert frame["part_of"].tolist()[:2] == [1.0, 1.0]
    assert [*frame][-1] == "basis"


def test_a_data_frame_tells_who_pays_for_stops(tmp_path: Path) -> None:
    workload, schedule = random_run(3)
    charges = stopped_charges(workload, schedule, "single-price:lost=stopped")
    assert {*STOPPED_COLUMNS} <= {*assert_frame_is_file(tmp_path, charges)}


def assert_frame_is_file(folder: Path, charges: Charges) -> pd.DataFrame:
    frame = charges.to_frame()
    texts = [name for name in frame if not is_numeric_dtype(frame[name])]
    read = pd.read_csv(
        write_charges(folder / "charges.csv", charges),
        keep_default_na=False,
        na_values={name: [""] for name in frame if name not in texts},
        dtype=dict.fromkeys(texts, str),
    )
    assert [*read] == [*frame]
    pd.testing.assert_frame_equal(frame, read.astype(frame.dtypes), check_exact=True)
    return frame
