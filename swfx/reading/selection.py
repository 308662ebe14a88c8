"""Positions of the jobs that are asked for."""

from __future__ import annotations

from swfx.base.errors import InputError

__all__ = ["check_step", "selected"]

_REMEDY = "give A:B, counted from 0, B excluded"


def check_step(jobs: slice | None) -> None:
    """Refuse a slice that leaves out jobs between others, or turns them round."""
    if jobs is not None and jobs.step not in {None, 1}:
        raise InputError(
            f"job lines cannot be selected with step {jobs.step}", field="jobs", remedy=_REMEDY
        )


def selected(jobs: slice, count: int) -> slice:
    """Positions asked for, of `count` job lines.

    Raises
    ------
    InputError
        If the slice has a step or selects nothing.

    Examples
    --------
    >>> selected(slice(5, None), 8)
    slice(5, 8, 1)
    """
    check_step(jobs)
    first, last, _ = jobs.indices(count)
    if first >= last:
        raise InputError(
            f"positions {jobs.start}:{jobs.stop} select none of {count} job lines",
            field="jobs",
            remedy=_REMEDY,
        )
    return slice(first, last, 1)
