"""References: which job an entry is for, whatever file it was read from."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator

from swfx import FIELDS, Workload
from swfx.labels import label_names
from utilitysched_centre.accounts.account import is_short

DIGITS = 20
"""Hexadecimal: two of a billion jobs have the same by a chance of one in a million."""


def job_references(workload: Workload) -> list[str]:
    """Return a text for every job that no other job has.

    Where the log says by which reference a job was held and charged when it ran, it is that, if a
    ledger can have it. Else,
    where the log names its users and says when it began, it is a digest of cluster, user and
    processors, and of the instants at which the job was submitted, started and ended: what a
    resource manager says of a job that is over, in whatever listing. Else it is a digest of the
    job's fields in the log, of the log's start and of the computer's name. Slices of a log that
    overlap therefore have references in common, and other logs have not. Jobs that are the same in
    everything are told apart by their order.

    Examples
    --------
    >>> jobs = Workload.from_columns(submit=[0, 0], run=[9, 9], job_id=[1, 1])
    >>> one, two = job_references(jobs)
    >>> one == two
    False
    """
    names = workload.labels.of("reference")
    if not names.names:
        return _digested(workload)
    usable = {number: name for number, name in names.names.items() if is_short(name)}
    pairs = zip(names.numbers.tolist(), _digested(workload), strict=True)
    return [usable.get(number, digest) for number, digest in pairs]


def _digested(workload: Workload) -> list[str]:
    header = workload.header
    if header.unix_start_time is not None and label_names(header, "user").names:
        return _digests(str(header.get("Computer")), _instants(workload))
    columns = [getattr(workload, field.name).tolist() for field in FIELDS]
    log = f"{header.unix_start_time} {header.get('Computer')}"
    return _digests(log, zip(*columns, strict=True))


def _instants(workload: Workload) -> Iterator[tuple[object, ...]]:
    """Say of each job what does not depend on the listing that it was read from."""
    clock = workload.header.unix_start_time or 0
    submit = clock + workload.submit
    start = submit + workload.wait
    return zip(
        _names(workload, "cluster"),
        _names(workload, "user"),
        workload.size.tolist(),
        submit.tolist(),
        start.tolist(),
        (start + workload.run).tolist(),
        strict=True,
    )


def _names(workload: Workload, kind: str) -> list[str]:
    if kind not in workload.labels.kinds:
        return [""] * len(workload)
    names = workload.labels.required(kind)
    return [names.names.get(number, str(number)) for number in names.numbers.tolist()]


def _digests(log: str, jobs: Iterable[tuple[object, ...]]) -> list[str]:
    seen: Counter[tuple[object, ...]] = Counter()
    digests = []
    for job in jobs:
        content = f"{log} {seen[job]} {job}"
        digests.append(hashlib.sha256(content.encode()).hexdigest()[:DIGITS])
        seen[job] += 1
    return digests
