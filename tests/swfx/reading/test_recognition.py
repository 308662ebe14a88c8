"""Files that are refused by what they are, with a remedy that works as it stands."""

from __future__ import annotations

import bz2
import io
import os
import re
import sqlite3
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from swfx import InputError
from swfx.base.compression import compress
from swfx.families.formats.registry import recognised
from swfx.reading.cleaning import OVER_REQUEST
from swfx.reading.sources import open_workload
from tests.scale import many
from tests.swfx.reading.listings import LISTINGS, Job, draw_jobs
from tests.warm import programs

SEEDS = range(many(12))
JUNK = (
    "Welcome to login1!",
    "slurm_load_jobs error: Unable to contact slurm controller (connect failure)",
    "# written by the nightly script",
    "",
    "ann@login1:~$ ./export.sh",
    "Warning: Permanently added 'login1' (ED25519) to the list of known hosts.",
)
COMMAND = re.compile(r"(?:write|then): (.*?)(?=, then: |$)")

PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    **{suffix: (lambda data, s=suffix: compress(data, s)) for suffix in (".gz", ".xz", ".zst")},
}


def refused(source: str) -> str:
    with pytest.raises(InputError) as refusal:
        open_workload(source)
    return str(refusal.value)


def commands(refusal: str) -> list[str]:
    """Command lines of a remedy."""
    return COMMAND.findall(refusal)


def facts(source: str) -> list[tuple[float, float, int]]:
    workload = open_workload(source).workload
    columns = workload.submit, workload.run, workload.size
    return sorted(zip(*(column.tolist() for column in columns), strict=True))


def expected(jobs: list[Job]) -> list[tuple[float, float, int]]:
    first = min(job.submit for job in jobs)
    return sorted((j.submit - first, j.end - j.start, j.processors) for j in jobs)


def laid_out(text: str, random: Random) -> tuple[bytes, int]:
    """Bytes of a listing in a random layout, and how many lines of something else are above."""
    junk = [random.choice(JUNK) for _ in range(random.choice((0, 0, 1, 3)))]
    end = random.choice(("\n", "\r\n"))
    lines = end.join([*junk, *text.split("\n"), ""])
    return random.choice((b"", b"\xef\xbb\xbf")) + lines.encode(), len(junk)


