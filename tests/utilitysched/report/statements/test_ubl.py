"""UBL 2.1: elements in the order of the standard, amounts that add up."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from xml.etree import ElementTree as ET

from pricing.basis import Basis
from pricing.rules import Rules
from pricing.rules.rules import InvoiceTerms
from tests.utilitysched.report.invoices import bill
from utilitysched.report.statements.statement import Statement, Statements
from utilitysched.report.statements.ubl import has_ubl, ubl

CBC = "{urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2}"
CAC = "{urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2}"

ORDER = {
    "Invoice": "UBLVersionID ID IssueDate DueDate InvoiceTypeCode Note DocumentCurrencyCode"
    " InvoicePeriod AccountingSupplierParty AccountingCustomerParty PaymentMeans PaymentTerms"
    " TaxTotal LegalMonetaryTotal InvoiceLine",
    "InvoicePeriod": "StartDate EndDate",
    "AccountingSupplierParty": "Party",
    "AccountingCustomerParty": "Party",
    "Party": "PartyName PostalAddress PartyTaxScheme Contact",
    "PartyName": "Name",
    "PostalAddress": "AddressLine",
    "AddressLine": "Line",
    "PartyTaxScheme": "CompanyID TaxScheme",
    "TaxScheme": "ID",
    "Contact": "Name",
    "PaymentMeans": "PaymentMeansCode PaymentID",
    "PaymentTerms": "Note",
    "TaxTotal": "TaxAmount TaxSubtotal",
    "TaxSubtotal": "TaxableAmount TaxAmount TaxCategory",
    "TaxCategory": "ID Percent TaxScheme",
    "ClassifiedTaxCategory": "ID Percent TaxScheme",
    "LegalMonetaryTotal": "LineExtensionAmount TaxExclusiveAmount TaxInclusiveAmount PayableAmount",
    "InvoiceLine": "ID InvoicedQuantity LineExtensionAmount Item Price",
    "Item": "Name ClassifiedTaxCategory",
    "Price": "PriceAmount",
}
"""Elements of the standard's sequences that we write (UBL-Invoice-2.1.xsd and what it includes)."""


def first(jobs: int, basis: Basis | None = None) -> Statement:
    """Return the invoice of <lab>, with all that a centre can say."""
    made = bill(jobs)
    terms = InvoiceTerms(
        "HPC", None, 14, ("Ms Lovelace",), ("IBAN 1",), "DE1", {"<lab>": ("2 Torus Street",)}
    )
    made = replace(made, rules=replace(made.rules, invoice=terms))
    (mine, *_) = Statements(replace(made, charges=replace(made.charges, basis=basis)))
    return mine


def test_elements_stand_in_the_order_of_the_standard() -> None:
    root = ET.fromstring(ubl(first(60)))

    for element in root.iter():
        names = [child.tag.rpartition("}")[2] for child in element]
        places = [ORDER[element.tag.rpartition("}")[2]].split().index(name) for name in names]
        assert places == sorted(places)
    assert {element.tag.rpartition("}")[2] for element in root.iter()} >= ORDER.keys()


def test_lines_and_tax_add_up_to_what_is_to_be_paid() -> None:
    root = ET.fromstring(ubl(first(60)))

    def sums(path: str) -> Decimal:
        return sum((Decimal(found.text or "") for found in root.iterfind(path)), Decimal(0))

    total = f"{CAC}LegalMonetaryTotal/{CBC}"
    assert len(root.findall(f"{CAC}InvoiceLine")) == 21
    assert sums(f"{CAC}InvoiceLine/{CBC}LineExtensionAmount") == Decimal("24.00")
    assert sums(f"{total}LineExtensionAmount") == Decimal("24.00")
    assert sums(f"{CAC}TaxTotal/{CBC}TaxAmount") == Decimal("4.80")
    assert sums(f"{total}PayableAmount") == Decimal("28.80")
    assert {each.get("currencyID") for each in root.iter() if each.tag.endswith("Amount")} == {
        "EUR"
    }
    assert root.findtext(f"{CBC}InvoiceTypeCode") == "380"


def test_a_simulation_is_no_invoice_that_can_be_booked() -> None:
    root = ET.fromstring(ubl(first(4, Basis("easy"))))

    assert root.findtext(f"{CBC}InvoiceTypeCode") == "325"
    assert root.findtext(f"{CBC}Note") == "This is a simulation by easy, not what really happened."


def test_service_units_are_no_currency() -> None:
    (mine, *_) = Statements(bill(4, Rules()))

    assert has_ubl(first(4))
    assert not has_ubl(mine)
