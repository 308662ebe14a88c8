"""Other people's programs read the files that we write.

They live in an environment of their own, which `make test` makes; see the Makefile.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import swfx
import utilitysched
from swfx import FIELDS, Workload
from swfx.families.exporters import export
from swfx.reading.sources import open_workload
from tests.utilitysched.preempted import stored_preempted
from utilitysched.runs import job_columns, write_jobs

ROOT = Path(__file__).parents[1]
PYTHON = ROOT / ".venv-readers" / "bin" / "python"

IN_TURN = """
import contextlib, json, sys, traceback
for line in sys.stdin:
    code, path = json.loads(line)
    read, wrong = {"path": path}, ""
    with contextlib.redirect_stdout(sys.stderr):
        try:
            exec(code, read)
        except BaseException:
            wrong = traceback.format_exc()
    print(json.dumps([read.get("answer"), wrong]), flush=True)
"""
EVALYS_WORKLOAD = """
from evalys.workload import Workload
log = Workload.from_csv(path)
columns = {name: log.df[name].tolist() for name in log.df.columns}
answer = {"columns": columns, "machine_size": log.MaxProcs, "start": log.UnixStartTime}
"""
EVALYS_JOBS = """
from evalys.jobset import JobSet
jobs = JobSet.from_csv(path, resource_bounds=(0, 255))
wait = jobs.df.waiting_time.tolist()
answer = {"wait": wait, "width": jobs.df.proc_alloc.tolist(), "machine_size": jobs.MaxProcs}
"""
ACCASIM = """
import collections, collections.abc
collections.Mapping = collections.abc.Mapping  # gone since Python 3.10
from accasim.utils.reader_class import DefaultWorkloadParser
parser = DefaultWorkloadParser()
lines = open(path).read().splitlines()
answer = [parser.parse_line(line) for line in lines if parser.feasible_line(line)]
"""

Answer = Callable[[str, Path], Any]


@pytest.fixture(scope="module")
def readers() -> Iterator[subprocess.Popen[str]]:
    """One process of their environment, which does what it is told, line by line."""
    if not PYTHON.is_file():
        skip(f"no environment of readers at {PYTHON.parents[1]}: say make test")
    command = [PYTHON, "-W", "ignore", "-c", IN_TURN]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        yield process


def told(readers: subprocess.Popen[str], code: str, path: Path) -> tuple[Any, str]:
    """What a piece of code answers, and what went wrong."""
    assert readers.stdin is not None
    assert readers.stdout is not None
    readers.stdin.write(json.dumps([code, str(path)]) + "\n")
    readers.stdin.flush()
    answer, wrong = json.loads(readers.stdout.readline())
    return answer, wrong


def skip(reason: str) -> None:
    """Never on CI."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
def answer(readers: subprocess.Popen[str]) -> Answer:
    """Run a reader on a file."""

    def ask(code: str, path: Path) -> Any:
        package = "evalys" if "evalys" in code else "accasim"
        if told(readers, f"import {package}", path)[1]:
            skip(f"{package} could not be installed")
        answer, wrong = told(readers, code, path)
        assert wrong == ""
        return answer

    return ask


@pytest.fixture(scope="module")
def market() -> Workload:
    """Two hundred jobs with curves of many lengths; whole seconds, as accasim reads no others."""
    jobs = open_workload("sample:market", jobs=slice(0, 200)).workload
    return jobs.replace(checkpoint_interval=np.where(jobs.run > 3600, 900.0, -1.0))


@pytest.mark.parametrize("to", ["swf", "swfx"])
def test_evalys_reads_all_fields_of_all_jobs(
    to: str, market: Workload, tmp_path: Path, answer: Answer
) -> None:
    export(market, tmp_path / "out.swf", to=to)

    read = answer(EVALYS_WORKLOAD, tmp_path / "out.swf")

    # evalys 4.0.7 takes the first job line of any SWF for the names of the columns
    columns = list(read["columns"].values())
    assert len(columns) == len(FIELDS)
    for field, column in zip(FIELDS, columns, strict=True):
        assert column == getattr(market, field.name)[1:].tolist(), field.name
    assert (read["machine_size"], read["start"]) == (256, market.header.unix_start_time)


def test_evalys_reads_the_workload_of_a_run(
    market: Workload, tmp_path: Path, answer: Answer
) -> None:
    swfx.write(market, tmp_path / "workload.swfx")

    columns = answer(EVALYS_WORKLOAD, tmp_path / "workload.swfx")["columns"]

    assert [len(column) for column in columns.values()] == [199] * len(FIELDS)


def test_evalys_reads_the_jobs_of_a_run(market: Workload, tmp_path: Path, answer: Answer) -> None:
    schedule = utilitysched.simulate(market, "easy")
    allocations = utilitysched.allocations(market, schedule)
    write_jobs(tmp_path / "jobs.csv", job_columns(market, schedule, allocations=allocations))

    read = answer(EVALYS_JOBS, tmp_path / "jobs.csv")

    assert read["machine_size"] == 256
    assert read["wait"] == schedule.wait(market).tolist()
    assert read["width"] == market.size.tolist()


def test_evalys_reads_the_segments_of_a_run(tmp_path: Path, answer: Answer) -> None:
    read = answer(EVALYS_JOBS, stored_preempted(tmp_path) / "segments.csv")

    assert read["wait"] == [0, 0, 0, 25]
    assert read["width"] == [4, 3, 1, 4]


def test_evalys_reads_the_jobs_of_a_log(market: Workload, tmp_path: Path, answer: Answer) -> None:
    export(market, tmp_path / "jobs.csv")

    assert answer(EVALYS_JOBS, tmp_path / "jobs.csv")["wait"] == market.wait.tolist()


@pytest.mark.parametrize("to", ["swf", "swfx"])
def test_accasim_reads_every_job(to: str, market: Workload, tmp_path: Path, answer: Answer) -> None:
    export(market, tmp_path / "out.swf", to=to)

    jobs = answer(ACCASIM, tmp_path / "out.swf")

    for key, name in {
        "job_number": "job_id",
        "queued_time": "submit",
        "wait_time": "wait",
        "duration": "run",
        "total_processors": "requested_processors",
        "requested_time": "requested_time",
        "user_id": "user",
        "queue_number": "queue",
        "think_time_prejob": "think_time",
    }.items():
        assert [job[key] for job in jobs] == getattr(market, name).tolist(), name


@pytest.mark.parametrize("to", ["swf", "swfx"])
def test_a_reader_that_takes_18_fields_reads_every_form(
    to: str, market: Workload, tmp_path: Path
) -> None:
    export(market, tmp_path / "out.swf", to=to)

    table = np.loadtxt(tmp_path / "out.swf", comments=";", usecols=range(len(FIELDS)))

    for field, column in zip(FIELDS, table.T, strict=True):
        assert column.tolist() == getattr(market, field.name).tolist(), field.name


def test_a_reader_that_wants_18_fields_reads_what_we_write(
    market: Workload, tmp_path: Path
) -> None:
    swfx.write(market, tmp_path / "out.swfx")

    assert np.loadtxt(tmp_path / "out.swfx", comments=";").shape == (200, len(FIELDS))
