"""Steps from the charge of a mechanism to the amount due, by job, in exact fractions of an SU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from pricing.charges import Charges
from pricing.months import UNKNOWN
from pricing.outcome import SECONDS_PER_HOUR
from pricing.reasons import COMPENSATED, FOR_DISPLACED, UNSAID, reason
from pricing.resources import CPU, amounts_of
from pricing.states import MACHINE_FAULTS, general, states_of
from pricing.waste import NOBODY
from swfx import InputError
from utilitysched_centre.rules.idle_wake import idle_hours
from utilitysched_centre.rules.rules import STATUSES, Discount, Quantity, Rules
from utilitysched_centre.rules.selection import selected_by

Fractions = tuple[Fraction, ...]


@dataclass(frozen=True)
class InvoiceSteps:
    """Every job's way, in the order of the charges.

    Attributes
    ----------
    base : tuple of Fraction
        By mechanism and quantity (SU), without what is due for displaced jobs.
    idle : tuple of Fraction
        For idle time, added (SU).
    allowed : tuple of Fraction
        Taken from an allowance (SU).
    displaced : tuple of Fraction
        What it pays for those that it displaced, less what it gets for that (SU): no rule touches
        what jobs owe each other.
    due : tuple of Fraction
        What is left to pay (SU).
    reason : tuple of str
        Why it was charged, or not.
    """

    base: Fractions
    idle: Fractions
    allowed: Fractions
    displaced: Fractions
    due: Fractions
    reason: tuple[str, ...]


class Job(NamedTuple):
    """Exemption and discounts of one job under the rules."""

    status: int
    state: str
    why: str
    let_off: bool
    exempt: str
    discounts: Sequence[Discount]


def steps(charges: Charges, rules: Rules, account: Sequence[str]) -> InvoiceSteps:
    """Apply rules to charges; see `utilitysched_centre.rules.invoice`.

    Raises
    ------
    InputError
        As `utilitysched_centre.rules.invoice` says.
    """
    base = quantities(charges, rules.quantity) if rules.quantity else _as_charged(charges)
    wake = rules.idle_wake
    idle = [Fraction(0)] * len(charges)
    if wake:
        idle = [hours * wake.rate for hours in idle_hours(charges.outcome, wake.width)]
    jobs = list(_jobs(charges, rules, account))
    way = [_before_allowance(*each, rules) for each in zip(base, idle, jobs, strict=True)]
    short = _lengthened(charges, rules.quantity)
    allowed = _allowances(charges, account, [sum_ for sum_, _ in way], rules.allowance.monthly)
    displaced = _displaced(charges)
    between = tuple(pays - gets for pays, gets in displaced)
    due = tuple(
        sum_ - free + more for (sum_, _), free, more in zip(way, allowed, between, strict=True)
    )
    tags = (
        [*["minimum time"] * longer, *tags] for longer, (_, tags) in zip(short, way, strict=True)
    )
    reason = tuple(map(_reason, due, allowed, tags, displaced))
    return InvoiceSteps(tuple(base), tuple(idle), tuple(allowed), between, due, reason)


def _as_charged(charges: Charges) -> list[Fraction]:
    scale = 10**charges.asked.decimals
    return [Fraction(units, scale) for units in charges.asked.units.tolist()]


def _displaced(charges: Charges) -> list[tuple[Fraction, Fraction]]:
    """Return compensation for displacement that each job pays, and that it receives (SU)."""
    scale, parts = 10**charges.ledger.decimals, charges.parts
    if parts is None:
        return [(Fraction(0), Fraction(0))] * len(charges)
    pairs = zip(parts.for_displaced.tolist(), parts.received.tolist(), strict=True)
    return [(Fraction(pays, scale), Fraction(gets, scale)) for pays, gets in pairs]


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
    jobs, weights = charges.workload, quantity.weights
    if weights:
        if charges.per not in {CPU, *weights.weights}:
            raise InputError(
                f"weights leave out {charges.per}, which {charges.mechanism} charges for",
                field="quantity.weights",
                remedy=f"give {charges.per} a weight, or leave of={charges.per} out",
            )
        units = weights.units(jobs, quantity.combine, quantity.absent)
    else:
        units = list(map(Fraction, np.nan_to_num(amounts_of(jobs, charges.per)).tolist()))
    least = quantity.minimum_minutes * 60
    return [
        Fraction(str(rate)) * each * max(Fraction(time), least) / int(SECONDS_PER_HOUR) + more
        for rate, each, time, more in zip(
            charges.rate.tolist(),
            units,
            _seconds(charges, quantity),
            _for_others(charges),
            strict=True,
        )
    ]


def _seconds(charges: Charges, quantity: Quantity) -> list[float]:
    """Return the charged time of each job, without time lost at the expense of other jobs (s)."""
    shares = charges.shares
    time = charges.outcome.held_of(CPU if quantity.weights else charges.per)
    if shares is not None:
        time = np.maximum(time - shares.unpaid_seconds, 0.0)
    if quantity.basis == "request":
        time = charges.workload.request
    seconds: list[float] = time.tolist()
    return seconds


def _for_others(charges: Charges) -> list[Fraction]:
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


def _lengthened(charges: Charges, quantity: Quantity | None) -> list[bool]:
    """Return whether each job is charged for a longer time than it took, the least one."""
    if quantity is None:
        return [False] * len(charges)
    return [time < quantity.minimum_minutes * 60 for time in _seconds(charges, quantity)]


def _jobs(charges: Charges, rules: Rules, account: Sequence[str]) -> Iterator[Job]:
    jobs = charges.workload
    exempt = selected_by(rules.exempt, jobs, account)
    concerned = [
        [True] * len(jobs) if each.names_nobody else selected_by(each, jobs, account)
        for each in rules.discount
    ]
    paid = (charges.asked.units > 0).tolist()
    let_off = charges.outcome.let_off.tolist()
    ended = zip(jobs.status.tolist(), states_of(jobs), strict=True)
    for place, (status, state) in enumerate(ended):
        why = UNSAID if paid[place] else charges.reason[place].partition(": ")[2] or UNSAID
        mine = [each for each, by in zip(rules.discount, concerned, strict=True) if by[place]]
        yield Job(status, state, why, let_off[place], exempt[place], mine)


def _before_allowance(
    base: Fraction, idle: Fraction, job: Job, rules: Rules
) -> tuple[Fraction, list[str]]:
    """Return the price of a job without an allowance, and the rule behind the price."""
    if job.let_off:
        return Fraction(0), [f"!{job.why}"]
    tags = ["idle wake"] if idle else []
    money = base + idle
    if money < rules.minimum_charge:
        money = rules.minimum_charge
        tags.append("minimum charge")
    outcome, percent = _share(rules, job)
    if percent == 0:
        return Fraction(0), [f"!{outcome}"]
    if percent != 100:
        tags.append(f"{_number(percent)}% as {outcome}")
    if job.exempt:
        return Fraction(0), [f"!exempt {job.exempt}"]
    if money == 0:
        return money, [f"!{job.why}"]
    for discount in job.discounts:
        money *= 1 - discount.percent / 100
        tags.append(f"discount {discount.name}")
    return money * percent / 100, tags


def _share(rules: Rules, job: Job) -> tuple[str, Fraction]:
    """Return the outcome that decides what a job pays, and how much (percent).

    Its state, or its state without by whom, if a rule names them; that the machine was at fault;
    else its status.
    """
    for outcome in (job.state, general(job.state)):
        if outcome in rules.state:
            return outcome, rules.state[outcome]
    if job.state in MACHINE_FAULTS:
        return job.state, Fraction(0)
    status = STATUSES.get(job.status)
    return (status, rules.status.get(status, Fraction(100))) if status else ("", Fraction(100))


def _allowances(
    charges: Charges, account: Sequence[str], money: Sequence[Fraction], monthly: Fraction
) -> list[Fraction]:
    """Take allowances of payers and months off jobs, the first to complete first."""
    free = [Fraction(0)] * len(money)
    if not monthly:
        return free
    if len(charges) and (charges.month == UNKNOWN).any():
        raise InputError(
            "the log does not say in which month its jobs ran",
            field="allowance",
            remedy="write UnixStartTime in its header",
        )
    left: dict[tuple[str, str], Fraction] = {}
    for job in np.argsort(charges.outcome.end, kind="stable").tolist():
        key = account[job], str(charges.month[job])
        free[job] = min(money[job], left.get(key, monthly))
        left[key] = left.get(key, monthly) - free[job]
    return free


def _reason(
    due: Fraction, allowed: Fraction, tags: Sequence[str], displaced: tuple[Fraction, Fraction]
) -> str:
    names = (FOR_DISPLACED, COMPENSATED)
    more = [name for name, money in zip(names, displaced, strict=True) if money]
    if tags and tags[-1].startswith("!"):
        return reason(due, *(more if due else [tags[-1][1:], *more]))
    if allowed and not due:
        return reason(due, "within the allowance", *more)
    return reason(due, *tags, "less the allowance" if allowed else "", *more)


def _number(percent: Fraction) -> str:
    return f"{float(percent):g}"
