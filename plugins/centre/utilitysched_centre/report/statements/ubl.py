"""Invoices for accounting systems: UBL 2.1, which EN 16931 knows as one of its two syntaxes.

It is written with the standard library. The packages that write electronic invoices write the other
syntax, for documents in PDF/A, and need compiled XML libraries; a dozen kinds of elements in their
order do not. What a receiver asks for besides (endpoints, countries) is for the centre to add.
"""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from fractions import Fraction
from xml.etree import ElementTree as ET

from pricing.ledger import amount
from swfx.base.numbers import plural, span
from utilitysched_centre.register import Document
from utilitysched_centre.report.statements.heading import days_of
from utilitysched_centre.report.statements.page import LISTED
from utilitysched_centre.report.statements.statement import Statement, begun
from utilitysched_centre.rules import Rules
from utilitysched_centre.rules.files import in_decimals
from utilitysched_centre.rules.invoice import Invoice

DOCUMENTS = "urn:oasis:names:specification:ubl:schema:xsd"

NAMESPACES = {
    "cac": "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
    "cbc": "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
}

INVOICE_CODE, PROFORMA_CODE, CREDIT_NOTE_CODE = "380", "325", "381"
"""Types of documents by UNTDID 1001; a simulation is never an invoice that can be booked."""

TRANSFER = "30"
"""Means of payment by UNTDID 4461: credit transfer."""

PIECE = "C62"
"""Unit of quantities by UN/ECE Recommendation 20: things that are counted."""

TAXED, NOT_TAXED = "S", "O"
"""Categories of tax by UNTDID 5305."""


def has_ubl(mine: Statement) -> bool:
    """Return whether an invoice can be written so: it needs a currency, a number and a date."""
    return bool(mine.heading.issued and mine.heading.number) and has_code(mine.bill.rules)


def has_code(rules: Rules) -> bool:
    """Return whether money is in a currency that accounting systems know."""
    return bool(re.fullmatch("[A-Z]{3}", rules.code))


def ubl(mine: Statement) -> bytes:
    """Return an invoice as UBL 2.1, exact in the minor unit.

    Its lines are those of the page.
    """
    bill, root = mine.bill, _root("Invoice")
    net, tax = (
        amount(int(units[mine.places].sum()), bill.decimals) for units in (bill.net, bill.tax)
    )
    _head(root, mine)
    _parties(root, bill.rules, mine.name)
    _payment(root, mine)
    _totals(root, bill.rules, net, tax)
    _lines(root, mine)
    return _written(root)


def credit_note_ubl(note: Document, rules: Rules, net: Decimal) -> bytes:
    """Return a credit note as UBL 2.1: one line, the invoice that it cancels.

    Parameters
    ----------
    note : Document
        The credit note.
    rules : Rules
        Of the centre.
    net : Decimal
        What is given back, without tax.
    """
    root, said = _root("CreditNote"), f"cancels invoice {note.cancels}"
    _text(root, "UBLVersionID", "2.1")
    _text(root, "ID", note.number)
    _text(root, "IssueDate", note.issued)
    _text(root, "CreditNoteTypeCode", CREDIT_NOTE_CODE)
    _text(root, "Note", said)
    _text(root, "DocumentCurrencyCode", rules.code)
    _period(root, *days_of(note.month))
    _text(_part(root, "BillingReference/InvoiceDocumentReference"), "ID", note.cancels)
    _parties(root, rules, note.account)
    _totals(root, rules, net, note.amount - net)
    line = _part(root, "CreditNoteLine")
    _text(line, "ID", 1)
    _text(line, "CreditedQuantity", 1).set("unitCode", PIECE)
    _money(line, "LineExtensionAmount", net, rules)
    _item(line, said, rules)
    _text(_part(line, "Price"), "PriceAmount", f"{net:f}").set("currencyID", rules.code)
    return _written(root)


def _root(document: str) -> ET.Element:
    root = ET.Element(document, {"xmlns": f"{DOCUMENTS}:{document}-2"})
    for prefix, name in NAMESPACES.items():
        root.set(f"xmlns:{prefix}", name)
    return root


def _written(root: ET.Element) -> bytes:
    ET.indent(root)
    return bytes(ET.tostring(root, "utf-8", xml_declaration=True)) + b"\n"


def _head(root: ET.Element, mine: Statement) -> None:
    heading, basis = mine.heading, mine.bill.charges.basis
    simulated = basis is not None and bool(basis.scheduler)
    _text(root, "UBLVersionID", "2.1")
    _text(root, "ID", heading.number)
    _text(root, "IssueDate", heading.issued)
    _text(root, "DueDate", heading.due)
    _text(root, "InvoiceTypeCode", PROFORMA_CODE if simulated else INVOICE_CODE)
    for sentence in (*(basis.notices if basis else ()), mine.bill.charges.about):
        _text(root, "Note", sentence)
    _text(root, "DocumentCurrencyCode", mine.bill.rules.code)
    if heading.first and heading.last:
        _period(root, heading.first, heading.last)


