"""Importer of accounting as CSV: golden tables, other names of columns, and NREL's sample."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from swfx import InputError, open_workload
from swfx.families.formats.accounting_csv import AccountingCsv
from swfx.families.formats.registry import IMPORTERS

NAMES = "submit_time,start_time,end_time,processors_req,state"
JOB = "2019-01-01 08:00:00,2019-01-01 08:10:00,2019-01-01 09:00:00,4,COMPLETED"


def test_the_sample_of_nrel(traces: Path) -> None:
    path = traces / "nrel-eagle-sample.csv.gz"

    workload, report = open_workload(f"accounting-csv,timezone=America/Denver:{path}")

    assert (report.lines, report.comment_lines, report.kept) == (1_001, 1, 1_000)
    assert report.lines_accounted()
    assert report.counts("dropped") == {}
    assert report.counts()["renumbered"] == 451
    assert Counter(workload.status.tolist()) == {1: 985, 0: 15}
    assert workload.header.all("QOS") == ("1 normal",)
    assert len(np.unique(workload.job_id)) == 1_000
    first = workload[np.array([0])]
    assert (first.job_id.item(), first.wait.item(), first.run.item()) == (532_209, 1, 99_825)
    assert (first.request.item(), first.size.item()) == (172_800, 10)
    # 1 January 2019, 08:55:55 in Denver
    assert workload.header.unix_start_time == 1_546_358_155


def test_the_sample_counted_in_nodes(traces: Path) -> None:
    path = traces / "nrel-eagle-sample.csv.gz"

    workload, _ = open_workload(f"accounting-csv,requested_processors=nodes_req:{path}")

    assert np.bincount(workload.size)[1] == 497


def test_a_table_without_states_and_starts() -> None:
    data = b"submit_time,run_time,processors_req\n2019-01-01 08:00:00,60,4\n"

    workload = AccountingCsv().read(data, "log").workload

    assert (workload.run.tolist(), workload.wait.tolist()) == ([60], [-1])


@pytest.mark.parametrize(
    ("options", "data", "message"),
    [
        (
            "",
            "a,b\n1,2\n",
            "log:1: has no column 'submit_time'; name it by submit=COLUMN; known: a",
        ),
        (
            ":user=usr",
            f"{NAMES},user\n{JOB},x\n",
            "log:1: has no column 'usr'; name it by user=COLUMN; did you mean 'user'?",
        ),
        ("", "submit_time,start_time\n", "log:1: has no column 'end_time'; name it by end=COLUMN"),
        ("", "submit_time,run_time\n", "log:1: has no column 'processors_req'; name it by"),
        ("", " \n", "log: is empty"),
        ("", f"{NAMES}\n{JOB.replace('COMPLETED', 'PENDING')}\n", "log: no job is left of 1 line"),
        ("", NAMES + '\n"' + "x" * 200_000, "log: is no table of comma-separated values: field"),
    ],
)
def test_refusals(options: str, data: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        IMPORTERS.make(f"accounting-csv{options}").read(data.encode(), "log")

    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "accounting-csv:separator=colon",
            "field separator: 'colon' is not a choice; did you mean",
        ),
        (
            "accounting-csv:memory_unit=kg",
            "field memory_unit: 'KG' is not a choice; did you mean",
        ),
    ],
)
def test_options_are_checked(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        IMPORTERS.make(text)

    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2019-01-01 08:05:00", 300),
        ("1546330200", 600),
        ("2019-01-01 07:00:00", 0),
        ("Unknown", -1),
        ("", -1),
        ("soon", -1),
    ],
)
@pytest.mark.parametrize("name", ["eligible_time", "could_start"])
def test_the_time_from_which_a_job_could_start(name: str, text: str, seconds: float) -> None:
    options = "" if name == "eligible_time" else f":eligible={name}"
    table = f"{NAMES},{name}\n{JOB},{text}\n".encode()

    workload, report, _ = IMPORTERS.make(f"accounting-csv{options}").read(table, "log")

    assert workload.eligible.tolist() == [seconds]
    assert workload.wait.tolist() == [600]
    assert report.counts().get("unreadable-field", 0) == (text == "soon")
