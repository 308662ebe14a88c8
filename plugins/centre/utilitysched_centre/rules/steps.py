"""Steps from the charge of a mechanism to the amount due, by job, in exact fractions of an SU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from pricing.charges import Charges
from pricing.months import UNKNOWN
from pricing.reasons import COMPENSATED, FOR_DISPLACED, UNSAID, reason
from pricing.states import MACHINE_FAULTS, general, states_of
from swfx import InputError
from utilitysched_centre.rules.idle_wake import idle_hours
from utilitysched_centre.rules.list_price import charged_seconds, quantities
from utilitysched_centre.rules.rules import STATUSES, Discount, Quantity, Rules
from utilitysched_centre.rules.selection import selected_by

Fractions = tuple[Fraction, ...]

IDLE, MINIMUM, SHARE, DISCOUNT = "idle wake", "minimum charge", "share", "discount"
LET_OFF, ALLOWANCE = "let off", "allowance"
DISPLACING, DISPLACED = "displacing", "displaced"
"""Kinds of changes between the list price of a job and the amount due."""

AFTER_RULES = {
    ALLOWANCE: "less the allowance",
    DISPLACING: FOR_DISPLACED,
    DISPLACED: COMPENSATED,
}
"""Kinds that come after all discounts, and what reasons say of them."""


class RuleChange(NamedTuple):
    """RuleChange of the amount of a job by a rule.

    Attributes
    ----------
    kind : str
        Kind of the rule.
    amount : Fraction
        SU added; below 0 for SU taken off.
    text : str
        Name of the discount, or the state or another reason that the rule is applied for.
    percent : Fraction
        Of the amount before that is to be paid (`SHARE`), or taken off (`DISCOUNT`).
    """

    kind: str
    amount: Fraction
    text: str = ""
    percent: Fraction = Fraction(0)


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
    trail : tuple of tuple of RuleChange
        Changes by the rules, in order: with the base they add up to what is due.
    """

    base: Fractions
    idle: Fractions
    allowed: Fractions
    displaced: Fractions
    due: Fractions
    reason: tuple[str, ...]
    trail: tuple[tuple[RuleChange, ...], ...]


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
    trail = tuple(
        (*changes, *_after_rules(free, pair)) if free or any(pair) else changes
        for (_, changes), free, pair in zip(way, allowed, displaced, strict=True)
    )
    reason = tuple(map(_reason, due, trail, short))
    return InvoiceSteps(tuple(base), tuple(idle), tuple(allowed), between, due, reason, trail)


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


def _lengthened(charges: Charges, quantity: Quantity | None) -> list[bool]:
    """Return whether each job is charged for a longer time than it took, the least one."""
    if quantity is None:
        return [False] * len(charges)
    return [time < quantity.minimum_minutes * 60 for time in charged_seconds(charges, quantity)]


def _before_allowance(
    base: Fraction, idle: Fraction, job: Job, rules: Rules
) -> tuple[Fraction, tuple[RuleChange, ...]]:
    """Return the price of a job without an allowance, and the changes that lead to it."""
    changes = [RuleChange(IDLE, idle)] if idle else []
    money = base + idle
    if job.let_off:
        return Fraction(0), (*changes, RuleChange(LET_OFF, -money, job.why))
    if money < rules.minimum_charge:
        changes.append(RuleChange(MINIMUM, rules.minimum_charge - money))
        money = rules.minimum_charge
    outcome, percent = _share(rules, job)
    why = outcome if percent == 0 else f"exempt {job.exempt}" if job.exempt else ""
    if why or money == 0:
        return Fraction(0), (*changes, RuleChange(LET_OFF, -money, why or job.why))
    if percent != 100:
        paid = money * percent / 100
        changes.append(RuleChange(SHARE, paid - money, outcome, percent))
        money = paid
    for discount in job.discounts:
        off = money * discount.percent / 100
        changes.append(RuleChange(DISCOUNT, -off, discount.name, discount.percent))
        money -= off
    return money, tuple(changes)


def _after_rules(free: Fraction, displaced: tuple[Fraction, Fraction]) -> Iterator[RuleChange]:
    """Yield the allowance of a job, and what jobs pay each other for displacement."""
    pays, gets = displaced
    changes = (
        RuleChange(ALLOWANCE, -free),
        RuleChange(DISPLACING, pays),
        RuleChange(DISPLACED, -gets),
    )
    return (change for change in changes if change.amount)


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


def _reason(due: Fraction, trail: Sequence[RuleChange], is_longer: bool) -> str:
    """Return why a job is charged, or not: the rules behind the amount, in order."""
    if not trail and not is_longer:
        return reason(due)
    before = [_tag(change) for change in trail if change.kind not in AFTER_RULES]
    kinds = {change.kind for change in trail}
    after = [text for kind, text in AFTER_RULES.items() if kind in kinds]
    let_off = [change.text for change in trail if change.kind == LET_OFF]
    if let_off:
        return reason(due, *(after if due else [*let_off, *after]))
    if ALLOWANCE in kinds and not due:
        return reason(due, "within the allowance", *after[1:])
    return reason(due, "minimum time" if is_longer else "", *before, *after)


def _tag(change: RuleChange) -> str:
    if change.kind == SHARE:
        return f"{_number(change.percent)}% as {change.text}"
    return f"discount {change.text}" if change.kind == DISCOUNT else change.kind


def _number(percent: Fraction) -> str:
    return f"{float(percent):g}"
