"""Waste where jobs are stopped: work that is done again, restarts, and who is to pay for them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np

from swfx import InputError
from swfx.base.columns import Bools, Floats, Ints

NOBODY = -1

ANOTHER = "give the stops of the schedule of this very workload"


@dataclass(frozen=True, eq=False)
class Waste:
    """One row for every time that a job was stopped before its work was done.

    A stop costs the work since the last checkpoint, and the overhead with which the job starts
    again. The rows of a job are in order of time.

    Attributes
    ----------
    job : ndarray of int64, shape (w,)
        Position in the schedule's workload of the job that was stopped.
    cause : ndarray of int64, shape (w,)
        That of the job for whose sake it was preempted; `NOBODY` if there is none.
    preempted : ndarray of bool, shape (w,)
        Whether it was preempted; else its processors failed.
    time : ndarray of float64, shape (w,)
        When it was stopped, on the log's clock (s).
    lost : ndarray of float64, shape (w,)
        Work that is done again (s).
    overhead : ndarray of float64, shape (w,)
        What it spent on the restart that followed (s).
    value_lost : ndarray of float64, shape (w,), optional
        What the stop was taken to cost the job when it was decided on (SU); default: nobody was
        stopped at a price.

    Raises
    ------
    InputError
        The columns are not of one length, a number is not finite, a duration or a value is below 0,
        or a job was preempted for its own sake.
    """

    job: Ints
    cause: Ints
    preempted: Bools
    time: Floats
    lost: Floats
    overhead: Floats
    value_lost: Floats | None = None

    def __post_init__(self) -> None:
        columns = self._columns()
        for name, column in columns.items():
            if column.shape != self.job.shape:
                raise _wrong(name, f"has {len(column)} rows for {len(self)} stops")
        endless = ~np.isfinite(self.time)
        if endless.any():
            raise _wrong("time", f"is {self.time[endless.argmax()]} s, not a finite number")
        for name, unit in (("lost", "s"), ("overhead", "s"), ("value_lost", "SU")):
            amounts = columns.get(name, np.empty(0))
            unusable = ~(np.isfinite(amounts) & (amounts >= 0))
            if unusable.any():
                raise _wrong(name, f"is {amounts[unusable.argmax()]} {unit}, not 0 {unit} or more")
        if (self.cause == self.job).any():
            raise _wrong("cause", "is the very job that was stopped")

    def __len__(self) -> int:
        return len(self.job)

    def __getitem__(self, rows: Bools) -> Waste:
        return Waste(**{name: column[rows] for name, column in self._columns().items()})

    def _columns(self) -> dict[str, Any]:
        columns = {column.name: getattr(self, column.name) for column in fields(self)}
        return {name: column for name, column in columns.items() if column is not None}

    @property
    def seconds(self) -> Floats:
        """For how long processors were held for nothing because of each stop (s), shape (w,)."""
        total: Floats = self.lost + self.overhead
        return total

    def of_those(self, jobs: Bools) -> Waste:
        """Return the stops of some jobs of the workload, shape (n,).

        Raises
        ------
        InputError
            There are stops of other jobs than these n, or because of others.
        """
        self.require_within(len(jobs))
        return self[jobs[self.job]]

    def require_within(self, jobs: int) -> None:
        """Refuse stops of jobs, or because of jobs, that are not among the first `jobs`.

        Raises
        ------
        InputError
            Naming the column.
        """
        for name, column, least in (("job", self.job, 0), ("cause", self.cause, NOBODY)):
            beyond = (column < least) | (column >= jobs)
            if beyond.any():
                place = column[beyond.argmax()]
                raise _wrong(name, f"is at position {place} of a workload of {jobs} jobs")


def _wrong(field: str, problem: str) -> InputError:
    return InputError(problem, source="waste", field=field, remedy=ANOTHER)


CENTRE, PREEMPTOR, PREEMPTED, STOPPED = "centre", "preemptor", "preempted", "stopped"

PAYERS = (CENTRE, PREEMPTOR, PREEMPTED, STOPPED)

OWNERS, OWNERS_ONLY, NO = "owners", "owners-only", "no"

RECEIVERS = (OWNERS, OWNERS_ONLY, CENTRE, NO)
"""Who gets what jobs pay for those that they displaced."""

LOST_RATE = 1.0
"""SU per processor-hour where nothing else is said: LEE's single price."""


class WasteRule(NamedTuple):
    """What a mechanism says of lost work, of restart overhead and of displaced jobs.

    Attributes
    ----------
    payer : {"centre", "preemptor", "preempted", "stopped"}
        Who pays for it: nobody but the centre, the job for whose sake another was preempted, the
        job that was preempted itself, or the job that was stopped, be it by a failure.
    rate : float or None
        SU per processor-hour; None for the rate by which the job that was stopped is charged.
    receiver : {"owners", "owners-only", "centre", "no"}
        Who gets what a job pays for the value that displaced jobs lost: their owners, up to a
        limit, and the centre the rest; their owners, and nobody is charged the rest; the centre; or
        nobody is charged for that.
    """

    payer: str = CENTRE
    rate: float | None = LOST_RATE
    receiver: str = OWNERS

    @classmethod
    def of(cls, mechanism: object) -> WasteRule:
        """Return that of a mechanism; if it says nothing, the centre pays for lost work."""
        rate = getattr(mechanism, "lost_rate", LOST_RATE)
        return cls(
            getattr(mechanism, "lost", CENTRE), rate, getattr(mechanism, "displaced", OWNERS)
        )

    @property
    def by_the_hour(self) -> bool:
        """Whether lost and useful processor-hours have the same rate."""
        return self.rate is None

    @property
    def is_usual(self) -> bool:
        """Whether charges are those of all hours used, or of none: what was lost need not be known.

        That is the default of every mechanism; hours lost by failures, which nobody else pays, are
        left out where they are known.
        """
        return self.payer in ((PREEMPTED, STOPPED) if self.by_the_hour else (CENTRE,))

    @property
    def is_bounded(self) -> bool:
        """Whether nothing is added to what the mechanism asks but hours at its own rate."""
        return self.payer == CENTRE or self.is_usual

    def require_known(self, label: str, used: object, waste: Waste | None) -> None:
        """Refuse charges of stopped jobs for which something is not given.

        Raises
        ------
        InputError
            What was lost is not known and matters to the mechanism of this label, or jobs were
            stopped and for how long they held their processors is not known.
        """
        if waste is None and used is not None and not self.is_usual:
            raise InputError(
                f"{label} asks what was lost where jobs were stopped",
                field="waste",
                remedy="give it beside what was used, or leave the option lost out",
            )
        if waste is not None and len(waste) and used is None:
            raise InputError(
                "is not given, and jobs were stopped",
                field="used",
                remedy="give for how long each held its processors",
            )
