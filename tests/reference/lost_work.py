"""Who pays for lost work and restarts (section 7), in plain Python and exact fractions.

A stop of a job ends one of its segments. It costs the work that this segment lost and the overhead
at the head of the job's next one, both on all of its processors.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

HOUR = 3600

Money = Fraction


class Piece(NamedTuple):
    """A stretch in which a job ran (s), because of whom it ended, if any, and if by preemption."""

    job: int
    start: Fraction
    end: Fraction
    overhead: Fraction
    lost: Fraction
    cause: int | None
    preempted: bool


class Stop(NamedTuple):
    """What one stop costs (SU), what of that a job pays, and which one."""

    job: int
    price: Money
    payer: int | None
    paid: Money

    @property
    def borne(self) -> Money:
        """What the centre bears (SU)."""
        return self.price - self.paid


class Bill(NamedTuple):
    """What each job that pays is charged for itself (SU), and what every stop costs."""

    own: dict[int, Money]
    stops: list[Stop]

    def charge(self, job: int) -> Money:
        """Return what a job pays in all."""
        return self.own[job] + sum(stop.paid for stop in self.stops if stop.payer == job)


def useful_hours(pieces: Sequence[Piece], processors: Sequence[int], job: int) -> Fraction:
    """Return processor-hours in which a job did what it did not have to do again."""
    seconds = sum(
        piece.end - piece.start - piece.overhead - piece.lost
        for piece in pieces
        if piece.job == job
    )
    return processors[job] * seconds / Fraction(HOUR)


def bill(
    pieces: Sequence[Piece],
    processors: Sequence[int],
    own: dict[int, Money],
    rate: dict[int, Money],
    payer: str,
    worth: dict[int, Money] | None = None,
) -> Bill:
    """Charge jobs.

    `own` has what each job that pays is asked by the mechanism, `rate` what an hour costs that it
    loses. `worth` has the most that jobs pay: each pays first for itself, then for one stop after
    the other, in the order of the jobs that were stopped, and of time.
    """
    limit = worth or {}
    kept = {job: min(asked, limit.get(job, asked)) for job, asked in own.items()}
    left = {job: limit[job] - kept[job] for job in kept if job in limit}
    stops = []
    for job in sorted(own):
        mine = sorted((piece for piece in pieces if piece.job == job), key=lambda each: each.start)
        for stopped, resumed in pairwise(mine):
            price = (stopped.lost + resumed.overhead) * processors[job] * rate[job] / HOUR
            preempted = job if stopped.preempted else None
            pays = {
                "centre": None,
                "preempted": preempted,
                "stopped": job,
                "preemptor": stopped.cause,
            }[payer]
            if pays not in own:
                pays = None
            paid = Fraction(0) if pays is None else min(price, left.get(pays, price))
            if pays in left:
                left[pays] -= paid
            stops.append(Stop(job, price, pays, paid))
    return Bill(kept, stops)
