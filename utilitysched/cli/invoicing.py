"""What `bill --rules` and `bill --html` ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pricing import Charges
from pricing.rules import KINDS, Invoice, Rules, invoice, read_rules
from pricing.rules.invoice import FINEST
from pricing.statement import check_kind
from swfx import InputError
from utilitysched.cli.paying import Payment

PAYER = "account"


@dataclass(frozen=True)
class Invoicing:
    """Rules, and where pages go.

    Attributes
    ----------
    rules : Rules
        None but the defaults if no file was given.
    html : Path or None
        Folder for pages.
    by : str
        Whose they are: for each payer, user, group, queue or month.
    """

    rules: Rules
    html: Path | None
    by: str

    def of(self, charges: Charges, payment: Payment | None) -> Invoice:
        """Apply the rules; who pays is for a ledger to say, if there is one."""
        return invoice(
            charges,
            self.rules,
            payer=payment.payers(charges.workload, self.rules) if payment else None,
            finest=payment.decimals if payment else FINEST,
        )


def invoicing(
    rules: Path | None,
    html: Path | None,
    by: str | None,
    *,
    exempted: Sequence[int] | None,
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
    if decimals is not None:
        raise InputError(
            f"--decimals does not go with {option}", remedy="write decimals below [currency]"
        )
    if by:
        check_kind(by, KINDS)
    return Invoicing(read_rules(rules) if rules else Rules(), html, by or PAYER)
