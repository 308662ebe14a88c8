"""Rules of centres for charges: minimums, weights, exemptions, discounts, tax.

`read_rules` from a file, make an `invoice` of charges by them, and `write_invoice`.
"""

from utilitysched_centre.rules.files import document, write_invoice
from utilitysched_centre.rules.invoice import Invoice, invoice
from utilitysched_centre.rules.most import Most, most
from utilitysched_centre.rules.rules import Rules, read_rules
from utilitysched_centre.rules.statements import KINDS, lines

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
