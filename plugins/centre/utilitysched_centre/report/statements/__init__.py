"""Invoices and credit notes to print and to send, and the evidence of each amount beside them."""

from utilitysched_centre.report.statements.focus import write_focus
from utilitysched_centre.report.statements.heading import Registered
from utilitysched_centre.report.statements.issue import issued_invoice
from utilitysched_centre.report.statements.issued import (
    Additions,
    CreditLine,
    IssuedDocument,
    content_of,
    read_document_file,
)
from utilitysched_centre.report.statements.sheet import (
    IndexEntry,
    IndexHeading,
    write_document,
    write_index,
    write_pages,
)
from utilitysched_centre.report.statements.statement import Statement, Statements

__all__ = [
    "Additions",
    "CreditLine",
    "IndexEntry",
    "IndexHeading",
    "IssuedDocument",
    "Registered",
    "Statement",
    "Statements",
    "content_of",
    "issued_invoice",
    "read_document_file",
    "write_document",
    "write_focus",
    "write_index",
    "write_pages",
]
