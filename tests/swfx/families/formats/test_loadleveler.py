from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from pricing.states import states_of
from swfx import InputError, Workload
from swfx.families.formats.loadleveler import Dates, LoadLevelerStep, steps_of
from swfx.families.formats.registry import IMPORTERS, Imported
from swfx.reading.sources import open_workload

GOLDEN = Path(__file__).with_name("loadleveler.txt")
MINUTE, HOUR = 60.0, 3600.0


def read(text: str, options: str = "") -> Imported:
    return IMPORTERS.make(f"loadleveler:{options}").read(text.encode(), "history")


def step(job: int = 7, **values: str) -> str:
    dates = {
        "Job_Step_Id": f"host.{job}.0",
        "Queue_Date": "Tue Jul 24 10:00:00 2007",
        "Dispatch_Time": "Tue Jul 24 10:10:00 2007",
        "Completion_Date": "Tue Jul 24 10:20:00 2007",
    }
    lines = [f"{key.replace('_', ' ')}: {value}" for key, value in (dates | values).items()]
    return "\n".join([f"------ Step host.{job}.0 ------", *lines, ""])


@pytest.fixture(scope="module")
def golden() -> Imported:
    return read(GOLDEN.read_text(), "timezone=America/Chicago")


def test_the_golden_listing_gives_these_jobs(golden: Imported) -> None:
    assert golden.workload == Workload.from_columns(
        job_id=[58, 59, 60],
        submit=[0, 23, 2 * 24 * HOUR + 12_285],
        wait=[10, 10 * MINUTE, 1],
        run=[30 * MINUTE, 2 * HOUR, 66],
        processors=[8, 1, 64],
        cpu_time=[8 * MINUTE, -1, -1],
        requested_processors=[-1, -1, 32],
        requested_time=[24 * HOUR, 2 * HOUR, -1],
        requested_memory=[512 * 1024, -1, -1],
        status=[1, 5, 0],
        user=[1, 2, 2],
        group=[1, 1, -1],
        executable=[1, -1, -1],
        queue=[1, 2, -1],
        state=[1, 2, 3],
        header=golden.workload.header,
    )
    assert golden.workload.header.lines == (
        " SWFX: 1.0",
        " UtilityUnits: SU",
        " ExtraColumns: state",
        " Version: 2.2",
        " UnixStartTime: 1185290377",
        " TimeZoneString: America/Chicago",
        " User: 1 tyoung",
        " User: 2 anna",
        " Group: 1 usr",
        " Executable: 1 /u/tyoung/solver",
        " Queue: 1 parall",
        " Queue: 2 serial",
        " State: 1 COMPLETED",
        " State: 2 CANCELLED",
        " State: 3 FAILED",
    )


def test_every_step_of_the_golden_listing_is_accounted_for(golden: Imported) -> None:
    report = golden.report

    assert report.lines_accounted()
    assert (report.job_lines, report.kept) == (6, 3)
    assert report.lines - report.comment_lines == 6
    assert {rule: report.lines_of(rule).tolist() for rule in report.counts()} == {
        "restarted": [53],
        "never-started": [63],
        "never-ended": [81],
        "not-a-date": [85],
    }
    assert golden.line.tolist() == [11, 53, 71]
    assert report.notes == ("dates that say MSK are read as of America/Chicago",)


def test_it_opens_like_any_workload() -> None:
    loaded = open_workload(f"loadleveler,timezone=America/Chicago:{GOLDEN}", machine_size=64)

    assert loaded.workload.size.tolist() == [8, 1, 64]


def test_nodes_that_are_not_shared_count_as_a_whole_if_their_cores_are_known() -> None:
    nodes = step(Node_Usage="not_shared", Allocated_Hosts="n1::(css0,MPI,US),n2::(css0,MPI,US)")

    assert read(nodes, "cores_per_node=16").workload.processors.tolist() == [32]
    assert read(nodes).workload.processors.tolist() == [2]


def test_steps_of_one_job_have_numbers_of_their_own() -> None:
    jobs = read(step(7) + step(7, Queue_Date="Tue Jul 24 09:00:00 2007"))

    assert jobs.workload.wait.tolist() == [70 * MINUTE, 10 * MINUTE]
    assert jobs.workload.job_id.tolist() == [8, 7]
    assert jobs.report.lines_of("renumbered").tolist() == [6]


@pytest.mark.parametrize(
    ("values", "status", "state"),
    [
        ({"Status": "Completed", "Completion_Code": "0"}, 1, "COMPLETED"),
        ({"Status": "Completed", "Completion_Code": "9"}, 0, "FAILED"),
        ({"Status": "Vacated"}, 0, "FAILED"),
        ({"Status": "Removed", "Completion_Code": "0"}, 5, "CANCELLED"),
        ({}, -1, ""),
    ],
)
def test_the_status_says_how_a_step_ended(values: dict[str, str], status: int, state: str) -> None:
    log = read(step(**values)).workload

    assert log.status.tolist() == [status]
    assert states_of(log) == [state]


