"""Statements to print and to send: a sheet for each payer, the evidence of each line beside it."""

from utilitysched.report.statements.sheet import write_pages
from utilitysched.report.statements.statement import Statement, Statements

__all__ = ["Statement", "Statements", "write_pages"]
