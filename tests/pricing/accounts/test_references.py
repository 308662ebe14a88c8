"""References: the same job has the same one wherever it is read."""

from __future__ import annotations

from pricing.accounts import job_references
from swfx import Header, Workload
from tests.pricing.jobs import three_jobs


def test_slices_have_the_references_of_the_whole() -> None:
    jobs = three_jobs()

    references = job_references(jobs)

    assert len(set(references)) == 3
    assert {len(reference) for reference in references} == {20}
    assert job_references(jobs[1:]) == references[1:]


def test_another_log_has_others() -> None:
    jobs = three_jobs()
    moved = jobs.replace(header=Header((" UnixStartTime: 0",)))
    named = jobs.replace(header=Header((*jobs.header.lines, " Computer: another")))

    assert not set(job_references(jobs)) & set(job_references(moved))
    assert not set(job_references(jobs)) & set(job_references(named))


def test_utility_functions_make_no_difference() -> None:
    jobs = three_jobs()
    columns = {name: getattr(jobs, name) for name in ("job_id", "submit", "run", "processors")}
    rest = {name: getattr(jobs, name) for name in ("user", "group", "queue", "status")}
    plain = Workload.from_columns(header=jobs.header, **columns, **rest)

    assert job_references(plain) == job_references(jobs)


def test_equal_lines_are_told_apart() -> None:
    twins = Workload.from_columns(submit=[0, 0, 0], run=[1, 1, 1], job_id=[5, 5, 5])

    assert len(set(job_references(twins))) == 3