@pytest.mark.parametrize("name", LISTINGS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_listing_is_recognised_whatever_its_layout(name: str, seed: int, tmp_path: Path) -> None:
    random = Random(f"{name} {seed}")
    jobs = draw_jobs(random)
    data, _ = laid_out(LISTINGS[name](jobs), random)
    suffix = random.choice([*PACKINGS])
    path = tmp_path / f"a log{suffix}"
    path.write_bytes(PACKINGS[suffix](data))

    refusal = refused(str(path))

    assert f"begins like a log of {name}, not SWF; write: " in refusal
    (command,) = commands(refusal)
    *steps, last = command.split(" | ")
    assert last.startswith(f"utilitysched check {name}:")
    if steps:  # the lines above are left out
        plain = tmp_path / "plain"
        shell = " | ".join(steps)
        plain.write_bytes(subprocess.run(shell, shell=True, check=True, capture_output=True).stdout)
        path = plain
    found = facts(f"{name}:{path}")
    zero = min(submit for submit, _, _ in found)
    assert [(submit - zero, run, size) for submit, run, size in found] == expected(jobs)


@pytest.mark.parametrize("name", LISTINGS)
@pytest.mark.parametrize("other", ["slurm", "pbs", "batsim"])
def test_the_right_format_is_named_for_a_wrong_one(name: str, other: str, tmp_path: Path) -> None:
    if name == other:
        return
    path = tmp_path / "log"
    path.write_text(LISTINGS[name](draw_jobs(Random(name))) + "\n")

    refusal = refused(f"{other}:{path}")

    assert refusal.endswith(
        f"begins like a log of {name}, not {other}; write: utilitysched check {name}:{path}"
    )


def test_lines_above_are_counted_with_blank_ones() -> None:
    assert recognised(b"\n\nhello\n\nJobID|Submit|Start\n") == ("slurm", 4)


# remedies as they stand, in a shell

DONE: set[str] = set()
"""Commands that have been run, without the folder of their test: once is enough."""


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Run the commands of a refusal in a shell that has the program, and others as stubs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    path = (folder, programs(), os.environ["PATH"])
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, path)))

    def add(name: str, script: str) -> None:
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)

    def run(refusal: str, count: int, **stubs: str) -> None:
        for name, text in stubs.items():
            (folder / f"{name}.txt").write_text(text)
            add(name, f"cat {folder / name}.txt")
        found = commands(refusal)
        assert len(found) == count, refusal
        for command in found:
            if (place := command.replace(str(folder.parent), "")) in DONE:
                continue
            DONE.add(place)
            done = subprocess.run(
                ["bash", "-o", "pipefail", "-c", command],
                check=False,
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, (command, done.stderr)

    return run


JOBS = draw_jobs(Random(7))
SWF = "; MaxProcs: 8\n" + "".join(
    f"{j.number} {j.submit - JOBS[0].submit} -1 {j.end - j.start} {j.processors} -1 -1"
    f" {j.processors} 99999 -1 1 1 1 -1 1 -1 -1 -1\n"
    for j in JOBS
)


def _zipped(name: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, SWF)
    return stream.getvalue()


def _tarred() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        entry = tarfile.TarInfo("log.swf")
        entry.size = len(SWF)
        archive.addfile(entry, io.BytesIO(SWF.encode()))
    return stream.getvalue()


def _bzip2() -> bytes:
    return bz2.compress(SWF.encode())


@pytest.mark.parametrize(
    ("what", "data"),
    [
        ("a zip archive", lambda: _zipped("log.swf")),
        ("a tar archive", _tarred),
        ("a tar archive", lambda: compress(_tarred(), ".gz")),
        ("packed by bzip2", _bzip2),
        ("text in UTF-16", lambda: SWF.encode("utf-16")),
        ("begins like a log of slurm, not SWF", lambda: LISTINGS["slurm"](JOBS).encode()),
        (
            "begins like a log of pbs, not SWF",
            lambda: compress(f"hello!\n{LISTINGS['pbs'](JOBS)}\n".encode(), ".zst"),
        ),
    ],
)
def test_archives_are_unpacked_by_the_remedy(
    what: str, data: Callable[[], bytes], tmp_path: Path, shell: Callable[..., None]
) -> None:
    path = tmp_path / "June's log"
    path.write_bytes(data())

    refusal = refused(str(path))

    assert what in refusal
    shell(refusal, 1)


def test_text_in_utf_16_is_read_by_its_own_format(
    tmp_path: Path, shell: Callable[..., None]
) -> None:
    path = tmp_path / "sacct.txt"
    path.write_bytes(LISTINGS["slurm"](JOBS).encode("utf-16"))

    for source in (str(path), f"slurm:{path}"):
        refusal = refused(source)
        assert "is text in UTF-16; write: iconv -f UTF-16 -t UTF-8 " in refusal
        assert refusal.endswith("| utilitysched check slurm:-")
    shell(refusal, 1)


SACCT = "JobID           JobName      State \n------------ ---------- ---------- \n"
SQUEUE = "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n"
SREPORT = f"{'-' * 80}\nCluster/Account/User Utilization 2026-01-01 - 2026-01-02 (86400 secs)\n"
HEADLESS = "1|ann|2026-01-01T00:00:00|2026-01-01T00:00:00|COMPLETED\n"
CONDOR_Q = "OWNER BATCH_NAME      SUBMITTED   DONE   RUN    IDLE  TOTAL JOB_IDS\n"
CONDOR_HISTORY = " ID     OWNER          SUBMITTED   RUN_TIME     ST COMPLETED   CMD\n"


@pytest.mark.parametrize(
    ("what", "text", "stub", "name"),
    [
        ("sacct's listing for people", SACCT, "sacct", "slurm"),
        ("squeue's list of the queue", SQUEUE, "sacct", "slurm"),
        ("a report of sreport", SREPORT, "sacct", "slurm"),
        ("what sacct printed without column names", HEADLESS, "sacct", "slurm"),
        ("a list of HTCondor for people", CONDOR_Q, "condor_history", "htcondor"),
        ("a list of HTCondor for people", CONDOR_HISTORY, "condor_history", "htcondor"),
    ],
)
def test_listings_for_people_say_what_to_export(
    what: str, text: str, stub: str, name: str, tmp_path: Path, shell: Callable[..., None]
) -> None:
    path = tmp_path / "jobs.txt"
    path.write_text(f"{text}1 2 3\n")

    refusal = refused(str(path))

    assert f"is {what}; write: {stub} " in refusal
    shell(refusal, 2, **{stub: LISTINGS[name](JOBS)})
    assert path.read_text() == f"{text}1 2 3\n"  # the export stands beside it


@pytest.mark.parametrize(
    ("what", "text", "stub", "name"),
    [
        ("qstat's list of a queue of PBS", "Job id     Name    User\n", "qstat", "pbs"),
        ("XML of qstat of PBS", "<Data><Job><Job_Id>1</Job_Id></Job></Data>", "qstat", "pbs"),
        ("qstat's list of a queue of Grid Engine", "job-ID  prior   name\n", "qacct", "sge"),
        ("XML of qstat of Grid Engine", "<?xml version='1.0'?>\n<job_info>\n", "qacct", "sge"),
        ("qacct's sum of use", "OWNER     WALLCLOCK   UTIME\n======\n", "qacct", "sge"),
        ("bjobs' list of jobs", "JOBID   USER    STAT  QUEUE\n", "bacct", "lsf"),
    ],
)
def test_lists_of_other_queues_say_what_to_export(
    what: str, text: str, stub: str, name: str, tmp_path: Path, shell: Callable[..., None]
) -> None:
    path = tmp_path / "jobs.txt"
    path.write_text(text)

    refusal = refused(str(path))

    assert f"is {what}; write: {stub} " in refusal
    shell(refusal, 2, **{stub: LISTINGS[name](JOBS)})  # the stub prints what is read as this format


def _sqlite(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE job (id)")


BINARY = {
    "an Excel workbook": _zipped("[Content_Types].xml"),
    "an OpenDocument spreadsheet": b"PK\x03\x04\x14\x00mimetypeapplication/vnd.oasis.opendocument",
    "an HDF5 file": b"\x89HDF\r\n\x1a\n\0\0",
    "a pickled Python object": b"\x80\x04\x95\0\0",
    "a dump of SQL": b"-- MySQL dump 10.13\n--\n",
    "a table that a client of a database drew": b" id | user \n----+------\n  1 | ann\n",
}


@pytest.mark.parametrize("what", BINARY)
def test_tables_of_other_programs_are_exported_as_csv(
    what: str, tmp_path: Path, shell: Callable[..., None]
) -> None:
    path = tmp_path / "jobs"
    path.write_bytes(BINARY[what])
    export = path.with_suffix(".csv")
    export.write_text(LISTINGS["accounting-csv"](JOBS))  # as the remedy has it

    refusal = refused(f"slurm:{path}")

    assert f"is {what}; " in refusal
    assert f"as CSV with column names ({export}), then: " in refusal
    shell(refusal, 1)


def test_a_database_of_sqlite(tmp_path: Path) -> None:
    _sqlite(tmp_path / "jobs.db")
    assert "is a database of SQLite; export its table" in refused(str(tmp_path / "jobs.db"))


OTHERS = {
    "a web page": b"<!DOCTYPE html><html><body>404</body></html>",
    "a PDF document": b"%PDF-1.7\n%\xe2\xe3",
    "an image": b"\x89PNG\r\n\x1a\n",
    "JSON of no format that is read": b'{"mood": "good"}',
    "text of no format that is read": b"Dear all,\n\nthe machine is down.\n",
    "TOML, as rules and experiments are written in": b"[quantity]\nminimum_minutes = 15\n",
}


@pytest.mark.parametrize("what", OTHERS)
def test_what_holds_no_jobs_is_called_by_its_name(
    what: str, tmp_path: Path, shell: Callable[..., None]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(OTHERS[what])

    refusal = refused(str(path))

    assert f"{path}: is {what}; get the log itself" in refusal
    shell(refusal, 1)


def test_parquet_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "jobs"
    path.write_bytes(b"PAR1\x15\x04")
    assert refused(str(path)).endswith(f"write: utilitysched check parquet:{path}")


@pytest.mark.parametrize(
    ("names", "command"),
    [
        (("submit", "run", "processors"), "utilitysched check parquet:"),
        (
            ("time_submit", "elapsed", "processors_used", "project"),
            "utilitysched check accounting-csv,submit=time_submit,run=elapsed,group=project:",
        ),
    ],
)
def test_parquet_is_read_by_its_columns(
    names: tuple[str, ...], command: str, tmp_path: Path, shell: Callable[..., None]
) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "jobs"
    columns = {name: [1_709_802_000 if "submit" in name else 5] for name in names}
    parquet.write_table(pa.table(columns), path)

    refusal = refused(str(path))

    assert commands(refusal) == [f"{command}{path}"]
    shell(refusal, 1)
    if "id" in names:
        told = refused(f"accounting-csv:{path}")
        assert "has no column" in told
        assert commands(told) == [f"{command}{path}"]


# tables whose columns have usual names


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_columns_of_usual_names_are_named_by_the_remedy(
    separator: str, tmp_path: Path, shell: Callable[..., None]
) -> None:
    names = ["id_job", "Time Submit", "time_start", "time_end", "cpus_alloc"]
    rows = [[j.number, j.submit, j.start, j.end, j.processors] for j in JOBS]
    path = tmp_path / "dump of jobs.csv"
    path.write_text("".join(f"{separator.join(map(str, row))}\n" for row in [names, *rows]))

    refusal = refused(str(path))

    assert "begins like a log of accounting-csv, not SWF; write: " in refusal
    shell(refusal, 1)
    told = refused(f"accounting-csv:{path}")
    assert "has no column 'submit_time'; write: utilitysched check 'accounting-csv," in told
    shell(told, 1)


def test_columns_that_are_missing_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("id,mood,time_submit,cores\n1,good,5,4\n")

    assert refused(str(path)) == (
        f"{path}: is a table of no format that is read; its columns are id, mood, time_submit,"
        " cores; say which are the start and end, as in accounting-csv,job_id=id,"
        f"submit=time_submit,processors=cores,start=COLUMN,end=COLUMN:{path}"
    )


def test_named_columns_keep_their_own_refusal(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("id_job,time_submit,time_start,time_end,cpus_alloc\n1,5,6,7,4\n")

    told = refused(f"accounting-csv,submit=sent:{path}")

    assert "has no column 'sent'; name it by submit=COLUMN" in told


# requested times in minutes


@pytest.mark.parametrize("unit", [60, 3600, 1])
def test_the_remedy_for_requested_times_in_minutes(
    unit: int, tmp_path: Path, shell: Callable[..., None]
) -> None:
    path = tmp_path / "jobs.csv"
    rows = [
        f"{j.number},{j.submit},{j.end - j.start},4,{-(j.start - j.end) // unit + 1}" for j in JOBS
    ]
    names = "job_id,submit_time,run_time,processors_used,limit"
    path.write_text("\n".join([names, *rows]))

    notes = open_workload(f"accounting-csv,requested_time=limit:{path}").report.notes

    told = [note for note in notes if note.startswith(OVER_REQUEST)]
    assert len(told) == (unit > 1)
    if unit == 60:
        shell(told[0], 1)
        (command,) = commands(told[0])
        remedy = command.removeprefix("utilitysched check ")
        assert not [n for n in open_workload(remedy).report.notes if n.startswith(OVER_REQUEST)]
    elif told:
        assert "minutes" not in told[0]


# what stays as it is


def test_swf_is_named_where_another_format_was(tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    path.write_text(SWF)

    assert refused(f"slurm:{path}").endswith(
        f"begins like a log of SWF, not slurm; write: utilitysched check {path}"
    )


@pytest.mark.parametrize("line", ["1 0 x", "JobID|Submit|Start", "<html>", "a,b,c"])
def test_a_line_of_swf_is_refused_by_its_number(line: str, tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    path.write_text(f"{SWF}{line}\n")

    assert f"{path}:{len(JOBS) + 2}: " in refused(str(path))


def test_a_log_of_the_named_format_is_refused_by_its_reader(tmp_path: Path) -> None:
    path = tmp_path / "sacct.txt"
    path.write_text("JobID|Submit|Start|End|State\n1|x|x|x|x\n")

    assert "columns are missing: AllocCPUS" in refused(f"slurm:{path}")
