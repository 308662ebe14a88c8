"""Reader of SWF and extended SWF."""

from __future__ import annotations

from typing import NamedTuple

from swfx.reading.cleaning import Cleaning
from swfx.reading.report import LoadReport
from swfx.reading.streaming import ReadOptions, Stream
from swfx.reading.text import Source, check_source_type
from swfx.workload import Workload

__all__ = ["Cleaning", "Loaded", "read"]


class Loaded(NamedTuple):
    """Workload that was read, and the account of every line."""

    workload: Workload
    report: LoadReport


def read(
    source: Source,
    *,
    jobs: slice | None = None,
    machine_size: int | None = None,
    cleaning: Cleaning = "standard",
    tuples: bool = False,
) -> Loaded:
    """Read a log in the Standard Workload Format 2.2 or in extended SWF.

    Parameters
    ----------
    source : str, Path or binary stream
        File, plain or packed by gzip, xz or zstd; `-` is standard input.
    jobs : slice, optional
        Positions of job lines in the file, from 0, end excluded, before cleaning. Lines outside are
        not looked at.
    machine_size : int, optional
        Processors of the machine; takes the place of the header's `MaxProcs`.
    cleaning : {"standard", "strict", "lenient", "none"}
        `standard`: a malformed line is an error, jobs that cannot be simulated are dropped or
        repaired. `strict`: these are errors too. `lenient`: malformed lines are dropped too.
        `none`: all jobs are kept as they are.
    tuples : bool
        Read utility functions written as `(time,value)` tuples after field 18 (LEE 2.6.1). Extended
        SWF announces its own form and is not affected.

    Returns
    -------
    Loaded
        `(workload, report)`; the columns hold what the file says.

    Raises
    ------
    InputError
        If the source cannot be read or used, with file, line and field.
    """
    check_source_type(source)
    stream = Stream(source, ReadOptions(jobs, machine_size, cleaning, tuples))
    (workload,) = stream
    return Loaded(workload, stream.report)
