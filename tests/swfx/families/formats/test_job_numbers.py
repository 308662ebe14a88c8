"""Jobs of every resource manager have unique numbers, and the names that their users know."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from swfx import InputError
from swfx.families.formats.registry import IMPORTERS, Imported
from swfx.job_names import FIRST_INVENTED
from tests.scale import many

BEGIN = np.datetime64("2024-03-01T00:00:00")


class Listed(NamedTuple):
    """A record of sacct: JobID, JobIDRaw, and the name by which its user knows the job."""

    job: str
    raw: int
    name: str


def drawn_jobs(random: Random) -> list[Listed]:
    """Draw jobs as Slurm numbers them: tasks and parts have raw numbers, the last task its base."""
    listed, number = list[Listed](), random.randrange(1, 50)
    for _ in range(random.randrange(1, 12)):
        kind = random.choice(["plain", "array", "parts", "requeued"])
        count = 1 if kind == "plain" else random.randrange(1, 5)
        tasks = random.sample(range(20), count)
        if kind == "requeued":
            several = count > 1
            listed += [
                Listed(str(number), number, f"{number}{f', run {run} of {count}' * several}")
                for run in range(1, count + 1)
            ]
        elif kind == "plain":
            listed.append(Listed(str(number), number, str(number)))
        else:
            mark, parts = ("_", tasks) if kind == "array" else ("+", range(count))
            raw = [number + place for place in range(count)]
            raw = raw[1:] + raw[:1] if kind == "array" else raw
            names = [f"{number}{mark}{part}" for part in parts]
            listed += map(Listed, names, raw, names)
        number += count + random.randrange(3)
    return listed


def export(listed: list[Listed], random: Random, *, raw: bool) -> bytes:
    """Write a listing, with lines in any order but for the runs of each job."""
    lines = ["JobID|User|Submit|Start|End|State|NCPUS" + "|JobIDRaw" * raw]
    by_job: dict[str, list[Listed]] = {}
    for each in listed:
        by_job.setdefault(each.job, []).append(each)
    for runs in random.sample([*by_job.values()], len(by_job)):
        for place, each in enumerate(runs):
            state = "COMPLETED" if place == len(runs) - 1 else "NODE_FAIL"
            dates = BEGIN + (1000 * place + np.array([0, 10, 90])).astype("timedelta64[s]")
            cells = [each.job, "ann", *dates, state, 2]
            lines.append("|".join(map(str, [*cells, *[each.raw] * raw])))
    return "\n".join((*lines, "")).encode()


@pytest.mark.parametrize("seed", range(many(60)))
@pytest.mark.parametrize("raw", [True, False])
def test_every_name_of_slurm_is_one_job(seed: int, raw: bool) -> None:
    random = Random(seed)
    listed = drawn_jobs(random)
    some = random.sample(listed, random.randrange(1, len(listed) + 1))
    whole = {each.job for each in some}
    some = [each for each in listed if each.job in whole]  # of a job all runs

    log = IMPORTERS.make("slurm:requeue=each").read(export(some, random, raw=raw), "log")

    jobs, numbers = log.workload.job_names, log.workload.job_id.tolist()
    assert sorted(jobs.of_jobs()) == sorted(each.name for each in some)
    assert len(set(numbers)) == len(numbers)
    real = {each.raw for each in listed} | {
        int(each.name.split("_")[0].split("+")[0].split(",")[0]) for each in listed
    }
    own = {each.name: each.raw for each in some}
    for number, name in zip(numbers, jobs.of_jobs(), strict=True):
        assert jobs.number(name) == number
        assert number == own[name] or number >= FIRST_INVENTED > max(real)
        if raw and ", run" not in name:
            assert number == own[name]


def names_of(log: Imported) -> list[str]:
    jobs = log.workload.job_names
    names = jobs.of_jobs()
    assert [jobs.number(name) for name in names] == log.workload.job_id.tolist()
    return names


PBS = "04/01/2024 00:00:0{};E;{};user=ann ctime=100 qtime=100 etime=100 start=110 end=160"


def test_jobs_of_pbs_are_known_without_their_server() -> None:
    names = ["17[3].pbs1", "17[4].pbs1", "18.pbs1", "19-2.torque"]
    lines = [PBS.format(place, name) for place, name in enumerate(names)]
    log = IMPORTERS.make("pbs").read("\n".join((*lines, "")).encode(), "log")

    assert names_of(log) == ["17[3]", "17[4]", "18", "19-2"]
    assert log.workload.job_id.tolist()[2] == 18
    assert log.workload.job_names.number("17[4].pbs1") == log.workload.job_id[1]
    with pytest.raises(InputError, match="job 17 is 2 jobs; name one of 17"):
        log.workload.job_names.number("17.pbs1")


def test_names_that_are_no_numbers_are_the_names_of_jobs_in_tables() -> None:
    head = "job_id,submit_time,start_time,end_time,processors_used\n"
    times = ",2024-03-01T00:00:00,2024-03-01T00:00:10,2024-03-01T00:01:00,4\n"
    names = ["application_15064_0141", "7", "103_2", "007", "8"]
    log = IMPORTERS.make("accounting-csv").read(
        (head + "".join(name + times for name in names)).encode(), "log"
    )

    assert names_of(log) == [
        "application_15064_0141", "7, job 1 of 2", "103_2", "7, job 2 of 2", "8"
    ]  # fmt: skip
    assert log.workload.job_id.tolist()[1::3] == [7, 8]


def test_a_table_without_any_job_number_has_numbers_from_one() -> None:
    head = "job_id,submit_time,start_time,end_time,processors_used\n"
    times = ",2024-03-01T00:00:00,2024-03-01T00:00:10,2024-03-01T00:01:00,4\n"
    log = IMPORTERS.make("accounting-csv").read((head + times + times).encode(), "log")

    assert names_of(log) == ["1", "2"]
