from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import utilitysched
from swfx import InputError
from swfx.families.exporters import EXPORTERS
from swfx.families.formats.registry import IMPORTERS, Imported
from swfx.job_names import FIRST_INVENTED
from swfx.reading.sources import open_workload
from tests.swfx.families.exporters.jobs import awkward_jobs
from utilitysched.runs import job_columns, write_jobs

HEAD = "job_id,submission_time,requested_number_of_resources"


def read(text: str) -> Imported:
    return IMPORTERS.make("jobs-csv").read(text.encode(), "jobs.csv")


def test_a_simulated_schedule_reads_back(tmp_path: Path) -> None:
    market = open_workload("sample:market", jobs=slice(0, 300)).workload
    schedule = utilitysched.simulate(market, "fcfs")
    columns = job_columns(market, schedule, allocations=utilitysched.allocations(market, schedule))
    write_jobs(tmp_path / "jobs.csv", columns)

    jobs = open_workload(f"jobs-csv:{tmp_path}/jobs.csv").workload

    assert np.array_equal(jobs.wait, schedule.wait(market))
    for name in ("job_id", "submit", "run", "processors", "requested_time", "user", "status"):
        assert np.array_equal(getattr(jobs, name), getattr(market, name)), name


def test_what_the_exporter_writes_reads_back_but_for_what_the_table_has_no_place_for() -> None:
    jobs = awkward_jobs()

    again = read(EXPORTERS.make("jobs-csv").format(jobs).data.decode()).workload

    assert again.job_id.tolist() == [1, 1, 3]
    assert again.wait.tolist() == [3, -1, 0]
    assert again.run.tolist() == [10, 0, 1.5]
    assert again.size.tolist() == [4, 8, 2]


def test_names_become_numbers_and_numbers_stay() -> None:
    table = f"{HEAD},execution_time,user,group\n1,0,1,5,bob,7\n2,0,1,5,alice,9\n3,0,1,5,bob,\n"

    jobs = read(table).workload

    assert (jobs.user.tolist(), jobs.group.tolist()) == ([1, 2, 1], [7, 9, -1])
    assert jobs.header.lines == (" User: 1 bob", " User: 2 alice")


def test_times_that_are_missing_follow_from_others() -> None:
    jobs = read(f"{HEAD},starting_time,finish_time\n1,10,1,12,20\n").workload

    assert (jobs.wait.tolist(), jobs.run.tolist()) == ([2], [8])


def test_a_job_without_a_number_gets_one_and_is_listed() -> None:
    result = read(f"{HEAD},execution_time\nfirst,0,1,5\n9,0,1,5\n")

    assert result.workload.job_id.tolist() == [FIRST_INVENTED, 9]
    assert result.report.lines_of("renumbered").tolist() == [2]


def test_another_table_is_refused() -> None:
    with pytest.raises(InputError, match=r"jobs\.csv:1: has no column 'submission_time'"):
        read("job_id,submit\n1,2\n")
    with pytest.raises(InputError, match=r"no job is left of 1 line \(never-ran 1\)"):
        read(f"{HEAD}\n1,0,4\n")


def test_a_row_with_too_few_cells_is_dropped_whatever_else_the_table_holds() -> None:
    result = read(f"{HEAD},starting_time,execution_time,user\n1,0,4,0,9,ann\n2,0,4\n")

    assert result.workload.user.tolist() == [1]
    assert result.report.lines_of("too-few-fields").tolist() == [3]
