"""Random declarations: tables written in the form that they declare are read as their jobs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain, repeat
from pathlib import Path
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pyarrow as pa
import pytest
from pyarrow import parquet

from swfx import InputError
from swfx.families.formats.registry import IMPORTERS, Imported
from tests.scale import many

ZONES = ("UTC", "Asia/Tokyo", "America/Denver")
LENGTHS = {"s": 1, "min": 60, "h": 3600, "ms": 1e-3, "d": 86_400}
STATES = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL")
FORMS = ("%d.%m.%Y %H:%M:%S", "%m/%d/%Y %I:%M:%S %p", "%Y/%m/%d %H:%M:%S", "%d %b %Y %H:%M:%S")
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|", "^": "^", "blank": "  "}
LAYOUTS = ("csv", "headerless", "blank", "parquet", "json", "json-lines")
JUNK = ("work_dir", "Load %", "a.b", "Ünits")


@dataclass
class Job:
    """A job, times as Unix times (s); None: it did not come to that."""

    number: int
    submit: int
    start: int | None
    end: int | None
    processors: int
    limit: int
    user: str
    state: str


@dataclass
class Form:
    """A random declaration, and what writes values in its form."""

    layout: str
    separator: str
    none: str
    zone: ZoneInfo
    columns: dict[str, str]
    date: Callable[[int], Any]
    date_unit: str
    limit_unit: str
    states: dict[str, str]

    def toml(self) -> str:
        """Write the preset."""
        column = {name: json.dumps(text) for name, text in self.columns.items()}
        lines = [
            'title = "Random"',
            f'timezone = "{self.zone.key}"',
            f"none = [{json.dumps(self.none)}]",
        ]
        if self.layout in {"json", "json-lines"}:
            lines.append(f'layout = "{self.layout}"')
        if self.layout == "json":
            lines.append('records = "data.jobs"')
        if self.layout in {"csv", "headerless", "blank"}:
            lines += [f'separator = "{self.separator}"', 'comment = "#"']
        if self.layout in {"headerless", "blank"}:
            lines.append("header = false")
        lines.append("[columns]")
        for name, text in column.items():
            unit = {"submit": self.date_unit, "start": self.date_unit, "end": self.date_unit}
            unit["requested_time"] = self.limit_unit
            stated = f", unit = {json.dumps(unit[name])}" if unit.get(name) else ""
            lines.append(f"{name} = {{ column = {text}{stated} }}")
        lines.append("[states]")
        lines += [f"{state} = [{json.dumps(text)}]" for state, text in self.states.items()]
        return "\n".join((*lines, ""))


def random_jobs(rng: Random) -> list[Job]:
    jobs = []
    for number in rng.sample(range(1, 10_000), rng.randint(1, 12)):
        submit = rng.randint(1_500_000_000, 1_700_000_000)
        start = submit + rng.choice((0, 1, rng.randint(0, 10**6)))
        end = start + rng.randint(0, 10**6)
        ran = rng.random()
        state = rng.choice(STATES) if ran < 0.8 else rng.choice(("RUNNING", "CANCELLED"))
        never = ran >= 0.8 and state == "CANCELLED"
        jobs.append(
            Job(
                number,
                submit,
                None if never else start,
                None if state == "RUNNING" else end,
                rng.randint(1, 4096),
                86_400 * rng.randint(1, 9),
                rng.choice(("ann", "bob", "ümit", "x-1", "O'Hara")),
                state,
            )
        )
    return jobs


def random_form(rng: Random) -> Form:
    layout = rng.choice(LAYOUTS)
    between = "blank" if layout == "blank" else rng.choice([*SEPARATORS][:-1])
    zone = ZoneInfo(rng.choice(ZONES))
    fields = ["job_id", "submit", "start", "end", "processors", "requested_time", "user", "state"]
    places = rng.sample(range(1, len(fields) + 3), len(fields))
    numbered = layout in {"headerless", "blank"}
    names = {
        field: str(place) if numbered else f"{rng.choice(('c', 'My ', 'ID_'))}{place}"
        for field, place in zip(fields, places, strict=True)
    }
    if layout == "json":
        names = {field: f"{rng.choice(('run.', 'list.0.', ''))}{n}" for field, n in names.items()}
    date, unit = random_date(rng, zone, blanks=layout != "blank")
    words = rng.sample(["0", "1", "17", "done", "Pass", "ko", "C", "137", "n/d"], len(STATES) + 1)
    return Form(
        layout, between, rng.choice(("NULL", "-", "?")), zone, names, date, unit,
        rng.choice([*LENGTHS]), dict(zip((*STATES, "RUNNING"), words, strict=True)),
    )  # fmt: skip


def random_date(rng: Random, zone: ZoneInfo, *, blanks: bool) -> tuple[Callable[[int], Any], str]:
    """Return what writes a Unix time, and the unit that states how."""

    def local(time: int) -> datetime:
        return datetime.fromtimestamp(time, zone)

    units = {"ms": 1000, "us": 10**6, "s": 1}
    if rng.random() < 0.4:
        unit = rng.choice([*units])
        return lambda time: time * units[unit], unit
    if rng.random() < 0.2:
        offset = rng.choice(("+00:00", "+05:30"))
        hours = timedelta(hours=5.5 if offset == "+05:30" else 0)
        return lambda t: f"{datetime.fromtimestamp(t, UTC) + hours:%Y-%m-%dT%H:%M:%S}{offset}", ""
    if rng.random() < 0.2:
        day_0 = datetime(1899, 12, 30, tzinfo=UTC)

        def days(time: int) -> str:
            return repr((local(time).replace(tzinfo=UTC) - day_0) / timedelta(days=1))

        return days, "spreadsheet"
    form = rng.choice(FORMS) if blanks else "%Y%m%d%H%M%S"
    return lambda time: local(time).strftime(form), form


def cells_of(job: Job, form: Form) -> dict[str, Any]:
    date = form.date
    length = job.limit / LENGTHS[form.limit_unit]
    values = {
        "job_id": job.number,
        "submit": date(job.submit),
        "start": None if job.start is None else date(job.start),
        "end": None if job.end is None else date(job.end),
        "processors": job.processors,
        "requested_time": int(length) if length.is_integer() else length,
        "user": job.user,
        "state": form.states[job.state],
    }
    return {form.columns[name]: value for name, value in values.items()}


def written(jobs: list[Job], form: Form, rng: Random) -> bytes:
    records = [cells_of(job, form) for job in jobs]
    if form.layout == "json":
        return json.dumps({"data": {"jobs": [nested(record) for record in records]}}).encode()
    if form.layout == "json-lines":
        return "".join(f"{json.dumps(record)}\n" for record in records).encode()
    if form.layout == "parquet":
        table = pa.Table.from_pylist([record | dict.fromkeys(JUNK, 1.5) for record in records])
        target = io.BytesIO()
        parquet.write_table(table, target)
        return target.getvalue()
    numbered = form.layout != "csv"
    width = max(map(int, form.columns.values())) + 1 if numbered else 0
    names = [str(n + 1) for n in range(width)] if numbered else [*records[0], *JUNK]
    if not numbered:
        rng.shuffle(names)
    rows = [] if numbered else [names]
    rows += [
        [form.none if record.get(name) is None else str(record[name]) for name in names]
        for record in records
    ]
    target = io.StringIO()
    separator = SEPARATORS[form.separator]
    if form.layout == "blank":
        for row in rows:
            target.write(separator.join(row) + "\n")
    else:
        csv.writer(target, delimiter=separator, lineterminator="\n").writerows(rows)
    lines = target.getvalue().splitlines(keepends=True)
    for _ in range(rng.randint(0, 3)):
        lines.insert(rng.randint(0, len(lines)), rng.choice(("# a comment\n", "\n")))
    return "".join(lines).encode("utf-8-sig" if rng.random() < 0.3 else "utf-8")


def nested(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record as JSON holds it whose columns are paths."""
    made: dict[str, Any] = {"run": {}, "list": [{}]}
    for path, value in record.items():
        *steps, name = path.split(".")
        inner = made[steps[0]] if steps else made
        if steps == ["list", "0"]:
            inner = inner[0]
        if value is not None:  # a missing key is no value, too
            inner[name] = value
    return made


