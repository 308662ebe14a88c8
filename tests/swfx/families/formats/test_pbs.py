from __future__ import annotations

import pytest

from pricing.states import states_of
from swfx import InputError
from swfx.families.formats.registry import IMPORTERS, Imported


def read(text: str, options: str = "") -> Imported:
    return IMPORTERS.make(f"pbs:{options}").read(text.encode(), "log")


def record(kind: str, job: str, values: str, time: str = "10:00:00") -> str:
    return f"03/07/2024 {time};{kind};{job};{values}\n"


def ended(job: str, values: str = "") -> str:
    return record("E", job, f"ctime=1000 start=1010 end=1060 exec_host=n1/0-3 {values}")


def test_gpus_are_those_of_all_chunks_or_nodes() -> None:
    jobs = read(
        ended("1", "Resource_List.select=2:ncpus=8:ngpus=4+1:ncpus=2")
        + ended("2", "Resource_List.nodes=3:ppn=2:gpus=1")
        + ended("3", "Resource_List.ngpus=2 Resource_List.select=1:ncpus=4:ngpus=2")
        + ended("4", "Resource_List.ngpus=some")
        + ended("5", "Resource_List.select=1:ncpus=4")
    )

    assert jobs.workload.extra["tres/gres/gpu"].tolist() == [8, 3, 2, -1, 0]
    assert jobs.report.counts()["unreadable-field"] == 1


def test_accounts_and_projects_are_labels_beside_the_group() -> None:
    log = read(
        ended("7", 'group=staff account="physics" project=_pbs_project_default')
        + ended("8", "group=staff project=relax")
    ).workload

    assert log.extra_columns == ("account", "project", "tres/node")
    accounts, projects = log.labels.of("account"), log.labels.of("project")
    assert [accounts.name(number) for number in accounts.numbers.tolist()] == ["physics", "unknown"]
    assert [projects.name(number) for number in projects.numbers.tolist()] == ["unknown", "relax"]


def test_members_of_an_array_are_jobs_and_the_array_is_none() -> None:
    log = record("Q", "12[].s", "queue=q") + ended("12[1].s") + ended("12[2].s") + ended("12[].s")

    result = read(log)

    assert result.workload.job_id.tolist() == [12, 13]
    assert result.report.lines_of("array").tolist() == [1, 4]
    assert result.report.lines_of("renumbered").tolist() == [3]


def test_a_number_that_comes_again_is_another_job_if_it_was_created_anew() -> None:
    again = "ctime=2000 start=2010 end=2060 exec_host=n1/0"

    result = read(ended("7.s") + record("S", "7.s", "ctime=2000") + record("E", "7.s", again))

    assert result.workload.job_id.tolist() == [7, 8]
    assert result.workload.submit.tolist() == [0, 1000]


def test_a_number_that_is_queued_after_its_end_is_another_job() -> None:
    result = read(ended("7.s") + record("Q", "7.s", "queue=q"))

    assert result.report.counts() == {"never-started": 1}


@pytest.mark.parametrize(
    ("values", "state"),
    [
        ("Exit_status=0", "COMPLETED"),
        ("Exit_status=2", "FAILED"),
        ("Exit_status=-1", "LAUNCH_FAILED"),
        ("Exit_status=-4", "NODE_FAIL"),
        ("Exit_status=-29 Resource_List.select=1:ncpus=4", "TIMEOUT"),
        ("Exit_status=-27 Resource_List.select=1:ncpus=4", "OUT_OF_MEMORY"),
        ("Exit_status=-10 Resource_List.select=1:ncpus=4", "FAILED"),
        ("Exit_status=-10 Resource_List.nodes=1:ppn=4", "OUT_OF_MEMORY"),
        ("Exit_status=-11 Resource_List.nodes=1:ppn=4", "TIMEOUT"),
        ("Exit_status=271 Resource_List.walltime=00:00:50", "TIMEOUT"),
        ("Exit_status=271 Resource_List.walltime=00:00:51", "FAILED"),
        ("Exit_status=1 Resource_List.walltime=00:00:50", "FAILED"),
        ("", ""),
    ],
)
def test_the_exit_status_is_the_state(values: str, state: str) -> None:
    assert states_of(read(ended("1", values)).workload) == [state]


