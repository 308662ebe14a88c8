"""One amount for each job and document: what pages, evidence, CSV, JSON, FOCUS and index say."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from plugins.centre.tests.rules.random_bills import random_bill
from pricing import charge
from swfx import Workload
from tests.pricing.jobs import three_charges
from tests.pricing.stopped import charged
from tests.scale import FACTOR, many
from tests.tables import number, tables
from tests.utilitysched.preempted import preempted_schedule, preempted_workload
from utilitysched_centre.accounts import Money
from utilitysched_centre.accounts import charged as charged_claims
from utilitysched_centre.accounts.claims import invoiced
from utilitysched_centre.report.statements import (
    Additions,
    CreditLine,
    IndexEntry,
    IndexHeading,
    IssuedDocument,
    Statement,
    Statements,
    issued_invoice,
    read_document_file,
    write_document,
    write_focus,
    write_index,
)
from utilitysched_centre.report.statements.evidence import AS_ABOVE
from utilitysched_centre.report.statements.issued import INVOICE
from utilitysched_centre.report.statements.statement import in_currency
from utilitysched_centre.rules import Invoice, Rules, invoice
from utilitysched_centre.rules.files import write_job_lines
from utilitysched_centre.rules.formula import job_formula
from utilitysched_centre.rules.lines import RECURRING, SHARED, InvoiceLine
from utilitysched_centre.rules.rules import Currency, Discount, Tax

BILLS = many(1000) if FACTOR >= 1 else many(500)

TAXED = Rules(currency=Currency("EUR", Fraction(37, 1000), 2), tax=Tax("VAT", Fraction(19)))
DISCOUNTED = Rules(discount=(Discount(name="early", percent=Fraction(1000, 77)),))


@pytest.mark.parametrize("part", range(5))
def test_documents_of_random_bills(part: int, tmp_path: Path) -> None:
    for seed in range(part, BILLS, 5):
        random, bill = Random(f"one amount {seed}"), random_bill(seed)
        if seed % 2:
            currency = Currency("EUR", Fraction(37, 1000), seed // 2 % 7)
            bill = invoice(bill.charges, replace(bill.rules, currency=currency))
        assert_one_amount(bill, random, tmp_path / str(seed))


@pytest.mark.parametrize("mechanism", ["vcg", "vcg:reserve=0.0123"])
def test_what_others_lose(mechanism: str, tmp_path: Path) -> None:
    bill = invoice(three_charges(mechanism).rounded(), TAXED)

    assert_one_amount(bill, Random(mechanism), tmp_path)


@pytest.mark.parametrize("displaced", ["owners", "centre"])
def test_what_is_paid_for_stops(displaced: str, tmp_path: Path) -> None:
    mechanism = f"first-price:reading=end,displaced={displaced}"
    bill = charged(preempted_workload(), preempted_schedule(12.3456), mechanism).rounded()

    assert_one_amount(invoice(bill, TAXED), Random(displaced), tmp_path)


@pytest.mark.parametrize("decimals", [0, 2, 6])
@pytest.mark.parametrize("rules", [Rules(), DISCOUNTED], ids=["none", "discounted"])
def test_a_ledger_takes_what_the_invoice_says(decimals: int, rules: Rules) -> None:
    money, jobs = Money("SU", decimals), 50
    random = Random(decimals)
    run = [float(random.randint(1, 9999)) for _ in range(jobs)]
    log = Workload.from_columns(submit=[0] * jobs, run=run, processors=[1] * jobs)
    charges = charge(log, [0] * jobs, run, "single-price:rate=0.0371")
    bill = invoice(charges.rounded(min(decimals, 2)), rules, finest=decimals)

    claims = invoiced(bill, money).jobs

    assert [Decimal(money.plain(job.units)) for job in claims] == [
        bill.money(units) for units in bill.to_pay
    ]
    if rules == Rules():
        lines = charged_claims(bill.charges, money).jobs
        assert [job.units for job in lines] == [job.units for job in claims]


def assert_one_amount(bill: Invoice, random: Random, folder: Path) -> None:
    """Issue the documents of a bill, and compare every amount in all of their files."""
    whole, issued = _rows(write_job_lines(folder / "invoice.csv", bill)), list[IssuedDocument]()
    told = Counter[str]()
    claims = invoiced(bill, Money(bill.currency, bill.decimals)).jobs  # what the ledger charges
    for mine in Statements(bill):
        added = random_additions(random, mine)
        document = issued_invoice(mine, f"project:{mine.name}", added)
        further = sum(line.net for line in added.lines) + added.tax
        given = sum(line.net + line.tax for line in added.credits)
        charged_units = sum(claims[place].units for place in mine.places)
        assert document.amount == charged_units + further - given
        write_document(document, mine, folder)
        read = read_document_file(folder / mine.content)
        assert [file.name for file in read.evidence] == [mine.table, mine.evidence, mine.sheet]
        jobs = _rows(folder / mine.table)
        assert jobs == [whole[place] for place in mine.places]
        _compare_page((folder / mine.sheet).read_text(), read, jobs)
        _compare_evidence((folder / mine.evidence).read_text(), bill, mine.places)
        told.update(place for place in map(str, mine.places))
        note = _credit_note(read, jobs, random)
        _, page = write_document(note, None, folder)
        _compare_sums(page.read_text(), read_document_file(folder / f"{note.number}.json"))
        issued += [read, note]
    assert sorted(map(int, told)) == [*range(len(bill))]
    _compare_focus(folder, issued)
    _compare_index(folder, issued)


def random_additions(random: Random, mine: Statement) -> Additions:
    """Return credits for some jobs of an invoice, at most what they come to, and further lines."""
    if random.random() < 0.5:
        return Additions()
    bill, given = mine.bill, []
    for place in random.sample(mine.places, min(random.choice((1, 3, 12)), len(mine.places))):
        net, tax = (_part(random, int(units[place])) for units in (bill.net, bill.tax))
        given.append(CreditLine(mine.bill.job_names[place], net, tax, "50% <by> hand"))
    lines = [InvoiceLine(SHARED, "Idle time", 0, None, "", None, random.randint(-99, 99))]
    for quarters in range(1, random.choice((1, 2, 4))):
        quantity, price = Fraction(quarters, 4), Fraction(7, 5)
        net = round(quantity * price * 10**bill.decimals)
        text = f"Storage {quarters}"
        lines.append(InvoiceLine(RECURRING, text, 0, quantity, "TB", price, net))
    return Additions(tuple(lines), random.randint(0, 20), tuple(given))


def _part(random: Random, units: int) -> int:
    """Return some of an amount; nothing of one below 0."""
    return random.randint(0, max(units, 0))


def _credit_note(
    document: IssuedDocument, jobs: Sequence[dict[str, str]], random: Random
) -> IssuedDocument:
    scale = 10**document.decimals
    given = [
        CreditLine(
            job["job_id"],
            _part(random, round(Decimal(job["net"]) * scale)),
            _part(random, round(Decimal(job["tax"]) * scale)),
            "node & crash",
        )
        for job in random.sample(jobs, random.randint(1, min(len(jobs), 3)))
    ]
    cancels = random.random() < 0.2
    if cancels:
        given = [CreditLine("", document.net, document.tax, "all that is left")]
    return document.credit_note(f"{document.number}-note", "2026-12-01", given, cancels=cancels)


def _compare_page(page: str, issued: IssuedDocument, jobs: Sequence[dict[str, str]]) -> None:
    """Compare the page of an invoice with its contents and with the table of jobs."""
    _compare_sums(page, issued)
    charged = Counter({name: sum(Decimal(job[name]) for job in jobs) for name in ("net", "tax")})
    _, listed = tables(page)[:2]
    *rows, total = listed
    columns = [("net", "net"), ("amount", "amount")] if issued.tax_name else [("amount", "amount")]
    for start, name in columns:
        (head,) = (head for head in total if head.startswith(f"{start} ("))
        assert number(total[head]) == sum(number(row[head]) for row in rows)
        assert number(total[head]) == sum(Decimal(job[name]) for job in jobs)
    of_jobs = sum(line.net for line in issued.lines if line.kind in ("use", "rule"))
    assert Decimal(of_jobs).scaleb(-issued.decimals) == charged["net"]


def _compare_sums(page: str, issued: IssuedDocument) -> None:
    """Compare lines and sums of a page with the contents of the document."""
    lines = tables(page)[0]
    sums = [Decimal(units).scaleb(-issued.decimals) for units in (issued.net, issued.tax)]
    sums.append(sum(sums))
    found = re.findall(r"<tr><td>([^<]*)</td><td>([^<]*)</td></tr>", page)
    assert [number(text) for _, text in found] == (sums if issued.tax_name else sums[2:])
    charged = sums[0] if issued.kind == INVOICE else sums[2]
    assert sum(number(line[f"amount ({issued.currency})"]) for line in lines) == charged
    for line, exact in zip(lines[:11], issued.lines, strict=False):
        product = number(line["quantity"] or "0") * number(
            line[f"unit price ({issued.currency})"] or "0"
        )
        shown = number(line[f"amount ({issued.currency})"])
        assert shown == Decimal(exact.net).scaleb(-issued.decimals)
        assert not product or round(product, issued.decimals) == shown


def _compare_evidence(page: str, bill: Invoice, places: Sequence[int]) -> None:
    """Compare the amounts of jobs on the page of evidence with the bill."""
    *rows, total = tables(page)[-1]
    (amount,) = (head for head in total if head.startswith("amount ("))
    assert number(total[amount]) == sum(number(row[amount]) for row in rows)
    assert number(total[amount]) == bill.money(bill.to_pay[[*places]])
    ids = re.findall(r"<tr id=line-(\d+)>", page)
    for row, line in zip(rows, ids, strict=False):
        place = int(line) - 2
        assert number(row[amount]) == bill.money(bill.to_pay[[place]])
        formula = in_currency(bill, f"{job_formula(bill, place)}.")
        assert row["how"] == AS_ABOVE or row["how"].startswith(formula)
        assert " SU" not in row["how"] or bill.currency == "SU"


def _compare_focus(folder: Path, issued: Sequence[IssuedDocument]) -> None:
    """Compare the billed costs of FOCUS with the amounts of documents."""
    billed, taxes = Counter[str](), Counter[str]()
    for row in _rows(write_focus(issued, folder / "focus.csv")):
        billed[row["InvoiceId"]] += Decimal(row["BilledCost"])
        if row["ChargeCategory"] == "Tax":
            taxes[row["InvoiceId"]] += Decimal(row["BilledCost"])
    for one in issued:
        unit = Decimal(one.sign).scaleb(-one.decimals)
        assert (billed[one.number], taxes[one.number]) == (one.amount * unit, one.tax * unit)


def _compare_index(folder: Path, issued: Sequence[IssuedDocument]) -> None:
    """Compare the amounts of an index with those of documents."""
    currency = issued[0].currency
    entries = [IndexEntry.of(one) for one in issued]
    (path,) = write_index(entries, folder, IndexHeading(currency))
    (table,) = tables(path.read_text())
    amounts = [number(row[f"amount ({currency})"]) for row in table]
    assert amounts[:-1] == [Decimal(one.sign * one.amount).scaleb(-one.decimals) for one in issued]
    assert amounts[-1] == sum(amounts[:-1])
    jobs = [number(row["jobs"] or "0") for row in table]
    assert jobs[-1] == sum(jobs[:-1])


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