def read(form: Form, data: bytes, folder: Path) -> Imported:
    preset = folder / "site.toml"
    preset.write_text(form.toml(), "utf-8")
    return IMPORTERS.make(f"accounting-csv:preset={preset}").read(data, "log")


def known(log: Imported) -> list[tuple[object, ...]]:
    workload = log.workload
    users, states = (workload.labels.required(kind).of_jobs() for kind in ("user", "state"))
    first = workload.header.unix_start_time or 0
    columns = ("job_id", "submit", "wait", "run", "processors", "requested_time")
    rows = zip(*(workload.column(name).tolist() for name in columns), users, states, strict=True)
    return sorted((job, submit + first, *rest) for job, submit, *rest in rows)


@pytest.mark.parametrize("seed", range(many(80)))
def test_a_table_is_read_as_the_jobs_that_were_written(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    jobs, form = random_jobs(rng), random_form(rng)
    ended = [job for job in jobs if job.start is not None and job.end is not None]
    never = sum(job.start is None for job in jobs)
    running = len(jobs) - len(ended) - never
    data = written(jobs, form, rng)
    if not ended:
        with pytest.raises(InputError, match="no job is left"):
            read(form, data, tmp_path)
        return

    log = read(form, data, tmp_path)

    assert known(log) == sorted(
        (
            job.number, job.submit, job.start - job.submit, job.end - job.start,
            job.processors, job.limit, job.user, job.state,
        )
        for job in ended
        if job.start is not None and job.end is not None
    )  # fmt: skip
    dropped = {"never-started": never, "still-running": running}
    assert log.report.counts("dropped") == {rule: n for rule, n in dropped.items() if n}
    assert log.report.lines_accounted()


AMOUNTS = """
title = "Amounts"
[columns]
submit = {{ column = "at", unit = "s" }}
run = "run"
processors = {{ column = "nodes", times = {times}, divided = {divided} }}
nodes = "nodes"
gpus = {{ column = "hosts", count = "+" }}
memory = {{ column = "used", unit = "{unit}B", per = "{per}" }}
cpu_time = {{ column = "cpu", unit = "min" }}
job_name = {{ column = ["none here", "title", "command"], match = "^([a-z]+)" }}
"""


@pytest.mark.parametrize("seed", range(many(40)))
def test_factors_shares_counts_and_parts_of_texts(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    by_name, divided = rng.random() < 0.5, rng.choice((1, 7, 100))
    per, unit = rng.choice(("job", "node", "processor")), rng.choice("KMG")
    rows, expected = [], []
    for place in range(rng.randint(1, 8)):
        nodes, cores = rng.randint(1, 50), rng.randint(1, 128) if by_name else 48
        nodes *= rng.choice((1, divided))  # often whole
        processors = -(-nodes * cores // divided)
        used, minutes = rng.randint(1, 10**6), rng.randint(1, 10**4)
        name, command = rng.choice(("", "fly_17")), rng.choice(("run.sh", "swim-3"))
        hosts = "+".join(f"n{n}" for n in range(rng.randint(1, 5)))
        shares = {"job": processors, "node": processors / nodes, "processor": 1}
        rows.append(f"{10**9 + place},60,{nodes},{cores},{used},{minutes},{name},{command},{hosts}")
        expected.append((
            processors, nodes, hosts.count("n"), minutes * 60 / processors,
            used * 1024 ** "KMG".index(unit) / shares[per],
            {"fly_17": "fly"}.get(name) or {"run.sh": "run", "swim-3": "swim"}[command],
        ))  # fmt: skip
    preset = tmp_path / "amounts.toml"
    times = '"cores"' if by_name else "48"
    preset.write_text(AMOUNTS.format(times=times, divided=divided, per=per, unit=unit))
    data = "\n".join(("at,run,nodes,cores,used,cpu,title,command,hosts", *rows)).encode()

    jobs = IMPORTERS.make(f"accounting-csv:preset={preset}").read(data, "log").workload

    columns = ("processors", "tres/node", "tres/gres/gpu", "cpu_time", "memory")
    names = jobs.labels.required("job_name").of_jobs()
    read_back = zip(*(jobs.column(name).tolist() for name in columns), names, strict=True)
    assert [*map(pytest.approx, expected)] == [*read_back]


@pytest.mark.parametrize("seed", range(many(60)))
def test_dates_of_one_order_alone_tell_themselves(seed: int) -> None:
    """Where they do not, the command in the refusal reads them."""
    rng = Random(seed)
    between, first_day = rng.choice("./-"), rng.random() < 0.5
    order = "%d{0}%m{0}%Y" if first_day or between == "." else "%m{0}%d{0}%Y"
    form = order.format(between) + rng.choice((" %H:%M", " %H:%M:%S"))
    ends = [datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=rng.randint(1, 300), minutes=n)
            for n in range(rng.randint(1, 4))]  # fmt: skip
    rows = [
        ",".join(moment.strftime(form) for moment in (end - timedelta(hours=1), end))
        for end in ends
    ]
    rows = [f"{row.split(',')[0]},{row},4" for row in rows]
    data = "\n".join(("submit_time,start_time,end_time,processors_used", *rows)).encode()
    dates = [date for row in rows for date in row.split(",")[:3]]
    parts = [[int(part) for part in date.split(" ")[0].split(between)[:2]] for date in dates]
    certain = between == "." or any(max(pair) > 12 for pair in parts)
    spec = "accounting-csv"
    if not certain:
        with pytest.raises(
            InputError, match="order of day, month and year is not certain"
        ) as refusal:
            IMPORTERS.make(spec).read(data, "log")
        spec = str(refusal.value.remedy).split("'")[1].removesuffix(":log")
        spec = spec if first_day else spec.replace("%d/%m", "%m/%d").replace("%d-%m", "%m-%d")

    log = IMPORTERS.make(spec.replace(",", ":", 1)).read(data, "log")

    start = log.workload.header.unix_start_time
    assert sorted(log.workload.submit + start) == sorted(
        (end - timedelta(hours=1)).timestamp() for end in ends
    )
    assert set(log.workload.run) == {3600}


@pytest.mark.parametrize(
    "dates",
    [
        ("01.02.2026 10:00", "2026-02-01 10:00"),
        ("13/01/2026 10:00", "01/13/2026 10:00"),
        ("1/2/26 10:00", "1/2/2026 10:00"),
    ],
)
def test_dates_of_several_orders_are_refused(dates: tuple[str, ...]) -> None:
    rows = "".join(f"{date},60,4\n" for date in dates)

    with pytest.raises(InputError, match="dates have several forms") as refusal:
        IMPORTERS.make("accounting-csv").read(
            f"submit_time,run_time,processors_used\n{rows}".encode(), "log"
        )

    assert all(repr(date) in str(refusal.value) for date in dates)
    spec = str(refusal.value.remedy).split("'")[1].removesuffix(":log").replace(",", ":", 1)
    log = IMPORTERS.make(spec).read(f"submit_time,run_time,processors_used\n{rows}".encode(), "log")
    assert len(log.workload) == len(dates)


SIZES = "run_time,processors_used"


def refusal_of(rows: str, spec: str = "accounting-csv") -> str:
    with pytest.raises(InputError) as refusal:
        IMPORTERS.make(spec).read(rows.encode(), "log")
    return str(refusal.value)


@pytest.mark.parametrize(
    ("day", "forms"),
    [
        ("24/03/15", "%d/%m/%y or %y/%m/%d"),
        ("04/03/02", "%d/%m/%y or %m/%d/%y or %y/%m/%d"),
        ("02/01/2026", "%d/%m/%Y or %m/%d/%Y"),
        ("24.03.15", "%d.%m.%y or %y.%m.%d"),
    ],
)
def test_orders_that_a_date_may_have_are_named(day: str, forms: str) -> None:
    text = f"submit_time,{SIZES}\n{day} 09:00,60,4\n"

    assert f"such as '{day} 09:00' ({forms});" in refusal_of(text)


def test_forms_that_are_not_certain_are_named_beside_others() -> None:
    days = ("01.02.2026", "2026-02-01", "02/01/2026")
    rows = "".join(f"{day} 10:00,60,4\n" for day in days)

    message = refusal_of(f"submit_time,{SIZES}\n{rows}")

    assert "'01.02.2026 10:00' (%d.%m.%Y)" in message
    assert "'02/01/2026 10:00' (%d/%m/%Y or %m/%d/%Y)" in message
    assert "; state the form that is meant, which the table does not tell: for instance" in message


def test_the_order_is_decided_by_a_bounded_number_of_rows() -> None:
    rows = repeat(b"02/01/2026 10:00,60,4\n", 100_000)

    with pytest.raises(InputError, match="order of day, month and year is not certain"):
        IMPORTERS.make("accounting-csv").read_pieces(
            chain((f"submit_time,{SIZES}\n".encode(),), rows), "log"
        )

    assert len([*rows]) > 97_000


def test_days_of_a_spreadsheet_without_unit_are_refused() -> None:
    rows = "46054.5,46054.75,46055,4\n46055,,,4\n"
    text = f"submit_time,start_time,end_time,processors_used\n{rows}"

    message = refusal_of(text)

    units = [f"{name}={name}_time@spreadsheet" for name in ("submit", "start", "end")]
    assert message.startswith("times such as '46054.5' may be days of a spreadsheet, or seconds;")
    spec = message.split("'")[3].removesuffix(":log")
    assert spec == f"accounting-csv,{','.join(units)}"
    log = IMPORTERS.make(spec.replace(",", ":", 1)).read(text.encode(), "log")
    assert (log.workload.wait.tolist(), log.workload.run.tolist()) == ([21_600], [21_600])
    seconds = IMPORTERS.make("accounting-csv:submit=submit_time@s").read(
        f"submit_time,{SIZES}\n46054,60,4\n".encode(), "log"
    )
    assert len(seconds.workload) == 1


@pytest.mark.parametrize("unit", ["", "@s", "@ms"])
def test_times_that_count_from_the_begin_of_the_log(unit: str) -> None:
    data = f"at,{SIZES}\n0,60,4\n5000,60,4\n".encode()

    lost = IMPORTERS.make(f"accounting-csv:submit=at{unit}").read(data, "log")
    log = IMPORTERS.make(f"accounting-csv:submit=at{unit},relative=true").read(data, "log")

    assert lost.report.counts("dropped") == {"no-submission": 1}
    assert any("give relative=true" in note for note in lost.report.notes)
    assert log.workload.submit.tolist() == [0, 5 if unit == "@ms" else 5000]
    assert log.workload.header.unix_start_time is None
    assert not log.report.notes


def test_jobs_at_0_of_a_calendar_need_no_option() -> None:
    data = f"submit_time,{SIZES}\n0,60,4\n1600000000,60,4\n".encode()

    log = IMPORTERS.make("accounting-csv").read(data, "log")

    assert log.report.counts("dropped") == {"no-submission": 1}
    assert not log.report.notes


def test_a_table_of_jobs_at_0_alone_is_refused_with_the_option() -> None:
    assert "relative=true" in refusal_of(f"submit_time,{SIZES}\n0,60,4\n0,60,4\n")


@pytest.mark.parametrize(
    ("dates", "unit", "local"),
    [
        (("2026-02-01 10:00", "1769940000"), "", True),
        (("13.02.2026 10:00",), "", True),
        (("46054.5",), "@spreadsheet", True),
        (("13.02.2026 10:00",), "@%d.%m.%Y %R", True),
        (("13.02.2026 10:00 +0100",), "@%d.%m.%Y %R %z", False),
        (("2026-02-01T10:00:00Z", "2026-02-01T10:00:00.5+01:00"), "", False),
        (("1769940000", "1769940000.5"), "", False),
        (("1769940000123",), "@ms", False),
    ],
)
def test_a_time_zone_is_asked_for_where_a_date_needs_it(
    dates: tuple[str, ...], unit: str, local: bool
) -> None:
    data = "\n".join((f"at,{SIZES}", *(f"{date},60,4" for date in dates))).encode()

    log = IMPORTERS.make(f"accounting-csv:submit=at{unit}").read(data, "log")

    assert len(log.workload) == len(dates)
    assert [note.split(":")[0] for note in log.report.notes] == local * [
        "dates without offset are taken as UTC"
    ]


def test_several_forms_may_be_stated() -> None:
    data = b"sent;run_time;processors_used\n01.02.2026 10:00;9;4\n2026-02-01 10:00;9;4\n\
02/01/2026 10:00:00;9;4\n1.2.2026;9;4\n"
    forms = "%d.%m.%Y %R|%m/%d/%Y %T"

    workload, report, _ = IMPORTERS.make(f"accounting-csv:submit=sent@{forms}").read(data, "log")

    assert workload.submit.tolist() == [0, 0, 0]
    assert report.counts("dropped") == {"not-a-date": 1}


PRESET = """title = "Site"
{keys}
[columns]
submit = "at"
run = "run"
processors = 3
{columns}
"""


@pytest.mark.parametrize(
    ("keys", "columns", "message"),
    [
        ("", "gpu = 4", ":7: field columns.gpu: is no field of a job; did you mean 'gpus'?"),
        (
            "",
            "wait = {column = 4, units = 's'}",
            ":7: field columns.wait.units: is not a",
        ),
        ("", "wait = {column = 4, unit = 'GB'}", ":7: field columns.wait.unit: 'GB' is no unit of"),
        ("", "user = {column = 4, unit = 's'}", ":7: field columns.user.unit: 's' is no unit of"),
        ("", "wait = {column = 4, per = 'node'}", ":7: field columns.wait.per: wait has no per"),
        ("", "wait = {column = 4, times = 60}", ":7: field columns.wait.times: wait has no times"),
        ("", "user = {column = 4, divided = 2}", ":7: field columns.user.divided: user has no"),
        ("", "wait = {column = 4, unit = ['s', 'h']}", ":7: field columns.wait.unit: 's|h' is no"),
        ("", "memory = {column = 4, per = 'node'}", ":7: field columns.memory.per: nodes are"),
        (
            "",
            "user = {column = 4, match = '(('}",
            ":7: field columns.user.match: '((' is no",
        ),
        (
            "",
            "user = {column = 4, match = 'a+'}",
            ":7: field columns.user.match: 'a+' has no",
        ),
        ("", "user = {unit = 's'}", ":7: field columns.user: column is missing"),
        ("", "user = true", ":7: field columns.user: is neither a name nor a number"),
        ("separator = 'coma'", "", ":2: field separator: 'coma' is not a choice; did you mean"),
        ("layout = 'xml'", "", ":2: field layout: 'xml' is not known"),
        ("timezone = 'Europe/Pariss'", "", ":2: field timezone: no time zone is named"),
        ("header = 'no'", "", ":2: field header: is a text, not true or false"),
        ("heading = true", "", ":2: field heading: is not a known key; did you mean 'header'?"),
        ("relative = true", "end = {column = 4, unit = '%H'}", ":7: field columns.end.unit: is no"),
        ("", "[states]\nDONE = 4", ":8: field states.DONE: 'DONE' is not known"),
        (
            "",
            "[states]\nFAILED = 'ko'\nfertig = 'COMPLETED'",
            ":9: field states.fertig: 'fertig' is no state of Slurm; write COMPLETED = [",
        ),
    ],
)
def test_mistakes_in_presets_are_refused(
    keys: str, columns: str, message: str, tmp_path: Path
) -> None:
    preset = tmp_path / "site.toml"
    preset.write_text(PRESET.format(keys=keys, columns=columns))

    with pytest.raises(InputError) as error:
        IMPORTERS.make(f"accounting-csv:preset={preset}").read(b"at,run,n\n", "log")

    assert str(error.value).startswith(f"{preset}{message}")


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("submit", "submit is missing; add submit"),
        ("run", "run or end is missing"),
        ("processors", "processors or requested_processors is missing"),
    ],
)
def test_a_preset_has_what_every_table_of_jobs_needs(
    missing: str, message: str, tmp_path: Path
) -> None:
    preset = tmp_path / "site.toml"
    lines = PRESET.format(keys="", columns="").splitlines()
    preset.write_text("\n".join(line for line in lines if not line.startswith(missing)))

    with pytest.raises(InputError, match=f"field columns: {message}"):
        IMPORTERS.make(f"accounting-csv:preset={preset}").read(b"at,run,n\n", "log")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            "submit=at@parsec",
            "field columns.submit.unit: 'parsec' is no unit of submit",
        ),
        ("user=who@min", "field columns.user.unit: 'min' is no unit of user; leave the unit out"),
        ("preset=pm10", "no preset is named 'pm10'; did you mean 'pm100'?"),
        ("preset=none.toml", "none.toml: cannot be read"),
        ("header=no", "field header: 'no' is not a choice; give true or false"),
    ],
)
def test_mistakes_in_options_are_refused(options: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        IMPORTERS.make(f"accounting-csv:{options}").read(b"at,run,n\n", "log")

    assert message in str(error.value)


def test_options_change_a_preset() -> None:
    data = b"job_id,who,job_state,submit_time,run_time,num_cores_alloc,limit\n\
1,7,COMPLETED,2020-05-05 08:00:00,60,4,2\n"

    log = IMPORTERS.make("pm100:timezone=Asia/Tokyo,user=who,requested_time=limit@h").read(
        data, "x"
    )

    assert log.workload.requested_time.tolist() == [7200]
    assert log.workload.labels.required("user").names == {1: "7"}
    assert log.workload.header.unix_start_time == 1_588_633_200
    [note] = log.report.notes
    assert note.startswith("columns that the table lacks: eligible_time, start_time, end_time")


def test_fractions_of_seconds_on_a_clock_without_dates(tmp_path: Path) -> None:
    preset = tmp_path / "site.toml"
    times = "\n".join(
        f'{name} = {{ column = "{name}", unit = "ms" }}'
        for name in ("submit", "eligible", "start", "end")
    )
    preset.write_text(f'relative = true\n[columns]\n{times}\nprocessors = "n"\n')
    data = b"submit,eligible,start,end,n\n0,50,100,1234.5,2\n7,0,7,9,1\n"

    workload = IMPORTERS.make(f"accounting-csv:preset={preset}").read(data, "x").workload

    assert workload.submit.tolist() == [0, 0.007]
    assert workload.column("eligible").tolist() == [0.05, 0]
    assert workload.wait.tolist() == [0.1, 0]
    assert workload.run.tolist() == [1.1345, 0.002]


def test_a_column_by_number_beside_names() -> None:
    data = b"who;submit_time;n;run_time\nann;2020-05-05 08:00:00;4;60\n"

    log = IMPORTERS.make("accounting-csv:processors=3,user=1").read(data, "x")

    assert log.workload.processors.tolist() == [4]
    assert log.workload.header.all("User") == ("1 ann",)


def test_lines_that_are_no_json_are_listed(tmp_path: Path) -> None:
    preset = tmp_path / "site.toml"
    preset.write_text(PRESET.format(keys="layout = 'json-lines'", columns="").replace("3", '"n"'))
    job = b'{"at": 1600000000, "run": 60, "n": 4, "more": {"x": [1]}}\n'

    log = IMPORTERS.make(f"accounting-csv:preset={preset}").read(
        b"{\n" + job + b'\n[1]\n{"at": null}\n3\nnull\n"x"\n', "x"
    )

    assert log.workload.processors.tolist() == [4]
    assert log.report.counts("dropped") == {"not-a-record": 3, "not-json": 1, "no-submission": 2}
    assert log.report.lines_accounted()
    assert log.line.tolist() == [2]


def test_entries_of_a_document_that_are_no_records_are_listed(tmp_path: Path) -> None:
    preset = tmp_path / "site.toml"
    preset.write_text(PRESET.format(keys="layout = 'json'", columns="").replace("3", '"n"'))
    data = b'[3, {"at": 1600000000, "run": 60, "n": 4}, null, "x"]'

    log = IMPORTERS.make(f"accounting-csv:preset={preset}").read(data, "x")

    assert log.line.tolist() == [2]
    assert log.report.counts("dropped") == {"not-a-record": 3}
    assert log.report.lines_accounted()


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ('submit = "at"\nrun = "run"\nprocessors = "kern"', "'kern' (processors in site.toml)"),
        ('submit = "at"\nrun = "dauer"\nprocessors = "n"', "'dauer' (run in site.toml)"),
        (
            'submit = "at"\nstart = "run"\nend = "bis"\nprocessors = "n"',
            "'bis' (end in site.toml)",
        ),
    ],
)
def test_columns_that_a_table_lacks_are_called_as_the_preset_does(
    columns: str, message: str, tmp_path: Path
) -> None:
    preset = tmp_path / "site.toml"
    preset.write_text(f"[columns]\n{columns}\n")

    text = refusal_of("at,run,n\n", f"accounting-csv:preset={preset}")

    assert text.startswith(f"log:1: has no column {message}; name it by")
    optional = refusal_of("at,run,n\n", f"accounting-csv:preset={preset},processors=cores")
    assert "log:1: has no column 'cores'; name it by processors=COLUMN" in optional


