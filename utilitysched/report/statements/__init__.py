"""Statements to print and to send: a sheet for each payer, the evidence of each line beside it."""

from utilitysched.report.statements.statement import Statement, Statements
from utilitysched.report.statements.writing import write_pages

__all__ = ["Statement", "Statements", "write_pages"]
