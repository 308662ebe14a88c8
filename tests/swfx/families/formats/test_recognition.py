"""Files of another format that are given without its name."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from swfx import InputError, read
from swfx.families.exporters import EXPORTERS
from swfx.families.formats.registry import format_of
from swfx.reading.sources import open_workload
from tests.swfx.families.exporters.jobs import awkward_jobs
from tests.swfx.families.formats.test_golden import FOLDER

EVALYS = b"jobID,submission_time,requested_number_of_processors\n1,0,4\n"

LOGS = {
    "accounting-csv": FOLDER / "accounting_csv" / "small.txt",
    "batsim": FOLDER / "batsim" / "small.txt",
    "htcondor": FOLDER / "htcondor" / "history.txt",
    "jobs-csv": FOLDER / "jobs_csv" / "small.txt",
    "lsf": FOLDER / "lsf" / "small.txt",
    "pbs": FOLDER / "pbs" / "small.txt",
    "sge": FOLDER / "sge" / "small.txt",
    "slurm": FOLDER / "slurm" / "columns.txt",
    "slurm-events": FOLDER / "slurm_events" / "small.txt",
}


@pytest.mark.parametrize(("name", "log"), LOGS.items())
@pytest.mark.parametrize("cleaning", ["standard", "strict", "lenient"])
def test_the_refusal_says_what_to_write(name: str, log: Path, cleaning: str) -> None:
    with pytest.raises(InputError) as refusal:
        open_workload(str(log), cleaning=cleaning)  # type: ignore[arg-type]

    assert str(refusal.value) == (
        f"{log}: begins like a log of {name}, not SWF; write: utilitysched check {name}:{log}"
    )


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("slurm", b"JobID|JobIDRaw|User|Submit|Start|End|State\n1|1|ann|x\n"),
        (
            "slurm",
            b"JobID|JobName|Partition|Account|AllocCPUS|State|ExitCode\n1|a|p|b|4|FAILED|1:0\n",
        ),
        ("slurm", b"JobID           Partition Submit Start\n------------ ----------\n"),
        ("slurm", b'{\n "meta": {\n  "plugin": {},\n  "Slurm": {}\n },\n "jobs": []}'),
        ("htcondor", (FOLDER / "htcondor" / "json.txt").read_bytes()),
        ("htcondor", (FOLDER / "htcondor" / "lines.txt").read_bytes()),
        ("jobs-csv", EVALYS),
        ("batsim", EXPORTERS.make("batsim").format(awkward_jobs()).data),
        ("jobs-csv", EXPORTERS.make("jobs-csv").format(awkward_jobs()).data),
        (None, b"; Version: 2.2\n1 0 5 10 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1\n"),
        (None, b"# a comment\njob,start\n"),
        (None, b"{}"),
        (None, b""),
        (None, b"\xff\xfe\x00"),
    ],
)
def test_formats_tell_themselves_by_their_first_lines(name: str | None, data: bytes) -> None:
    assert format_of(data) == name


def test_standard_input_is_named_as_on_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(EVALYS)))

    with pytest.raises(InputError, match=r"not SWF; write: utilitysched check jobs-csv:-$"):
        open_workload("-")


def test_swf_with_a_line_that_is_none_is_still_refused_by_line() -> None:
    data = b"1 0 5 10 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1\n" + EVALYS

    with pytest.raises(InputError, match=":2: "):
        read(io.BytesIO(data))
