"""What commands of users print is read as the accounting file of the same random jobs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from random import Random
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from swfx import InputError
from swfx.families.formats.registry import IMPORTERS, Imported, format_of
from tests.scale import many

FIRST = 1_700_000_000  # 14 November 2023, 22:13:20 UTC
ZONES = ["UTC", "Europe/Berlin", "America/St_Johns"]
NUMBERS = (
    "job_id", "submit", "wait", "run", "processors", "requested_processors", "requested_time",
    "cpu_time", "memory", "status",
)  # fmt: skip
GREETING = "Last login: Mon Nov 13 09:00:00 2023 from n1\nWelcome to the cluster: all is well\n\n"


class Job(NamedTuple):
    """A job that has ended: Unix times (s), CPU time of all processes (s), their memory (KB)."""

    number: int
    user: str
    name: str
    queue: str
    submit: int
    start: int
    end: int
    slots: int
    hosts: int
    limit: int
    cpu: float
    memory: int
    exit: int

    @property
    def run(self) -> int:
        return self.end - self.start


def random_jobs(random: Random, count: int = 8) -> Iterator[Job]:
    for number in random.sample(range(1, 10**6), count):
        submit = FIRST + random.randrange(40 * 86_400)
        start = submit + random.choice([0, 1, random.randrange(90_000)])
        end = start + random.choice([1, random.randrange(1, 200_000)])
        hosts = random.randint(1, 3)
        yield Job(
            number,
            random.choice(["ann", "bob", "u-1"]),
            random.choice(["run", "my job", "a:b", "x=1", "sim,<2>"]),
            random.choice(["all.q", "long"]),
            submit,
            start,
            end,
            hosts * random.randint(1, 8),
            hosts,
            random.randrange(60, 400_000, 60),
            random.randrange(10**6) / 100,
            1024 * random.randint(1, 10**5),
            random.choice([0, 0, 1, 137]),
        )


def read(name: str, text: str) -> Imported:
    return IMPORTERS.make(name).read(text.encode(), "log")


def facts(log: Imported, leave_out: tuple[str, ...] = ()) -> dict[str, list[Any]]:
    """Return the columns of all jobs by number, those of labels as names."""
    jobs, begin = log.workload, float(log.workload.header.unix_start_time or 0)
    order = np.argsort(jobs.job_id)
    columns: dict[str, Any] = {name: getattr(jobs, name) for name in NUMBERS}
    columns["submit"] = jobs.submit + begin
    for kind in ("User", "JobName", "State", "Queue"):
        names = dict(line.replace('"', "").split(" ", 1) for line in jobs.header.all(kind))
        column = {"User": jobs.user, "JobName": jobs.executable, "Queue": jobs.queue}
        numbers = column.get(kind, jobs.extra.get("state", np.zeros(len(jobs))))
        columns[kind] = np.array([names.get(f"{number:.0f}", "") for number in numbers])
    return {
        name: [round(each, 4) if isinstance(each, float) else each for each in values]
        for name, column in columns.items()
        if name not in leave_out
        for values in [np.asarray(column)[order].tolist()]
    }


def words(time: float, zone: str, form: str) -> str:
    return datetime.fromtimestamp(time, ZoneInfo(zone)).strftime(form)


# Grid Engine


def sge_file(jobs: list[Job]) -> str:
    def line(job: Job) -> str:
        fields = [
            job.queue, "n1", "staff", job.user, job.name.replace(":", ";"), job.number, "sge", 0,
            job.submit, job.start, job.end, 0, job.exit, job.run, 1, 1, job.memory, *[0] * 14,
            "NONE", "dep", "mpi", job.slots, 0, job.cpu, 0, 0,
            f"-l h_rt={job.limit} -pe mpi {job.slots}", 0, "NONE", 0, 0, 0,
        ]  # fmt: skip
        return ":".join(map(str, fields))

    return "\n".join(map(line, jobs))


Variant = tuple[str, int, Callable[[Job], dict[str, object]]]
VARIANTS: dict[str, Variant] = {
    "SGE 6.2": ("%a %b %e %H:%M:%S %Y", 13, lambda job: {"category": f"-l h_rt={job.limit}"}),
    "SoGE": (
        "%a %b %d %H:%M:%S %Y",
        13,
        lambda job: {
            "ru_maxrss": f"{job.memory / 1024:.3f}MB",
            "cpu": f"{job.cpu:.3f}s",
            "ru_wallclock": f"{job.run}s",
            "failed": "0    : whatever it says",
            "exit_status": f"{job.exit}    (Killed)",
            "category": f"-u x -l h_rt={job.limit}",
        },
    ),
    "UGE": ("%m/%d/%Y %H:%M:%S.000", 13, lambda job: {"submit_cmd": f"qsub -l h_rt={job.limit} a"}),
    "OCS": (
        "%Y-%m-%d %H:%M:%S.000000",
        35,
        lambda job: {"pe_taskid": "NONE", "submit_cmd_line": f"qsub -l h_rt={job.limit} a"},
    ),
}


def qacct(jobs: list[Job], variant: str, zone: str) -> str:
    form, width, others = VARIANTS[variant]

    def block(job: Job) -> Iterator[str]:
        dates = {
            name: words(time, zone, form)
            for name, time in (
                ("qsub_time", job.submit), ("start_time", job.start), ("end_time", job.end)
            )
        }  # fmt: skip
        values = {
            "qname": job.queue, "hostname": "n1", "group": "staff", "owner": job.user,
            "project": "NONE", "department": "dep", "jobname": job.name.replace(":", ";"),
            "jobnumber": job.number, "taskid": "undefined", "account": "sge", "priority": 0,
            **dates,
            "granted_pe": "mpi", "slots": job.slots, "failed": 0, "exit_status": job.exit,
            "ru_wallclock": job.run, "ru_maxrss": job.memory, "cpu": job.cpu, **others(job),
        }  # fmt: skip
        yield "=" * 62
        yield from (f"{key:{width}}{value}    " for key, value in values.items())

    lines = [line for job in jobs for line in block(job)]
    sums = "Total System Usage\n    WALLCLOCK         UTIME           CPU\n=====\n   1"
    return "\n".join([GREETING, *lines, sums])


def test_qacct_may_write_milliseconds_or_dates_with_offsets() -> None:
    job = next(random_jobs(Random(4)))
    text = qacct([job], "OCS", "UTC")
    start, end = (words(time, "UTC", "%Y-%m-%d %H:%M:%S.000000") for time in job[5:7])
    late = words(job.end, "Asia/Kolkata", "%Y-%m-%dT%H:%M:%S+05:30")

    log = read("sge", text.replace(start, f"{job.start}000").replace(end, late))

    assert facts(log) == facts(read("sge", sge_file([job])))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(many(6)))
def test_qacct_says_what_the_accounting_file_says(variant: str, seed: int) -> None:
    random = Random(seed)
    jobs, zone = [*random_jobs(random)], random.choice(ZONES)
    text = qacct(jobs, variant, zone)

    log = read(f"sge:timezone={zone}", text)

    assert format_of(text.encode()) == "sge"
    assert facts(log) == facts(read("sge", sge_file(jobs)))
    assert log.report.counts() == {}


@pytest.mark.parametrize(
    "none", ["-/-", "Thu Jan  1 01:00:00 1970", "Wed Dec 31 20:30:00 1969", "0", "Unknown"]
)
def test_qacct_lists_what_did_not_start(none: str) -> None:
    job = next(random_jobs(Random(1)))
    text = qacct([job, job._replace(number=7)], "UGE", "UTC")
    start = words(job.start, "UTC", "%m/%d/%Y %H:%M:%S.000")
    text = text.replace(f"start_time   {start}", f"start_time   {none}", 1)

    log = read("sge", text)

    assert log.workload.job_id.tolist() == [7]
    assert log.report.counts("dropped") == {"never-started": 1}


# PBS


def length(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def pbs_values(job: Job) -> dict[str, object]:
    each = job.slots // job.hosts
    return {
        "jobname": job.name.replace("=", ""),
        "queue": job.queue,
        "ctime": job.submit,
        "start": job.start,
        "end": job.end,
        "exec_host": "+".join(f"n{host}/0*{each}" for host in range(job.hosts)),
        "Resource_List.select": f"{job.hosts}:ncpus={each}",
        "Resource_List.walltime": length(job.limit),
        "resources_used.cput": length(int(job.cpu)),
        "resources_used.mem": f"{job.memory}kb",
        "resources_used.walltime": length(job.run),
        "Exit_status": job.exit,
    }


def pbs_file(jobs: list[Job]) -> str:
    lines = []
    for job in jobs:
        values = {"user": job.user, **pbs_values(job)}
        message = " ".join(f"{key}={value}" for key, value in values.items())
        lines.append(f"{words(job.end, 'UTC', '%m/%d/%Y %H:%M:%S')};E;{job.number}.pbs;{message}")
    return "\n".join(lines)


def qstat_values(job: Job, zone: str, random: Random) -> dict[str, object]:
    values = {"Job_Name": "", "Job_Owner": f"{job.user}@login", "job_state": "F", **pbs_values(job)}
    values["Job_Name"] = values.pop("jobname")
    values["stime"] = values.pop("start")
    end = values.pop("end")
    values["mtime"] = job.end + random.randrange(10**5)
    if random.random() < 0.3:
        values["obittime"] = end
    elif random.random() < 0.3:
        del values["resources_used.walltime"]
        values["mtime"] = end
    dates = ("ctime", "stime", "mtime", "obittime")
    return {
        key: words(value, zone, "%a %b %e %H:%M:%S %Y") if key in dates else value
        for key, value in values.items()
    }


def qstat_json(jobs: list[Job], zone: str, random: Random) -> str:
    entries: dict[str, dict[str, Any]] = {}
    for job in jobs:
        entry = entries.setdefault(f"{job.number}.pbs", {})
        for key, value in qstat_values(job, zone, random).items():
            group, _, name = key.rpartition(".")
            (entry.setdefault(group, {}) if group else entry)[name] = value
    indent = random.choice([None, 4])
    return json.dumps({"timestamp": 1, "pbs_version": "20", "Jobs": entries}, indent=indent)


def qstat_text(jobs: list[Job], zone: str, random: Random) -> str:
    def attribute(key: str, value: object) -> str:
        text = f"    {key} = {value}"
        return text if len(text) < 79 else f"{text[:78]}\n\t{text[78:]}"

    return GREETING + "\n\n".join(
        "\n".join([f"Job Id: {job.number}.pbs", *(attribute(*pair) for pair in values.items())])
        for job in jobs
        for values in [qstat_values(job, zone, random)]
    )


@pytest.mark.parametrize("write", [qstat_json, qstat_text])
@pytest.mark.parametrize("seed", range(many(10)))
def test_qstat_says_what_the_log_says(
    write: Callable[[list[Job], str, Random], str], seed: int
) -> None:
    random = Random(seed)
    jobs, zone = [*random_jobs(random)], random.choice(ZONES)
    text = write(jobs, zone, random)

    log = read(f"pbs:timezone={zone}", text)

    assert format_of(text.encode()) == "pbs"
    assert facts(log) == facts(read("pbs", pbs_file(jobs)))
    assert log.report.counts() == {}


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"job_state": "R"}, "still-running"),
        ({"job_state": "Q", "stime": None}, "still-waiting"),
        ({"job_state": "H", "stime": None}, "still-waiting"),
        ({"stime": None}, "never-started"),
        ({"job_state": None}, "too-few-fields"),
        ({"mtime": None, "obittime": None, "resources_used": None}, "never-ended"),
    ],
)
def test_qstat_lists_jobs_that_did_not_end(change: dict[str, Any], rule: str) -> None:
    random = Random(3)
    jobs = [*random_jobs(random, 2)]
    document = json.loads(qstat_json(jobs, "UTC", random))
    name = f"{jobs[0].number}.pbs"
    entry = document["Jobs"][name] | change
    document["Jobs"][name] = {key: value for key, value in entry.items() if value is not None}

    log = read("pbs", json.dumps(document))

    assert log.workload.job_id.tolist() == [jobs[1].number]
    assert log.report.counts("dropped") == {rule: 1}


# HTCondor


def condor_values(job: Job) -> dict[str, object]:
    return {
        "ClusterId": job.number, "ProcId": 0, "Owner": job.user, "QDate": job.submit,
        "JobCurrentStartDate": job.start, "CompletionDate": job.end, "JobStatus": 4,
        "RemoteWallClockTime": float(job.run), "RequestCpus": job.slots, "RemoteUserCpu": job.cpu,
        "RemoteSysCpu": 0.0, "ResidentSetSize_RAW": job.memory, "ExitCode": job.exit,
        "AllowedJobDuration": job.limit, "ExitBySignal": "false",
    }  # fmt: skip


def condor_long(jobs: list[Job]) -> str:
    def value(each: object) -> object:
        return f'"{each}"' if isinstance(each, str) and each != "false" else each

    ads = ("\n".join(f"{k} = {value(v)}" for k, v in condor_values(job).items()) for job in jobs)
    return "\n\n".join(ads)


@pytest.mark.parametrize("seed", range(many(20)))
def test_a_table_of_condor_history_says_what_long_says(seed: int) -> None:
    random = Random(seed)
    jobs = [*random_jobs(random)]
    names = random.sample([*condor_values(jobs[0])], 15)
    names = ["ID", *(name for name in names if name not in {"ClusterId", "ProcId"})]
    between = random.choice([" ", "\t", ",", "  "])
    quoted = random.random() < 0.3

    def cell(job: Job, name: str) -> str:
        text = str(({"ID": f"{job.number}.0"} | condor_values(job))[name])
        return f'"{text}"' if quoted and name == "Owner" else text

    rows = [between.join(cell(job, name) for name in names) for job in jobs]
    header = random.random() < 0.5
    text = "\n".join([*([between.join(names)] if header else []), *rows])

    log = read("htcondor" if header else f"htcondor:columns={','.join(names)}", text)

    if not quoted or header:
        assert format_of(text.encode()) == ("htcondor" if between != "," or header else None)
    assert facts(log) == facts(read("htcondor", condor_long(jobs)))
    assert log.report.counts() == {"renumbered": len(jobs)}


def test_a_table_without_names_is_refused_with_an_option_that_works() -> None:
    text = "7.0 ann 1700000000 1700000100 1700003700 3600.0 8 0\n"
    names = "ID,Owner,QDate,JobStartDate,CompletionDate,RemoteWallClockTime,RequestCpus,ExitCode"

    with pytest.raises(InputError, match="htcondor,columns=ClusterId,Owner,QDate"):
        read("htcondor", text)
    log = read(f"htcondor:columns={names}", f"{text}8.0 bob undefined 0\n")

    assert facts(log)["run"] == [3600.0]
    assert log.report.counts("dropped") == {"too-few-fields": 1}


def test_a_comma_in_a_value_separates_no_columns() -> None:
    names = "ID,QDate,JobStartDate,CompletionDate,RequestCpus,Cmd"

    log = read(f"htcondor:columns={names}", "7.0 1700000000 1700000100 1700003700 8 a,b,c")

    assert log.workload.header.all("Executable") == ("1 a,b,c",)


# LSF


def lsf_hosts(job: Job) -> list[str]:
    return [f"{job.slots // job.hosts}*n{host}" for host in range(job.hosts)]


def lsf_file(jobs: list[Job]) -> str:
    lines = []
    for job in jobs:
        hosts = lsf_hosts(job)
        behind = [64 if job.exit == 0 else 32, 60.0, job.name, "a.sh", job.cpu, 0.0, *[0] * 17]
        fields = [
            "JOB_FINISH", "10.1", job.end, job.number, 1000, 3, job.slots, job.submit, 0, 0,
            job.start, job.user, job.queue, *[""] * 9, 0, len(hosts), *hosts, *behind, "",
            "default", job.exit, job.slots, "", "", 0, job.memory,
        ]  # fmt: skip
        lines.append(" ".join(f'"{f}"' if isinstance(f, str) else f"{f}" for f in fields))
    return "\n".join(lines)


def cut(line: str) -> str:
    """Write a line as bacct does, which goes on behind 21 blanks after 80 columns."""
    parts = [line[:80], *(line[place : place + 59] for place in range(80, len(line), 59))]
    return ("\n" + " " * 21).join(parts)


def bacct(jobs: list[Job], zone: str, random: Random) -> str:
    with_year = random.random() < 0.3
    form = "%a %b %e %H:%M:%S" + (" %Y" if with_year else "")
    blocks = []
    for job in jobs:
        hosts = " ".join(f"<{host}>" for host in lsf_hosts(job))
        place = f"Dispatched to {hosts}"
        if random.random() < 0.5:
            place = (
                f"Dispatched {job.slots} Task(s) on Host(s) {hosts}, Allocated {job.slots} Slot(s)"
                f" on Host(s) {hosts}, Effective RES_REQ <select[type == any] order[r15s:pg] >"
            )
        asked = random.choice(["Task(s)", "Processors Requested"])
        status = "EXIT" if job.exit else "DONE"
        rest = (
            f"Project <default>, Status <{status}>, Queue <{job.queue}>, Command <#BSUB -n 4;"
            " ./a.sh --some option, User <x>>"
        )
        request = f"CWD <$HOME/some/where>, {job.slots} {asked}, Output File <%J.out>"
        lines = [
            f"Job <{job.number}>, Job Name <{job.name}>, User <{job.user}>, {rest}",
            f"{words(job.submit, zone, form)}: Submitted from host <login>, {request};",
            f"{words(job.start, zone, form)}: {place};",
            f"{words(job.end, zone, form)}: Completed <{status.lower()}>.",
        ]
        sums = [
            "Accounting information about this job:",
            "     CPU_T     WAIT     TURNAROUND   STATUS     HOG_FACTOR    MEM    SWAP",
            f"{job.cpu:10.2f} {1:8} {2:14} {status:>8} {0.1:14} {job.memory // 1024:5}M {0:6}M",
        ]
        blocks.append("\n".join(["-" * 78, "", *map(cut, lines), "", *sums]))
    end = "-" * 78 + "\n\nSUMMARY:      ( time unit: second )\n Total number of done jobs:       1"
    return "\n".join([GREETING, *blocks, end])


def bjobs(jobs: list[Job], zone: str, random: Random) -> str:
    records = [
        {
            "JOBID": str(job.number), "JOB_NAME": job.name, "USER": job.user, "QUEUE": job.queue,
            "STAT": "EXIT" if job.exit else "DONE", "PROJ_NAME": "default",
            "ALLOC_SLOT": ":".join(lsf_hosts(job)), "NREQ_SLOT": str(job.slots),
            "SUBMIT_TIME": words(job.submit, zone, "%b %e %H:%M:%S"),
            "START_TIME": words(job.start, zone, "%b %e %H:%M:%S"),
            "FINISH_TIME": words(job.end - job.end % 60, zone, "%b %e %H:%M L"),
            "RUN_TIME": f"{job.run} second(s)", "CPU_USED": f"{job.cpu} second(s)",
            "MAX_MEM": f"{job.memory // 1024} Mbytes", "EXIT_REASON": "-",
        }
        for job in jobs
    ]  # fmt: skip
    indent = random.choice([None, 2])
    return json.dumps({"COMMAND": "bjobs", "JOBS": len(jobs), "RECORDS": records}, indent=indent)


@pytest.mark.parametrize("write", [bacct, bjobs])
@pytest.mark.parametrize("seed", range(many(12)))
def test_commands_of_lsf_say_what_the_file_says(
    write: Callable[[list[Job], str, Random], str], seed: int
) -> None:
    random = Random(seed)
    zone = random.choice(ZONES)
    year = random.choice([2023, 2024]) if write is bacct else 2023  # bacct tells days of the week
    jobs = [
        job
        for job in random_jobs(random, 12)
        if write is bacct or words(job.submit, zone, "%Y") == "2023"
    ]
    text = write(jobs, zone, random)

    log = read(f"lsf:timezone={zone},year={year}", text)

    assert format_of(text.encode()) == "lsf"
    assert facts(log) == facts(read("lsf", lsf_file(jobs)))
    assert log.report.counts() == {}


@pytest.mark.parametrize(
    ("reason", "state"),
    [
        ("TERM_RUNLIMIT: job killed after reaching LSF run time limit", "TIMEOUT"),
        ("TERM_OWNER: job killed by owner", "CANCELLED by user"),
        ("TERM_MEMLIMIT: job killed after reaching LSF memory usage limit", "OUT_OF_MEMORY"),
        ("TERM_UNKNOWN: unknown reason", "FAILED"),
    ],
)
def test_ends_have_the_names_of_their_numbers(reason: str, state: str) -> None:
    job = next(random_jobs(Random(2)))._replace(exit=9)
    of_bjobs = bjobs([job], "UTC", Random(0)).replace(
        '"EXIT_REASON": "-"', f'"EXIT_REASON": "{reason}"'
    )
    of_bacct = bacct([job], "UTC", Random(0)).replace("<exit>.", f"<exit>; {reason}.")

    for text in (of_bjobs, of_bacct):
        assert facts(read("lsf:year=2023", text))["State"] == [state]


def test_dates_without_a_year_are_refused_with_the_option_that_helps() -> None:
    job = next(random_jobs(Random(2)))

    with pytest.raises(InputError, match=r"without a year.*lsf,year="):
        read("lsf", bjobs([job], "UTC", Random(0)))


def test_bjobs_lists_jobs_that_have_not_ended() -> None:
    jobs = [*random_jobs(Random(5), 4)]
    document = json.loads(bjobs(jobs, "UTC", Random(0)))
    for record, status in zip(document["RECORDS"], ["RUN", "PEND", "USUSP"], strict=False):
        record["STAT"] = status

    log = read("lsf:year=2023", json.dumps(document))

    assert log.report.counts("dropped") == {"still-running": 2, "still-waiting": 1}


@pytest.mark.parametrize("seed", range(many(20)))
def test_lines_of_no_job_become_part_of_none(seed: int) -> None:
    random = Random(seed)
    jobs = [*random_jobs(random, 3)]
    junk = ["ssh: connection closed: n1", "# a comment", "(3 rows)", "", "error: 4 = 5"]

    for name, text, log in [
        ("sge", qacct(jobs, random.choice([*VARIANTS]), "UTC"), sge_file(jobs)),
        ("pbs", qstat_text(jobs, "UTC", random), pbs_file(jobs)),
    ]:
        lines = text.split("\n")
        ends = [place for place, line in enumerate(lines) if not line.startswith("\t")]
        for place in sorted(random.sample(ends, 5), reverse=True):
            lines.insert(place, random.choice(junk))

        assert facts(read(name, "\n".join(lines))) == facts(read(name, log))
