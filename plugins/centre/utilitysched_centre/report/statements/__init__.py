"""Invoices to print and to send: a page for each payer, the evidence of each line beside it."""

from utilitysched_centre.report.statements.sheet import write_pages
from utilitysched_centre.report.statements.statement import Statement, Statements

__all__ = ["Statement", "Statements", "write_pages"]
