"""Rules of centres for charges: minimums, weights, exemptions, discounts, tax.

`read_rules` from a file, make an `invoice` of charges by them, and `write_invoice`.
"""

from pricing.rules.files import document, write_invoice
from pricing.rules.invoice import Invoice, invoice
from pricing.rules.most import Most, most
from pricing.rules.rules import Rules
from pricing.rules.rules_file import read_rules
from pricing.rules.statements import KINDS, lines

__all__ = [
    "KINDS",
    "Invoice",
    "Most",
    "Rules",
    "document",
    "invoice",
    "lines",
    "most",
    "read_rules",
    "write_invoice",
]
