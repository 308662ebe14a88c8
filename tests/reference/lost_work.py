"""Who pays for stops of jobs, in plain Python and exact fractions.

A stop of a job ends one of its segments. It costs the work that this segment lost and the overhead
at the head of the job's next one, both on all of its processors; and, where it was stopped at a
price, that: for whose sake it was stopped pays it. The job gets of that, with all it got for
earlier stops, at most what it was still worth when it was stopped, and what it pays itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

HOUR = 3600

Money = Fraction


class Piece(NamedTuple):
    """A stretch in which a job ran (s), because of whom it ended, if any, and if by preemption.

    `value` is what its end was taken to cost the job, `left` what the job was worth then (SU).
    """

    job: int
    start: Fraction
    end: Fraction
    overhead: Fraction
    lost: Fraction
    cause: int | None
    preempted: bool
    value: Money = Fraction(0)
    left: Money = Fraction(0)


class Stop(NamedTuple):
    """What one stop costs (SU), what of that a job pays, which one, and who gets how much of it."""

    job: int
    price: Money
    payer: int | None
    paid: Money
    receiver: int | None = None
    received: Money = Fraction(0)

    @property
    def borne(self) -> Money:
        """What is not paid (SU)."""
        return self.price - self.paid


class Bill(NamedTuple):
    """What each job that pays is charged for itself (SU), and what every stop costs.

    `work` is for lost work and restarts, `displaced` for what those lost who were displaced.
    """

    own: dict[int, Money]
    work: list[Stop]
    displaced: list[Stop]

    def charge(self, job: int) -> Money:
        """Return what a job pays in all, less what it gets."""
        stops = self.work + self.displaced
        pays = sum((stop.paid for stop in stops if stop.payer == job), Fraction(0))
        gets = sum((stop.received for stop in stops if stop.receiver == job), Fraction(0))
        return self.own[job] + pays - gets


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
    displaced: str = "owners",
) -> Bill:
    """Charge jobs.

    `own` has what each job that pays is asked by the mechanism, `rate` what an hour costs that it
    loses. `worth` has the most that jobs pay: each pays first for itself, then for lost work, one
    stop after the other, in the order of the jobs that were stopped, and of time, then those whom
    it displaced, in the same order. What it gets does not count.

    `displaced` says who gets what is paid for displaced jobs: their owners, and the centre what is
    beyond their limit ("owners"); their owners, and what is beyond is not charged ("owners-only");
    the centre; or nobody pays it ("no").
    """
    limit = worth or {}
    kept = {job: min(asked, limit.get(job, asked)) for job, asked in own.items()}
    left = {job: limit[job] - kept[job] for job in kept if job in limit}

    def settled(job: int, price: Money, payer: int | None, due: Money) -> Stop:
        if payer not in own:
            return Stop(job, price, None, Fraction(0))
        paid = min(due, left.get(payer, due))
        if payer in left:
            left[payer] -= paid
        return Stop(job, price, payer, paid)

    stops = []
    for job in sorted(own):
        mine = sorted((piece for piece in pieces if piece.job == job), key=lambda each: each.start)
        stops += list(pairwise(mine))
    work = []
    for stopped, resumed in stops:
        job = stopped.job
        price = (stopped.lost + resumed.overhead) * processors[job] * rate[job] / HOUR
        preempted = job if stopped.preempted else None
        pays = {"centre": None, "preempted": preempted, "stopped": job, "preemptor": stopped.cause}
        work.append(settled(job, price, pays[payer], price))

    def received(owed: Sequence[Stop]) -> list[Stop]:
        """Pass on to each job what it may get of the payments for its stops."""
        passed = []
        for place, stop in enumerate(owed):
            itself = kept[stop.job] + sum(each.paid for each in work if each.payer == stop.job)
            before = sum(each.received for each in passed if each.job == stop.job)
            room = max(min(stops[place][0].left, itself) - before, Fraction(0))
            gets = min(stop.paid, room)
            passed.append(stop._replace(receiver=stop.job, received=gets))
        return passed

    payers = [
        stopped.cause if stopped.preempted and displaced != "no" else None for stopped, _ in stops
    ]
    due = [stopped.value for stopped, _ in stops]
    if displaced == "owners-only":
        whole = [
            Stop(piece.job, piece.value, payer, piece.value if payer in own else Fraction(0))
            for (piece, _), payer in zip(stops, payers, strict=True)
        ]
        due = [stop.received for stop in received(whole)]
    owed = [
        settled(stopped.job, stopped.value, payer, most)
        for (stopped, _), payer, most in zip(stops, payers, due, strict=True)
    ]
    return Bill(kept, work, received(owed) if displaced.startswith("owners") else owed)