@pytest.mark.parametrize(
    ("requestor", "state"),
    [("ann@login", "CANCELLED by user"), ("root@pbs", "CANCELLED by another")],
)
def test_who_deleted_a_job_is_part_of_its_state(requestor: str, state: str) -> None:
    log = record("D", "1", f"requestor={requestor}") + ended("1", "user=ann Exit_status=271")

    assert states_of(read(log).workload) == [state]


def test_without_unix_times_the_dates_of_the_records_count() -> None:
    log = (
        record("Q", "1.s", "queue=q", "08:00:00")
        + record("S", "1.s", "exec_host=n/0", "08:00:05")
        + record("E", "1.s", "exec_host=n/0", "08:01:00")
    )

    jobs = read(log, "timezone=Europe/Paris").workload

    assert jobs.header.unix_start_time == 1709794800
    assert (jobs.wait.tolist(), jobs.run.tolist()) == ([5], [55])


def test_a_start_that_is_not_in_the_log_follows_from_the_time_used() -> None:
    end = record("E", "1.s", "ctime=1000 end=1100 exec_host=n/0 resources_used.walltime=00:01:00")

    jobs = read(end).workload

    assert (jobs.wait.tolist(), jobs.run.tolist()) == ([40], [60])


def test_an_aborted_job_that_had_started_failed() -> None:
    log = record("S", "1.s", "ctime=1000 start=1005 exec_host=n/0") + record("A", "1.s", "end=1009")

    jobs = read(log).workload

    assert (jobs.run.tolist(), jobs.status.tolist()) == ([4], [0])


def test_a_value_may_hold_blanks() -> None:
    jobs = read(ended("1.s", "account=two words user=carol Exit_status=0"))

    assert " User: 1 carol" in jobs.workload.header.lines


def test_a_job_that_asked_for_no_processors_in_words_has_what_it_got() -> None:
    jobs = read(ended("1.s")).workload

    assert (jobs.processors.tolist(), jobs.requested_processors.tolist()) == ([4], [-1])


def test_a_log_without_any_job_is_refused() -> None:
    with pytest.raises(InputError, match=r"no job is left of 1 lines \(never-started 1\)"):
        read(record("Q", "1.s", "queue=q"))


CRAY = (
    "ctime=1000 start=1010 end=1060 exec_host=nid00007/24 Resource_List.ncpus=1"
    " Resource_List.nodect=1 Resource_List.select=1 resources_used.cput=00:00:06"
    " resources_used.mem=6200kb"
)
"""The batch script of a job of a Cray XT, which PBS knows to run on one CPU of a service node."""


@pytest.mark.parametrize(
    ("resources", "processors"),
    [
        ("mppwidth=1024 Resource_List.mppnppn=2", 1024),
        ("mppwidth=256 Resource_List.mppdepth=4", 1024),
        ("size=1024", 1024),
    ],
)
def test_jobs_of_a_cray_have_as_many_processors_as_they_asked_for(
    resources: str, processors: int
) -> None:
    jobs = read(record("E", "1.s", f"{CRAY} Resource_List.{resources}")).workload

    assert jobs.processors.tolist() == jobs.requested_processors.tolist() == [processors]
    assert (jobs.cpu_time.tolist(), jobs.memory.tolist()) == ([-1], [-1]), "those of the script"


@pytest.mark.parametrize(
    "values",
    [
        "Exit_status=fine",
        "Resource_List.walltime=soon",
        "Resource_List.mem=lots",
        "Resource_List.pmem=lots",
        "Resource_List.mppwidth=wide",
        "resources_used.mem=?",
        "resources_used.cput=long",
        "resources_used.walltime=long",
        "etime=later",
    ],
)
def test_a_field_that_is_not_needed_is_left_unknown(values: str) -> None:
    result = read(ended("1.s", values))

    jobs = result.workload
    assert (jobs.wait.tolist(), jobs.run.tolist(), jobs.processors.tolist()) == ([10], [50], [4])
    assert (jobs.status.tolist(), jobs.requested_time.tolist()) == ([-1], [-1])
    assert result.report.counts() == {"unreadable-field": 1}


@pytest.mark.parametrize("key", ["ctime", "start", "end"])
def test_a_time_that_is_needed_drops_the_job(key: str) -> None:
    values = f"ctime=1000 start=1010 end=1060 exec_host=n/0 {key}=soon"

    result = read(ended("1.s") + record("E", "2.s", values))

    assert result.report.counts() == {"not-a-number": 1}
