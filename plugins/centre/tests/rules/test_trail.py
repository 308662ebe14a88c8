"""The trail of each job: from its list price to what is due, and nothing changed by telling it."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import numpy as np

from plugins.centre.tests.rules.random_bills import STATES, random_bill
from tests.pricing.jobs import three_charges
from tests.scale import many
from utilitysched_centre.rules.invoice import Invoice, invoice
from utilitysched_centre.rules.rules import STATUSES
from utilitysched_centre.rules.steps import DISCOUNT, LET_OFF, SHARE

BEFORE = "838333dd54d668c7a6e1c99b54df5b26b5f7570f6ccea32eb48dd4a8df6d9eb5"
"""Digest of all amounts and reasons of 60 random bills, from before there was a trail."""


def test_amounts_are_those_from_before_there_was_a_trail() -> None:
    digest = hashlib.sha256()
    for seed in range(60):
        bill = random_bill(seed)
        done, money = bill.steps, (bill.net.tolist(), bill.tax.tolist(), bill.decimals)
        exact = done.base, done.idle, done.allowed, done.displaced, done.due
        digest.update(repr((exact, done.reason, bill.payer, money)).encode())

    assert digest.hexdigest() == BEFORE


def test_what_is_due_is_what_the_formulas_of_the_documentation_give() -> None:
    for seed in range(many(200)):
        bill = random_bill(seed)

        assert bill.steps.due == tuple(due_by_hand(bill)), seed


def due_by_hand(bill: Invoice) -> list[Fraction]:
    """What is due for each job by docs/rules.md, written down once more."""
    before = [_before_allowance(bill, place) for place in range(len(bill))]
    left: dict[tuple[str, str], Fraction] = {}
    for place in np.argsort(bill.charges.outcome.end, kind="stable").tolist():
        key = bill.payer[place], str(bill.charges.month[place])
        free = min(before[place], left.setdefault(key, bill.rules.allowance.monthly))
        left[key] -= free
        before[place] -= free
    parts = bill.charges.parts
    if parts is None:
        return before
    between, scale = (parts.for_displaced - parts.received).tolist(), 10**parts.decimals
    return [due + Fraction(units, scale) for due, units in zip(before, between, strict=True)]


def _before_allowance(bill: Invoice, place: int) -> Fraction:
    rules, jobs = bill.rules, bill.charges.workload
    money = max(_base_by_hand(bill, place) + bill.steps.idle[place], rules.minimum_charge)
    status, state = STATUSES.get(jobs.status.item(place)), ""
    if "tres/node" in jobs.extra:  # jobs without states have none
        state = ("", *STATES)[max(jobs.extra["state"].item(place), 0)]
    percent = rules.status.get(status, Fraction(100)) if status else Fraction(100)
    if state == "NODE_FAIL":
        percent = Fraction(0)
    percent = rules.state.get(state, percent)
    if bill.charges.outcome.let_off[place] or jobs.user[place] in rules.exempt.users:
        return Fraction(0)
    for discount in rules.discount:
        if discount.names_nobody or jobs.queue[place] in discount.queues:
            money *= (100 - discount.percent) / 100
    return money * percent / 100


def _base_by_hand(bill: Invoice, place: int) -> Fraction:
    charges, quantity, jobs = bill.charges, bill.rules.quantity, bill.charges.workload
    if quantity is None:
        return Fraction(int(charges.asked.units[place]), 10**charges.asked.decimals)
    if charges.parts is not None:
        return bill.steps.base[place]  # test_steps.py has those of stopped jobs
    seconds = jobs.request if quantity.basis == "request" else charges.outcome.held
    time = max(Fraction(seconds.item(place)), quantity.minimum_minutes * 60)
    rate = Fraction(str(charges.rate.item(place)))
    return rate * _units_by_hand(bill, place) * time / 3600


def _units_by_hand(bill: Invoice, place: int) -> Fraction:
    jobs, quantity = bill.charges.workload, bill.rules.quantity

    def held(name: str) -> Fraction:
        if name == "cpu":
            return Fraction(jobs.size.item(place))
        known = max(jobs.extra[f"tres/{name}"].item(place), 0)
        return Fraction(known)

    if quantity is None or quantity.weights is None:
        return held(bill.charges.per)
    units = {name: weight * held(name) for name, weight in quantity.weights.weights.items()}
    licenses = units.pop("license/x", Fraction(0))
    return (max if quantity.combine == "max" else sum)(units.values()) + licenses


def test_list_price_and_changes_add_up_to_what_is_due() -> None:
    apart = 0
    for seed in range(many(200, least=40)):
        bill = random_bill(seed)
        for place, trail in enumerate(bill.steps.trail):
            base, changes = bill.steps.base[place], sum(change.amount for change in trail)
            assert base + changes == bill.steps.due[place], seed
            price = bill.list_prices.of(place)
            if price:
                assert price.exact + price.rounding == base, seed
                apart += 1
    assert apart > 100


def test_a_charge_that_does_not_come_from_its_rate_is_not_taken_apart() -> None:
    assert invoice(three_charges("vcg")).list_prices.of(0) is None


def test_the_trail_names_states_and_discounts() -> None:
    kinds = {
        (change.kind, change.text)
        for seed in range(60)
        for trail in random_bill(seed).steps.trail
        for change in trail
    }

    assert {
        (LET_OFF, "NODE_FAIL"),
        (LET_OFF, "exempt user"),
        (SHARE, "TIMEOUT"),
        (DISCOUNT, "night"),
        (DISCOUNT, "all"),
    } <= kinds
