"""Some jobs, by their position."""

from __future__ import annotations

import re
from dataclasses import dataclass

from swfx.base.configured import option
from swfx.base.errors import InputError
from swfx.families.transformation import TRANSFORMS, Transformation, Transformed, selected
from swfx.workload import Workload

Span = tuple[int | None, int | None]


def _span(text: str) -> Span:
    match = re.fullmatch(r"(-?\d{1,15})?:(-?\d{1,15})?", text)
    if not match:
        raise InputError(
            f"{text!r} is not A:B",
            source="slice",
            field="jobs",
            remedy="give positions from 0, B excluded, either side may be empty",
        )
    first, last = (int(end) if end else None for end in match.groups())
    return first, last


def _text(span: Span) -> str:
    return ":".join("" if end is None else str(end) for end in span)


@TRANSFORMS.register("slice")
@dataclass(frozen=True)
class Slice(Transformation):
    """Keep the jobs at positions A to B, from 0, B excluded.

    Parameters
    ----------
    jobs : tuple of int or None
        Positions as in Python: a negative end counts from the last job.

    Examples
    --------
    >>> log = Workload.from_columns(submit=[0, 5, 9])
    >>> Slice.from_text("jobs=-2:").apply(log, 0).workload.job_id.tolist()
    [2, 3]
    """

    jobs: tuple[int | None, int | None] = option(_span, text=_text)
    keeps_jobs = False

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Choose the jobs."""
        return selected(workload, slice(*self.jobs), "outside of it")
