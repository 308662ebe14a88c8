"""Rows of FOCUS 1.2: columns, nulls, allowed values, products, and sums of documents."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from plugins.centre.tests.report.statements.test_issued import ISSUED
from plugins.centre.tests.rules.random_bills import random_bill
from tests.scale import many
from utilitysched_centre.report.statements import (
    Additions,
    CreditLine,
    IssuedDocument,
    Statements,
    issued_invoice,
    write_focus,
)
from utilitysched_centre.report.statements.focus import FOCUS_COLUMNS, focus_rows
from utilitysched_centre.rules.lines import RECURRING, USE, InvoiceLine

MANDATORY = {
    "BilledCost", "BillingAccountId", "BillingAccountName", "BillingCurrency", "BillingPeriodEnd",
    "BillingPeriodStart", "ChargeCategory", "ChargeClass", "ChargeDescription", "ChargePeriodEnd",
    "ChargePeriodStart", "ContractedCost", "EffectiveCost", "InvoiceIssuerName", "ListCost",
    "PricingQuantity", "PricingUnit", "ProviderName", "PublisherName", "ServiceCategory",
    "ServiceName",
}  # fmt: skip
"""Columns of feature level Mandatory."""

NULLABLE = {
    "BillingAccountName", "ChargeClass", "ChargeDescription", "ConsumedQuantity", "ConsumedUnit",
    "ContractedUnitPrice", "InvoiceId", "ListUnitPrice", "PricingCategory", "PricingQuantity",
    "PricingUnit", "ResourceId", "ResourceName", "ResourceType", "SkuId", "SkuPriceId",
}  # fmt: skip
"""Columns that may be null."""

ALLOWED = {
    "ChargeCategory": {"Usage", "Purchase", "Tax", "Credit", "Adjustment"},
    "ChargeClass": {"", "Correction"},
    "ChargeFrequency": {"One-Time", "Recurring", "Usage-Based"},
    "PricingCategory": {"", "Standard", "Dynamic", "Committed", "Other"},
    "ServiceCategory": {"Compute", "Other"},
    "ServiceSubcategory": {"Other (Compute)", "Other (Other)"},
}

PRICED = ("ListUnitPrice", "ContractedUnitPrice", "PricingQuantity", "PricingUnit", "SkuId")
"""Null for taxes, and not for what is used or bought."""


def rows_of(*documents: IssuedDocument) -> list[dict[str, str]]:
    return [dict(zip(FOCUS_COLUMNS, row, strict=True)) for row in focus_rows(documents)]


def amounts(rows: Sequence[dict[str, str]], category: str) -> list[str]:
    return [row["BilledCost"] for row in rows if row["ChargeCategory"] == category]


def require_valid(row: dict[str, str]) -> None:
    """Hold a row to the rules of the specification on the columns that are written."""
    assert all(row[column] for column in set(row) - NULLABLE)
    assert all(row[column] in values for column, values in ALLOWED.items())
    category, priced = row["ChargeCategory"], {bool(row[column]) for column in PRICED}
    assert priced == {category in ("Usage", "Purchase")}
    assert bool(row["PricingCategory"]) == (category in ("Usage", "Purchase"))
    assert bool(row["ConsumedQuantity"]) == (category == "Usage")
    assert bool(row["ConsumedUnit"]) == (category == "Usage")
    assert (category, row["ChargeFrequency"]) != ("Purchase", "Usage-Based")
    assert bool(row["ResourceId"]) == bool(row["ResourceType"]) == bool(row["ResourceName"])
    assert row["EffectiveCost"] == row["BilledCost"]
    for price, cost in (("ListUnitPrice", "ListCost"), ("ContractedUnitPrice", "ContractedCost")):
        if row[price]:
            assert Decimal(row[price]) >= 0
            assert Decimal(row[price]) * Decimal(row["PricingQuantity"]) == Decimal(row[cost])
        else:
            assert row[cost] == row["BilledCost"]
    for bound in ("BillingPeriod", "ChargePeriod"):
        begins, ends = (datetime.fromisoformat(row[bound + end]) for end in ("Start", "End"))
        assert begins < ends
        assert row[f"{bound}Start"].endswith("Z")


def test_the_mandatory_columns_are_there_in_order() -> None:
    assert set(FOCUS_COLUMNS) >= MANDATORY
    assert sorted(FOCUS_COLUMNS) == list(FOCUS_COLUMNS)


def test_a_row_for_each_line_credit_and_tax(tmp_path: Path) -> None:
    with write_focus([ISSUED], tmp_path / "focus.csv").open(encoding="utf-8") as file:
        use, discount, credit, tax = csv.DictReader(file)

    assert (use["ChargeCategory"], use["BilledCost"], use["ListCost"]) == (
        "Usage",
        "15.36",
        "15.36",
    )
    assert (use["PricingQuantity"], use["PricingUnit"]) == ("768", "Core-Hours")
    assert (use["BillingAccountId"], use["BillingAccountType"]) == ("project:physics", "project")
    assert use["BillingPeriodStart"] == "2026-09-30T22:00:00Z"  # midnight in Berlin
    assert use["InvoiceId"] == "HPC-2026-10-0001"
    assert (discount["ChargeCategory"], discount["BilledCost"]) == ("Adjustment", "-0.36")
    assert (credit["ChargeCategory"], credit["ResourceId"]) == ("Credit", "103_1 (run 2)")
    assert credit["ChargeDescription"] == "job 103_1 (run 2): Knoten müde"
    assert (tax["ChargeCategory"], tax["BilledCost"]) == ("Tax", "2.63")


def test_a_credit_note_is_a_correction_below_zero() -> None:
    note = ISSUED.credit_note("HPC-2026-10-0002", "2026-12-01", ISSUED.credits, cancels=False)

    rows = rows_of(note)

    assert {row["ChargeClass"] for row in rows} == {"Correction"}
    assert {row["InvoiceId"] for row in rows} == {"HPC-2026-10-0002"}
    assert amounts(rows, "Credit") == ["-1.14"]
    assert amounts(rows, "Tax") == ["-0.22"]
    assert rows[0]["ChargeDescription"].startswith("invoice HPC-2026-10-0001, job 103_1")


def test_what_has_no_price_by_the_unit_is_one_for_the_month() -> None:
    market = InvoiceLine(USE, "vcg: what others lose", 2, Fraction(2), "jobs", None, 500)
    fee = InvoiceLine(RECURRING, "Fee", 0, None, "", None, 900)
    storage = InvoiceLine(RECURRING, "Storage", 0, Fraction(5, 2), "TB", Fraction(4), 1000)
    back = InvoiceLine(USE, "vcg: compensated", 1, Fraction(1), "jobs", None, -100)

    lines = (market, fee, storage, back)
    rows = rows_of(replace(ISSUED, lines=lines, credits=(), net=2300))

    shown = [
        (row["ChargeCategory"], row["PricingCategory"], row["PricingQuantity"], row["PricingUnit"])
        for row in rows[:4]
    ]
    assert shown == [
        ("Usage", "Dynamic", "1", "Months"),
        ("Purchase", "Standard", "1", "Months"),
        ("Purchase", "Standard", "2.5", "TB"),
        ("Adjustment", "", "", ""),
    ]
    assert (rows[0]["ConsumedQuantity"], rows[0]["ConsumedUnit"]) == ("2", "Jobs")
    for row in rows:
        require_valid(row)


@pytest.mark.parametrize("part", range(2))
def test_rows_of_random_documents_are_valid_and_add_up(part: int) -> None:
    for seed in range(part, many(200), 2):
        for mine in Statements(random_bill(seed)):
            net = max(int(mine.bill.net[mine.places[0]]), 0)
            given = (CreditLine(mine.all.job_names[mine.places[0]], net, 1, "crashed"),)
            issued = issued_invoice(mine, f"project:{mine.name}", Additions(credits=given))
            note = issued.credit_note(f"{issued.number}n", "2026-12-01", given, cancels=False)
            for document in (issued, note) if issued.begins else ():  # a log without a calendar
                rows = rows_of(document)
                billed = sum(Decimal(row["BilledCost"]) for row in rows)
                assert billed == Decimal(document.sign * document.amount).scaleb(-document.decimals)
                for row in rows:
                    require_valid(row)
