"""Contents of invoices, from the statements of a bill."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from fractions import Fraction

from pricing.resources import resource_hour
from swfx.base.zones import read_zone
from utilitysched_centre.report.statements.heading import DAY, InvoiceHeading
from utilitysched_centre.report.statements.issued import (
    EXACT_DECIMALS,
    INVOICE,
    Additions,
    IssuedDocument,
    UsedResource,
)
from utilitysched_centre.report.statements.statement import Statement, in_currency, tax_name
from utilitysched_centre.rules import Invoice, Rules
from utilitysched_centre.rules.decimals import in_decimals
from utilitysched_centre.rules.lines import InvoiceLine, invoice_lines, usage

NOTHING_ADDED = Additions()


def issued_invoice(
    mine: Statement, account: str = "", added: Additions = NOTHING_ADDED
) -> IssuedDocument:
    """Return the contents of the invoice of a statement.

    Parameters
    ----------
    mine : Statement
        Jobs of the payer.
    account : str
        Account of the ledger that pays; empty without a ledger.
    added : Additions
        Recurring and shared lines, and credits.
    """
    bill, places, heading = mine.bill, mine.places, mine.heading
    rules, terms = bill.rules, bill.rules.invoice
    of_jobs = (
        line._replace(text=in_currency(bill, line.text)) for line in invoice_lines(bill, places)
    )
    lines = tuple(_in_decimals(line) for line in (*of_jobs, *added.lines))
    net = sum(line.net for line in lines) - sum(each.net for each in added.credits)
    tax = added.tax - sum(each.tax for each in added.credits)
    begins, ends = _instants(heading)
    basis = bill.charges.basis
    return IssuedDocument(
        number=heading.number,
        kind=INVOICE,
        month=heading.month,
        period=heading.period,
        begins=begins,
        ends=ends,
        recipient=mine.name,
        account=account,
        address=terms.address_of(mine.name),
        issuer=_issuer(rules),
        issued=str(heading.issued or ""),
        due=str(heading.due or ""),
        currency=bill.currency,
        decimals=bill.decimals,
        lines=lines,
        credits=added.credits,
        net=net,
        tax=int(bill.tax[places].sum()) + tax,
        tax_name=tax_name(bill) if rules.tax else "",
        jobs=mine.bill.jobs(places),
        usage=tuple(UsedResource(*used) for used in usage(bill, places)),
        about=_about(bill),
        rules=tuple(mine.all.rules),
        basis=_basis(bill),
        warnings=basis.warnings if basis else (),
        contact=terms.contact,
        pay_to=terms.pay_to,
        note=rules.centre.note if rules.centre else "",
    )


def _in_decimals(line: InvoiceLine) -> InvoiceLine:
    """Return a line with the quantity and the unit price that its document can hold."""

    def held(exact: Fraction | None) -> Fraction | None:
        return None if exact is None else Fraction(in_decimals(exact, EXACT_DECIMALS))

    return line._replace(quantity=held(line.quantity), unit_price=held(line.unit_price))


def _instants(heading: InvoiceHeading) -> tuple[str, str]:
    """Return the first moment of a period and the first moment after it, in UTC."""
    if heading.first is None or heading.last is None:
        return "", ""
    zone = read_zone(heading.zone)

    def midnight(day: date) -> str:
        moment = datetime.combine(day, time(), zone).astimezone(UTC)
        return f"{moment:%Y-%m-%dT%H:%M:%SZ}"

    return midnight(heading.first), midnight(heading.last + DAY)


def _issuer(rules: Rules) -> tuple[str, ...]:
    """Return the lines of who sends invoices, the name first."""
    centre, number = rules.centre, rules.invoice.tax_number
    issuer = (centre.name, *centre.address) if centre else ("",)
    return issuer + ((f"Tax number {number}",) if number else ())


def _about(bill: Invoice) -> str:
    """Return the sentences about the price, by what is counted under the rules."""
    quantity, about = bill.rules.quantity, in_currency(bill, bill.charges.about)
    if quantity and quantity.weights:
        about = about.replace(resource_hour(bill.charges.per), "unit-hour")
    if quantity and quantity.basis == "request":
        return f"{about} By the rules of the centre the time asked for counts as used."
    return about


def _basis(bill: Invoice) -> str:
    """Return what the amounts rest on; a log converted from Slurm is Slurm's."""
    basis, header = bill.charges.basis, bill.charges.workload.header
    if basis is None:
        return ""
    brief = basis.brief
    if not bill.charges.reads_values:
        brief = brief.partition(";")[0]
    if any("Slurm" in line for line in header.all("Conversion")):
        brief = brief.replace("recorded by the log", "recorded by Slurm")
    return brief
