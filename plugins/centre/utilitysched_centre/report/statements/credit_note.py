"""Credit notes: which invoice each cancels, and what is given back, as pages, PDF and UBL."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from pricing.ledger import amount
from swfx.base.atomic import write_whole
from utilitysched.report.templating import write_html
from utilitysched_centre.register import Document
from utilitysched_centre.report.statements.page import Fitting, InvoicePage, issuer_of
from utilitysched_centre.report.statements.pdf import write_pdf
from utilitysched_centre.report.statements.statement import tax_name
from utilitysched_centre.report.statements.ubl import credit_note_ubl, has_code
from utilitysched_centre.report.templating import render
from utilitysched_centre.rules import Invoice
from utilitysched_centre.rules.invoice import rounded


def write_credit_note(note: Document, bill: Invoice, folder: Path, *, pdf: bool) -> list[Path]:
    """Write a credit note as a page, as UBL where there is a currency, and as PDF if asked for.

    Parameters
    ----------
    note : Document
        The credit note.
    bill : Invoice
        Of its month, by the rules of the centre.
    folder : Path
        Of the invoices.
    pdf : bool
        Write it as PDF, too.
    """
    stem = folder / f"credit-note-{note.number}"
    net = net_of(note.amount, bill)
    page, written = _page(note, bill, net), []
    if has_code(bill.rules):
        ubl = credit_note_ubl(note, bill.rules, net)
        written.append(write_whole(stem.with_name(f"{stem.name}.xml"), ubl))
    machine = written[-1].name if written else ""
    text = render(
        "statement.html",
        title=page.title,
        mine=None,
        index="index.html",
        page=page,
        machine=machine,
    )
    written.append(write_html(text, stem.with_name(f"{stem.name}.html"), parents=True))
    if pdf:
        written.append(write_pdf(page, stem.with_name(f"{stem.name}.pdf")))
    return written


def net_of(gross: Decimal, bill: Invoice) -> Decimal:
    """Return what of an amount is no tax: that which, with the rounded tax on it, comes to it."""
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