@pytest.mark.parametrize(
    ("values", "rule"),
    [
        ({"Queue_Date": "yesterday"}, "not-a-date"),
        ({"Wall_Clk_Hard_Limit": "long"}, "not-a-duration"),
        ({"Resources": "ConsumableMemory(some)"}, "not-a-size"),
        ({"Completion_Code": "zero", "Status": "Completed"}, "not-a-number"),
        ({"Start_Count": "often"}, "not-a-number"),
    ],
)
def test_a_step_that_cannot_be_read_is_listed(values: dict[str, str], rule: str) -> None:
    report = read(step(1) + step(2, **values)).report

    assert report.counts() == {rule: 1}
    assert report.lines_of(rule).tolist() == [6]


def test_another_text_is_refused() -> None:
    with pytest.raises(InputError, match="history: lists no job step; give what llsummary -l"):
        read("Job Id: 7\n")


@pytest.mark.parametrize(("value", "reason"), [("0", "no number of"), ("many", "whole number")])
def test_an_impossible_number_of_cores_is_refused(value: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        IMPORTERS.make(f"loadleveler:cores_per_node={value}")


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("Tue Jul 24 10:19:37 CDT 2007", "2007-07-24T10:19:37-05:00"),
        ("Tue Jul 24 10:19:37 2007", "2007-07-24T10:19:37-05:00"),
        ("Thu Nov  7 09:16:09 CST 1996", "1996-11-07T09:16:09-06:00"),
        ("Tue 24 Jul 2007 12:05:00 AM CDT", "2007-07-24T00:05:00-05:00"),
        ("Tue 24 Jul 2007 12:05:00 PM CDT", "2007-07-24T12:05:00-05:00"),
        ("24 Jul 2007 22:05:00", "2007-07-24T22:05:00-05:00"),
        ("Tue Jul 24 10:19:37 UTC 2007", "2007-07-24T10:19:37+00:00"),
        ("Sun Nov 4 01:30:00 CDT 2007", "2007-11-04T01:30:00-05:00"),
        ("Sun Nov 4 01:30:00 CST 2007", "2007-11-04T01:30:00-06:00"),
    ],
)
def test_dates_are_read(text: str, iso: str) -> None:
    dates = Dates(ZoneInfo("America/Chicago"))

    assert dates.instant(text, "Queue Date") == datetime.fromisoformat(iso).timestamp()
    assert dates.strange_zones == set()


def test_an_abbreviation_that_the_zone_does_not_have_is_remembered() -> None:
    dates = Dates(ZoneInfo("America/Chicago"))

    dates.instant("Tue Jul 24 10:19:37 CET 2007", "Queue Date")

    assert dates.strange_zones == {"CET"}


@pytest.mark.parametrize(
    "text",
    ["", "never", "Tue Jux 24 10:19:37 2007", "Tue Jul 32 10:19:37 2007", "24 Jul 2007 25:00:00"],
)
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="field Queue Date: a time is no date"):
        Dates(ZoneInfo("UTC")).instant(text, "Queue Date")


def test_steps_have_what_is_said_of_their_job() -> None:
    lines = [
        "===== Job h.1 =====", "Owner: a", "Class: of the job",
        "----- Step h.1.0 -----", "Class: first", "Class: second",
        "----- Step h.1.1 -----", "Dependency:",
        "===== Job h.2 =====", "----- Step h.2.0 -----", "no entry",
    ]  # fmt: skip

    assert list(steps_of(lines)) == [
        LoadLevelerStep(4, {"Owner": "a", "Class": "of the job"}),
        LoadLevelerStep(7, {"Owner": "a", "Class": "of the job", "Dependency": ""}),
        LoadLevelerStep(10, {}),
    ]


def test_the_listing_of_llq_has_steps_only() -> None:
    lines = ["=============== Job Step h.1.0 ===============", "   Owner: a"]

    assert list(steps_of(lines)) == [LoadLevelerStep(1, {"Owner": "a"})]


def test_hosts_and_tasks_of_all_nodes_are_counted() -> None:
    lines = [
        "----- Step h.1.0 -----",
        "Node", "Allocated Hosts : n1::(A,B,C),n2::(A)", "   + n3::(A,B)",
        "Master Task", "Num Task Inst: 1", "Task", "Num Task Inst: 3", "Num Task Inst: x",
        "Node", "Allocated Hosts :", "Task", "Num Task Inst: 4",
    ]  # fmt: skip

    (step,) = steps_of(lines)

    assert (step.hosts, step.tasks) == (3, 7)
