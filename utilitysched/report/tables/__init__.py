"""Tables of results: made once, written for terminals, programs, pages and papers."""

from utilitysched.analysis.documents import Column, ResultTable
from utilitysched.report.tables.formats import csv_text, latex, markdown
from utilitysched.report.terminal import print_table

__all__ = ["Column", "ResultTable", "csv_text", "latex", "markdown", "print_table"]
