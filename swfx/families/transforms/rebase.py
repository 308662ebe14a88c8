"""The zero of the log's clock moved."""

from __future__ import annotations

from dataclasses import dataclass

from swfx.base.configured import named
from swfx.base.errors import InputError
from swfx.base.options import as_whole_seconds
from swfx.families.transformation import TRANSFORMS, Transformation, Transformed
from swfx.workload import Workload


@TRANSFORMS.register("rebase")
@dataclass(frozen=True)
class Rebase(Transformation):
    """Move time 0 of the log, so that the first job is submitted at a given second.

    By the clock on the wall nothing moves: UnixStartTime, where it is known, moves the other way.
    The clock moves by whole seconds.

    Parameters
    ----------
    first : int, default 0
        Second in which the first job is submitted.

    Examples
    --------
    >>> log = Workload.from_columns(submit=[100, 105.5])
    >>> Rebase().apply(log, 0).workload.submit.tolist()
    [0.0, 5.5]
    """

    first: int = named(as_whole_seconds, 0)

    def __post_init__(self) -> None:
        if self.first < 0:
            raise InputError(f"{self.first} is below 0", source="rebase", field="first")

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Move the clock."""
        moved = int(workload.submit.min() // 1) - self.first
        header = workload.header.without("StartTime") if moved else workload.header
        if header.unix_start_time is not None:
            header = header.with_value("UnixStartTime", header.unix_start_time + moved)
        return Transformed(
            workload.replace(submit=workload.submit - moved, header=header),
            (f"time 0 is {moved:,} s later than it was",),
        )
