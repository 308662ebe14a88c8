"""What `bill --rules` and `bill --html` write beside the bill."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pricing
from pricing.rules import Invoice, Rules, check_kind, invoice, read_rules, write_invoice
from swfx import InputError


@dataclass(frozen=True)
class Invoicing:
    """Rules, and where pages go.

    Attributes
    ----------
    rules : Rules
        None but the defaults if no file was given.
    html : Path or None
        Folder for a page for each payer.
    """

    rules: Rules
    html: Path | None

    def write(
        self, charges: pricing.Charges, directory: Path, say: Callable[[str], None]
    ) -> Invoice:
        """Apply the rules and write what comes of it."""
        from utilitysched.report.invoices import write_pages

        bill = invoice(charges, self.rules)
        files = write_invoice(directory, bill)
        say(f"wrote {', '.join(path.name for path in files)} in {directory}")
        if self.html:
            say(f"wrote {len(write_pages(bill, self.html)):,} pages in {self.html}")
        return bill


def forget_invoice(directory: Path) -> None:
    """Remove what an earlier bill with rules left: it says nothing about the present charges."""
    for path in (*directory.glob("invoice*.csv"), directory / "invoice.json"):
        path.unlink(missing_ok=True)


def invoicing(
    rules: Path | None,
    html: Path | None,
    by: str,
    *,
    exempted: Sequence[int] | None,
    ledger: str | None,
    decimals: int | None,
) -> Invoicing | None:
    """Return what was asked for; nothing without rules and pages.

    Raises
    ------
    InputError
        The rules cannot be read, or another option says what they say.
    """
    if rules is None and html is None:
        return None
    option = "--rules" if rules else "--html"
    if exempted and rules:
        raise InputError(
            "--exclude-status does not go with --rules",
            remedy="write failed = 0, cancelled = 0 below [status] in the rules",
        )
    if ledger:
        raise InputError(
            f"--ledger does not go with {option}: accounts are charged what the mechanism asks",
            remedy="leave one of them out",
        )
    if decimals is not None:
        raise InputError(
            f"--decimals does not go with {option}", remedy="write decimals below [currency]"
        )
    check_kind(by)
    return Invoicing(read_rules(rules) if rules else Rules(), html)
