"""Jobs that rules name, by number or name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from swfx import InputError, Workload
from swfx.labels import JobLabels, label_column
from utilitysched_centre.rules.rules import JobSelection, Rules

SELECTED = {
    "users": "user",
    "groups": "group",
    "queues": "queue",
    "partitions": "partition",
    "projects": "project",
    "qos": "qos",
}
"""Keys of rules, and the kinds of labels that they choose by."""


def selected_by(whom: JobSelection, jobs: Workload, payer: Sequence[str]) -> list[str]:
    """Return what each job is selected by, the first of all; empty for those that are not.

    Raises
    ------
    InputError
        The log has another kind of label in the field: it says which kinds it has.
    """
    selected = np.full(len(jobs), "", dtype="U9")
    if whom.accounts:
        selected[[name in whom.accounts for name in payer]] = "account"
    for key, kind in reversed(SELECTED.items()):
        if chosen := getattr(whom, key):
            known = _labels(jobs, kind)
            selected[np.isin(known.numbers, [*_numbers(known, chosen)])] = kind
    texts: list[str] = selected.tolist()
    return texts


def _labels(jobs: Workload, kind: str) -> JobLabels:
    """Return the labels of a kind; rules that name one whose field the log uses otherwise err."""
    if label_column(jobs.header, kind) is None:
        return jobs.labels.required(kind)
    return jobs.labels.of(kind)


def _numbers(known: JobLabels, chosen: frozenset[int | str]) -> Iterator[int]:
    for each in chosen:
        number = each if isinstance(each, int) else known.by_name.get(each)
        if number is not None:
            yield number


def strangers(rules: Rules, jobs: Workload) -> Iterator[str]:
    """Say which names in rules no job has: they may be misspelt, or have had no job.

    Raises
    ------
    InputError
        As `selected_by`.
    """
    for whom in (rules.exempt, *rules.discount):
        for key, kind in SELECTED.items():
            names = sorted(each for each in getattr(whom, key) if isinstance(each, str))
            yield from _strangers(_labels(jobs, kind), names) if names else ()
    listed = sorted(user for user in rules.account_of_user if isinstance(user, str))
    if listed:
        yield from _strangers(_labels(jobs, "user"), listed)


def _strangers(known: JobLabels, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        try:
            known.number(name)
        except InputError as error:
            yield f"{error.message}; {error.remedy}"
