"""UBL 2.1: elements in the order of the standard, amounts that add up."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from plugins.centre.tests.report.invoices import bill
from pricing.basis import Basis
from utilitysched_centre.register import CREDIT_NOTE, Document
from utilitysched_centre.report.statements.credit_note import net_of, write_credit_note
from utilitysched_centre.report.statements.statement import Statement, Statements
from utilitysched_centre.report.statements.ubl import credit_note_ubl, has_ubl, ubl
from utilitysched_centre.rules import Rules
from utilitysched_centre.rules.rules import InvoiceTerms

CBC = "{urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2}"
CAC = "{urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2}"

ORDER = {
    "Invoice": "UBLVersionID ID IssueDate DueDate InvoiceTypeCode Note DocumentCurrencyCode"
    " InvoicePeriod AccountingSupplierParty AccountingCustomerParty PaymentMeans PaymentTerms"
    " TaxTotal LegalMonetaryTotal InvoiceLine",
    "CreditNote": "UBLVersionID ID IssueDate CreditNoteTypeCode Note DocumentCurrencyCode"
    " InvoicePeriod BillingReference AccountingSupplierParty AccountingCustomerParty TaxTotal"
    " LegalMonetaryTotal CreditNoteLine",
    "BillingReference": "InvoiceDocumentReference",
    "InvoiceDocumentReference": "ID",
    "CreditNoteLine": "ID CreditedQuantity LineExtensionAmount Item Price",
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
"""Elements that we write, in the order of UBL-Invoice-2.1.xsd, UBL-CreditNote-2.1.xsd and what
both include."""

NOTE = Document.blank(CREDIT_NOTE, "2000-04", "EUR", date(2000, 6, 1))._replace(
    number="HPC-2000-04-0007",
    account="<lab>",
    amount=Decimal("28.80"),
    cancels="HPC-2000-04-0001",
)


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
    invoice = first(60)
    roots = [
        ET.fromstring(text)
        for text in (ubl(invoice), credit_note_ubl(NOTE, invoice.bill.rules, Decimal(24)))
    ]

    for element in (each for root in roots for each in root.iter()):
        names = [child.tag.rpartition("}")[2] for child in element]
        places = [ORDER[element.tag.rpartition("}")[2]].split().index(name) for name in names]
        assert places == sorted(places)
    named = {element.tag.rpartition("}")[2] for root in roots for element in root.iter()}
    assert named >= ORDER.keys()


def test_a_credit_note_gives_back_what_its_invoice_charged(tmp_path: Path) -> None:
    invoice = first(60)

    written = write_credit_note(NOTE, invoice.bill, tmp_path, pdf=True)

    assert [path.name for path in written] == [
        f"credit-note-HPC-2000-04-0007.{suffix}" for suffix in ("xml", "html", "pdf")
    ]
    root, page = ET.fromstring(written[0].read_bytes()), written[1].read_text("utf-8")
    before = ET.fromstring(ubl(invoice))
    assert root.tag == "{urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2}CreditNote"
    for path in ("TaxTotal", "LegalMonetaryTotal", "AccountingSupplierParty"):
        mine, theirs = (each.find(f"{CAC}{path}") for each in (root, before))
        assert mine is not None
        assert theirs is not None
        assert [each.text for each in mine.iter()] == [each.text for each in theirs.iter()]
    assert root.findtext(f"{CBC}CreditNoteTypeCode") == "381"
    cancelled = f"{CAC}BillingReference/{CAC}InvoiceDocumentReference/{CBC}ID"
    assert root.findtext(cancelled) == "HPC-2000-04-0001"
    assert root.findtext(f"{CAC}CreditNoteLine/{CBC}LineExtensionAmount") == "24.00"
    for text in ("invoice HPC-2000-04-0001 for 2000-04", "2 Torus Street", "4.80 EUR", "28.80 EUR"):
        assert text in page
    assert '<a href="credit-note-HPC-2000-04-0007.xml">' in page
    assert written[2].read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("net", ["0.01", "0.02", "0.03", "8.33", "99.99", "1234.56"])
def test_the_net_amount_is_found_from_what_was_paid(net: str) -> None:
    """A fifth is tax, rounded half to even."""
    tax = round(Fraction(net) * 100 / 5)

    assert net_of(Decimal(net) + Decimal(tax) / 100, bill(4)) == Decimal(net)


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
    told = "This is a simulation under easy, not a record of what happened."
    assert root.findtext(f"{CBC}Note") == told


def test_service_units_are_no_currency() -> None:
    (mine, *_) = Statements(bill(4, Rules()))

    assert has_ubl(first(4))
    assert not has_ubl(mine)
