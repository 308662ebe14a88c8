"""Credit notes: which invoice each cancels, and what is given back."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from pricing.ledger import amount
from utilitysched.report.templating import write_html
from utilitysched_centre.register import Document
from utilitysched_centre.report.statements.page import Fitting, InvoicePage, issuer_of
from utilitysched_centre.report.statements.statement import tax_name
from utilitysched_centre.report.templating import render
from utilitysched_centre.rules import Invoice
from utilitysched_centre.rules.invoice import rounded


def write_credit_note(note: Document, bill: Invoice, folder: Path) -> Path:
    """Write a credit note as a page.

    Parameters
    ----------
    note : Document
        The credit note.
    bill : Invoice
        Of its month, by the rules of the centre.
    folder : Path
        Of the invoices.
    """
    page = _page(note, bill, net_of(note.amount, bill))
    text = render("statement.html", title=page.title, mine=None, index="index.html", page=page)
    return write_html(text, folder / f"credit-note-{note.number}.html", parents=True)


def net_of(gross: Decimal, bill: Invoice) -> Decimal:
    """Return the net part of an amount: net and rounded tax add up to the amount."""
    units, share = int(gross.scaleb(bill.decimals)), bill.rules.tax_share
    near = round(units / (1 + share))
    tried = (near, near - 1, near + 1)
    exact = (net for net in tried if net + rounded([net * share])[0] == units)
    return amount(next(exact, near), bill.decimals)


def _page(note: Document, bill: Invoice, net: Decimal) -> InvoicePage:
    rules, code = bill.rules, note.currency
    facts = [
        ("Number", note.number),
        ("Date of issue", note.issued),
        ("Cancels", f"invoice {note.cancels} for {note.month}"),
    ]
    sums = [("Given back, tax included", f"{note.amount:,f} {code}")]
    if rules.tax:
        sums[:0] = [
            ("Net", f"{net:,f} {code}"),
            (tax_name(bill), f"{note.amount - net:,f} {code}"),
        ]
    contact = rules.invoice.contact
    return InvoicePage(
        "Credit note",
        f"Credit note {note.number}",
        issuer_of(rules),
        (note.account, *rules.invoice.address_of(note.account)),
        facts,
        (),
        f"Invoice {note.cancels} is cancelled, and all that it charged is given back. What is to"
        " be paid in its place, if anything is, has an invoice of its own.",
        sums,
        None,
        Fitting.of(()),
        [],
        Fitting.of(()),
        None,
        [("Questions", contact)] if contact else [],
        "What is given back",
    )
