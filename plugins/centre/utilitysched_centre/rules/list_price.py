"""List prices of jobs taken apart: resources, hours and rates behind each charge."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pricing.charges import Charges
from pricing.outcome import SECONDS_PER_HOUR
from pricing.reasons import COMPENSATED, FOR_DISPLACED, UNSAID
from pricing.resources import CPU, MEMORY, amounts_of
from pricing.waste import NOBODY
from swfx import InputError
from utilitysched_centre.rules.rules import Quantity
from utilitysched_centre.rules.tres import dominates

ROUNDING_OF_BILL = 3
"""Units of a bill by which rounding changes a charge at most: more does not come from the rate."""


MEGABYTES = 1024
"""MB in a GB, as Slurm counts them."""


class ResourceUse(NamedTuple):
    """A resource that a job is charged for.

    Attributes
    ----------
    resource : str
        As `pricing.resources` calls it.
    amount : Fraction
        Processors, MB of memory, nodes, GPUs, ...
    weight : Fraction
        Units that each of them counts.
    """

    resource: str
    amount: Fraction
    weight: Fraction

    @property
    def units(self) -> Fraction:
        """Units of all of them."""
        return self.amount * self.weight


def in_gigabytes(use: ResourceUse) -> ResourceUse:
    """Return a use of memory by GB rather than MB; other resources as they are."""
    if use.resource != MEMORY:
        return use
    return use._replace(amount=use.amount / MEGABYTES, weight=use.weight * MEGABYTES)


class ListPrice(NamedTuple):
    """List price of a job that comes from a rate: rate x units x hours, and lost work.

    Attributes
    ----------
    uses : tuple of ResourceUse
        What is charged for, the dominant resource first.
    others : tuple of ResourceUse
        Resources that count less than the dominant one.
    hours : Fraction
        Used, or requested.
    charged_hours : Fraction
        At least the minimum time.
    rate : Fraction
        SU per unit and hour.
    for_others : Fraction
        What the job pays for lost work of other jobs (SU).
    rounding : Fraction
        What rounding to the unit of the bill adds (SU).
    """

    uses: tuple[ResourceUse, ...]
    others: tuple[ResourceUse, ...]
    hours: Fraction
    charged_hours: Fraction
    rate: Fraction
    for_others: Fraction
    rounding: Fraction = Fraction(0)

    @property
    def units(self) -> Fraction:
        """Units that are charged for."""
        return sum((use.units for use in self.uses), Fraction(0))

    @property
    def exact(self) -> Fraction:
        """The list price before rounding (SU)."""
        return self.rate * self.units * self.charged_hours + self.for_others


class ListPrices:
    """List prices of the n jobs of a bill, taken apart.

    Parameters
    ----------
    charges : Charges
        The bill.
    quantity : Quantity, optional
        Rule of the centre; None: as the mechanism charges.
    """

    def __init__(self, charges: Charges, quantity: Quantity | None) -> None:
        self._charges, self._quantity = charges, quantity
        self._rates = charges.rate.tolist()
        self._unit = 10**charges.asked.decimals

    @cached_property
    def _amounts(self) -> Mapping[str, list[Fraction]]:
        return resource_amounts(self._charges, self._quantity)

    @cached_property
    def _weights(self) -> Mapping[str, Fraction]:
        weights = self._quantity.weights if self._quantity else None
        return weights.weights if weights else {self._charges.per: Fraction(1)}

    @cached_property
    def _seconds(self) -> list[float]:
        return charged_seconds(self._charges, self._quantity)

    @cached_property
    def _for_others(self) -> list[Fraction]:
        return lost_work_of_others(self._charges)

    def of(self, place: int) -> ListPrice | None:
        """Return the list price of a job; None where it comes from no rate."""
        rate = self._rates[place]
        if math.isnan(rate):
            return None
        hours = Fraction(self._seconds[place]) / int(SECONDS_PER_HOUR)
        least = self._quantity.minimum_minutes / 60 if self._quantity else Fraction(0)
        times = hours, max(hours, least)
        price = ListPrice(*self._uses(place), *times, Fraction(str(rate)), self._for_others[place])
        if self._quantity:
            return price
        billed = Fraction(int(self._charges.asked.units[place]), self._unit)
        rounding = billed - price.exact
        is_rounding = abs(rounding) * self._unit <= ROUNDING_OF_BILL
        return price._replace(rounding=rounding) if is_rounding else None

    @property
    def mechanism(self) -> str:
        """Name of the mechanism, without its options."""
        return self._charges.mechanism.partition(":")[0]

    def why(self, place: int) -> str:
        """Return what a job pays for whose list price comes from no rate, or why it pays nothing.

        What jobs pay each other for displacement is not part of the list price.
        """
        reasons = self._charges.reason[place].partition(": ")[2].split(", ")
        own = [each for each in reasons if each not in ("", FOR_DISPLACED, COMPENSATED)]
        return ", ".join(own) or UNSAID

    def _uses(self, place: int) -> tuple[tuple[ResourceUse, ...], tuple[ResourceUse, ...]]:
        """Return the resources of a job that count, and those that count less."""
        combine = self._quantity.combine if self._quantity else "sum"
        uses = [
            ResourceUse(name, amounts[place], self._weights[name])
            for name, amounts in self._amounts.items()
            if amounts[place] and self._weights[name]
        ]
        if not uses:
            name = next(iter(self._amounts))
            uses = [ResourceUse(name, Fraction(0), self._weights[name])]
        of_nodes = [use for use in uses if dominates(use.resource, combine)]
        if not of_nodes:
            return tuple(uses), ()
        dominant = max(of_nodes, key=lambda use: use.units)
        added = (use for use in uses if use not in of_nodes)
        return (dominant, *added), tuple(use for use in of_nodes if use is not dominant)


def resource_amounts(charges: Charges, quantity: Quantity | None) -> Mapping[str, list[Fraction]]:
    """Return how much each job held of the resources that are charged for."""
    jobs, weights = charges.workload, quantity.weights if quantity else None
    if quantity and weights:
        return dict(weights.amounts(jobs, quantity.absent))
    return {charges.per: list(map(Fraction, np.nan_to_num(amounts_of(jobs, charges.per)).tolist()))}


def quantities(charges: Charges, quantity: Quantity) -> list[Fraction]:
    """Return rate x hours x units of every job, and what it pays for others' lost work (SU).

    Units are what the rate is for, such as processors or nodes, unless there are weights. Hours
    used are those that the job is charged for: not those that it lost when it was stopped, if
    others pay for them.

    Raises
    ------
    InputError
        A charge comes from no rate, or from the rate of another resource than those with weights.
    """
    if np.isnan(charges.rate).any():
        job = charges.workload.job_name(np.argmax(np.isnan(charges.rate)))
        raise InputError(
            f"{charges.mechanism} charges job {job} by no rate per processor-hour",
            field="quantity",
            remedy="leave quantity out, or charge by single-price, multi-queue or second-price"
            " without a cap",
        )
    weights = quantity.weights
    if weights and charges.per not in {CPU, *weights.weights}:
        raise InputError(
            f"weights leave out {charges.per}, which {charges.mechanism} charges for",
            field="quantity.weights",
            remedy=f"give {charges.per} a weight, or leave of={charges.per} out",
        )
    if weights:
        units = weights.units(charges.workload, quantity.combine, quantity.absent)
    else:
        (units,) = resource_amounts(charges, quantity).values()
    least = quantity.minimum_minutes * 60
    return [
        Fraction(str(rate)) * each * max(Fraction(time), least) / int(SECONDS_PER_HOUR) + more
        for rate, each, time, more in zip(
            charges.rate.tolist(),
            units,
            charged_seconds(charges, quantity),
            lost_work_of_others(charges),
            strict=True,
        )
    ]


def charged_seconds(charges: Charges, quantity: Quantity | None) -> list[float]:
    """Return the charged time of each job, without time lost at the expense of other jobs (s)."""
    shares = charges.shares
    time = charges.outcome.held_of(CPU if quantity and quantity.weights else charges.per)
    if shares is not None:
        time = np.maximum(time - shares.unpaid_seconds, 0.0)
    if quantity and quantity.basis == "request":
        time = charges.workload.request
    seconds: list[float] = time.tolist()
    return seconds


def lost_work_of_others(charges: Charges) -> list[Fraction]:
    """Return what each job pays for the lost work of others (SU), as charged."""
    sums = [Fraction(0)] * len(charges)
    shares, parts = charges.shares, charges.parts
    if shares is None or parts is None:
        return sums
    work = parts.work
    others = (work.payer != NOBODY) & (work.payer != shares.stopped)
    for row in np.flatnonzero(others).tolist():
        sums[work.payer[row]] += Fraction(int(work.paid.units[row]), 10**parts.decimals)
    return sums
