"""One amount for each job of an invoice: what its page, evidence, files and the index print."""

from __future__ import annotations

import csv
import json
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pricing import Charges, charge
from swfx import Header, Workload
from tests.pricing.jobs import three_charges
from tests.pricing.stopped import charged
from tests.tables import number, tables
from tests.utilitysched.preempted import preempted_schedule, preempted_workload
from utilitysched_centre.accounts import Money
from utilitysched_centre.accounts import charged as charged_claims
from utilitysched_centre.accounts.claims import invoiced
from utilitysched_centre.report.statements import Statements, write_pages
from utilitysched_centre.rules import Rules, invoice, write_invoice
from utilitysched_centre.rules.rules import Allowance, Currency, Discount, Quantity, Tax

EURO, VAT = Currency("EUR", Fraction(37, 1000), 2), Tax("VAT", Fraction(19))
RULES = {
    "none": Rules(),
    "taxed": Rules(tax=VAT),
    "discounted": Rules(discount=(Discount(name="early", percent=Fraction(1000, 77)),)),
    "money": Rules(currency=EURO, tax=VAT, minimum_charge=Fraction(1, 3)),
    "all": Rules(
        quantity=Quantity(minimum_minutes=Fraction(7)),
        allowance=Allowance(Fraction(5, 3)),
        discount=(Discount(name="early", percent=Fraction(100, 7)),),
        currency=EURO,
        tax=VAT,
        status={"failed": Fraction(100, 3)},
    ),
}
HEADS = {"list price (SU)": "listed", "to pay": "amount"}


def drawn(seed: int, mechanism: str = "single-price:rate=0.0371") -> Charges:
    """Random jobs of twelve users, many of which cost less than a cent."""
    random, jobs = np.random.default_rng(seed), 150
    start = random.integers(0, 90 * 86400, jobs).astype(float)
    run = random.exponential(3000, jobs).round() + 1
    log = Workload.from_columns(
        header=Header((" UnixStartTime: 954547200",)),
        submit=start,
        run=run,
        processors=random.integers(1, 9, jobs),
        user=random.integers(1, 13, jobs),
        group=random.integers(1, 4, jobs),
        status=random.choice([0, 1, 5], jobs, p=[0.1, 0.8, 0.1]),
    )
    return charge(log, start, start + run, mechanism)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("by", ["account", "user", "group", "month"])
def test_random_bills(rules: str, by: str, tmp_path: Path) -> None:
    assert_one_amount(drawn(sorted(RULES).index(rules)).rounded(), RULES[rules], by, tmp_path)


@pytest.mark.parametrize("decimals", [0, 1, 4])
def test_chosen_decimals(decimals: int, tmp_path: Path) -> None:
    assert_one_amount(drawn(7).rounded(decimals), RULES["discounted"], "user", tmp_path)


@pytest.mark.parametrize("mechanism", ["vcg", "vcg:reserve=0.0123", "second-price", "first-price"])
def test_mechanisms(mechanism: str, tmp_path: Path) -> None:
    assert_one_amount(three_charges(mechanism).rounded(), RULES["money"], "user", tmp_path)


@pytest.mark.parametrize("displaced", ["owners", "centre"])
def test_what_is_paid_for_stops(displaced: str, tmp_path: Path) -> None:
    mechanism = f"first-price:reading=end,displaced={displaced}"
    bill = charged(preempted_workload(), preempted_schedule(12.3456), mechanism).rounded()
    assert_one_amount(bill, RULES["taxed"], "user", tmp_path)


@pytest.mark.parametrize("decimals", [0, 2, 6])
@pytest.mark.parametrize("rules", ["none", "discounted"])
def test_a_ledger_takes_what_the_invoice_says(decimals: int, rules: str) -> None:
    money = Money("SU", decimals)
    bill = invoice(drawn(3).rounded(min(decimals, 2)), RULES[rules], finest=decimals)

    claims = invoiced(bill, money).jobs

    assert [Decimal(money.plain(job.units)) for job in claims] == [
        bill.money(units) for units in bill.to_pay
    ]
    if rules == "none":
        charges = charged_claims(bill.charges, money).jobs
        assert [job.units for job in charges] == [job.units for job in claims]


