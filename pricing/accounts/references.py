"""References: which job an entry is for, whatever file it was read from."""

from __future__ import annotations

import hashlib
from collections import Counter

from swfx import FIELDS, Workload

DIGITS = 20
"""Hexadecimal: two of a billion jobs have the same by a chance of one in a million."""


def job_references(workload: Workload) -> list[str]:
    """Return a text for every job that no other job has.

    It is a digest of the job's fields in the log, of the log's start and of the computer's name.
    Slices of a log that overlap therefore have references in common, and other logs have not. Jobs
    that are the same in everything are told apart by their order.

    Examples
    --------
    >>> jobs = Workload.from_columns(submit=[0, 0], run=[9, 9], job_id=[1, 1])
    >>> one, two = job_references(jobs)
    >>> one == two
    False
    """
    header = workload.header
    log = f"{header.unix_start_time} {header.get('Computer')}"
    columns = [getattr(workload, field.name).tolist() for field in FIELDS]
    seen: Counter[tuple[float, ...]] = Counter()
    found = []
    for job in zip(*columns, strict=True):
        content = f"{log} {seen[job]} {job}"
        found.append(hashlib.sha256(content.encode()).hexdigest()[:DIGITS])
        seen[job] += 1
    return found
