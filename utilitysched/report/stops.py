"""Sentences on the stops of a job: what they cost, and who pays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from pricing import Charges, Shares
from pricing.waste import NOBODY
from pricing.waste_rule import PREEMPTED
from swfx.base.numbers import plural

NAMED = 3
"""Jobs that are named; waste.csv has them all."""

Ints = npt.NDArray[np.int64]


def stop_sentences(charges: Charges, place: int) -> Iterator[str]:
    """Say how a job was stopped and whom that cost what; and what it pays for others.

    Parameters
    ----------
    charges : Charges
        The bill.
    place : int
        The job's, among those that pay.
    """
    shares = charges.shares
    if shares is None:
        return
    own = np.flatnonzero(shares.stopped == place)
    if len(own):
        hours, price = shares.hours[own].sum(), shares.price[own].sum()
        yield (
            f"It {_stopped(charges, shares, own)}: {hours:,.4f} processor-hours of lost work and"
            f" restarts, which cost {price:,.2f} SU."
        )
        if price:
            yield _paid(charges, shares, own)
    others = np.flatnonzero((shares.payer == place) & (shares.stopped != place))
    if shares.paid[others].any():
        lost = Counter[int]()
        for row in others.tolist():
            lost[int(shares.waste.job[row])] += shares.paid[row]
        said = [f"{_job(charges, job)} ({paid:,.2f})" for job, paid in lost.most_common()]
        yield f"It pays {shares.paid[others].sum():,.2f} SU for what others lost: {_few(said)}."


def _stopped(charges: Charges, shares: Shares, own: Ints) -> str:
    preempted = own[shares.waste.preempted[own]]
    failures = len(own) - len(preempted)
    said = []
    if len(preempted):
        causes = Counter(shares.waste.cause[preempted].tolist())
        named = [f"for {_job(charges, job)}" for job in causes if job != NOBODY]
        said.append(f"was {PREEMPTED} {_times(len(preempted))}{f' ({_few(named)})' * bool(named)}")
    if failures:
        said.append(f"{'' if said else 'was '}stopped by failures {_times(failures)}")
    return " and ".join(said)


def _paid(charges: Charges, shares: Shares, own: Ints) -> str:
    """Say who pays for the stops of one job."""
    by = Counter[int]()
    for row in own.tolist():
        if shares.paid[row]:
            by[int(shares.payer[row])] += shares.paid[row]
    place = int(shares.stopped[own[0]])
    job_id = charges.workload.job_id
    said = [
        f"{'it' if payer == place else f'job {job_id[payer]}'} pays {paid:,.2f} SU"
        for payer, paid in by.most_common()
    ]
    borne = float(shares.borne[own].sum())
    if not said:
        return "The centre bears that."
    rest = f", the centre bears {borne:,.2f} SU" if borne else ""
    return f"Of that {_few(said)}{rest}."


def _few(said: Sequence[str]) -> str:
    rest = len(said) - NAMED
    return ", ".join(said[:NAMED]) + (f" and {plural(rest, 'other')}" if rest > 0 else "")


def _job(charges: Charges, position: int) -> str:
    return f"job {charges.outcome.everybody[position]}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"
