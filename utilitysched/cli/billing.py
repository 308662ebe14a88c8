"""A bill on its way to the disk and to a ledger: all of it is possible, or nothing is done."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import nullcontext
from dataclasses import dataclass
from json import loads
from pathlib import Path

import pricing
from pricing.rules import Invoice, document, write_invoice
from swfx import Workload
from utilitysched.cli.invoicing import Invoicing
from utilitysched.cli.paying import Payment, Settled, folder_of
from utilitysched.report.bill import print_bill
from utilitysched.report.console import print_json
from utilitysched.report.invoices import print_invoice
from utilitysched.report.reconciliation import (
    Reconciled,
    print_reconciliation,
    reconciliation_document,
)
from utilitysched.report.statements import Statements, write_pages
from utilitysched.runs.reconciliation_csv import forget_reconciliation, write_reconciliation

Say = Callable[[str], None]


@dataclass(frozen=True)
class Billing:
    """What a bill is made of.

    Attributes
    ----------
    directory : Path
        Of the run.
    charges : Charges
        What the mechanism asks.
    ruled : Invoicing or None
        Rules and pages.
    payment : Payment or None
        The ledger.
    decimals : int or None
        Of statements.
    """

    directory: Path
    charges: pricing.Charges
    ruled: Invoicing | None
    payment: Payment | None
    decimals: int | None

    def write(self, memo: str, say: Say) -> Written:
        """Write the bill, post it, and reconcile it.

        The posting is complete when the files of the bill are, so that each is there without the
        other for a moment only, and the next call makes up for it. What tells of the ledger is
        written last.
        """
        invoice = self.ruled.of(self.charges, self.payment) if self.ruled else None
        settling = (
            self.payment.posting(self.charges, invoice, memo) if self.payment else nullcontext(None)
        )
        with settling as settled:
            if self.ruled and self.ruled.html:
                folder_of(self.ruled.html)
            files = self._write_files(invoice)
            say(f"wrote {', '.join(path.name for path in files)} in {self.directory}")
        reconciled = self._reconciled(settled, say) if settled else None
        if self.ruled and self.ruled.html and invoice:
            statements = Statements(invoice, self.ruled.by, self.directory, reconciled)
            pages = write_pages(statements, self.ruled.html)
            say(f"wrote {len(pages):,} files in {self.ruled.html}")
        return Written(self.charges, invoice, reconciled, files[-1], self.decimals)

    def _write_files(self, invoice: Invoice | None) -> list[Path]:
        """Write an invoice before the charges it is of, and remove one after they are replaced."""
        forget_reconciliation(self.directory)
        first = write_invoice(self.directory, invoice) if invoice else []
        files = pricing.write_statements(self.directory, self.charges, decimals=self.decimals)
        if not invoice:
            forget_invoice(self.directory)
        return first + files

    def _reconciled(self, settled: Settled, say: Say) -> Reconciled:
        found = settled.reconciled()
        path = write_reconciliation(self.directory, found.accounts, found.money)
        say(settled.line)
        say(f"wrote {path.name} in {self.directory}")
        return found


@dataclass(frozen=True)
class Written:
    """A bill that is written.

    Attributes
    ----------
    charges : Charges
        What the mechanism asks.
    invoice : Invoice or None
        What the rules make of it.
    reconciled : Reconciled or None
        What the ledger says of it.
    document : Path
        statements.json.
    decimals : int or None
        Of statements.
    """

    charges: pricing.Charges
    invoice: Invoice | None
    reconciled: Reconciled | None
    document: Path
    decimals: int | None


def note_of_statuses(statuses: Collection[int], workload: Workload, say: Say) -> None:
    """Say which statuses that are let off no job has."""
    missing = sorted(set(statuses) - set(workload.status.tolist()))
    if missing:
        say(f"no job of this run has status {', '.join(map(str, missing))}: none is let off by it")


def forget_invoice(directory: Path) -> None:
    """Remove what an earlier bill with rules left: it says nothing about the present charges."""
    for path in (*directory.glob("invoice*.csv"), directory / "invoice.json"):
        path.unlink(missing_ok=True)


def show_bill(written: Written, by: str, *, json: bool) -> None:
    """Print a bill."""
    if json:
        whole = loads(written.document.read_text(encoding="utf-8"))
        whole |= {"invoice": document(written.invoice)} if written.invoice else {}
        whole |= reconciliation_document(written.reconciled) if written.reconciled else {}
        print_json(whole)
        return
    if written.invoice:
        print_invoice(written.invoice, by)
    else:
        print_bill(written.charges, by, decimals=written.decimals)
    if written.reconciled:
        print_reconciliation(written.reconciled)
