"""JSON of Slurm: what `sacct --json` and `squeue --json` print, or jq makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from swfx.accounting.listing import Listing
from swfx.accounting.outputs import documents
from swfx.accounting.table import Columns, Row
from swfx.accounting.text import LogText
from swfx.base.errors import InputError
from swfx.slurm.keyed import keyed_rows

__all__ = ["json_rows"]

_REMEDY = "export with sacct --json"


def json_rows(
    lines: Iterable[tuple[int, str]], text: LogText
) -> tuple[Columns, Iterator[Row], Listing]:
    """Read the jobs of JSON, which are numbered by place, in numbered lines of a text.

    Raises
    ------
    InputError
        It is no JSON, or not of jobs.

    References
    ----------
    data_parser plugins of Slurm 22.05 to 25.05.
    """
    source = text.name
    try:
        whole = "\n".join(line for _, line in lines)
        text.files.clear()  # a place among the jobs is no line of a file
        jobs = [each for one in documents(whole, source, _REMEDY) for each in _jobs(one)]
    except TypeError:
        raise InputError('has no list of "jobs"', source=source, remedy=_REMEDY) from None
    if not jobs:
        raise InputError("lists no job", source=source, remedy=_REMEDY)
    listing = Listing(source, lines=len(jobs), records=len(jobs))
    return *keyed_rows(enumerate(jobs, 1), listing), listing


def _jobs(document: Any) -> list[Any]:
    """Return the list of jobs in a document, which may also be a list or a single job."""
    if isinstance(document, dict):
        document = [document] if "job_id" in document else document.get("jobs")
    if not isinstance(document, list):
        raise TypeError
    return document
