"""What is fuzzed, and what must hold of every file."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from checkpoint import ANNOTATIONS
from swfx import InputError, LoadReport, Workload, read, stream
from swfx.accounting.preset import preset_names
from swfx.base.compression import compress, decompress
from swfx.families.annotation import Annotated
from swfx.families.exporters import EXPORTERS
from swfx.families.formats.registry import IMPORTERS
from swfx.families.soft_estimates import attach_soft_estimates
from swfx.families.utilities import attach_answers, attach_curves, read_answers, read_curves
from swfx.reading.cleaning import clean
from swfx.writer import to_bytes
from tests.swfx.families.exporters.jobs import awkward_jobs

__all__ = ["Target", "targets"]

LOG = Workload.from_columns(
    submit=[0, 1, 2, 9],
    wait=[1, 0, -1, 4],
    run=[5, 0, 9, 60],
    processors=[1, 2, 2, 4],
    requested_processors=[1, 2, 2, 4],
    requested_time=[10, 10, 10, 600],
    user=[1, 2, 2, -1],
    queue=[1, 2, 1, 1],
)
"""Jobs that CSV files tell something of."""

CSV_READERS: dict[str, tuple[list[bytes], Callable[[str], Annotated]]] = {
    "curves": (
        [
            b"job,t,v\n1,0,10\n1,60,4\n1,90.5,0\n3,0,7\n",
            b"user,t,v\n1,0,1\n1,60,0.5\n2,0,1\n2,3600,0\n",
            b'"size",t,v\r\n1-2,0,1\r\n1-2,60,0\r\n3-,0,1\r\n3-,9,0.25\r\n',
        ],
        lambda path: attach_curves(LOG, [read_curves(path)]),
    ),
    "answers": (
        [
            b"user,processors,request,factor,willingness\n1,1,10,2,1.5\n2,2,10,1/2,0.4\n",
            b"user,processors,request,factor,willingness,weight\n2,2,10,2,2,1\n2,2,10,4,1,3\n",
        ],
        lambda path: attach_answers(LOG, read_answers(path)),
    ),
    "survey": (
        [b"job,answer,interval\n1,yes,600\n2,no,\n3,0,90\n4,no,\n"],
        lambda path: ANNOTATIONS.make(f"expanded:file={path}").annotate(LOG, 0),
    ),
    "soft-estimates": (
        [b"job,soft_estimate,confidence\n1,5,0.5\n2,9,\n4,30,1\n"],
        lambda path: attach_soft_estimates(LOG, path),
    ),
}
"""Files to change, and what a command does with them."""

FORMATS = tuple(sorted({*IMPORTERS.names()} - {*preset_names()} | {"accounting-csv"}))
"""Formats with a reader of their own; tables of all other presets are read as accounting-csv."""

SEEDS = Path(__file__).parent / "seeds"
GOLDEN = Path(__file__).parents[1] / "swfx" / "families" / "formats"
CLEANINGS = ("standard", "strict", "lenient", "none")


@dataclass(frozen=True)
class Target:
    """A reader under test: files to change, and a check that raises where one is mistreated.

    The check returns whether the file was accepted; it is given a number by which to choose among
    the ways to read.
    """

    name: str
    seeds: tuple[bytes, ...]
    check: Callable[[bytes, int], bool]


def targets() -> dict[str, Target]:
    """SWF, extended SWF, both packed, every log format of the registry, and CSV files, by name."""
    swf, swfx = _files(SEEDS.glob("*.swf")), _files(SEEDS.glob("*.swfx"))
    packed = tuple(compress(swfx[0], suffix) for suffix in (".gz", ".xz", ".zst"))
    readers = {"swf": swf, "swfx": swfx + swf[:1], "packed": packed}
    found = {name: Target(name, seeds, check_swf) for name, seeds in readers.items()}
    for name in FORMATS:
        found[name] = Target(name, _logs(name), partial(check_importer, _texts(name)))
    for name, (seeds, read_csv) in CSV_READERS.items():
        found[name] = Target(name, tuple(seeds), partial(check_csv, read_csv))
    return found


def _files(paths: Iterable[Path]) -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted(paths))


def _logs(name: str) -> tuple[bytes, ...]:
    """Logs of a format that its own tests read, and one that we write."""
    read = _files([*GOLDEN.glob(f"{name}.*"), *GOLDEN.glob(f"{name.replace('-', '_')}/*.txt")])
    if name not in EXPORTERS.names():
        return read
    return (*read, EXPORTERS.make(name).format(awkward_jobs()).data)


def _texts(name: str) -> tuple[str, ...]:
    """Importer with each choice of options that its golden logs have."""
    told = GOLDEN.glob(f"{name.replace('-', '_')}/*.golden")
    return tuple(sorted({name, *(path.read_text("utf-8").partition("\n")[0] for path in told)}))


def check_swf(data: bytes, choice: int) -> bool:
    """Read a file in one of many ways; sometimes hold the parts to the whole."""
    rng = Random(choice)
    options = {
        "cleaning": rng.choice(CLEANINGS),
        "tuples": rng.random() < 0.2,
        "machine_size": rng.choice([None, None, 8]),
        "jobs": rng.choice([None, None, None, slice(1, 3)]),
    }
    if rng.random() < 0.1:
        assert in_parts(data, rng.randint(1, 9), options) == as_a_whole(data, options)
    try:
        workload, report = read(io.BytesIO(data), **options)
    except InputError as error:
        check_refusal(error)
        check_remedy(error)
        return False
    check_lines(decompress(data), report)
    check_report(workload, report)
    check_written(workload)
    return True


def check_importer(texts: Sequence[str], data: bytes, choice: int) -> bool:
    """Import and clean a log of another format, by one of these importers."""
    rng = Random(choice)
    try:
        workload, report, line = IMPORTERS.make(rng.choice(texts)).read(data, "fuzz")
        check_report(workload, report)
        check_written(workload)
        workload, report = clean(workload, report, line, rng.choice(CLEANINGS))
    except InputError as error:
        check_refusal(error)
        return False
    check_report(workload, report)
    check_written(workload)
    return True


def check_csv(attach: Callable[[str], Annotated], data: bytes, choice: int) -> bool:
    """Let jobs have what a file says; the workload that comes out can be written."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "fuzz.csv"
        path.write_bytes(compress(data, ".gz") if choice % 9 == 0 else data)
        try:
            workload, notes = attach(str(path))
        except InputError as error:
            check_refusal(error)
            check_remedy(error)
            return False
    assert len(workload) == len(LOG)
    assert all(len(note.splitlines()) == 1 for note in notes)
    check_written(workload)
    return True


