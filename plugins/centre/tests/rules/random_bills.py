"""Random bills that the tests of rules, lines and formulas share: jobs, mechanisms, rules."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np

from pricing import Charges, charge
from pricing.months import UNKNOWN
from swfx import Header, UtilityFunction, UtilityTable, Workload
from tests.pricing import stopped
from tests.pricing.jobs import APRIL_2000, DAY
from utilitysched_centre.rules.invoice import Invoice, invoice
from utilitysched_centre.rules.rules import (
    Accounts,
    Allowance,
    Currency,
    Discount,
    IdleWake,
    JobSelection,
    Quantity,
    Rules,
    Tax,
)
from utilitysched_centre.rules.tres import read_weights

STATES = ("COMPLETED", "NODE_FAIL", "TIMEOUT", "CANCELLED by another", "OUT_OF_MEMORY")
MECHANISMS = (
    "single-price:rate=0.02",
    "single-price:rate=0.37",
    "single-price:rate=1.5,of=node",
    "single-price:rate=0.4,of=gres/gpu",
    "multi-queue",
    "second-price",
    "first-price:reading=end",
)
WITH_STOPS = (
    "single-price:rate=40,lost=preemptor",
    "single-price:rate=7,lost=centre,displaced=no",
    "multi-queue:lost=stopped",
    "first-price:reading=end,lost=preemptor,lost_rate=3",
)
WEIGHTS = (
    "CPU=1.0,GRES/gpu=20",
    "CPU=1,Mem=0.25G,GRES/gpu=12.5",
    "GRES/gpu=3,node=8,CPU=0.7",
    "CPU=2,license/x=5,Mem=0.003",
)
CURRENCIES = (
    None,
    Currency("EUR", Fraction(1)),
    Currency("EUR", Fraction(3, 100)),
    Currency("JPY", Fraction(17), 0),
    Currency("KWD", Fraction(7, 10), 3),
)


def random_bill(seed: int) -> Invoice:
    """Up to 25 jobs by a random mechanism under random rules."""
    random = Random(f"bill {seed}")
    charges = _with_stops(random, seed) if seed % 4 == 3 else _charges(random)
    return invoice(charges, random_rules(random, charges))


def _with_stops(random: Random, seed: int) -> Charges:
    workload, schedule = stopped.random_run(seed % 60)
    return stopped.charged(workload, schedule, random.choice(WITH_STOPS)).rounded(2)


def _charges(random: Random) -> Charges:
    jobs = random_workload(random)
    start = jobs.submit + [random.randrange(7200) for _ in jobs.submit]
    cap = random.random() < 0.1
    charges = charge(
        jobs, start, start + jobs.run, random.choice(MECHANISMS), cap=cap, exclude_states=()
    )
    return charges if random.random() < 0.1 else charges.rounded(random.choice((2, 2, 2, 3)))


def random_workload(random: Random) -> Workload:
    """Jobs with GPUs, memory, nodes and licenses, some in parts and some requeued."""
    count = random.randrange(1, 26)

    def drawn(*values: float) -> list[float]:
        return random.choices(values, k=count)

    names = [f' Job: {number} "7, run {number} of 2"' for number in (1, 2)]
    states = [f' State: {number} "{name}"' for number, name in enumerate(STATES, 1)]
    columns = {
        "tres/gres/gpu": drawn(0, 0, 1, 2, 8),
        "tres/node": drawn(1, 1, 2),
        "tres/mem": drawn(-1, 2000, 65536, 262144),
        "tres/license/x": drawn(0, 0, 3),
    }
    curves = [
        UtilityFunction([0, random.randrange(60, 9000)], [random.choice([0.01, 3, 77]), 0])
        for _ in range(count)
    ]
    return Workload.from_columns(
        header=Header((f" UnixStartTime: {APRIL_2000}", " MaxProcs: 256", *names, *states)),
        utility=UtilityTable.from_functions(curves),
        submit=sorted(random.randrange(45 * DAY) for _ in range(count)),
        run=[random.choice((0, 3600, 86430, random.randrange(90000))) for _ in range(count)],
        requested_time=drawn(3600, 86400),
        processors=[random.randrange(1, 129) for _ in range(count)],
        user=drawn(-1, 1, 2, 3),
        group=drawn(1, 2),
        queue=drawn(0, 1, 2),
        status=drawn(0, 1, 1, 1, 2, 5),
        state=drawn(-1, 1, 1, 1, 2, 3, 4, 5),
        part_of=drawn(-1, -1, -1, 5),
        **columns,  # type: ignore[arg-type]
    )


def random_rules(random: Random, charges: Charges) -> Rules:
    """Rules that can be applied to the charges."""

    def sometimes(share: float = 0.5) -> bool:
        return random.random() < share

    percents = [Fraction(text) for text in ("0", "10", "12.5", "50", "99", "100")]
    quantity = None
    if sometimes() and not np.isnan(charges.rate).any():
        weights = read_weights(random.choice(WEIGHTS)) if charges.per == "cpu" else None
        known = charges.workload.extra
        if weights and (sometimes(0.3) or not known):
            weights = None
        combine = random.choice(("max", "max", "sum")) if weights else "max"
        least = Fraction(random.choice((0, 0, 15, 600)))
        quantity = Quantity(random.choice(("use", "use", "request")), least, weights, combine)
    wake = None
    if sometimes(0.2) and charges.outcome.used is None:
        wake = IdleWake(64, Fraction(1, 20))
    months = sometimes(0.3) and not (charges.month == UNKNOWN).any()
    night = Discount(name="night", percent=random.choice(percents), queues=frozenset({1}))
    every = Discount(name="all", percent=random.choice(percents))
    return Rules(
        minimum_charge=Fraction(random.choice(("0", "0", "0.1", "2.5"))),
        quantity=quantity,
        idle_wake=wake,
        status={"failed": random.choice(percents)} if sometimes(0.3) else {},
        state={"TIMEOUT": random.choice(percents)} if sometimes(0.3) else {},
        exempt=JobSelection(users=frozenset({3} if sometimes(0.3) else ())),
        discount=tuple(each for each in (night, every) if sometimes(0.3)),
        allowance=Allowance(Fraction(30 if months else 0)),
        currency=random.choice(CURRENCIES),
        tax=random.choice((None, Tax("VAT", Fraction(19)), Tax("VAT", Fraction("7.7")))),
        accounts=Accounts({1: "physics", 2: "physics"} if sometimes() else {}),
    )
