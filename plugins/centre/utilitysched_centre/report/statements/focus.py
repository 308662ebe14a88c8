"""Documents as rows of FOCUS 1.2, the FinOps Open Cost and Usage Specification."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from pricing.ledger import amount, plain
from swfx.base.csv_rows import write_csv
from utilitysched_centre.report.statements.issued import (
    CREDIT_NOTE,
    EXACT_DECIMALS,
    CreditLine,
    IssuedDocument,
)
from utilitysched_centre.rules.decimals import in_decimals
from utilitysched_centre.rules.lines import InvoiceLine

FOCUS_FILE = "focus.csv"

FOCUS_COLUMNS = (
    "BilledCost",
    "BillingAccountId",
    "BillingAccountName",
    "BillingAccountType",
    "BillingCurrency",
    "BillingPeriodEnd",
    "BillingPeriodStart",
    "ChargeCategory",
    "ChargeClass",
    "ChargeDescription",
    "ChargeFrequency",
    "ChargePeriodEnd",
    "ChargePeriodStart",
    "ConsumedQuantity",
    "ConsumedUnit",
    "ContractedCost",
    "ContractedUnitPrice",
    "EffectiveCost",
    "InvoiceId",
    "InvoiceIssuerName",
    "ListCost",
    "ListUnitPrice",
    "PricingCategory",
    "PricingQuantity",
    "PricingUnit",
    "ProviderName",
    "PublisherName",
    "ResourceId",
    "ResourceName",
    "ResourceType",
    "ServiceCategory",
    "ServiceName",
    "ServiceSubcategory",
    "SkuId",
    "SkuPriceId",
)
"""Columns that a centre can fill, the mandatory ones among them, in alphabetical order."""

Cells = dict[str, str]

JOBS, UNNAMED = "HPC jobs", "HPC centre"
COMPUTE = {"ServiceCategory": "Compute", "ServiceSubcategory": "Other (Compute)"}
OTHER = {"ServiceCategory": "Other", "ServiceSubcategory": "Other (Other)"}
ONE = Fraction(1), "Months"
"""Quantity and unit of a charge that has neither: it is for the billing period."""


def focus_rows(documents: Iterable[IssuedDocument]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each line of documents and for their tax, by `FOCUS_COLUMNS`.

    The billed costs of a document add up to its amount, below 0 for a credit note.
    """
    for issued in documents:
        about = _document_cells(issued)
        for cells in _charges(issued):
            row = {"ServiceName": JOBS} | COMPUTE | about | cells
            yield tuple(row.get(column, "") for column in FOCUS_COLUMNS)


def write_focus(documents: Iterable[IssuedDocument], path: Path) -> Path:
    """Write documents as a CSV file; nulls are empty cells."""
    return write_csv(path, FOCUS_COLUMNS, focus_rows(documents), parents=True)


def _document_cells(issued: IssuedDocument) -> Cells:
    """Return the cells that all rows of a document have in common."""
    kind, _, name = issued.account.partition(":")
    centre = (issued.issuer[0] if issued.issuer else "") or UNNAMED
    return {
        "BillingAccountId": issued.account or issued.recipient,
        "BillingAccountName": issued.recipient,
        "BillingAccountType": kind if name else "account",
        "BillingCurrency": issued.currency,
        "BillingPeriodStart": issued.begins,
        "BillingPeriodEnd": issued.ends,
        "ChargePeriodStart": issued.begins,
        "ChargePeriodEnd": issued.ends,
        "ChargeClass": "Correction" if issued.kind == CREDIT_NOTE else "",
        "ChargeFrequency": "Usage-Based",
        "InvoiceId": issued.number,
        "InvoiceIssuerName": centre,
        "ProviderName": centre,
        "PublisherName": centre,
    }


def _charges(issued: IssuedDocument) -> Iterator[Cells]:
    """Yield the cells of each line, of each credit, and of the tax."""
    for line in issued.lines:
        cost = amount(line.net, issued.decimals)
        cells = {"ChargeDescription": line.text} | _category(line)
        yield cells | (_priced(line, cost) if "SkuId" in cells else _costs(cost))
    for credit in issued.credits:
        yield _credit(issued, credit)
    if issued.tax:
        tax = _costs(amount(issued.sign * issued.tax, issued.decimals))
        yield tax | {"ChargeCategory": "Tax", "ChargeDescription": issued.tax_name}


def _category(line: InvoiceLine) -> Cells:
    """Return the category of a line; what is used or bought has an article, none is below 0."""
    if line.kind == "use" and line.net >= 0:
        return {"ChargeCategory": "Usage", "SkuId": line.text}
    if line.kind == "recurring" and line.net >= 0:
        bought = {"ChargeCategory": "Purchase", "SkuId": line.text, "ServiceName": line.text}
        return OTHER | bought | {"ChargeFrequency": "Recurring"}
    return {"ChargeCategory": "Adjustment"}


def _priced(line: InvoiceLine, cost: Decimal) -> Cells:
    """Return costs and quantities: the list cost is quantity times price, not rounded."""
    known = line.quantity is not None and line.unit_price is not None
    quantity, unit = (line.quantity, _unit(line.unit)) if known else ONE
    price = line.unit_price if known else Fraction(cost)
    assert quantity is not None
    assert price is not None
    number, each = (in_decimals(exact, EXACT_DECIMALS) for exact in (quantity, price))
    product = plain(Decimal(number) * Decimal(each))
    used = (number, unit) if known else (str(max(line.jobs, 1)), "Jobs")
    consumed = dict(zip(("ConsumedQuantity", "ConsumedUnit"), used, strict=True))
    return {
        **_costs(cost),
        **(consumed if line.kind == "use" else {}),
        "ListCost": product,
        "ContractedCost": product,
        "ListUnitPrice": each,
        "ContractedUnitPrice": each,
        "PricingQuantity": number,
        "PricingUnit": unit,
        "PricingCategory": "Standard" if known or line.kind != "use" else "Dynamic",
        "SkuPriceId": line.text,
    }


def _unit(text: str) -> str:
    """Return a unit with capitals.

    >>> _unit("core-hours"), _unit("GPU-hours"), _unit("TB")
    ('Core-Hours', 'GPU-Hours', 'TB')
    """
    return "-".join(word[:1].upper() + word[1:] for word in text.split("-"))


def _credit(issued: IssuedDocument, credit: CreditLine) -> Cells:
    corrected = f"invoice {issued.corrects}, " if issued.corrects else ""
    job = {"ResourceId": credit.job, "ResourceName": credit.job, "ResourceType": "Job"}
    return {
        **_costs(amount(-credit.net, issued.decimals)),
        **(job if credit.job else {}),
        "ChargeCategory": "Credit",
        "ChargeDescription": f"{corrected}{credit.text}",
        "ChargeFrequency": "One-Time",
    }


def _costs(cost: Decimal) -> Cells:
    names = ("BilledCost", "EffectiveCost", "ListCost", "ContractedCost")
    return dict.fromkeys(names, plain(cost))
