"""A ledger of accounts: endowments, holds, charges, refunds and closings by double entry.

`create` one, open it as a `Book`, and `post` what jobs were charged: `charged` turns a bill into
`Claims`. Needs the packages of the extra ``ledger``. (`pricing.ledger` is something else: the exact
decimal lines of one bill.)
"""

from pricing.accounts.account import PAYERS, Account, payer_name, read_account, read_payer
from pricing.accounts.anchors import Anchor, read_anchors, write_anchor
from pricing.accounts.book import Book
from pricing.accounts.claims import Claim, Claims, at_most, at_most_invoiced, charged, invoiced
from pricing.accounts.keys import read_key
from pricing.accounts.money import Money
from pricing.accounts.opening import create, upgrade
from pricing.accounts.overdraft import OverdraftError, Shortage
from pricing.accounts.periods import Closing, read_month
from pricing.accounts.reconciliation import Period, Reconciliation
from pricing.accounts.references import job_references
from pricing.accounts.reports import Balance, HistoryLine, Income, OpenHold
from pricing.accounts.standing import Stand
from pricing.accounts.terms import Terms
from pricing.accounts.transaction import Posted

__all__ = [
    "PAYERS",
    "Account",
    "Anchor",
    "Balance",
    "Book",
    "Claim",
    "Claims",
    "Closing",
    "HistoryLine",
    "Income",
    "Money",
    "OpenHold",
    "OverdraftError",
    "Period",
    "Posted",
    "Reconciliation",
    "Shortage",
    "Stand",
    "Terms",
    "at_most",
    "at_most_invoiced",
    "charged",
    "create",
    "invoiced",
    "job_references",
    "payer_name",
    "read_account",
    "read_anchors",
    "read_key",
    "read_month",
    "read_payer",
    "upgrade",
    "write_anchor",
]