def assert_one_amount(charges: Charges, rules: Rules, by: str, folder: Path) -> None:
    """Compare every amount of every page with the lines of invoice.csv."""
    made = invoice(charges, rules)
    write_invoice(folder, made)
    write_pages(Statements(made, by), folder / "pages")
    lines = {line["job_id"]: line for line in _rows(folder / "invoice.csv")}
    document = json.loads((folder / "invoice.json").read_text())
    assert sum(Decimal(line["amount"]) for line in lines.values()) == Decimal(document["total"])
    for line, place in zip(lines.values(), range(len(made)), strict=True):
        assert Decimal(line["net"]) + Decimal(line["tax"]) == Decimal(line["amount"])
        line["listed"] = str(made.service_units(charges.asked.units[place]))
    if by in document["statements"]:
        told = _rows(folder / f"invoice-by-{by}.csv")
        assert [line["amount"] for line in told] == [
            line["amount"] for line in document["statements"][by]
        ]
    (index,) = tables((folder / "pages" / "index.html").read_text())
    pages = sorted((folder / "pages").glob("*[!e].html"))
    pages = [page for page in pages if page.name != "index.html"]
    for row, page in zip(index[:-1], pages, strict=True):
        _compare_invoice(page, lines, row)
    for head, name in _heads(index[-1]):
        assert number(index[-1][head]) == sum(number(row[head]) for row in index[:-1])
        assert number(index[-1][head]) == sum(Decimal(line[name]) for line in lines.values())


def _compare_invoice(
    page: Path, lines: dict[str, dict[str, Any]], of_index: dict[str, str]
) -> None:
    mine = _rows(page.with_suffix(".csv"))
    for line in mine:
        assert {name: lines[line["job_id"]][name] for name in line} == line
    text, evidence = page.read_text(), page.with_name(f"{page.stem}-evidence.html").read_text()
    (explained,) = tables(evidence)
    (listed,) = tables(text)
    sums = re.findall(r"<tr><td>([^<]*)</td><td>([^<]*)</td></tr>", text)
    for head, name in _heads(of_index):
        whole = sum(Decimal(lines[line["job_id"]][name]) for line in mine)
        assert number(of_index[head]) == number(explained[-1][head]) == whole
        for table in (listed, explained[:-1]):
            assert sum(number(row[head]) for row in table) == whole
            for row in table:
                if row["job"] in lines:
                    assert number(row[head]) == Decimal(lines[row["job"]][name])
    assert number(sums[-1][1]) == number(next(v for k, v in of_index.items() if "to pay" in k))
    in_su = [number(money) for name, money in sums if money.endswith(" SU") and name != "To pay"]
    assert sum(in_su[: len(in_su)]) == sum(Decimal(line["due"]) for line in mine) + (
        sum(Decimal(line["tax"]) for line in mine) if sums[-1][1].endswith(" SU") else 0
    )
    for row in explained[:-1]:
        _compare_steps(row, lines)
        _compare_losses(row)


def _compare_steps(row: dict[str, str], lines: dict[str, dict[str, Any]]) -> None:
    """Add up what rules added and took, as told: it is what the job comes to (SU)."""
    told = re.search(r"((?:-?[\d,.]+ SU (?:more|less|free)[^:]*)): ([\d,.]+) SU \(", row["how"])
    if row["job"] not in lines or not told:
        return
    steps = re.findall(r"([\d,.]+) SU (more|less|free)", told[1])
    change = sum(number(text) * (1 if sign == "more" else -1) for text, sign in steps)
    due = Decimal(lines[row["job"]]["due"])
    assert number(row["list price (SU)"]) + change == due == number(told[2])


def _compare_losses(row: dict[str, str]) -> None:
    """Add up what a start cost others: with the reserve it is the list price of the job."""
    told = re.search(r"Its start cost (.*? SU\)?)[.;]", row["how"])
    if not told or "less than" in told[1] or "other" in told[1].removesuffix("others"):
        return
    costs = [number(each) for each in re.findall(r"([\d,.]+) SU", told[1])]
    reserve = re.search(r"([\d,.]+) SU of the list price is the reserve", row["how"])
    assert sum(costs) + (number(reserve[1]) if reserve else 0) == number(row["list price (SU)"])


def _heads(row: dict[str, str]) -> list[tuple[str, str]]:
    return [(head, name) for head in row for start, name in HEADS.items() if head.startswith(start)]


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))
