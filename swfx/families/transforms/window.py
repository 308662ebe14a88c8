"""Jobs submitted within a span of time."""

from __future__ import annotations

import re
from dataclasses import dataclass

from swfx.base.configured import option
from swfx.base.errors import InputError
from swfx.base.options import as_seconds
from swfx.clock import Clock, has_unit, is_number
from swfx.families.transformation import TRANSFORMS, Transformation, Transformed, selected
from swfx.workload import Workload

_DAY = re.compile(r"(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])", re.ASCII)


@TRANSFORMS.register("window")
@dataclass(frozen=True)
class CutWindow(Transformation):
    """Keep the jobs submitted from one time on and before another.

    Parameters
    ----------
    start, end : str
        Time of the log's clock (s, or as ``2d``), or a date such as 2004-03-07 or 2004-03-07T09:30
        by the header's UnixStartTime and in its TimeZoneString (else TimeZone, else UTC).
        Empty: open.

    Examples
    --------
    >>> log = Workload.from_columns(submit=[0, 5, 9])
    >>> CutWindow.from_text("start=5,end=9").apply(log, 0).workload.job_id.tolist()
    [2]
    """

    start: str = option(str, "")
    end: str = option(str, "")
    keeps_jobs = False

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Choose the jobs."""
        first = _seconds(self.start, workload, "start") if self.start else float("-inf")
        last = _seconds(self.end, workload, "end") if self.end else float("inf")
        if last <= first:
            raise InputError(
                f"nothing is between {self.start} and {self.end}",
                source=self.label,
                remedy="give an end after the start",
            )
        inside = (workload.submit >= first) & (workload.submit < last)
        return selected(workload, inside, "submitted outside of it")


def _seconds(text: str, workload: Workload, field: str) -> float:
    if _DAY.fullmatch(text):
        raise InputError(
            f"{text} may be a date or seconds",
            source="window",
            field=field,
            remedy=f"write {text[:4]}-{text[4:6]}-{text[6:]}, or {text}.0 for seconds",
        )
    if is_number(text):
        return float(text)
    if has_unit(text):
        return as_seconds(text, "window", field)
    try:
        return Clock.of(workload.header).seconds(text)
    except InputError as error:
        raise InputError(
            error.message, source="window", field=error.field or field, remedy=error.remedy
        ) from None
