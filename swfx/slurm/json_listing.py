"""JSON of Slurm: what `sacct --json` and `squeue --json` print, or jq makes of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from swfx.accounting.listing import Listing
from swfx.accounting.table import Columns, Row
from swfx.accounting.text import LogText
from swfx.base.errors import InputError
from swfx.slurm.keyed import keyed_rows

__all__ = ["json_rows"]

_REMEDY = "export with sacct --json"
_BEGIN = re.compile(r"\S")


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
        documents = _documents("\n".join(line for _, line in lines))
        jobs = [job for document in documents for job in _jobs(document)]
    except (ValueError, RecursionError) as error:
        raise InputError(f"is no JSON: {error}", source=source, remedy=_REMEDY) from error
    except TypeError:
        raise InputError('has no list of "jobs"', source=source, remedy=_REMEDY) from None
    if not jobs:
        raise InputError("lists no job", source=source, remedy=_REMEDY)
    listing = Listing(source, lines=len(jobs), records=len(jobs))
    return *keyed_rows(enumerate(jobs, 1), listing), listing


def _documents(text: str) -> Iterator[Any]:
    """Yield each document of a text, which may hold several in a row."""
    decoder, end = json.JSONDecoder(), 0
    while begin := _BEGIN.search(text, end):
        document, end = decoder.raw_decode(text, begin.start())
        yield document


def _jobs(document: Any) -> list[Any]:
    """Return the list of jobs in a document, which may also be a list or a single job."""
    if isinstance(document, dict):
        document = [document] if "job_id" in document else document.get("jobs")
    if not isinstance(document, list):
        raise TypeError
    return document
