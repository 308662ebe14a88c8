"""Lines of invoices: each multiplies to its amount, and all add up to the jobs."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from plugins.centre.tests.rules.random_bills import random_bill
from pricing import charge
from swfx import Header, Workload
from tests.pricing.jobs import END, START, three_charges, three_jobs
from tests.scale import enough, many
from utilitysched_centre.rules.invoice import Invoice, invoice
from utilitysched_centre.rules.lines import (
    JOBS,
    PRICES,
    ROUNDING,
    RULE,
    USE,
    InvoiceLine,
    invoice_lines,
    usage,
)
from utilitysched_centre.rules.rules import (
    Allowance,
    Currency,
    Discount,
    IdleWake,
    Quantity,
    Rules,
    Tax,
)
from utilitysched_centre.rules.tres import read_weights

EURO = Currency("EUR", Fraction(1))


def every(bill: Invoice) -> range:
    return range(len(bill))


def shown(lines: list[InvoiceLine]) -> list[tuple[str, int, float | None, float | None, int]]:
    return [
        (
            line.text,
            line.jobs,
            None if line.quantity is None else float(line.quantity),
            None if line.unit_price is None else float(line.unit_price),
            line.net,
        )
        for line in lines
    ]


def test_lines_of_any_jobs_add_up_and_multiply() -> None:
    multiplied = rounded = 0
    for seed in range(many(250)):
        bill, random = random_bill(seed), Random(seed)
        parts: dict[int, list[int]] = {}
        for place in every(bill):
            parts.setdefault(random.randrange(3), []).append(place)
        for places in parts.values():
            lines = invoice_lines(bill, places)
            assert sum(line.net for line in lines) == bill.net[places].sum(), seed
            for line in lines:
                if line.unit_price is not None and line.quantity is not None:
                    product = line.quantity * line.unit_price * 10**bill.decimals
                    assert round(product) == line.net, (seed, line)
                    multiplied += 1
                rounded += line.text == ROUNDING
            # an invoice of whole payers is rounded once; each line takes half a unit at most
            if len(places) == len(bill) and bill.rules.quantity:
                off = sum(abs(line.net) for line in lines if line.text == ROUNDING)
                assert off <= (len(lines) + len(set(bill.payer))) / 2, seed
    assert multiplied > enough(500)
    assert rounded > enough(20)


def gpu_jobs() -> Workload:
    """The second of three jobs, each an hour, has 2 GPUs."""
    return three_jobs().replace(**{"tres/gres/gpu": [0, 2, 0], "tres/mem": [1024, 8192, 2048]})


def weighed(text: str, **rules: object) -> Invoice:
    quantity = Quantity(weights=read_weights(text), **rules)  # type: ignore[arg-type]
    charges = charge(gpu_jobs(), START, END, "single-price:rate=0.02").rounded()
    return invoice(charges, Rules(quantity=quantity, currency=EURO))


def test_a_job_counts_on_the_line_of_its_dominant_resource() -> None:
    bill = weighed("CPU=1,GRES/gpu=20")

    assert shown(invoice_lines(bill, every(bill))) == [
        ("CPU", 2, 3, 0.02, 6),
        ("GPU (gres/gpu)", 1, 2, 0.4, 80),
    ]
    assert [line.unit for line in invoice_lines(bill, every(bill))] == ["CPU-hours", "GPU-hours"]


def test_a_sum_of_weights_has_a_line_per_resource() -> None:
    bill = weighed("CPU=1,Mem=0.5G,GRES/gpu=20", combine="sum")

    assert shown(invoice_lines(bill, every(bill))) == [
        ("CPU", 3, 7, 0.02, 14),
        ("GPU (gres/gpu)", 1, 2, 0.4, 80),
        ("Memory", 3, 11, 0.01, 11),
    ]


def test_rules_that_take_have_lines_below_zero() -> None:
    """Users 7, 8, 7; 2, 4 and 1 SU by single price; the second failed, the third was cancelled."""
    rules = Rules(
        minimum_charge=Fraction(3),
        status={"failed": Fraction(0), "cancelled": Fraction(50)},
        discount=(Discount(name="night", percent=Fraction(20)),),
        allowance=Allowance(Fraction(2)),
        currency=EURO,
        tax=Tax("VAT", Fraction(19)),
    )
    bill = invoice(three_charges("single-price"), rules)

    lines = invoice_lines(bill, every(bill))

    assert shown(lines) == [
        ("CPU", 3, 7, 1, 700),
        ("Minimum charge of 3 EUR a job", 2, None, None, 300),
        ("Let off: failed", 1, None, None, -400),
        ("cancelled: 50% is charged", 1, None, None, -150),
        ("Discount night, 20%", 2, None, None, -90),
        ("Allowance, 2 EUR a month", 2, None, None, -320),
    ]
    assert [line.kind for line in lines] == [USE, *[RULE] * 5]
    assert bill.net.sum() == 40


def test_a_minimum_time_and_idle_time() -> None:
    jobs = three_jobs().replace(header=Header((" MaxProcs: 6", " UnixStartTime: 0")))
    rules = Rules(
        quantity=Quantity(minimum_minutes=Fraction(90)),
        idle_wake=IdleWake(4, Fraction(1, 2)),
    )
    bill = invoice(charge(jobs, START, END, "single-price").rounded(), rules)

    lines = invoice_lines(bill, every(bill))

    assert shown(lines) == [
        ("CPU", 3, 7, 1, 700),
        ("Minimum time of 90 min", 3, None, None, 350),
        ("Idle time before wide jobs", 1, 2, 0.5, 100),
    ]
    assert lines[2].unit == "idle CPU-hours"


@pytest.mark.parametrize(
    ("mechanism", "texts"),
    [
        ("first-price:reading=end", ["first-price: no utility function", "first-price: what it"]),
        ("vcg", ["vcg: "]),
    ],
)
def test_mechanisms_without_a_rate_sell_jobs(mechanism: str, texts: list[str]) -> None:
    bill = invoice(three_charges(mechanism))

    lines = invoice_lines(bill, every(bill))

    assert {line.unit for line in lines} == {JOBS}
    assert sum(line.quantity or 0 for line in lines) == 3
    assert {line.unit_price for line in lines} == {None}
    for text in texts:
        assert any(line.text.startswith(text) for line in lines)


def test_many_unit_prices_share_a_line() -> None:
    count = PRICES + 1
    rates = ",".join(f"{queue}:{queue + 1}" for queue in range(count))
    log = Workload.from_columns(run=[3600] * count, processors=[2] * count, queue=range(count))
    bill = invoice(charge(log, [0] * count, [3600] * count, f"multi-queue:rates={rates}"))

    (line,) = invoice_lines(bill, every(bill))
    assert (line.text, line.quantity, line.unit_price) == (
        f"CPU, at {count} prices",
        2 * count,
        None,
    )
    assert len(invoice_lines(bill, range(PRICES))) == PRICES


def test_usage_is_that_of_sreport() -> None:
    """Hours of TRES of jobs that are let off, too."""
    bill = weighed("CPU=1,GRES/gpu=20")

    assert usage(bill, every(bill)) == [("cpu", 7), ("mem", 11), ("gres/gpu", 2)]
    assert usage(bill, [0]) == [("cpu", 2), ("mem", 1), ("gres/gpu", 0)]


def test_no_jobs_have_no_lines() -> None:
    assert invoice_lines(weighed("CPU=1,GRES/gpu=20"), []) == []
