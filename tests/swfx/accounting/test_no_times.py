"""Random logs of every reader in which a time is what stands for no time, in any column."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from random import Random
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pytest

from swfx.accounting.dates import instant, instants, is_no_time, unix_time
from swfx.base.errors import InputError
from swfx.families.formats.registry import IMPORTERS
from tests.scale import many

FIRST = 1_709_800_200
SENTINELS = (0, -1, 4_294_967_294, 4_294_967_295)
WORDS = ["Unknown", "None", "NaT", "nan", "null", "NULL", "unknown", "N/A"]
NUMBERS = [
    *map(str, SENTINELS), "0.0", "-1.0", "4294967295.0", "18446744073709551615",
    "18446744073709551614", "9223372036854780000", "1.8446744073709552e+19",
    "-9223372036854775808",
]  # fmt: skip
ZONES = ["UTC", "Europe/Paris", "America/New_York", "Asia/Kathmandu"]


class Job(NamedTuple):
    """Number of a job, and its times as they are (s)."""

    number: int
    submit: int
    start: int
    end: int


class Format(NamedTuple):
    """A reader, the log that it reads, and what it makes of jobs without a time.

    `dates`: times are dates. `zero`: 0 is a time. `start_stands`: the start stands for an unknown
    submission. `end_known`: the end stands elsewhere, too.
    """

    name: str
    write: Callable[[list[tuple[Job, list[str]]]], str]
    dates: bool = False
    zero: bool = False
    start_stands: bool = True
    end_known: bool = False


def slurm(rows: list[tuple[Job, list[str]]]) -> str:
    lines = [f"{job.number}|u|{'|'.join(times)}|COMPLETED|4" for job, times in rows]
    return "\n".join(["JobID|User|Submit|Start|End|State|AllocCPUS", *lines])


def slurm_json(rows: list[tuple[Job, list[str]]]) -> str:
    jobs = [
        {
            "job_id": job.number,
            "time": dict(zip(("submission", "start", "end"), map(value, times), strict=True)),
            "state": {"current": ["COMPLETED"]},
            "required": {"CPUs": 4},
        }
        for job, times in rows
    ]
    return json.dumps({"jobs": jobs})


def value(time: str) -> object:
    """Write a time as JSON may have it: a number, whether it is set, null or a text."""
    if time.isdecimal():
        return {"set": True, "infinite": False, "number": int(time)}
    return None if time in {"None", "null"} else {"set": False} if time == "NaT" else time


def jobcomp(rows: list[tuple[Job, list[str]]]) -> str:
    return "\n".join(
        f"JobId={job.number} UserId=u(1) Name=run JobState=COMPLETED StartTime={start}"
        f" EndTime={end} ProcCnt=4 SubmitTime={submit} EligibleTime={submit}"
        for job, (submit, start, end) in rows
    ).replace("0000-00-00 ", "0000-00-00T")


def table(rows: list[tuple[Job, list[str]]]) -> str:
    lines = [f"{job.number},{','.join(times)},4" for job, times in rows]
    return "\n".join(["job_id,submit_time,start_time,end_time,processors_used", *lines])


def own_table(rows: list[tuple[Job, list[str]]]) -> str:
    lines = [f"{job.number},{','.join(times)},4" for job, times in rows]
    head = "job_id,submission_time,starting_time,finish_time,requested_number_of_resources"
    return "\n".join([head, *lines])


def pbs(rows: list[tuple[Job, list[str]]]) -> str:
    return "\n".join(
        f"{datetime.fromtimestamp(job.end, UTC):%m/%d/%Y %H:%M:%S};E;{job.number}.s;user=u"
        f" ctime={submit} start={start} end={end} exec_host=n1/0*4 Exit_status=0"
        for job, (submit, start, end) in rows
    )


def sge(rows: list[tuple[Job, list[str]]]) -> str:
    return "\n".join(
        f"all.q:n1:staff:u:run:{job.number}:sge:0:{':'.join(times)}:0:0:0:0.5:0.5:1{':0' * 14}"
        ":NONE:defaultdepartment:NONE:4:0:1.0:1.5:0.0:-U staff:0.0:NONE:1.0:0:0"
        for job, times in rows
    )


def sge_ms(rows: list[tuple[Job, list[str]]]) -> str:
    return sge([(job, [f"{t}000" if t.isdecimal() else t for t in times]) for job, times in rows])


def lsf(rows: list[tuple[Job, list[str]]]) -> str:
    return "\n".join(
        f'"JOB_FINISH" "10.1" {end} {job.number} 1000 33554434 4 {submit} 0 0 {start} "u" "normal"'
        f' "" "" "" "login" "/home" "" "o" "" "f" 0 1 "4*n1" 64 60.0 "run" "a.sh" 3.0 1.0'
        f' {"0 " * 17}"" "quantum" 0 4'
        for job, (submit, start, end) in rows
    )


def htcondor(rows: list[tuple[Job, list[str]]]) -> str:
    return "\n\n".join(
        f"ClusterId = {job.number}\nQDate = {submit}\nJobStartDate = {start}\nJobStatus = 4\n"
        f"CompletionDate = {end}\nRequestCpus = 4"
        for job, (submit, start, end) in rows
    )


FORMATS = [
    Format("slurm", slurm, dates=True, start_stands=False),
    Format("slurm", slurm_json, dates=True, start_stands=False),
    Format("slurm", jobcomp, dates=True, start_stands=False),
    Format("accounting-csv", table, dates=True, start_stands=False),
    Format("jobs-csv", own_table, zero=True, start_stands=False),
    Format("pbs", pbs, end_known=True),
    Format("sge", sge),
    Format("sge", sge_ms),
    Format("lsf", lsf),
    Format("htcondor", htcondor),
]


def no_date(random: Random, zone: ZoneInfo) -> str:
    """Write a sentinel as a date: by the clock of the log, or by another with its offset."""
    if random.random() < 0.2:
        return random.choice(["1970-01-01", "0000-00-00 00:00:00", "0001-01-01T00:00:00Z"])
    if random.random() < 0.3:
        return f"1970-01-01T00:00:00{random.choice(['', 'Z', '+01:00', '-0500'])}"
    quarters = timedelta(minutes=15 * random.randrange(-48, 57))
    time = datetime.fromtimestamp(random.choice(SENTINELS), random.choice([zone, UTC]))
    if random.random() < 0.5:
        return time.astimezone(timezone(quarters)).isoformat()
    return time.replace(tzinfo=None).isoformat()


def written(time: int, form: Format, zone: ZoneInfo, random: Random) -> str:
    if form.dates and random.random() < 0.7:
        return datetime.fromtimestamp(time, zone).replace(tzinfo=None).isoformat()
    return str(time)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.write.__name__)
def test_what_stands_for_no_time_is_none_in_any_column(form: Format) -> None:
    met = {"kept": 0, "dropped": 0}
    for seed in range(many(60)):
        random = Random(f"{form.write.__name__}{seed}")
        zone = random.choice(ZONES) if form.dates else "UTC"
        spellings = WORDS + [text for text in NUMBERS if not form.zero or float(text) != 0]
        first = 0 if form.zero else FIRST
        rows, expected = [], []
        for number in range(1, random.randrange(2, 12)):
            steps = [random.randrange(1, 90_000) for _ in range(3)]
            submit = first + (0 if number == 1 else steps[0])
            job = Job(number, submit, submit + steps[1], submit + steps[1] + steps[2])
            times = [written(time, form, ZoneInfo(zone), random) for time in job[1:]]
            none = random.choice([0, 1, 2, None]) if number > 1 else None
            if none is not None:
                no = no_date(random, ZoneInfo(zone)) if form.dates else random.choice(spellings)
                times[none] = random.choice([no, random.choice(spellings)])
            rows.append((job, times))
            if none is None or (none == 2 and form.end_known):
                expected.append((number, job.submit, steps[1], steps[2]))
            elif none == 0 and form.start_stands:
                expected.append((number, job.start, -1, steps[2]))
        options = f":timezone={zone}" if form.dates else ""

        jobs = (
            IMPORTERS.make(f"{form.name}{options}").read(form.write(rows).encode(), "log").workload
        )

        begin = jobs.header.unix_start_time or 0
        columns = (jobs.job_id, jobs.submit + begin, jobs.wait, jobs.run)
        assert sorted(zip(*(c.tolist() for c in columns), strict=True)) == expected, (seed, rows)
        met["kept"] += len(expected)
        met["dropped"] += len(rows) - len(expected)
    assert min(met.values()) > 0


@pytest.mark.parametrize("text", [*WORDS, *NUMBERS, "", " NaT ", "inf", "1970-01-01"])
def test_words_and_numbers_that_are_no_time(text: str) -> None:
    assert is_no_time(text)
    assert unix_time(text) is None
    assert instant(text, ZoneInfo("Europe/Paris")) is None


@pytest.mark.parametrize("text", ["1", "900", "86400", "1970-01-01T00:00:10", "-5", "4294967293"])
def test_other_times_near_the_epoch_are_times_or_no_dates(text: str) -> None:
    zone = ZoneInfo("UTC")
    assert not is_no_time(text)
    assert instants([text], zone)[0] < float("inf") or text == "-5"
    if text == "-5":
        with pytest.raises(InputError, match="no date"):
            instant(text, zone)
    else:
        assert instant(text, zone) is not None


def test_dates_by_column_are_none_where_those_one_by_one_are() -> None:
    random = Random(1)
    zone = ZoneInfo("America/New_York")
    texts = [no_date(random, zone) for _ in range(500)]

    assert {instant(text, zone) for text in texts} == {None}
    assert not [time for time in instants(texts, zone).tolist() if abs(time) < float("inf")]
