"""The same jobs as sacct, squeue, scontrol and jobcomp list them are read as the same jobs."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, NamedTuple

import pytest

from pricing.states import states_of
from swfx.base.errors import InputError
from swfx.families.formats.registry import IMPORTERS, Imported, format_of
from swfx.reading.imports import import_log
from swfx.slurm.states import state_of_flags
from tests.conftest import ROOT
from tests.outside import outside
from tests.scale import many
from tests.slurm.usage import usage_of

NEWER = ROOT.parent / "shared" / "slurm-listings" / "newer"
FIRST = 1_709_800_200
NAMES = ["run", "my job", "a=b", "left|right", "Job=5 of 7", 'say "hi"', "x  y"]
ENDED = ["COMPLETED", "FAILED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "OUT_OF_MEMORY", "CANCELLED"]


class Job(NamedTuple):
    """A job of a listing; times are Unix times (s), 0 for what has not happened."""

    number: int
    part: str
    user: str
    account: str
    name: str
    state: str
    submit: int
    start: int
    end: int
    planned: int
    cpus: int
    gpus: int
    limit: int

    @property
    def identity(self) -> str:
        """Number as sacct has it."""
        return f"{self.number}" if not self.part else f"7{self.part}"

    @property
    def resources(self) -> str:
        gpus = f",gres/gpu={self.gpus}" if self.gpus else ""
        return f"cpu={self.cpus},mem={self.cpus}G,node=1{gpus}" if self.start else ""


def draw(random: Random) -> list[Job]:
    jobs = []
    for number in range(10, 10 + random.randrange(1, 12)):
        submit = FIRST + random.randrange(10_000)
        start = submit + random.randrange(1, 5_000)
        end = start + random.randrange(1, 5_000)
        planned = 0
        state = random.choice([*ENDED, "PENDING", "RUNNING"])
        if state == "RUNNING":
            end, planned = 0, end
        if state == "PENDING" or (state == "CANCELLED" and random.random() < 0.5):
            planned, start, end = start if state == "PENDING" else 0, 0, 0
        part = random.choice(["", "", f"_{number}", f"+{number - 9}"])
        who = random.choice(["ann", "bob"]), random.choice(["physics", "bio"])
        name, limit = random.choice(NAMES), random.choice([5, 60, 1440])
        size = random.randrange(1, 9), random.choice([0, 2])
        times = submit, start, end, planned
        jobs.append(Job(number, part, *who, name, state, *times, *size, limit))
    return jobs


def date(time: int) -> str:
    return f"{datetime.fromtimestamp(time, UTC):%Y-%m-%dT%H:%M:%S}" if time else "Unknown"


def sacct(jobs: list[Job]) -> str:
    names = "JobID JobIDRaw User Account JobName Submit Start End State AllocCPUS AllocTRES ReqCPUS"
    rows = [[*names.split(), "ReqMem", "Timelimit"]]
    for job in jobs:
        times = map(date, (job.submit, job.start, job.end))
        rows.append([
            job.identity, str(job.number), job.user, job.account, job.name, *times, job.state,
            str(job.cpus if job.start else 0), job.resources, str(job.cpus), f"{job.cpus}G",
            f"{job.limit // 60:02}:{job.limit % 60:02}:00",
        ])  # fmt: skip
    return "\n".join("\x1f".join(row) for row in rows)


def tres(text: str) -> list[dict[str, Any]]:
    """List resources as JSON has them: memory in MB."""
    pairs = (item.split("=") for item in filter(None, text.split(",")))
    return [
        {"type": name.split("/")[0], "name": "/".join(name.split("/")[1:]), "id": 1,
         "count": int(size.replace("G", "")) * (1024 if name == "mem" else 1)}
        for name, size in pairs
    ]  # fmt: skip


def number(value: int | None) -> dict[str, Any]:
    return {"set": value is not None, "infinite": False, "number": value or 0}


def parts(job: Job) -> tuple[int, int | None, int, int | None]:
    """Return array, task, heterogeneous job and offset of a job."""
    which = int(job.part[1:]) if job.part else None
    array, het = job.part.startswith("_"), job.part.startswith("+")
    return 7 * array, which if array else None, 7 * het, which if het else None


def sacct_entries(jobs: list[Job], *, older: bool = False) -> list[dict[str, Any]]:
    """Write entries of sacct --json as 22.05 (plain numbers and states) or as 25.05 does."""

    def maybe(value: int | None) -> Any:
        return value if older else number(value)

    entries = []
    for job in jobs:
        array, task, het, offset = parts(job)
        times = {"submission": job.submit, "start": job.start, "end": job.end}
        entries.append({
            "job_id": job.number, "user": job.user, "account": job.account, "name": job.name,
            "array": {"job_id": array, "task_id": maybe(task), "task": None if older else ""},
            "het": {"job_id": het, "job_offset": maybe(offset)}, "restart_cnt": 0,
            "association": {"account": "", "cluster": "lab", "user": job.user},
            "partition": "main", "qos": "normal", "required": {"CPUs": job.cpus},
            "comment": {"job": "", "administrator": "", "system": ""}, "kill_request_user": "",
            "time": {**times, "limit": maybe(job.limit), "suspended": 0, "eligible": job.submit,
                     "total": {"seconds": 0, "microseconds": 0},
                     "elapsed": job.end - job.start if job.end else 0},
            "state": {"current": job.state if older else [job.state], "reason": "None"},
            "tres": {"allocated": tres(job.resources),
                     "requested": tres(f"cpu={job.cpus},mem={job.cpus}G")},
            "steps": [{"tres": {"requested": {"max": tres("mem=1")}}}] if job.start else [],
        })  # fmt: skip
    return entries


def sacct_json(jobs: list[Job]) -> str:
    return json.dumps({"jobs": sacct_entries(jobs), "meta": {"Slurm": {}}})


def sacct_json_older(jobs: list[Job]) -> str:
    return json.dumps({"meta": {"Slurm": {}}, "jobs": sacct_entries(jobs, older=True)}, indent=1)


def json_lines(jobs: list[Job]) -> str:
    return "\n".join(map(json.dumps, sacct_entries(jobs)))


def json_list(jobs: list[Job]) -> str:
    return json.dumps(sacct_entries(jobs), indent=2)


def joined_json(jobs: list[Job]) -> str:
    return "\n".join(map(sacct_json, (jobs[:1], jobs[1:])))


def squeue_json(jobs: list[Job]) -> str:
    entries = []
    for job in jobs:
        array, task, het, offset = parts(job)
        start = job.planned if job.state == "PENDING" else job.start
        end = job.planned if job.state == "RUNNING" else job.end
        entries.append({
            "job_id": job.number, "user_name": job.user, "account": job.account, "name": job.name,
            "array_job_id": number(array), "array_task_id": number(task), "array_task_string": "",
            "het_job_id": number(het), "het_job_offset": number(offset or 0), "partition": "main",
            "submit_time": number(job.submit), "start_time": number(start),
            "end_time": number(end), "job_state": [job.state], "cpus": number(job.cpus),
            "suspend_time": number(0), "pre_sus_time": number(0), "time_limit": number(job.limit),
            "tres_alloc_str": job.resources, "tres_req_str": f"cpu={job.cpus},mem={job.cpus}G",
            "qos": "normal", "comment": "", "admin_comment": "", "user_id": 1000,
        })  # fmt: skip
    return json.dumps({"jobs": entries, "meta": {"slurm": {}}})


def scontrol_records(jobs: list[Job]) -> list[list[str]]:
    records = []
    for job in jobs:
        array, task, het, offset = parts(job)
        which = f" ArrayJobId={array} ArrayTaskId={task}" if array else ""
        which += f" HetJobId={het} HetJobOffset={offset}" if het else ""
        start = job.planned if job.state == "PENDING" else job.start
        end = job.planned if job.state == "RUNNING" else job.end
        ran = job.end - job.start
        limit = f"{job.limit // 1440}-{job.limit // 60 % 24:02}:{job.limit % 60:02}:00"
        cpus = f"{job.cpus}-{job.cpus + 2}" if job.state == "PENDING" else f"{job.cpus}"
        records.append([
            f"JobId={job.number}{which} JobName={job.name}",
            *([f"HetJobIdSet={het}-9"] if het else []),
            f"UserId={job.user}(1000) GroupId=users(100) MCS_label=N/A",
            f"Priority=1 Nice=0 Account={job.account} QOS=normal WCKey=(null)",
            f"JobState={job.state} Reason=None Dependency=(null)",
            "Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:0",
            f"RunTime={ran // 3600:02}:{ran // 60 % 60:02}:{ran % 60:02} TimeLimit={limit}",
            f"SubmitTime={date(job.submit)} EligibleTime={date(job.submit)}",
            f"StartTime={date(start)} EndTime={date(end)} Deadline=N/A",
            "SuspendTime=None SecsPreSuspend=0 LastSchedEval=2024-03-07T08:30:00",
            "Partition=main AllocNode:Sid=head:1", "NodeList=n1",
            f"NumNodes=1 NumCPUs={cpus} NumTasks=1 CPUs/Task=1 ReqB:S:C:T=0:0:*:*",
            f"ReqTRES=cpu={job.cpus},mem={job.cpus}G", f"AllocTRES={job.resources or '(null)'}",
            "MinCPUsNode=1 Features=(null)", "Command=/home/run.sh -x Account=none",
            "WorkDir=/home/my folder Partition=x", "StdErr=/dev/null",
        ])  # fmt: skip
    return records


def scontrol(jobs: list[Job]) -> str:
    return "\n\n".join("\n   ".join(record) for record in scontrol_records(jobs)) + "\n\n"


def scontrol_one_line(jobs: list[Job]) -> str:
    return "\n".join(" ".join(record) for record in scontrol_records(jobs))


def jobcomp(jobs: list[Job]) -> str:
    lines = []
    for job in jobs:
        array, task, het, offset = parts(job)
        which = f" ArrayJobId={array} ArrayTaskId={task}" if array else ""
        which += f" HetJobId={het} HetJobOffset={offset}" if het else ""
        lines.append(
            f"JobId={job.number} UserId={job.user}(1000) GroupId=users(100) Name={job.name} "
            f"JobState={job.state} Partition=main TimeLimit={job.limit} "
            f"StartTime={date(job.start)} EndTime={date(job.end)} NodeList=n1 NodeCnt=1 "
            f"ProcCnt={job.cpus if job.start else 0} WorkDir=/home/my folder ReservationName= "
            f"Tres={job.resources} Account={job.account} QOS=normal WcKey= Cluster=lab "
            f"SubmitTime={date(job.submit)} EligibleTime={date(job.submit)}{which} "
            f"DerivedExitCode=0:0 ExitCode=0:0 "
        )
    return "\n".join(lines)


LAYOUTS: list[Callable[[list[Job]], str]] = [
    sacct_json, sacct_json_older, json_lines, json_list, joined_json, squeue_json, scontrol,
    scontrol_one_line, jobcomp,
]  # fmt: skip


def read(text: str, options: str = "") -> Imported:
    return IMPORTERS.make(f"slurm{options}").read(text.encode(), "log")


def rows_of(log: Imported) -> list[tuple[Any, ...]]:
    """What is known of every job; names of labels for their numbers."""
    jobs = log.workload
    columns = [
        jobs.job_id, jobs.submit + (jobs.header.unix_start_time or 0), jobs.wait, jobs.run,
        jobs.processors, jobs.requested_time,
        jobs.extra.get("tres/gres/gpu", jobs.job_id * 0), jobs.extra.get("tres/mem"),
    ]  # fmt: skip
    labels = [jobs.labels.required(kind) for kind in ("user", "account", "job_name")]
    names = [list(map(label.name, label.numbers.tolist())) for label in labels]
    cells = (column.tolist() for column in columns if column is not None)
    return sorted(zip(states_of(jobs), *names, *cells, strict=True))


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_the_same_jobs_in_any_layout(layout: Callable[[list[Job]], str]) -> None:
    met = 0
    for seed in range(many(40)):
        jobs = draw(Random(seed))
        if layout is jobcomp:  # which lists what has ended
            jobs = [job for job in jobs if job.state in ENDED]
        if not any(job.start and job.state in ENDED for job in jobs):
            continue
        text = layout(jobs)

        table, log = read(sacct(jobs)), read(text)

        assert rows_of(log) == rows_of(table), seed
        assert log.report.counts("dropped") == table.report.counts("dropped"), seed
        assert log.report.lines_accounted()
        assert log.workload.part_of.tolist() == table.workload.part_of.tolist()
        assert format_of(text[:4000].encode()) == "slurm"
        met += len(log.workload)
    assert met > 0


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_where_nothing_has_ended_an_error_says_so(layout: Callable[[list[Job]], str]) -> None:
    drawn = [job for seed in range(9) for job in draw(Random(seed))]
    jobs = [job for job in drawn if job.state in {"RUNNING", "PENDING"}]
    assert {job.state for job in jobs} == {"RUNNING", "PENDING"}

    with pytest.raises(InputError, match=r"no job is left .*still-.*jobs that have ended"):
        read(layout(jobs))


def flags_in_words(flags: set[str]) -> str:
    """Name a state as job_state_string of Slurm does, a fault of the machine before all."""
    for name in (
        "COMPLETING", "STAGE_OUT", "CONFIGURING", "BOOT_FAIL", "LAUNCH_FAILED", "NODE_FAIL",
        "RECONFIG_FAIL", "RESIZING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT",
        "STOPPED", "REVOKED", "RESV_DEL_HOLD", "SIGNALING",
    ):  # fmt: skip
        if name in flags:
            return name
    return next(name for name in (*ENDED, "RUNNING", "PENDING", "SUSPENDED") if name in flags)


def test_any_flags_make_one_state() -> None:
    bases = [*ENDED, "RUNNING", "PENDING", "SUSPENDED"]
    flags = [
        "COMPLETING", "STAGE_OUT", "CONFIGURING", "LAUNCH_FAILED", "RECONFIG_FAIL", "RESIZING",
        "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "STOPPED", "REVOKED",
        "RESV_DEL_HOLD", "SIGNALING", "POWER_UP_NODE", "EXPEDITING",
    ]  # fmt: skip
    for seed in range(many(300)):
        random = Random(seed)
        chosen = [random.choice(bases), *random.sample(flags, random.randrange(4))]
        random.shuffle(chosen)

        assert state_of_flags(chosen) == flags_in_words(set(chosen)), chosen
        job = draw(Random(1))[0]._replace(
            state="COMPLETED", start=FIRST + 20_000, end=FIRST + 21_000
        )
        entries = sacct_entries([job, job._replace(number=99, part="")])
        entries[0]["state"]["current"] = chosen
        over = flags_in_words(set(chosen)) in {
            *ENDED, "BOOT_FAIL", "LAUNCH_FAILED", "RECONFIG_FAIL", "RESIZING", "REQUEUED",
            "SPECIAL_EXIT", "REVOKED",
        }  # fmt: skip
        log = read(json.dumps({"jobs": entries}))
        assert len(log.workload) == 1 + over, chosen


OPTIONAL = [
    "user", "account", "name", "array", "het", "restart_cnt", "partition", "qos", "required",
    "comment", "kill_request_user", "state", "steps", "time.limit", "time.suspended",
    "time.eligible", "time.total", "time.elapsed", "tres.requested", "association", "array.task",
    "het.job_offset", "steps.tres",
]  # fmt: skip


def drop(entry: dict[str, Any], key: str) -> None:
    outer, _, inner = key.partition(".")
    for each in [entry] if not inner else [entry.get(outer, {})]:
        for place in each if isinstance(each, list) else [each]:
            place.pop(inner or outer, None)


def test_keys_that_are_not_needed_may_be_missing() -> None:
    met = 0
    for seed in range(many(150)):
        random = Random(seed)
        jobs = [job._replace(part="") for job in draw(random) if job.state in ENDED and job.start]
        entries = sacct_entries(jobs, older=random.random() < 0.3)
        everywhere = random.sample(OPTIONAL, random.randrange(5))
        for entry in entries:
            for key in {*everywhere, *random.sample(OPTIONAL, random.randrange(3))}:
                drop(entry, key)
        if not jobs:
            continue

        log = read(json.dumps({"jobs": entries}))

        times = [(job.number, job.submit, job.start - job.submit, job.end - job.start, job.cpus)
                 for job in jobs]  # fmt: skip
        assert numbers_of(log) == sorted(times), seed
        assert not log.report.counts("dropped")
        met += len(jobs)
    assert met > 0


def numbers_of(log: Imported) -> list[tuple[int, ...]]:
    jobs = log.workload
    begin = jobs.header.unix_start_time or 0
    columns = (jobs.job_id, jobs.submit + begin, jobs.wait, jobs.run, jobs.processors)
    return sorted(zip(*(column.tolist() for column in columns), strict=True))


NEEDED = {
    "job_id": "job_id", "time.submission": "time.submission or submit_time",
    "time.start": "time.start or start_time",
}  # fmt: skip


@pytest.mark.parametrize("key", NEEDED)
def test_a_needed_key_that_is_missing_is_named(key: str) -> None:
    jobs = [job for job in draw(Random(5)) if job.state in ENDED and job.start]
    assert len(jobs) > 1
    entries = sacct_entries(jobs)
    for entry in entries:
        drop(entry, key)

    with pytest.raises(InputError, match=f"keys are missing: .*{NEEDED[key]}"):
        read(json.dumps({"jobs": entries, "meta": {"job_id": 0}}))

    entries = sacct_entries(jobs)
    drop(entries[1], key)
    log = read(json.dumps({"jobs": entries}))
    assert log.report.lines_of("not-a-record").tolist() == [2]
    assert len(log.workload) == len(jobs) - 1


def test_keys_of_ends_and_processors_are_named_together() -> None:
    entries = [{"job_id": 1, "time": {"submission": FIRST, "start": FIRST}}]

    with pytest.raises(InputError, match="keys are missing") as error:
        read(json.dumps(entries))

    ends = "time.end or end_time or time.elapsed or run_time"
    assert f": {ends}, tres.allocated or tres_alloc_str or " in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"jobs": []}', "lists no job"),
        ('{"jobs": 5}', 'has no list of "jobs"'),
        ('{"meta": {}}', 'has no list of "jobs"'),
        ('{"jobs": [{"job_id": 1', "is no JSON"),
    ],
)
def test_other_json_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(text)


KEYED = [scontrol, scontrol_one_line, jobcomp]
KEY_TEXTS = [
    "UserId=x(0)", "UserId=bob(1) GroupId=users(1)", "JobState=FAILED", "JobState=A Partition=b",
    "Account=b", "Comment=c", "Name=d", "y", "  ",
]  # fmt: skip


@pytest.mark.parametrize("layout", KEYED)
def test_names_with_keys_are_names(layout: Callable[[list[Job]], str]) -> None:
    sound = Job(1, "", "ann", "bio", "run", "COMPLETED", FIRST, FIRST + 5, FIRST + 9, 0, 4, 0, 5)
    for seed in range(many(60)):
        random = Random(seed)
        texts = random.choices(KEY_TEXTS, k=random.randrange(1, 5))
        part = random.choice(["", "_2", "+2"])
        jobs = [sound, sound._replace(number=2, part=part, name=" ".join(["x", *texts, "z"]))]

        log = read(layout(jobs))

        assert rows_of(log) == rows_of(read(sacct(jobs))), seed
        assert not log.report.counts("dropped")


@pytest.mark.parametrize("layout", KEYED)
def test_a_name_that_holds_half_a_record_takes_nobody_elses_place(
    layout: Callable[[list[Job]], str],
) -> None:
    sound = Job(1, "", "ann", "bio", "run", "COMPLETED", FIRST, FIRST + 5, FIRST + 9, 0, 4, 0, 5)
    other = layout([sound._replace(user="bob")]).replace("\n", " ").split("Name=run ")[1]
    log = read(layout([sound, sound._replace(number=2, name=f"x {other}")]))

    assert log.workload.job_id.tolist() == [1]
    assert log.report.counts() == {"key-twice": 1, **log.report.counts("repaired")}


@pytest.mark.parametrize("layout", KEYED)
@pytest.mark.parametrize("text", ["x{}y", "x Comment={}y", "x{}"])
def test_long_names_of_blanks_take_no_long_time(
    layout: Callable[[list[Job]], str], text: str
) -> None:
    job = Job(1, "", "ann", "bio", "run", "COMPLETED", FIRST, FIRST + 5, FIRST + 9, 0, 4, 0, 5)
    short, long = (layout([job._replace(name=text.format(" " * n))]) for n in (100, 100_000))
    read(short)
    begin = process_time()

    read(long)

    assert process_time() - begin < 5  # minutes, if time grew as the square of the length


def test_lines_of_no_record_are_listed_and_become_no_name() -> None:
    junk = ["slurm_load_jobs error: timed out", "(3 rows)", "# a comment", "ssh: closed"]
    for seed in range(many(60)):
        random = Random(seed)
        jobs = [job for job in draw(random) if job.state in ENDED and job.start]
        layout = random.choice([scontrol, scontrol_one_line, jobcomp])
        lines = layout(jobs).split("\n")
        noise = [random.randrange(1, len(lines) + 1) for _ in range(2)]
        for place in sorted(noise, reverse=True):
            lines.insert(place, random.choice(junk))
        if not jobs:
            continue

        log = read("\n".join(lines))

        assert rows_of(log) == rows_of(read(sacct(jobs)))
        assert log.report.counts("dropped")["not-a-record"] == 2
        where = log.report.lines_of("not-a-record").tolist()
        assert {lines[line - 1] for line in where} <= set(junk)


def test_a_suspension_is_left_out_of_the_time_on_processors() -> None:
    job = Job(1, "", "ann", "bio", "run", "COMPLETED", FIRST, FIRST + 5, FIRST + 99, 0, 4, 0, 5)
    live = json.loads(squeue_json([job]))
    live["jobs"][0] |= {"suspend_time": number(FIRST + 50), "pre_sus_time": number(20)}
    shown = scontrol([job]).replace("RunTime=00:01:34", "RunTime=00:01:09")

    in_seconds = shown.replace("SuspendTime=None SecsPre", f"SuspendTime={FIRST + 50} SecsPre")
    in_seconds = in_seconds.replace("PreSuspend=0", "PreSuspend=20")
    for time in (FIRST, FIRST + 5, FIRST + 99):  # SLURM_TIME_FORMAT=%s
        in_seconds = in_seconds.replace(date(time), str(time))

    for text in (json.dumps(live), shown, in_seconds):
        log = read(text).workload
        assert (log.run.tolist(), log.suspended.tolist()) == ([94], [25])


@pytest.fixture(scope="module")
def _newer() -> None:
    outside(NEWER, "listings")


@pytest.mark.usefixtures("_newer")
@pytest.mark.parametrize("name", ["sacct.txt", "sacct-pipes.txt", "sacct.json.gz"])
def test_listings_of_slurm_25_05(name: str) -> None:
    log = import_log(IMPORTERS.make("slurm:requeue=each"), NEWER / name)

    rows = [line.split("|") for line in (NEWER / "sacct-sums.txt").read_text().splitlines()]
    for account in ("chemistry", "organic", "physics"):
        of = {user: seconds for (name, user), seconds in usage_of(log.workload, "cpu").items()
              if name == account}  # fmt: skip
        assert sum(of.values()) == sum(int(row[2]) for row in rows if row[0] == account)
    assert sum(usage_of(log.workload, "cpu").values()) == 174
    assert sum(usage_of(log.workload, "gres/gpu").values()) == 26
    assert len(log.workload) == 49
    states = states_of(log.workload)
    assert (states.count("REQUEUED"), states.count("RESIZING")) == (5, 1)
    assert log.report.counts("dropped") == {"never-started": 1, "still-waiting": 1}
    last = import_log(IMPORTERS.make("slurm"), NEWER / name)
    assert len(last.workload) == 44


@pytest.mark.usefixtures("_newer")
def test_live_listings_of_slurm_25_05_have_the_last_runs_of_sacct() -> None:
    names = ("sacct.txt", "squeue.json.gz", "scontrol-jobs.txt")
    table, queue, shown = (import_log(IMPORTERS.make("slurm"), NEWER / name) for name in names)

    def runs(log: Imported) -> set[tuple[float, ...]]:
        jobs = log.workload
        end = jobs.submit + jobs.wait + jobs.run + (jobs.header.unix_start_time or 0)
        columns = (jobs.job_id, jobs.run, end, jobs.processors, jobs.suspended)
        return set(zip(*(column.tolist() for column in columns), strict=True))

    assert runs(queue) == runs(shown)
    assert {job for job, *_ in runs(queue) - runs(table)} == {14}  # resized: the first size is gone
    for rule in ("still-running", "still-waiting", "pending-tasks", "never-started"):
        assert queue.report.counts()[rule] == shown.report.counts()[rule]


def test_lines_of_json_are_in_no_file(tmp_path: Path) -> None:
    job = Job(1, "", "ann", "bio", "run", "COMPLETED", FIRST, FIRST + 5, FIRST + 9, 0, 4, 0, 5)
    waiting = job._replace(number=2, state="PENDING", start=0, end=0)
    for layout in (sacct_json, scontrol):
        for number in range(3):
            jobs = [job._replace(number=10 + number), waiting._replace(number=20 + number)]
            (tmp_path / f"{number}.{layout.__name__}").write_text(layout(jobs))

    in_json, in_text = (
        import_log(IMPORTERS.make("slurm"), f"{tmp_path}/*.{layout.__name__}")
        for layout in (sacct_json, scontrol)
    )

    assert in_json.report.lines_of("still-waiting").tolist() == [2, 4, 6]
    assert (len(in_json.report.files), len(in_text.report.files)) == (0, 3)