@pytest.mark.parametrize("data", [b"[]", b"{", b'{"jobs": 4}', b"PAR1 broken PAR1", b"1"])
def test_documents_that_hold_no_table_are_refused(data: bytes, tmp_path: Path) -> None:
    preset = tmp_path / "site.toml"
    preset.write_text(PRESET.format(keys="layout = 'json'\nrecords = 'jobs'", columns=""))

    with pytest.raises(InputError):
        IMPORTERS.make(f"accounting-csv:preset={preset}").read(data, "x")


def test_fractions_of_seconds_are_kept() -> None:
    data = b"at,run_time,processors_used\n1600000000123,1.5,4\n1600000001500,60,4\n"

    workload = IMPORTERS.make("accounting-csv:submit=at@ms").read(data, "log").workload

    assert workload.submit.tolist() == [0.123, 1.5]
    assert workload.run.tolist() == [1.5, 60]


def test_memory_of_nodes_that_the_table_does_not_tell_is_unknown(tmp_path: Path) -> None:
    preset = tmp_path / "site.toml"
    preset.write_text(PRESET.format(keys="", columns="memory = 'used'\nnodes = 'hosts'"))

    def memory(data: bytes) -> list[float]:
        log = IMPORTERS.make(f"accounting-csv:preset={preset}").read(data, "x")
        return log.workload.memory.tolist()

    assert memory(b"at,run,n,used,hosts\n9999999,60,4,2Gn,2\n") == [2**20]
    assert memory(b"at,run,n,used\n9999999,60,4,2Gn\n9999999,60,4,8K\n") == [-1, 2]
