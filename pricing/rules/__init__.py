"""What centres do with a charge before it is paid: minimums, weights, exemptions, discounts, tax.

`read_rules` from a file, make an `invoice` of charges by them, and `write_invoice`.
"""

from pricing.rules.files import document, write_invoice
from pricing.rules.invoice import Invoice, invoice
from pricing.rules.rules import Rules
from pricing.rules.rules_file import read_rules
from pricing.rules.statements import KINDS, check_kind, lines

__all__ = [
    "KINDS",
    "Invoice",
    "Rules",
    "check_kind",
    "document",
    "invoice",
    "lines",
    "read_rules",
    "write_invoice",
]
