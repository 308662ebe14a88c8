"""Keys of statements: whose each job is, by number, name or month."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pricing.charges import Charges
from swfx import InputError, Workload
from swfx.base.options import nearest
from swfx.label_kinds import LABEL_KINDS, NUMBERED
from swfx.labels import check_known, label_column

MONTH = "month"

KINDS: tuple[str, ...] = (*NUMBERED, MONTH)
"""What a statement of any log can be made per, unless a field holds another kind of label."""

ANY: tuple[str, ...] = (*LABEL_KINDS, MONTH)
"""What a statement can be made per, where the log says it."""

FEW = ("account", "project", "department", "qos", "cluster")
"""Kinds of which each is written where the log has it; the others can be shown."""


def check_kind(by: str, kinds: Sequence[str] = ANY) -> None:
    """Refuse what no statement can be made by.

    Raises
    ------
    InputError
        If `by` is not one of `kinds`.
    """
    if by not in kinds:
        raise InputError(f"no statement by {by!r}", field="by", remedy=nearest(by, kinds))


class StatementKeys(NamedTuple):
    """What each job belongs to, and the names of those keys that are numbers."""

    of: Sequence[int | str]
    names: Mapping[int | str, str]


def keys(charges: Charges, by: str) -> StatementKeys:
    """Return whose each job of a bill is.

    Raises
    ------
    InputError
        The log does not say.
    """
    if by == MONTH:
        return StatementKeys(charges.month.tolist(), {})
    jobs = charges.workload
    require_kind(jobs, by)
    names = jobs.labels.of(by)
    if by not in NUMBERED:
        return StatementKeys(names.of_jobs(), {})
    numbers = names.numbers.tolist()
    return StatementKeys(numbers, {n: names.name(n) for n in set(numbers)} if names.names else {})


def words(by: str) -> str:
    """Return what a kind of statement is called in sentences.

    >>> words("job_name"), words("month")
    ('job name', 'month')
    """
    return LABEL_KINDS[by].words if by in LABEL_KINDS else by


def require_kind(workload: Workload, by: str) -> None:
    """Refuse what no statement of a log can be made by.

    Raises
    ------
    InputError
        It says what the log has.
    """
    check_kind(by)
    check_known(by, kinds(workload), "by")


def kinds(workload: Workload) -> tuple[str, ...]:
    """Kinds of statements of a log."""
    numbered = {kind for kind in NUMBERED if label_column(workload.header, kind)}
    numbered.update(workload.labels.kinds, {MONTH})
    return tuple(kind for kind in dict.fromkeys((*NUMBERED, *ANY)) if kind in numbered)


def written_kinds(workload: Workload) -> tuple[str, ...]:
    """Kinds of which a statement is written: not those of which nearly every job has its own."""
    return tuple(kind for kind in kinds(workload) if kind in KINDS + FEW)
