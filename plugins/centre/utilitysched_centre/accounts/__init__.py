"""A ledger of accounts: endowments, holds, charges, refunds and closings by double entry.

`create` one, open it as a `Book`, and `post` what jobs were charged: `charged` turns a bill into
`Claims`. Needs the packages of the extra ``ledger``. (`pricing.ledger` is something else: the exact
decimal lines of one bill.)
"""

from utilitysched_centre.accounts.account import (
    PAYERS,
    Account,
    ledger_name,
    mapped_names,
    payer_name,
    read_account,
    read_payer,
)
from utilitysched_centre.accounts.anchors import Anchor, read_anchors, write_anchor
from utilitysched_centre.accounts.book import Book
from utilitysched_centre.accounts.claims import (
    Claim,
    Claims,
    at_most,
    at_most_invoiced,
    charged,
    invoiced,
)
from utilitysched_centre.accounts.documents import (
    CREDIT_NOTE,
    INVOICE,
    Document,
    DocumentLine,
    refund_key,
)
from utilitysched_centre.accounts.issuing import Issue
from utilitysched_centre.accounts.keys import read_key
from utilitysched_centre.accounts.money import Money
from utilitysched_centre.accounts.opening import create
from utilitysched_centre.accounts.overdraft import OverdraftError, Shortage
from utilitysched_centre.accounts.payments import OpenItem
from utilitysched_centre.accounts.periods import Closing, read_month
from utilitysched_centre.accounts.reconciliation import Period, Reconciliation
from utilitysched_centre.accounts.references import job_references
from utilitysched_centre.accounts.reports import Balance, HistoryLine, Income, OpenHold
from utilitysched_centre.accounts.standing import Stand
from utilitysched_centre.accounts.terms import Terms
from utilitysched_centre.accounts.transaction import Posted
from utilitysched_centre.accounts.yearly import AccountStatement, StatementRow

__all__ = [
    "CREDIT_NOTE",
    "INVOICE",
    "PAYERS",
    "Account",
    "AccountStatement",
    "Anchor",
    "Balance",
    "Book",
    "Claim",
    "Claims",
    "Closing",
    "Document",
    "DocumentLine",
    "HistoryLine",
    "Income",
    "Issue",
    "Money",
    "OpenHold",
    "OpenItem",
    "OverdraftError",
    "Period",
    "Posted",
    "Reconciliation",
    "Shortage",
    "Stand",
    "StatementRow",
    "Terms",
    "at_most",
    "at_most_invoiced",
    "charged",
    "create",
    "invoiced",
    "job_references",
    "ledger_name",
    "mapped_names",
    "payer_name",
    "read_account",
    "read_anchors",
    "read_key",
    "read_month",
    "read_payer",
    "refund_key",
    "write_anchor",
]