def _period(root: ET.Element, first: date, last: date) -> None:
    period = _part(root, "InvoicePeriod")
    _text(period, "StartDate", first)
    _text(period, "EndDate", last)


def _parties(root: ET.Element, rules: Rules, name: str) -> None:
    centre, terms = rules.centre, rules.invoice
    supplier = _part(root, "AccountingSupplierParty/Party")
    _party(supplier, centre.name if centre else "", centre.address if centre else ())
    if terms.tax_number:
        scheme = _part(supplier, "PartyTaxScheme")
        _text(scheme, "CompanyID", terms.tax_number)
        _text(_part(scheme, "TaxScheme"), "ID", rules.tax.name if rules.tax else "VAT")
    if terms.contact:
        _text(_part(supplier, "Contact"), "Name", ", ".join(terms.contact))
    customer = _part(root, "AccountingCustomerParty/Party")
    _party(customer, name, terms.address_of(name))


def _party(party: ET.Element, name: str, address: tuple[str, ...]) -> None:
    _text(_part(party, "PartyName"), "Name", name)
    if address:
        where = _part(party, "PostalAddress")
        for line in address:
            _text(_part(where, "AddressLine"), "Line", line)


def _payment(root: ET.Element, mine: Statement) -> None:
    means = _part(root, "PaymentMeans")
    _text(means, "PaymentMeansCode", TRANSFER)
    _text(means, "PaymentID", mine.heading.reference.replace(" ", ""))
    terms = mine.bill.rules.invoice
    if terms.pay_to:
        _text(_part(root, "PaymentTerms"), "Note", ", ".join(terms.pay_to))


def _totals(root: ET.Element, rules: Rules, net: Decimal, tax: Decimal) -> None:
    total = _part(root, "TaxTotal")
    _money(total, "TaxAmount", tax, rules)
    if rules.tax:
        part = _part(total, "TaxSubtotal")
        _money(part, "TaxableAmount", net, rules)
        _money(part, "TaxAmount", tax, rules)
        _category(_part(part, "TaxCategory"), rules)
    sums = _part(root, "LegalMonetaryTotal")
    for name, money in (
        ("LineExtensionAmount", net),
        ("TaxExclusiveAmount", net),
        ("TaxInclusiveAmount", net + tax),
        ("PayableAmount", net + tax),
    ):
        _money(sums, name, money, rules)


def _lines(root: ET.Element, mine: Statement) -> None:
    bill = mine.bill
    shown = mine.most_expensive[:LISTED]
    listed = set(shown)
    rest = [place for place in mine.places if place not in listed]
    named = [([place], _job(bill, place)) for place in shown]
    named += [(rest, plural(mine.jobs(rest), "other job"))] if rest else []
    for number, (places, name) in enumerate(named, start=1):
        net = amount(int(bill.net[places].sum()), bill.decimals)
        line = _part(root, "InvoiceLine")
        _text(line, "ID", number)
        _text(line, "InvoicedQuantity", len(places)).set("unitCode", PIECE)
        _money(line, "LineExtensionAmount", net, bill.rules)
        _item(line, name, bill.rules)
        price = Fraction(net) / len(places)
        unit = _text(_part(line, "Price"), "PriceAmount", in_decimals(price))
        unit.set("currencyID", bill.rules.code)


def _job(bill: Invoice, place: int) -> str:
    jobs, ran = bill.charges.workload, span(bill.charges.outcome.held.item(place))
    size = plural(int(jobs.size[place]), "processor")
    return f"job {jobs.job_id[place]}, started {begun(bill, place)}, ran {ran} on {size}"


def _item(line: ET.Element, name: str, rules: Rules) -> None:
    item = _part(line, "Item")
    _text(item, "Name", name)
    _category(_part(item, "ClassifiedTaxCategory"), rules)


def _category(element: ET.Element, rules: Rules) -> None:
    tax = rules.tax
    _text(element, "ID", TAXED if tax else NOT_TAXED)
    if tax:
        _text(element, "Percent", in_decimals(tax.percent))
    _text(_part(element, "TaxScheme"), "ID", tax.name if tax else "VAT")


def _part(parent: ET.Element, path: str) -> ET.Element:
    for name in path.split("/"):
        parent = ET.SubElement(parent, f"cac:{name}")
    return parent


def _text(parent: ET.Element, name: str, text: str | int | date | None) -> ET.Element:
    element = ET.SubElement(parent, f"cbc:{name}")
    element.text = str(text)
    return element


def _money(parent: ET.Element, name: str, money: Decimal, rules: Rules) -> None:
    _text(parent, name, f"{money:f}").set("currencyID", rules.code)
