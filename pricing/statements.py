"""Statements: the charges summed per user, group, queue or month, and what all stops cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pricing.charges import Charges
from pricing.evidence import for_later
from pricing.keys import KINDS, keys
from pricing.ledger import amount
from pricing.outcome import SECONDS_PER_HOUR, resource_columns
from pricing.parts import Parts, exact_sum
from pricing.waste import Waste
from swfx.base.columns import Ints

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "KINDS",
    "DisplacedTotal",
    "WasteTotal",
    "displaced_total",
    "statement",
    "stop_amounts",
    "waste_total",
]


def statement(charges: Charges, by: str) -> pd.DataFrame:
    """Sum the charges per user, group, queue or month; lines are exact sums of the job lines.

    Parameters
    ----------
    charges : Charges
        Job lines.
    by : str
        What each line of the statement is for: "user", "group", "queue" (-1 = the log does not
        say), "month", or another kind of label that the log has.

    Returns
    -------
    DataFrame
        Indexed by `by`, ascending, with columns ``jobs``, ``processor_hours``, ``utility`` (SU,
        realised) and ``charge`` (SU, `decimal.Decimal`). Where jobs could be stopped,
        ``preemptions``, ``wasted_hours`` (processor-hours of lost work and restarts) and
        ``waste_charge`` (the part of the charge that is for such) as well; where jobs displaced
        others at a price, ``displacement_charge`` (what is paid for that) and ``compensation``
        (what is got for it, of which the charge is net). Where a reserve is asked,
        ``reserve_charge`` (the part of the charge that is for those who come later). Where jobs
        were let off because of their
        states, or processors failed, ``failures`` (such jobs, not among ``jobs``, and such stops)
        and ``failure_hours`` (processor-hours of these jobs, and lost to these stops) as well. Of
        users, groups and queues that the log names ``name`` as well; other labels are their names.
        Where the log tells of resources, the hours of each, such as ``gres/gpu_hours``; a job of
        several parts is one job.

    Raises
    ------
    InputError
        If the log does not say `by`; it says what the log has.

    Examples
    --------
    >>> from pricing import charge
    >>> from swfx import Workload
    >>> jobs = Workload.from_columns(submit=[0, 0], run=[9, 9], processors=[1, 3], user=[7, 7])
    >>> charges = charge(jobs, [0, 0], [1800, 1800], "single-price")
    >>> str(statement(charges, "user").charge[7])
    '2.000000'
    """
    import pandas as pd  # noqa: PLC0415  slow to import, needed only here

    owners = keys(charges, by)
    table = pd.DataFrame(
        {
            by: owners.of,
            "processor_hours": charges.outcome.processor_hours,
            "utility": charges.outcome.utility,
            "units": charges.ledger.units,
            "jobs": charges.outcome.first_parts.astype(np.int64),
            **resource_columns(charges.outcome),
        }
    )
    order = ["jobs", "processor_hours", "utility", "units", *resource_columns(charges.outcome)]
    later = for_later(charges)
    if later:
        table["for_later"] = later.units
        order.append("for_later")
    sums = table.groupby(by, sort=True)[order].sum()
    names = dict(owners.names)
    failed = _failed(charges, by, owners.of, names)
    if failed is not None:  # some may have failures alone
        everybody = sums.index.union(failed.index)
        sums = sums.reindex(everybody, fill_value=0)
        failed = failed.reindex(everybody, fill_value=0)
    sums["charge"] = _amounts(sums.pop("units"), charges)
    if later:
        sums["reserve_charge"] = _amounts(sums.pop("for_later"), charges)
    if charges.shares:
        stopped = _stopped(charges, by, owners.of)
        sums = sums.join(stopped.reindex(sums.index, fill_value=0))
    if failed is not None:
        sums = sums.join(failed)
    return sums.assign(name=sums.index.map(names)) if names else sums


def _failed(
    charges: Charges, by: str, owners: Sequence[int | str], names: dict[int | str, str]
) -> pd.DataFrame | None:
    """Return how often the machine failed jobs, and the hours that were lost; None if never.

    Jobs that were let off because of their states, and stops of jobs by failures.
    """
    import pandas as pd  # noqa: PLC0415

    tables = []
    if charges.failures:
        let_off = keys(charges.failures, by)
        names |= let_off.names
        hours = charges.failures.outcome.processor_hours
        tables.append(pd.DataFrame({by: let_off.of, "failures": 1, "failure_hours": hours}))
    if charges.shares and not charges.shares.waste.preempted.all():
        stops = ~charges.shares.waste.preempted
        jobs, seconds = charges.shares.stopped[stops], charges.shares.waste.seconds[stops]
        hours = charges.workload.size[jobs] * seconds / SECONDS_PER_HOUR
        of = np.asarray(owners)[jobs]
        tables.append(pd.DataFrame({by: of, "failures": 1, "failure_hours": hours}))
    return pd.concat(tables).groupby(by, sort=True).sum() if tables else None


def _amounts(units: pd.Series, charges: Charges) -> pd.Series:
    """Return amounts of the ledger (SU)."""
    import pandas as pd  # noqa: PLC0415

    amounts = [amount(each, charges.ledger.decimals) for each in units.astype(np.int64).tolist()]
    return pd.Series(amounts, index=units.index, dtype=object)


def _stopped(charges: Charges, by: str, owners: Sequence[int | str]) -> pd.DataFrame:
    """Return what is said of stops where jobs could be stopped."""
    import pandas as pd  # noqa: PLC0415

    shares, parts = charges.shares, charges.parts
    assert shares is not None
    assert parts is not None
    preempted = shares.stopped[shares.waste.preempted]
    amounts = stop_amounts(parts, shares.waste)
    table = pd.DataFrame(
        {
            by: owners,
            "preemptions": np.bincount(preempted, minlength=len(charges)),
            "wasted_hours": charges.outcome.wasted_hours,
            **amounts,
        }
    )
    sums = table.groupby(by, sort=True).sum()
    for name in amounts:
        sums[name] = _amounts(sums[name], charges)
    return sums


def stop_amounts(parts: Parts, waste: Waste) -> dict[str, Ints]:
    """Return what jobs pay for stops, and get for them, in units, by the names of columns."""
    amounts = {"waste_charge": parts.for_work}
    if waste.value_lost is not None:
        amounts |= {"displacement_charge": parts.for_displaced, "compensation": parts.received}
    return amounts


class WasteTotal(NamedTuple):
    """Lost work and restarts of the jobs that pay.

    Attributes
    ----------
    payer : {"centre", "preemptor", "preempted", "stopped"}
        Who was to pay.
    preemptions, failures : int
        How often jobs were stopped.
    hours : float
        Processor-hours of lost work and restart overhead.
    price : Decimal
        What they cost (SU): what is paid and what is borne.
    paid : Decimal
        What jobs pay for them (SU), part of their charges.
    borne : Decimal
        What the centre bears (SU).
    """

    payer: str
    preemptions: int
    failures: int
    hours: float
    price: Decimal
    paid: Decimal
    borne: Decimal


def waste_total(charges: Charges) -> WasteTotal | None:
    """Sum up what stops cost; None where no job could be stopped."""
    shares, parts = charges.shares, charges.parts
    if shares is None or parts is None:
        return None
    preemptions = int(shares.waste.preempted.sum())
    return WasteTotal(
        shares.rule.payer,
        preemptions,
        len(shares.waste) - preemptions,
        math.fsum(shares.hours),
        exact_sum(parts.work.price),
        parts.work.paid.total,
        parts.work.borne.total,
    )


class DisplacedTotal(NamedTuple):
    """Total of the payments by jobs for the jobs they displaced.

    Attributes
    ----------
    receiver : {"owners", "owners-only", "centre", "no"}
        Who was to get it.
    stops : int
        That were taken to cost the displaced job anything.
    price : Decimal
        What they were taken to cost (SU).
    paid, received, kept : Decimal
        What jobs pay for that, what the displaced jobs get, and the centre (SU).
    """

    receiver: str
    stops: int
    price: Decimal
    paid: Decimal
    received: Decimal
    kept: Decimal


def displaced_total(charges: Charges) -> DisplacedTotal | None:
    """Sum up what is paid for displaced jobs; None where no scheduler named a price."""
    shares, parts = charges.shares, charges.parts
    if shares is None or parts is None or shares.waste.value_lost is None:
        return None
    dues = parts.displaced
    received = parts.money(parts.received)
    return DisplacedTotal(
        shares.rule.receiver,
        int(np.count_nonzero(shares.displaced.price)),
        exact_sum(dues.price),
        dues.paid.total,
        received,
        dues.paid.total - received,
    )
