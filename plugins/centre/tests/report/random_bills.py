"""Random bills: workloads, mechanisms, rules, currencies, taxes, credits and added lines."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from pricing import Charges, charge
from swfx import Header, UtilityTable, Workload
from tests.pricing.jobs import three_charges
from utilitysched_centre.report.statements import Additions, CreditLine, Statement
from utilitysched_centre.rules import Invoice, Rules, invoice
from utilitysched_centre.rules.lines import RECURRING, SHARED, InvoiceLine
from utilitysched_centre.rules.rules import (
    Accounts,
    Allowance,
    Currency,
    Discount,
    IdleWake,
    JobSelection,
    Quantity,
    Tax,
)
from utilitysched_centre.rules.tres import read_weights

HALF = 0.5

DAY, OCTOBER = 86400, 1790805600
"""Seconds; 1 October 2026 in Berlin."""

BY_RATE = ("single-price:rate=0.0371", "single-price:rate=2", "single-price:of=gres/gpu,rate=1.5")
OTHERS = ("first-price", "second-price", "vcg", "vcg:reserve=0.0123")


def random_bill(random: Random) -> Invoice:
    """Return a bill of up to 20 jobs of up to three payers."""
    mechanism = random.choice((*BY_RATE, *OTHERS))
    charges = _charges(random, mechanism)
    return invoice(charges.rounded(random.choice((0, 2, 2, 4))), _rules(random, mechanism))


def random_additions(random: Random, mine: Statement) -> Additions:
    """Return credits for some jobs of an invoice, at most what they come to, and further lines."""
    if random.random() < HALF:
        return Additions()
    bill = mine.bill
    jobs = random.sample(mine.places, min(random.choice((1, 3, 12)), len(mine.places)))
    given = []
    for place in jobs:
        net, tax = part(random, bill.net[place]), part(random, bill.tax[place])
        name = mine.all.job_names[place]
        given += [CreditLine(name, net, tax, "50% <by> hand")] if net >= 0 and tax >= 0 else []
    lines = [InvoiceLine(SHARED, "Idle time", 0, None, "", None, random.randint(-99, 99))]
    for quarters in range(1, random.choice((1, 2, 4))):
        quantity, price = Fraction(quarters, 4), Fraction(7, 5)
        net = round(quantity * price * 10**bill.decimals)
        text = f"Storage {quarters}"
        lines.append(InvoiceLine(RECURRING, text, 0, quantity, "TB", price, net))
    return Additions(tuple(lines), random.randint(0, 20), tuple(given))


def part(random: Random, units: int) -> int:
    """Return some of an amount."""
    return random.randint(0, int(units)) if units > 0 else int(units)


def _charges(random: Random, mechanism: str) -> Charges:
    if mechanism.startswith(("vcg", "second")):
        return three_charges(mechanism)
    jobs, numbers = random.randint(1, 20), np.random.default_rng(random.randrange(2**32))
    start = numbers.integers(0, 20 * DAY, jobs).astype(float)
    run = numbers.exponential(3000, jobs).round() + 1
    worth = 10.0 ** numbers.uniform(-3, 3, jobs)
    log = Workload.from_columns(
        header=Header(
            (f" UnixStartTime: {OCTOBER}", " TimeZoneString: Europe/Berlin", " MaxProcs: 64")
        ),
        utility=UtilityTable(
            np.arange(jobs + 1) * 2,
            np.tile([0.0, 9000.0], jobs),
            np.column_stack([worth, np.zeros(jobs)]).ravel(),
        ),
        submit=start,
        run=run,
        processors=numbers.integers(1, 9, jobs),
        user=numbers.integers(1, 4, jobs),
        status=numbers.choice([0, 1, 5], jobs, p=[0.1, 0.8, 0.1]),
        **{"tres/gres/gpu": numbers.integers(0, 3, jobs)},
    )
    return charge(log, start, start + run, mechanism)


def _rules(random: Random, mechanism: str) -> Rules:
    def maybe(value: Any, otherwise: Any) -> Any:
        return value if random.random() < HALF else otherwise

    percent = Fraction(random.randint(1, 9999), 100)
    weights = read_weights("CPU=1,GRES/gpu=20.5")
    quantity = Quantity(
        basis="use",
        minimum_minutes=Fraction(random.choice((0, 7, 15))),
        weights=maybe(weights, None),
        absent=frozenset(),
    )
    decimals, dated = random.randint(0, 6), mechanism in (*BY_RATE, "first-price")
    rate = Fraction(random.choice((1, 37, 12345)), 10 ** random.randint(0, 4))
    return Rules(
        minimum_charge=maybe(Fraction(1, 3), Fraction(0)),
        quantity=maybe(quantity, None) if mechanism in BY_RATE else None,
        idle_wake=maybe(IdleWake(4, Fraction(1, 8)), None) if dated else None,
        status=maybe({"failed": Fraction(0), "cancelled": percent}, {}),
        exempt=JobSelection(users=frozenset({3} if random.random() < HALF else {9})),
        discount=tuple(
            Discount(name=f"no. {n}", percent=percent) for n in range(random.choice((0, 0, 1, 14)))
        ),
        allowance=Allowance(maybe(Fraction(5, 3), Fraction(0)) if dated else Fraction(0)),
        currency=maybe(Currency("EUR", rate, decimals), None),
        tax=maybe(Tax("VAT", Fraction(random.choice((0, 7, 19, "8.1")))), None),
        accounts=Accounts(maybe({1: "lab", 2: "lab"}, {})),
    )
