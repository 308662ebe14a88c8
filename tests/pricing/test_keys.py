"""Statements by labels: numbers where they always stood, names where the log has them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from pricing import Charges, charge, statement, write_statements
from pricing.keys import kinds, require_kind
from swfx import Header, InputError, Workload
from tests.pricing.jobs import END, START, three_jobs

NAMES = (
    " GroupMeans: account", ' Account: 1 "=bio, wet"', " Account: 2 physics", " User: 7 ann",
    " QOS: 3 night", ' JobName: 1 "2"',
)  # fmt: skip


def named(*lines: str, **columns: list[int]) -> Workload:
    jobs = three_jobs().replace(**columns)
    return jobs.replace(header=Header((*jobs.header.lines, *lines)))


def charges(jobs: Workload) -> Charges:
    return charge(jobs, START, END, "single-price")


def test_users_keep_their_numbers_and_get_a_column_of_names() -> None:
    table = statement(charges(named(*NAMES)), "user")
    assert table.index.tolist() == [7, 8]
    assert table["name"].tolist() == ["ann", "8"]
    assert "name" not in statement(charges(three_jobs()), "user")


def test_other_labels_are_their_names() -> None:
    table = statement(charges(named(*NAMES, qos=[3, -1, 4])), "qos")
    assert table.index.tolist() == ["4", "night", "unknown"]
    assert [str(each) for each in table["charge"]] == ["1.000000", "2.000000", "4.000000"]


def test_kinds_are_those_that_the_log_has() -> None:
    jobs = named(*NAMES, job_name=[1, -1, -1])
    assert kinds(jobs) == ("user", "queue", "account", "job_name", "month")
    with pytest.raises(InputError, match=r"field by: .* not say 'group'; .*known: account, job_n"):
        require_kind(jobs, "group")
    with pytest.raises(InputError, match=r"no statement by 'acount'; did you mean 'account'"):
        require_kind(jobs, "acount")


def test_names_stand_behind_the_other_columns_of_a_bill(tmp_path: Path) -> None:
    jobs = named(*NAMES, job_name=[1, -1, -1])
    files = write_statements(tmp_path, charges(jobs))

    with (tmp_path / "charges.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0])[-4:] == ["reason", "user_name", "account", "job_name"]
    assert [row["account"] for row in rows] == ["'=bio, wet", "'=bio, wet", "physics"]
    assert [row["job_name"] for row in rows] == ["2 (1)", "unknown", "unknown"]
    assert [path.name for path in files[1:-1]] == [
        f"statement-by-{kind}.csv" for kind in ("user", "queue", "account", "month")
    ]
    report = json.loads(files[-1].read_text("utf-8"))["statements"]
    assert [line["account"] for line in report["account"]] == ["=bio, wet", "physics"]
    assert [line.get("name") for line in report["user"]] == ["ann", "8"]


def test_a_log_without_names_has_no_columns_of_them() -> None:
    assert three_jobs().label_columns() == {}
