"""The same random jobs as listings of every format that is read."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from random import Random
from typing import NamedTuple

BEGIN = 1_709_802_000
HOST = ' "n1"'


class Job(NamedTuple):
    """A job that ran: its number, times (Unix, s) and processors."""

    number: int
    submit: int
    start: int
    end: int
    processors: int


def draw_jobs(random: Random) -> list[Job]:
    """Draw a few jobs, in order of submission."""
    submit = BEGIN
    jobs = []
    for number in range(1, random.randint(2, 6)):
        submit += random.randint(1, 9_999)
        start = submit + random.randint(0, 9_999)
        jobs.append(
            Job(number, submit, start, start + random.randint(1, 9_999), random.randint(1, 8))
        )
    return jobs


def _date(time: int, form: str = "%Y-%m-%dT%H:%M:%S") -> str:
    return datetime.fromtimestamp(time, UTC).strftime(form)


def _slurm(jobs: Sequence[Job]) -> str:
    rows = (
        f"{j.number}|ann|{_date(j.submit)}|{_date(j.start)}|{_date(j.end)}|COMPLETED|{j.processors}"
        for j in jobs
    )
    return "\n".join(["JobID|User|Submit|Start|End|State|AllocCPUS", *rows])


def _accounting_csv(jobs: Sequence[Job]) -> str:
    rows = (f"{j.number},{j.submit},{j.start},{j.end},{j.processors}" for j in jobs)
    return "\n".join(["job_id,submit_time,start_time,end_time,processors_used", *rows])


def _jobs_csv(jobs: Sequence[Job]) -> str:
    rows = (
        f"{j.number},{j.submit - BEGIN},{j.processors},{j.start - j.submit},{j.end - j.start}"
        for j in jobs
    )
    names = "job_id,submission_time,requested_number_of_resources,waiting_time,execution_time"
    return "\n".join([names, *rows])


def _pbs(jobs: Sequence[Job]) -> str:
    return "\n".join(
        f"{_date(j.end, '%m/%d/%Y %H:%M:%S')};E;{j.number}.pbs1;user=ann ctime={j.submit}"
        f" qtime={j.submit} start={j.start} end={j.end} Resource_List.ncpus={j.processors}"
        for j in jobs
    )


def _sge(jobs: Sequence[Job]) -> str:
    return "\n".join(
        f"all.q:n1:staff:ann:a.sh:{j.number}:sge:0:{j.submit}:{j.start}:{j.end}:0:0:9"
        f"{':0' * 17}:NONE:none:smp:{j.processors}:0:0:0:0:-pe smp {j.processors}:0:NONE:0:0:0"
        for j in jobs
    )


def _lsf(jobs: Sequence[Job]) -> str:
    return "\n".join(
        f'"JOB_FINISH" "10.1" {j.end} {j.number} 1000 33554434 {j.processors} {j.submit} 0 0'
        f' {j.start} "ann" "normal" "" "" "" "login" "/home" "" "o" "" "1.1" 0'
        f' {j.processors}{HOST * j.processors} 64 60.0 "run" "a.sh" 3.5 1.5 0 0 -1'
        f' 0 0 0 0 0 0 0 -1 0 0 0 0 0 -1 "" "quantum" 0 {j.processors} "" "" 0 2048 0 ""'
        for j in jobs
    )


def _htcondor(jobs: Sequence[Job]) -> str:
    return "\n\n".join(
        f'ClusterId = {j.number}\nProcId = 0\nOwner = "ann"\nQDate = {j.submit}\n'
        f"JobStartDate = {j.start}\nJobCurrentStartDate = {j.start}\nCompletionDate = {j.end}\n"
        f"RemoteWallClockTime = {j.end - j.start}\nRequestCpus = {j.processors}\nJobStatus = 4"
        for j in jobs
    )


def _slurm_events(jobs: Sequence[Job]) -> str:
    return "\n".join(
        f"-dt {j.submit - BEGIN} -e submit_batch_job | -J jobid_{j.number}"
        f" -sim-walltime {j.end - j.start} --uid=ann -n {j.processors} -t 1-00:00:00 pseudo.job"
        for j in jobs
    )


def _batsim(jobs: Sequence[Job]) -> str:
    profiles = {str(j.number): {"type": "delay", "delay": j.end - j.start} for j in jobs}
    entries = [
        {
            "id": str(j.number),
            "subtime": j.submit - BEGIN,
            "res": j.processors,
            "walltime": 99_999,
            "profile": str(j.number),
        }
        for j in jobs
    ]
    return json.dumps({"nb_res": 8, "jobs": entries, "profiles": profiles})


LISTINGS: dict[str, Callable[[Sequence[Job]], str]] = {
    "accounting-csv": _accounting_csv,
    "batsim": _batsim,
    "htcondor": _htcondor,
    "jobs-csv": _jobs_csv,
    "lsf": _lsf,
    "pbs": _pbs,
    "sge": _sge,
    "slurm": _slurm,
    "slurm-events": _slurm_events,
}
"""Text of jobs by format, without a line end at its end."""
