"""Which jobs of a log are asked for."""

from __future__ import annotations

from swfx.errors import InputError

__all__ = ["selected"]


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
    first, last, step = jobs.indices(count)
    if step != 1 or first >= last:
        raise InputError(
            f"positions {jobs.start}:{jobs.stop} select none of {count} job lines"
            if step == 1
            else f"job lines cannot be selected with step {jobs.step}",
            field="jobs",
            remedy="give A:B, counted from 0, B excluded",
        )
    return slice(first, last, 1)