def check_refusal(error: InputError) -> None:
    assert len(str(error).splitlines()) == 1


def check_remedy(error: InputError) -> None:
    assert error.remedy


def check_lines(text: bytes, report: LoadReport) -> None:
    """Every line of the text is a job, a comment or blank, and counted as such."""
    lines = text.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    lines = [line.strip(b" \t\r") for line in (lines if lines[-1] else lines[:-1])]
    comments = sum(line.startswith(b";") for line in lines)
    assert report.lines == len(lines)
    assert report.comment_lines == comments
    assert report.file_job_lines == sum(map(bool, lines)) - comments


def check_report(workload: Workload, report: LoadReport) -> None:
    assert report.lines_accounted()
    assert report.kept == len(workload)
    assert np.all(np.diff(report.line) >= 0)
    assert np.all((report.line > 0) & (report.line <= report.lines))


def check_written(workload: Workload) -> None:
    assert read(io.BytesIO(to_bytes(workload)), cleaning="none").workload == workload


def as_a_whole(data: bytes, options: dict[str, Any]) -> object:
    """Account of what `read` says: an error, or all lines and texts it would write."""
    try:
        workload, report = read(io.BytesIO(data), **options)
    except InputError as error:
        return str(error)
    return [report.to_dict(), [to_bytes(workload[i : i + 1]) for i in range(len(workload))]]


def in_parts(data: bytes, chunk: int, options: dict[str, Any]) -> object:
    """Account of what `stream` says, in the same form."""
    try:
        parts = stream(io.BytesIO(data), chunk=chunk, **options)
        jobs = [to_bytes(part[i : i + 1]) for part in parts for i in range(len(part))]
    except InputError as error:
        return str(error)
    return [parts.report.to_dict(), jobs]
